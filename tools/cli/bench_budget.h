// SPDX-License-Identifier: MIT
// The part of `sinew bench` that measures a crowd within a budget.
#ifndef CLI_BENCH_BUDGET_H
#define CLI_BENCH_BUDGET_H

#include "bench/budget.h"

#include <stdio.h>

// No-op if it wasn't measured.
void cli_print_budget(const bench_budget *budget);
void cli_print_budget_json(FILE *out, const bench_budget *budget);

#endif
