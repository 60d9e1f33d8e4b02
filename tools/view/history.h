// SPDX-License-Identifier: MIT
// The weights of the clips over the last seconds.
#ifndef VIEWER_HISTORY_H
#define VIEWER_HISTORY_H

#include <stdint.h>

enum { VIEW_COLUMNS = 400, VIEW_MAX_WEIGHTS = 8 };

// The seconds of a column and of the whole history.
static const float VIEW_COLUMN_SECONDS = 0.02f;
static const float VIEW_HISTORY_SECONDS = 8.0f;

typedef struct view_weight {
    int32_t clip; // its number in the file
    float weight;
} view_weight;

// The weights at one time, in the order in which the clips started; they sum to 1.
typedef struct view_column {
    int count;
    view_weight weights[VIEW_MAX_WEIGHTS];
} view_column;

// A ring buffer of columns at equal steps, independent of the frame rate.
typedef struct view_history {
    view_column columns[VIEW_COLUMNS];
    int next, count;
    float pending; // seconds since the newest column
} view_history;

void view_history_clear(view_history *history);

// Adds the weights after another `dt` seconds. Weights beyond VIEW_MAX_WEIGHTS are ignored; weights that sum to 0 make
// an empty column.
void view_history_add(view_history *history, float dt, const view_weight *weights, int count);

// A column by its age, 0 for the newest; NULL for an age that has no column.
const view_column *view_history_at(const view_history *history, int age);

// The weight of a clip in a column; 0 if it did not play.
float view_column_weight(const view_column *column, int32_t clip);

#endif
