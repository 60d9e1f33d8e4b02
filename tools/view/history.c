// The ring of columns.
#include "view/history.h"

#include <math.h>
#include <stddef.h>

void view_history_clear(view_history *history) {
    history->next = history->count = 0;
    history->pending = 0.0f;
}

// A copy whose weights sum to 1.
static view_column make_column(const view_share *shares, int count) {
    view_column column = {0};
    float sum = 0.0f;
    for (int i = 0; i < count && i < VIEW_SHARES; i++) sum += shares[i].weight;
    if (!(sum > 0.0f)) return column;
    for (int i = 0; i < count && i < VIEW_SHARES; i++) {
        column.shares[column.count++] = (view_share){shares[i].clip, shares[i].weight / sum};
    }
    return column;
}

static float share_in(const view_column *column, int32_t clip) {
    float weight = 0.0f;
    for (int i = 0; i < column->count; i++) {
        if (column->shares[i].clip == clip) weight += column->shares[i].weight;
    }
    return weight;
}

static void add_share(view_column *column, int32_t clip, float weight) {
    if (weight > 0.0f && column->count < VIEW_SHARES) column->shares[column->count++] = (view_share){clip, weight};
}

// What was shown between two columns that a slow frame lies between, or the later one itself at t = 1.
static view_column mix_columns(const view_column *a, const view_column *b, float t) {
    if (t >= 1.0f || a->count == 0 || b->count == 0) return *b;
    view_column column = {0};
    for (int i = 0; i < a->count; i++) {
        const int32_t clip = a->shares[i].clip;
        add_share(&column, clip, (1.0f - t) * a->shares[i].weight + t * share_in(b, clip));
    }
    for (int i = 0; i < b->count; i++) {
        if (share_in(a, b->shares[i].clip) > 0.0f) continue;
        add_share(&column, b->shares[i].clip, t * b->shares[i].weight);
    }
    return column;
}

static void push(view_history *history, const view_column *column) {
    history->columns[history->next] = *column;
    history->next = (history->next + 1) % VIEW_COLUMNS;
    if (history->count < VIEW_COLUMNS) history->count++;
}

void view_history_add(view_history *history, float dt, const view_share *shares, int count) {
    history->pending += dt;
    if (history->pending < VIEW_COLUMN_SECONDS) return;
    const view_column column = make_column(shares, count);
    const view_column before = history->count > 0 ? *view_history_at(history, 0) : column;
    const float steps = floorf(history->pending / VIEW_COLUMN_SECONDS);
    history->pending -= steps * VIEW_COLUMN_SECONDS;
    // After a long halt nothing older than the ring would be seen.
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
