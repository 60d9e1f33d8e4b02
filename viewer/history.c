// The ring of columns.
#include "viewer/history.h"

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

static void push(view_history *history, const view_column *column) {
    history->columns[history->next] = *column;
    history->next = (history->next + 1) % VIEW_COLUMNS;
    if (history->count < VIEW_COLUMNS) history->count++;
}

void view_history_add(view_history *history, float dt, const view_share *shares, int count) {
    history->pending += dt;
    if (history->pending < VIEW_COLUMN_SECONDS) return;
    const view_column column = make_column(shares, count);
    // After a long halt nothing older than the ring would be seen.
    for (int i = 0; history->pending >= VIEW_COLUMN_SECONDS && i < VIEW_COLUMNS; i++) {
        push(history, &column);
        history->pending -= VIEW_COLUMN_SECONDS;
    }
    if (history->pending >= VIEW_COLUMN_SECONDS) history->pending = 0.0f;
}

const view_column *view_history_at(const view_history *history, int age) {
    if (age < 0 || age >= history->count) return NULL;
    return &history->columns[(history->next + VIEW_COLUMNS - 1 - age) % VIEW_COLUMNS];
}
