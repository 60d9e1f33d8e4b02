// SPDX-License-Identifier: MIT
// A file's new accessors, and the streams with their elements.
#ifndef OPTIMIZE_ITEMS_H
#define OPTIMIZE_ITEMS_H

#include "optimize/plan.h"

#include "lint/edit.h"

// The elements in a stream: key times, rotations, vectors of three or four numbers, or single numbers. Values are
// rounded or exact.
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
    const char *type, *component, *filter; // the accessor's type and component; the view's filter, or NULL
} item_format;

extern const item_format plan_item_formats[ITEM_KINDS];

// A new accessor.
typedef struct plan_item {
    item_kind kind;
    const uint8_t *coded, *plain; // [count × stride]; before and after the filter
    int32_t count;
    int precision, node; // items in a stream are sorted by these
    int32_t uses;        // number of samplers using it
    int32_t number; // the accessor's; those used by many samplers come first, because their numbers are shorter
    size_t offset;  // in its view
    uint64_t hash;
    int32_t next; // next one in the same bucket, or -1
} plan_item;

// Elements of one kind. Streams that compression doesn't make smaller share one view.
typedef struct plan_stream {
    lint_text coded, plain; // before and after the filter
    lint_text compressed;   // empty if the stream is in the shared view
} plan_stream;

enum { ITEM_BUCKETS = 4096 };

typedef struct plan_items {
    sinewi_arena *arena;
    plan_item *items;
    plan_item **numbered; // sorted by number, once they're laid out
    int32_t count, capacity;
    int32_t buckets[ITEM_BUCKETS];
    plan_stream streams[ITEM_KINDS];
    lint_text shared; // the shared view's elements
    bool failed;      // memory ran out
} plan_items;

void plan_items_begin(plan_items *items, sinewi_arena *arena);
void plan_items_end(plan_items *items);

// Return the item with these key times or values. It's added if there isn't one.
int32_t plan_add_times(plan_items *items, const ref_channel *channel);
int32_t plan_add_values(plan_items *items, const plan_track *track);

// Fills the streams and the shared view, and sets the items' offsets. Returns false if memory runs out.
bool plan_lay_items(plan_items *items, bool compress);

size_t plan_item_size(const plan_item *item);

#endif
