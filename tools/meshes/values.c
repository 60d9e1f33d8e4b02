// SPDX-License-Identifier: MIT
// Quantizes accessors' values.
#include "meshes/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The exponential filter has a 24-bit mantissa and a float's exponent.
#define MAX_MANTISSA 8388607.0
#define MAX_EXPONENT 100

// How far a direction's length may be from 1. The filter normalizes it.
#define UNIT_TOLERANCE 0.01

double mesh_float(const mesh_accessor *accessor, size_t index) {
    const size_t width = (size_t)accessor->components;
    float number;
    memcpy(&number, accessor->data + index / width * accessor->stride + index % width * sizeof number,
           sizeof number);
    return (double)number;
}

static size_t number_count(const mesh_accessor *accessor) {
    return (size_t)accessor->count * (size_t)accessor->components;
}

bool mesh_may_round(const mesh_accessor *accessor, int exponent) {
    if (exponent < -MAX_EXPONENT || exponent > MAX_EXPONENT) return false;
    for (size_t i = 0; i < number_count(accessor); i++) {
        if (!(fabs(ldexp(mesh_float(accessor, i), -exponent)) <= MAX_MANTISSA)) return false;
    }
    return true;
}

bool mesh_round(mesh_accessor *accessor, int exponent, sinewi_arena *arena) {
    double *values = sinewi_arena_array(arena, double, number_count(accessor));
    if (!values) return false;
    // Adding 0 makes -0 positive, because the filter can't store its sign.
    for (size_t i = 0; i < number_count(accessor); i++)
        values[i] = ldexp(rint(ldexp(mesh_float(accessor, i), -exponent)), exponent) + 0.0;
    accessor->values = values;
    accessor->exponent = exponent;
    return true;
}

bool mesh_round_to_integers(mesh_accessor *accessor, sinewi_arena *arena) {
    double *values = sinewi_arena_array(arena, double, number_count(accessor));
    if (!values) return false;
    for (size_t i = 0; i < number_count(accessor); i++)
        values[i] = rint(mesh_float(accessor, i) / accessor->unit) * accessor->unit + 0.0;
    accessor->values = values;
    return true;
}

// Returns a component's unit. It scales all but the last column of a matrix.
static double unit_of(const mesh_accessor *accessor, size_t component) {
    const bool scales = accessor->unit > 0.0 && (accessor->use != MESH_BINDS || component < 12);
    return scales ? accessor->unit : 1.0;
}

double mesh_stored(const mesh_accessor *accessor, size_t index) {
    const double unit = unit_of(accessor, index % (size_t)accessor->components), value = accessor->values[index];
    if (accessor->use != MESH_BINDS) return accessor->unit > 0.0 ? rint(value / unit) : value;
    return value * unit;
}

// ---- Matrices ------------------------------------------------------------------------------------------------------

// A matrix's last row is 0 and 1.
int mesh_exponent(const mesh_accessor *accessor, size_t component) {
    if (accessor->use != MESH_BINDS) return accessor->exponent;
    if (component % 4 == 3) return 0;
    return component >= 12 ? accessor->offset_exponent : accessor->exponent;
}

bool mesh_round_matrices(mesh_accessor *accessor, sinewi_arena *arena) {
    double *values = sinewi_arena_array(arena, double, number_count(accessor));
    accessor->values = NULL;
    if (!values) return false;
    for (size_t i = 0; i < number_count(accessor); i++) {
        const int exponent = mesh_exponent(accessor, i % 16);
        const double unit = unit_of(accessor, i % 16),
                     mantissa = rint(ldexp(mesh_float(accessor, i) * unit, -exponent));
        if (abs(exponent) > MAX_EXPONENT || !(fabs(mantissa) <= MAX_MANTISSA)) return true;
        values[i] = ldexp(mantissa, exponent) / unit + 0.0;
    }
    accessor->values = values;
    return true;
}

// ---- Weights -------------------------------------------------------------------------------------------------------

// Reads weights like readers do: negative ones are 0, and a vertex whose sum isn't finite or above 0 has none.
static double read_weights(const mesh_accessor *accessor, size_t vertex, double weights[4]) {
    double sum = 0.0;
    for (size_t i = 0; i < 4; i++) {
        weights[i] = mesh_float(accessor, 4 * vertex + i);
        if (!isfinite(weights[i])) return 0.0;
        weights[i] = fmax(0.0, weights[i]);
        sum += weights[i];
    }
    return sum;
}

// The exponent of weights stored as bytes.
#define BYTE_EXPONENT (-8)

// Truncates weights. Then adds what's missing from the whole to those truncated most, starting with the first among
// equals.
static void round_vertex(const mesh_accessor *accessor, size_t vertex, double whole, double *out) {
    double exact[4] = {0.0}, left = whole;
    const double sum = read_weights(accessor, vertex, exact);
    for (int i = 0; i < 4; i++) {
        exact[i] = sum > 0.0 ? exact[i] / sum * whole : 0.0;
        out[i] = floor(exact[i]);
        left -= out[i];
    }
    while (left > 0.0 && sum > 0.0) {
        int most = 0;
        for (int i = 1; i < 4; i++) {
            if (exact[i] - out[i] > exact[most] - out[most]) most = i;
        }
        out[most] += 1.0;
        left -= 1.0;
    }
    for (int i = 0; i < 4; i++) out[i] /= whole;
}

bool mesh_round_weights(mesh_accessor *accessor, int bits, sinewi_arena *arena) {
    double *values = sinewi_arena_array(arena, double, number_count(accessor));
    if (!values) return false;
    const double whole = -bits == BYTE_EXPONENT ? UINT8_MAX : ldexp(1.0, bits);
    for (size_t v = 0; v < (size_t)accessor->count; v++) round_vertex(accessor, v, whole, values + 4 * v);
    accessor->values = values;
    accessor->exponent = -bits;
    return true;
}

bool mesh_has_byte_weights(const mesh_accessor *accessor) {
    return accessor->use == MESH_WEIGHTS && accessor->values && accessor->exponent == BYTE_EXPONENT;
}

// ---- Directions ----------------------------------------------------------------------------------------------------

bool mesh_are_directions(const mesh_accessor *accessor) {
    const size_t width = (size_t)accessor->components;
    if (width != (accessor->use == MESH_TANGENT ? 4u : 3u)) return false;
    for (size_t v = 0; v < (size_t)accessor->count; v++) {
        double square = 0.0;
        for (size_t i = 0; i < 3; i++) square += pow(mesh_float(accessor, width * v + i), 2.0);
        if (!(fabs(sqrt(square) - 1.0) <= UNIT_TOLERANCE)) return false;
        if (width == 4 && fabs(mesh_float(accessor, 4 * v + 3)) != 1.0) return false;
    }
    return true;
}
