#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fits the polynomials in src/base/rotation_vector.h and prints them with the largest errors of the fits.

Each is the minimax polynomial of its degree (Remez exchange on a dense grid). Standard library only.
"""
import math
import struct

from equations import solve

GRID = 4000
LONGEST = 1.5 * math.pi  # of the rotation vectors that are turned into quaternions


def evaluate(coefficients, x):
    value = 0.0
    for c in reversed(coefficients):
        value = value * x + c
    return value


def peaks(errors, count):
    """Indices of the largest errors between changes of sign; of more than `count`, those in the middle of the most."""
    found = [0]
    for i in range(1, len(errors)):
        if (errors[i] < 0) != (errors[found[-1]] < 0):
            found.append(i)
        elif abs(errors[i]) > abs(errors[found[-1]]):
            found[-1] = i
    while len(found) > count:
        found.pop(0 if abs(errors[found[0]]) < abs(errors[found[-1]]) else -1)
    return found


def minimax(function, end, degree, first, weight):
    """The polynomial of a degree on [0, end] whose terms below `first`, a list, are given."""
    free = degree + 1 - len(first)
    grid = [end * (0.5 - 0.5 * math.cos(math.pi * (i + 0.5) / GRID)) for i in range(GRID)]
    rest = [(function(x) - evaluate(first, x), weight(x)) for x in grid]
    points = [round((GRID - 1) * (0.5 - 0.5 * math.cos(math.pi * i / free))) for i in range(free + 1)]
    for _ in range(30):
        # With x as a part of `end`, so that powers stay near 1.
        rows = [[(grid[i] / end) ** (len(first) + k) for k in range(free)] + [(-1) ** n / rest[i][1]]
                for n, i in enumerate(points)]
        solved = solve(rows, [rest[i][0] for i in points])[:free]
        terms = first + [c / end ** (len(first) + k) for k, c in enumerate(solved)]
        errors = [(evaluate(terms, x) - function(x)) * w for x, (_, w) in zip(grid, rest)]
        points = peaks(errors, free + 1)
        if len(points) <= free:
            break
    return [struct.unpack("f", struct.pack("f", c))[0] for c in terms]


def cosine(s):
    return math.cos(math.sqrt(s) / 2)


def sine(s):
    return math.sin(math.sqrt(s) / 2) / math.sqrt(s)


def arc(u):
    return math.acos(1 - u) / math.sqrt(2 * u - u * u)


def exponential_error(sines, cosines, longest):
    """Radians of rotation between the polynomials' direction and the true one."""
    worst = 0.0
    for i in range(1, GRID):
        r = longest * i / GRID
        got = math.atan2(r * evaluate(sines, r * r), evaluate(cosines, r * r))
        worst = max(worst, 2 * abs(got - r / 2))
    return worst


def logarithm_error(arcs):
    """Radians of rotation, and the part of the vector's length."""
    angles = [math.pi * i / GRID for i in range(1, GRID)]
    errors = [abs(2 * evaluate(arcs, 1 - math.cos(a / 2)) * math.sin(a / 2) - a) for a in angles]
    return max(errors), max(e / a for e, a in zip(errors, angles))


cosines = minimax(cosine, LONGEST**2, 5, [1.0], lambda s: 1)
sines = minimax(sine, LONGEST**2, 5, [0.5], math.sqrt)
arcs = minimax(arc, 1.0, 9, [1.0], lambda u: math.sqrt(2 * u - u * u))
for name, coefficients in ("cosine", cosines), ("sine", sines), ("arc", arcs):
    print(f"{name}: {', '.join(f'{c:.9g}f' for c in coefficients)}")
for longest in math.pi, LONGEST:
    print(f"exponential up to {longest:.4g} rad: {exponential_error(sines, cosines, longest):.3g} rad of rotation")
print("logarithm: %.3g rad, or %.3g of the angle" % logarithm_error(arcs))
