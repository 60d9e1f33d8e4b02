// SPDX-License-Identifier: MIT
// The part of `sinew bench` that measures a crowd within a budget.
#include "cli/bench_budget.h"

static void print_band(const bench_budget_band *band, bool is_last) {
    char range[32];
    if (is_last) {
        snprintf(range, sizeof range, "%.0f m and more", (double)band->nearest);
    } else {
        snprintf(range, sizeof range, "%.0f to %.0f m", (double)band->nearest, (double)band->farthest);
    }
    printf("%-14s %14.1f %9.2f %18.1f %10.1f\n", range, band->interval, 100.0 * band->mean,
           100.0 * (double)band->error, (double)band->pixels);
}

void cli_print_budget(const bench_budget *budget) {
    if (budget->frames == 0) return;
    printf("\n"
           "A budget of %.3g ms for %d characters, in thread CPU time: kept in %d of %d frames (%.2f %%)\n",
           1e3 * budget->seconds, budget->characters, budget->kept, budget->frames,
           100.0 * budget->kept / budget->frames);
    printf("frame time: median %.2f ms, 99th percentile %.2f ms, maximum %.2f ms; %.0f characters posed per frame\n"
           "\n",
           1e3 * budget->median, 1e3 * budget->percentile_99, 1e3 * budget->most, budget->poses);
    printf("%-14s %14s %9s %18s %10s\n", "distance", "frames per pose", "mean, cm", "largest error, cm",
           "in pixels");
    for (int i = 0; i < BENCH_BUDGET_BANDS; i++) print_band(&budget->bands[i], i == BENCH_BUDGET_BANDS - 1);
}

static void print_json_band(FILE *out, const bench_budget_band *band) {
    fprintf(out,
            "{\"nearest\":%.4g,\"framesPerPose\":%.4g,\"meanErrorMetres\":%.4g,\"errorMetres\":%.4g,"
            "\"errorPixels\":%.4g}",
            (double)band->nearest, band->interval, band->mean, (double)band->error, (double)band->pixels);
}

void cli_print_budget_json(FILE *out, const bench_budget *budget) {
    if (budget->frames == 0) return;
    fprintf(out, ",\n\"budget\":{\"ms\":%.4g,\"characters\":%d,\"frames\":%d,\"kept\":%d,", 1e3 * budget->seconds,
            budget->characters, budget->frames, budget->kept);
    fprintf(out, "\"medianMs\":%.4g,\"percentile99Ms\":%.4g,\"maxMs\":%.4g,\"poses\":%.4g,\"distances\":[",
            1e3 * budget->median, 1e3 * budget->percentile_99, 1e3 * budget->most, budget->poses);
    for (int i = 0; i < BENCH_BUDGET_BANDS; i++) {
        fprintf(out, "%s\n", i ? "," : "");
        print_json_band(out, &budget->bands[i]);
    }
    fprintf(out, "]}");
}
