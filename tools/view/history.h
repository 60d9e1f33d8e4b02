// What played in the last seconds: each clip's share of the pose, over time.
#ifndef VIEWER_HISTORY_H
#define VIEWER_HISTORY_H

#include <stdint.h>

enum { VIEW_COLUMNS = 400, VIEW_SHARES = 8 };

// Seconds from column to column, and in all of them.
static const float VIEW_COLUMN_SECONDS = 0.02f;
static const float VIEW_HISTORY_SECONDS = 8.0f;

typedef struct view_share {
    int32_t clip; // its number in the file
    float weight;
} view_share;

// The shares at one time, in the order in which the clips began; their weights sum to 1.
typedef struct view_column {
    int count;
    view_share shares[VIEW_SHARES];
} view_column;

// A ring of columns, all taken at even steps whatever the frame rate.
typedef struct view_history {
    view_column columns[VIEW_COLUMNS];
    int next, count;
    float pending; // seconds since the newest column
} view_history;

void view_history_clear(view_history *history);

// Takes note of what plays after another `dt` seconds. Of more shares than there is room for, the last ones are left
// out; shares without any weight make an empty column.
void view_history_add(view_history *history, float dt, const view_share *shares, int count);

// The column of that age, 0 for the newest; NULL where nothing was noted yet.
const view_column *view_history_at(const view_history *history, int age);

#endif
