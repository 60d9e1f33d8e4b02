// SPDX-License-Identifier: MIT
// The new accessors of a file, and the streams that hold their elements.
#ifndef OPTIMIZE_ITEMS_H
#define OPTIMIZE_ITEMS_H

#include "optimize/plan.h"

#include "lint/edit.h"

// The elements of a stream: key times, rotations, and vectors of three, of four and single numbers, rounded and exact.
typedef enum item_kind {
    ITEM_TIMES,
    ITEM_QUATERNIONS,
    ITEM_VECTORS,
    ITEM_FOURS,
    ITEM_NUMBERS,
    ITEM_EXACT_VECTORS,
    ITEM_EXACT_FOURS,
    ITEM_EXACT_NUMBERS,
    ITEM_KINDS
} item_kind;

typedef struct item_format {
    int stride;
    const char *type, *component, *filter; // of the accessor; of the view, NULL: none
} item_format;

extern const item_format plan_item_formats[ITEM_KINDS];

// A new accessor.
typedef struct plan_item {
    item_kind kind;
    const uint8_t *coded, *plain; // [count × stride]: before and after the filter
    int32_t count;
    int precision, node; // by which the items of a stream are in order
    int32_t uses;        // by samplers
    int32_t number;      // of the accessor: those that many samplers use first, as their numbers are shorter
    size_t offset;       // in its view
    uint64_t hash;
    int32_t next; // in the same bucket; -1: none
} plan_item;

// The elements of a kind. Streams that compression does not make smaller share one view.
typedef struct plan_stream {
    lint_text coded, plain; // before and after the filter
    lint_text compressed;   // empty: the stream is part of the shared view
} plan_stream;

enum { ITEM_BUCKETS = 4096 };

typedef struct plan_items {
    sinewi_arena *arena;
    plan_item *items;
    plan_item **numbered; // in order of their numbers, once they are laid
    int32_t count, capacity;
    int32_t buckets[ITEM_BUCKETS];
    plan_stream streams[ITEM_KINDS];
    lint_text shared; // the elements of the shared view
    bool failed;      // memory ran out
} plan_items;

void plan_items_begin(plan_items *items, sinewi_arena *arena);
void plan_items_end(plan_items *items);

// Returns the item with these key times or values, which is added if there was none.
int32_t plan_add_times(plan_items *items, const ref_channel *channel);
int32_t plan_add_values(plan_items *items, const plan_track *track);

// Fills the streams and the shared view, and sets the offsets of the items. Returns false if memory runs out.
bool plan_lay_items(plan_items *items, bool compress);

size_t plan_item_size(const plan_item *item);

#endif
