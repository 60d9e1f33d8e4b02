// SPDX-License-Identifier: MIT
// The part of `sinew bench` that is about a crowd within a budget.
#include "cli/bench_budget.h"

static void print_band(const bench_budget_band *band, bool is_last) {
    char range[32];
    if (is_last) {
        snprintf(range, sizeof range, "%.0f m and more", (double)band->nearest);
    } else {
        snprintf(range, sizeof range, "%.0f to %.0f m", (double)band->nearest, (double)band->farthest);
    }
    printf("%-14s %14.1f %18.1f %12.1f\n", range, band->interval, 100.0 * (double)band->error,
           (double)band->pixels);
}

void cli_print_budget(const bench_budget *budget) {
    if (budget->frames == 0) return;
    printf(
        "\nA budget of %.3g ms for %d characters, in CPU time of the thread: kept in %d of %d frames (%.2f %%)\n",
        1e3 * budget->seconds, budget->characters, budget->kept, budget->frames,
        100.0 * budget->kept / budget->frames);
    printf("a frame: median %.2f ms, 99 %% of them %.2f ms, most %.2f ms; %.0f characters are posed\n\n",
           1e3 * budget->median, 1e3 * budget->percentile_99, 1e3 * budget->most, budget->poses);
    printf("%-14s %14s %18s %12s\n", "distance", "frames a pose", "largest error, cm", "in pixels");
    for (int i = 0; i < BENCH_BUDGET_BANDS; i++) print_band(&budget->bands[i], i == BENCH_BUDGET_BANDS - 1);
}

void cli_print_budget_json(FILE *out, const bench_budget *budget) {
    if (budget->frames == 0) return;
    fprintf(out,
            ",\n\"budget\":{\"ms\":%.4g,\"characters\":%d,\"frames\":%d,\"kept\":%d,\"medianMs\":%.4g,"
            "\"percentile99Ms\":%.4g,\"maxMs\":%.4g,\"poses\":%.4g,\"distances\":[",
            1e3 * budget->seconds, budget->characters, budget->frames, budget->kept, 1e3 * budget->median,
            1e3 * budget->percentile_99, 1e3 * budget->most, budget->poses);
    for (int i = 0; i < BENCH_BUDGET_BANDS; i++) {
        const bench_budget_band *band = &budget->bands[i];
        fprintf(out, "%s\n{\"nearest\":%.4g,\"framesPerPose\":%.4g,\"errorMetres\":%.4g,\"errorPixels\":%.4g}",
                i ? "," : "", (double)band->nearest, band->interval, (double)band->error, (double)band->pixels);
    }
    fprintf(out, "]}");
}
