// SPDX-License-Identifier: MIT
// The point of a ball that moves furthest.
#ifndef SINEWI_ERROR_BALL_H
#define SINEWI_ERROR_BALL_H

// An upper bound of the largest eigenvalue of a symmetric matrix without negative ones.
double sinewi_largest_eigenvalue(double m[3][3]);

// An upper bound of the largest length of t + M v for any v up to a length of 1.
double sinewi_largest_in_ball(const double t[3], const double linear[9]);

#endif
