// What can be said about keys without looking at a picture: which are needless, and which tracks.
#ifndef LINT_KEYS_H
#define LINT_KEYS_H

#include "lint/subject.h"

// How far two values of a sampler may be apart and still be the same but for rounding: 1e-7, and as much more as its
// largest number is above 1.
double lint_exactness(const lint_sampler *sampler);

// Whether all keys are the same, tangents 0.
bool lint_is_constant(const lint_sampler *sampler);

// Marks the channels of an animation that stay at rest all the time and can go: of those some are kept where the clip
// would else be empty, or start later or end sooner. `marks` is [channel_count].
bool lint_mark_at_rest(lint_subject *s, const lint_animation *animation, bool *marks);

// Marks in `keep` [key_count] the keys that are needed so that LINEAR samplers on the same times stay within their
// tolerances (one for each sampler) at all keys. Returns how many those are.
int32_t lint_thin(const lint_sampler *const *samplers, const double *tolerances, int32_t count, bool *keep);

// For each accessor the first one with the same content and the same use in animations (times, or values); itself
// where there is none before. NULL when memory runs out.
const int32_t *lint_find_twins(lint_subject *s);

// The bytes of one number of a component type.
size_t lint_component_size(int32_t component_type);

// The bytes of one value of a sampler, and of one of its keys.
size_t lint_value_size(const lint_sampler *sampler);
size_t lint_key_size(const lint_sampler *sampler);

double lint_dot4(const double *a, const double *b);

// Whether a rotation's length is 1 but for the rounding of its components.
bool lint_is_unit(double length, int32_t component_type);

// Whether a rotation lies on the other half of the quaternions than the one before. Half a turn away is on neither.
bool lint_on_far_side(const double *before, const double *q);

#endif
