// SPDX-License-Identifier: MIT
// Analysis of keys and tracks: which of them are not needed.
#ifndef LINT_KEYS_H
#define LINT_KEYS_H

#include "lint/subject.h"

// Returns the largest difference between values of a sampler that are equal except for rounding: 1e-7 times its
// largest number, or 1e-7 if that is below 1.
double lint_rounding_tolerance(const lint_sampler *sampler);

// Whether all keys are equal and all tangents 0.
bool lint_is_constant(const lint_sampler *sampler);

// Marks the channels of an animation that always equal the rest pose and can be removed, in marks[channel_count]. Some
// are kept if the clip would otherwise be empty, start later or end earlier. Returns whether any is marked.
bool lint_mark_redundant(lint_subject *s, const lint_animation *animation, bool *marks);

// Marks in keep[key_count] the keys that LINEAR samplers on the same times need to stay within their tolerances (one
// per sampler) at all keys. Returns their number.
int32_t lint_mark_needed_keys(const lint_sampler *const *samplers, const double *tolerances, int32_t count,
                              bool *keep);

// Returns for each accessor the first accessor with the same content and the same use in animations (times or values);
// that may be itself. NULL if memory runs out.
const int32_t *lint_find_duplicates(lint_subject *s);

// Returns the size of a component type in bytes; the largest one, 4, if the type is unknown.
size_t lint_component_size(int32_t component_type);

// Return the size in bytes of one value of a sampler, and of one key.
size_t lint_value_size(const lint_sampler *sampler);
size_t lint_key_size(const lint_sampler *sampler);

double lint_dot4(const double *a, const double *b);

// Whether a rotation's length is 1 except for the rounding of its components.
bool lint_is_unit(double length, int32_t component_type);

// Whether a rotation is in the opposite hemisphere of the previous one: their dot product is negative. False for a
// difference of half a turn, within 0.1 degrees.
bool lint_flips_sign(const double *before, const double *q);

#endif
