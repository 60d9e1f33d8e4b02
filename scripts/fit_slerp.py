#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fits the coefficients in src/base/slerp.h and prints them with the largest error of the fit.

t' - t = t (t - 1/2) (t - 1) * sum of c[i][j] (1 - d)^i ((t - 1/2)^2)^j, i = 1..3, j = 0..2, minimax in the angle
by iteratively reweighted least squares (Lawson). Standard library only.
"""
import math
import struct

from equations import solve

MAX_ANGLE = math.pi / 4  # between the quaternions: 90 degrees of rotation


def samples(angles=60, times=60):
    for a in range(1, angles + 1):
        angle = MAX_ANGLE * math.sin(math.pi / 2 * a / angles)
        for b in range(times):
            t = 0.5 - 0.5 * math.cos(math.pi * (b + 0.5) / times)
            exact = math.sin(t * angle) / (math.sin(t * angle) + math.sin((1 - t) * angle))
            x, y = (1 - exact) + exact * math.cos(angle), exact * math.sin(angle)
            sensitivity = math.sin(angle) / (x * x + y * y)  # radians of the result per unit of t'
            e, s, base = 1 - math.cos(angle), (t - 0.5) ** 2, t * (t - 0.5) * (t - 1)
            row = [base * e**i * s**j * sensitivity for i in (1, 2, 3) for j in (0, 1, 2)]
            yield row, (exact - t) * sensitivity


def least_squares(points, weights):
    matrix = [[sum(w * r[i] * r[k] for (r, _), w in zip(points, weights)) for k in range(9)] for i in range(9)]
    right = [sum(w * r[i] * y for (r, y), w in zip(points, weights)) for i in range(9)]
    scale = [1 / math.sqrt(matrix[i][i]) for i in range(9)]
    scaled = [[matrix[i][k] * scale[i] * scale[k] for k in range(9)] for i in range(9)]
    return [v * s for v, s in zip(solve(scaled, [r * s for r, s in zip(right, scale)]), scale)]


def fit(rounds=60):
    points = list(samples())
    weights = [1.0] * len(points)
    best = (math.inf, None)
    for _ in range(rounds):
        c = least_squares(points, weights)
        errors = [abs(sum(a * b for a, b in zip(r, c)) - y) for r, y in points]
        best = min(best, (max(errors), c))
        weights = [w * (e + 1e-3 * max(errors)) for w, e in zip(weights, errors)]
        total = sum(weights)
        weights = [w / total * len(weights) for w in weights]
    return best


error, coefficients = fit()
for index, value in enumerate(coefficients):
    single = struct.unpack("f", struct.pack("f", value))[0]
    print(f"c[{index // 3 + 1}][{index % 3}] = {single:.9g}")
print(f"largest error: {2 * error:.3g} rad of rotation")
