// SPDX-License-Identifier: MIT
// Finds how far the points of a ball move.
#ifndef SINEWI_ERROR_BALL_H
#define SINEWI_ERROR_BALL_H

// Returns an upper bound for the largest eigenvalue of a symmetric matrix. No eigenvalue may be negative.
double sinewi_largest_eigenvalue(double m[3][3]);

// Returns an upper bound for the length of t + M v over all v with a length of at most 1.
double sinewi_largest_in_ball(const double t[3], const double linear[9]);

#endif
