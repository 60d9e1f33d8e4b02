// SPDX-License-Identifier: MIT
// Analyzes keys and tracks to find the ones that aren't needed.
#ifndef LINT_KEYS_H
#define LINT_KEYS_H

#include "lint/subject.h"

// Returns the largest difference between a sampler's values that count as equal except for rounding: 1e-7 times its
// largest number, or 1e-7 if that's below 1.
double lint_rounding_tolerance(const lint_sampler *sampler);

// Returns whether all keys are equal and all tangents are 0.
bool lint_is_constant(const lint_sampler *sampler);

// Marks an animation's channels that always equal the rest pose and can be removed, in marks[channel_count]. Keeps some
// if the clip would otherwise be empty, start later or end earlier. Returns whether any were marked.
bool lint_mark_redundant(lint_subject *s, const lint_animation *animation, bool *marks);

// Marks the keys that LINEAR samplers on the same times need, in keep[key_count]. At every key, each sampler stays
// within its tolerance. Returns the number of needed keys.
int32_t lint_mark_needed_keys(const lint_sampler *const *samplers, const double *tolerances, int32_t count,
                              bool *keep);

// Returns, for each accessor, the first accessor with the same content and the same use in animations (times or
// values). It may be the accessor itself. NULL if memory runs out.
const int32_t *lint_find_duplicates(lint_subject *s);

// Returns a component type's size in bytes. An unknown type counts as the largest one, 4.
size_t lint_component_size(int32_t component_type);

// Return the size of a sampler's value and key in bytes.
size_t lint_value_size(const lint_sampler *sampler);
size_t lint_key_size(const lint_sampler *sampler);

double lint_dot4(const double *a, const double *b);

// Returns whether a rotation's length is 1, except for rounding in its components.
bool lint_is_unit(double length, int32_t component_type);

// Returns whether a rotation is in the opposite hemisphere from the previous one: their dot product is negative. False
// if they're half a turn apart, within 0.1 degrees.
bool lint_flips_sign(const double *before, const double *q);

#endif
