// SPDX-License-Identifier: MIT
// The ring buffer of columns.
#include "view/history.h"

#include <math.h>
#include <stddef.h>

void view_history_clear(view_history *history) {
    history->next = history->count = 0;
    history->pending = 0.0f;
}

// Normalizes weights to a column.
static view_column make_column(const view_weight *weights, int count) {
    view_column column = {0};
    float sum = 0.0f;
    for (int i = 0; i < count && i < VIEW_MAX_WEIGHTS; i++) sum += weights[i].weight;
    if (!(sum > 0.0f)) return column;
    for (int i = 0; i < count && i < VIEW_MAX_WEIGHTS; i++) {
        column.weights[column.count++] = (view_weight){weights[i].clip, weights[i].weight / sum};
    }
    return column;
}

float view_column_weight(const view_column *column, int32_t clip) {
    float weight = 0.0f;
    for (int i = 0; i < column->count; i++) {
        if (column->weights[i].clip == clip) weight += column->weights[i].weight;
    }
    return weight;
}

static void add_weight(view_column *column, int32_t clip, float weight) {
    if (weight > 0.0f && column->count < VIEW_MAX_WEIGHTS)
        column->weights[column->count++] = (view_weight){clip, weight};
}

// Interpolates between the columns before and after a slow frame; at t = 1 it is the later one.
static view_column mix_columns(const view_column *a, const view_column *b, float t) {
    if (t >= 1.0f || a->count == 0 || b->count == 0) return *b;
    view_column column = {0};
    for (int i = 0; i < a->count; i++) {
        const int32_t clip = a->weights[i].clip;
        add_weight(&column, clip, (1.0f - t) * a->weights[i].weight + t * view_column_weight(b, clip));
    }
    for (int i = 0; i < b->count; i++) {
        if (view_column_weight(a, b->weights[i].clip) > 0.0f) continue;
        add_weight(&column, b->weights[i].clip, t * b->weights[i].weight);
    }
    return column;
}

static void push(view_history *history, const view_column *column) {
    history->columns[history->next] = *column;
    history->next = (history->next + 1) % VIEW_COLUMNS;
    if (history->count < VIEW_COLUMNS) history->count++;
}

void view_history_add(view_history *history, float dt, const view_weight *weights, int count) {
    history->pending += dt;
    if (history->pending < VIEW_COLUMN_SECONDS) return;
    const view_column column = make_column(weights, count);
    const view_column before = history->count > 0 ? *view_history_at(history, 0) : column;
    const float steps = floorf(history->pending / VIEW_COLUMN_SECONDS);
    history->pending -= steps * VIEW_COLUMN_SECONDS;
    // After a long wait, columns older than the ring buffer are not needed.
    const int columns = steps < (float)VIEW_COLUMNS ? (int)steps : VIEW_COLUMNS;
    for (int i = 1; i <= columns; i++) {
        const view_column between = mix_columns(&before, &column, (float)i / (float)columns);
        push(history, &between);
    }
}

const view_column *view_history_at(const view_history *history, int age) {
    if (age < 0 || age >= history->count) return NULL;
    return &history->columns[(history->next + VIEW_COLUMNS - 1 - age) % VIEW_COLUMNS];
}
