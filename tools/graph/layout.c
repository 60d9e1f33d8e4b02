// SPDX-License-Identifier: MIT
// A layered layout. Arrows that lead back are reversed. Nodes get columns from the longest path, and each arrow becomes
// a chain of items, one per column. A column's items are sorted to reduce crossings (barycenters) and moved to
// straighten lines (isotonic regression).
#include "graph/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMN_GAP 36.0
#define ITEM_GAP   14.0
#define PORT_GAP   14.0
#define LINE_SPACE 5.0 // below a line's label

enum { SWEEPS = 24, NONE = -1 };

typedef enum item_kind { ITEM_NODE, ITEM_LABEL, ITEM_LOOP, ITEM_BEND } item_kind;

// Something that takes space in a column.
typedef struct item {
    item_kind kind;
    int32_t index; // of the node or arrow
    int32_t column, order;
    double width, height, y, sum, weight; // y of the upper edge; the last two are scratch
} item;

// Part of a chain: two items in neighboring columns, the left one first.
typedef struct link {
    int32_t left, right;
    int32_t edge;
    int32_t left_slot, left_slots, right_slot, right_slots; // its port on each side, and their number
} link;

// Sorts by number, then by order.
typedef struct sort_key {
    int32_t index;
    double number, order;
} sort_key;

typedef struct work {
    layout *l;
    int32_t *ranks;  // [nodes]
    bool *reversed;  // [edges]
    int32_t *starts; // [edges + 1]; each one's first link
    item *items;     // the first ones are the nodes
    int32_t item_count;
    link *links;
    int32_t link_count, column_count;
    int32_t *sorted;        // [items]; by column, then by order
    int32_t *columns;       // [columns + 1]; where each column starts in `sorted`
    int32_t *by_column;     // [links]; by the column of their left item, then by index
    int32_t *column_links;  // [columns + 1]; where each column starts in `by_column`
    double *lefts, *widths; // [columns]
    double *scratch;        // [items][3]
    int32_t *stack, *next;  // [nodes]
    uint8_t *states;        // [nodes]; 0 new, 1 on the stack, 2 done
    int32_t *kept;          // [items + 1]
    int32_t *out_edges;     // [edges]; by the node at one end
    int32_t *out_starts;    // [nodes + 1]; where each node's edges start
    sort_key *keys;         // [links]
    int32_t *merged;        // [2 x links]
    double shortest_bends;  // arrows over at least this many columns have no bends
} work;

double layout_node_height(int32_t arrow_count) {
    return PORT_GAP * (double)(arrow_count + 1);
}

// ---- Columns -------------------------------------------------------------------------------------------------

// Lists the arrows by the node at their lower end, keeping their order.
static void sort_edges(work *w, int32_t (*low)(const work *w, int32_t edge)) {
    const int32_t nodes = w->l->node_count, edges = w->l->edge_count;
    memset(w->out_starts, 0, ((size_t)nodes + 1) * sizeof *w->out_starts);
    for (int32_t i = 0; i < edges; i++) w->out_starts[low(w, i) + 1]++;
    for (int32_t i = 0; i < nodes; i++) w->out_starts[i + 1] += w->out_starts[i];
    for (int32_t i = edges - 1; i >= 0; i--) w->out_edges[--w->out_starts[low(w, i) + 1]] = i;
    memmove(w->out_starts, w->out_starts + 1, (size_t)nodes * sizeof *w->out_starts); // each end has become a start
    w->out_starts[nodes] = edges;
}

static int32_t from_of(const work *w, int32_t edge) {
    return w->l->edges[edge].from;
}

static int32_t low_of(const work *w, int32_t edge) {
    return w->reversed[edge] ? w->l->edges[edge].to : w->l->edges[edge].from;
}

static int32_t high_of(const work *w, int32_t edge) {
    return w->reversed[edge] ? w->l->edges[edge].from : w->l->edges[edge].to;
}

// Follows arrows depth first. Reverses those that lead to a node on the stack.
static void reverse_from(work *w, int32_t start) {
    const layout *l = w->l;
    int32_t depth = 0;
    w->stack[depth++] = start;
    w->states[start] = 1;
    w->next[start] = w->out_starts[start];
    while (depth > 0) {
        const int32_t node = w->stack[depth - 1];
        if (w->next[node] == w->out_starts[node + 1]) {
            w->states[node] = 2;
            depth--;
            continue;
        }
        const int32_t edge = w->out_edges[w->next[node]++], to = l->edges[edge].to;
        w->reversed[edge] = w->states[to] == 1 || to == 0;
        if (w->states[to] != 0) continue;
        w->states[to] = 1;
        w->next[to] = w->out_starts[to];
        w->stack[depth++] = to;
    }
}

// Ranks nodes by the longest path. A node is done after all nodes that lead to it. No arrow leads back.
static void rank_nodes(work *w) {
    const layout *l = w->l;
    int32_t *waiting = w->next, depth = 0;
    sort_edges(w, from_of);
    for (int32_t i = 0; i < l->node_count; i++) {
        if (w->states[i] == 0) reverse_from(w, i);
    }
    sort_edges(w, low_of);
    memset(waiting, 0, (size_t)l->node_count * sizeof *waiting);
    for (int32_t i = 0; i < l->edge_count; i++) waiting[high_of(w, i)] += low_of(w, i) != high_of(w, i);
    for (int32_t i = 0; i < l->node_count; i++) {
        if (waiting[i] == 0) w->stack[depth++] = i;
    }
    while (depth > 0) {
        const int32_t low = w->stack[--depth];
        for (int32_t i = w->out_starts[low]; i < w->out_starts[low + 1]; i++) {
            const int32_t high = high_of(w, w->out_edges[i]);
            if (high == low) continue;
            if (w->ranks[high] <= w->ranks[low]) w->ranks[high] = w->ranks[low] + 1;
            if (--waiting[high] == 0) w->stack[depth++] = high;
        }
    }
}

// ---- Items ---------------------------------------------------------------------------------------------------

static int32_t add_item(work *w, item_kind kind, int32_t index, int32_t column, double width, double height) {
    w->items[w->item_count] = (item){
        .kind = kind, .index = index, .column = column, .order = w->item_count, .width = width, .height = height};
    if (column >= w->column_count) w->column_count = column + 1;
    return w->item_count++;
}

static void add_link(work *w, int32_t left, int32_t right, int32_t edge) {
    w->links[w->link_count++] = (link){.left = left, .right = right, .edge = edge};
}

// Adds an arrow's chain. Its label is in the column next to the node where the arrow starts.
static void add_chain(work *w, int32_t edge) {
    const layout_edge *e = &w->l->edges[edge];
    int32_t low = w->reversed[edge] ? e->to : e->from, high = w->reversed[edge] ? e->from : e->to;
    const double height = e->label_height + LINE_SPACE;
    int32_t first = 2 * w->ranks[low] + 1, last = 2 * w->ranks[high] - 1, before = low;
    w->starts[edge] = w->link_count;
    if (low == high) {
        add_link(w, low, add_item(w, ITEM_LOOP, edge, first, e->label_width + 12.0, height + LINE_SPACE), edge);
        return;
    }
    const int32_t labelled = w->reversed[edge] ? last : first;
    if ((double)(last - first) > w->shortest_bends) first = last = labelled;
    for (int32_t column = first; column <= last; column++) {
        const int32_t added = column == labelled ? add_item(w, ITEM_LABEL, edge, column, e->label_width, height)
                                                 : add_item(w, ITEM_BEND, edge, column, 0.0, 4.0);
        add_link(w, before, added, edge);
        before = added;
    }
    add_link(w, before, high, edge);
}

typedef struct link_list {
    int32_t count;
    const int32_t *items;
} link_list;

// Counts each column's links, and fills the columns from their ends.
static void sort_links(work *w) {
    int32_t *ends = w->column_links + 1;
    memset(w->column_links, 0, ((size_t)w->column_count + 1) * sizeof *w->column_links);
    for (int32_t i = 0; i < w->link_count; i++) ends[w->items[w->links[i].left].column]++;
    for (int32_t c = 1; c < w->column_count; c++) ends[c] += ends[c - 1];
    for (int32_t i = w->link_count - 1; i >= 0; i--) w->by_column[--ends[w->items[w->links[i].left].column]] = i;
    memmove(w->column_links, ends, (size_t)w->column_count * sizeof *ends); // each end has become a start
    w->column_links[w->column_count] = w->link_count;
}

// Returns the links from a column to the next one. Column -1 has none.
static link_list links_from(const work *w, int32_t column) {
    if (column < 0) return (link_list){0};
    const int32_t first = w->column_links[column];
    return (link_list){w->column_links[column + 1] - first, w->by_column + first};
}

// ---- Orders --------------------------------------------------------------------------------------------------

static void sort_columns(work *w) {
    memset(w->columns, 0, ((size_t)w->column_count + 1) * sizeof *w->columns);
    for (int32_t i = 0; i < w->item_count; i++) w->columns[w->items[i].column + 1]++;
    for (int32_t c = 0; c < w->column_count; c++) w->columns[c + 1] += w->columns[c];
    for (int32_t i = w->item_count - 1; i >= 0; i--) w->sorted[--w->columns[w->items[i].column + 1]] = i;
    memmove(w->columns, w->columns + 1,
            (size_t)w->column_count * sizeof *w->columns); // each end has become a start
    w->columns[w->column_count] = w->item_count;
}

static int compare_keys(const void *a, const void *b) {
    const sort_key *x = a, *y = b;
    if (x->number < y->number || x->number > y->number) return x->number < y->number ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

// Sorts a column's items by `sum`, keeping the order of equal ones, and numbers them.
static void sort_column(work *w, int32_t column) {
    int32_t first = w->columns[column], count = w->columns[column + 1] - first, *items = w->sorted + first;
    for (int32_t i = 0; i < count; i++) w->keys[i] = (sort_key){items[i], w->items[items[i]].sum, (double)i};
    if (count > 1) qsort(w->keys, (size_t)count, sizeof *w->keys, compare_keys);
    for (int32_t i = 0; i < count; i++) items[i] = w->keys[i].index;
    for (int32_t i = 0; i < count; i++) w->items[items[i]].order = i;
}

// Moves a column's items to the mean order of their neighbors on one side.
static void sweep_column(work *w, int32_t column, bool by_left) {
    for (int32_t i = w->columns[column]; i < w->columns[column + 1]; i++)
        w->items[w->sorted[i]].sum = w->items[w->sorted[i]].weight = 0.0;
    const link_list links = links_from(w, by_left ? column - 1 : column);
    for (int32_t i = 0; i < links.count; i++) {
        const link *one = &w->links[links.items[i]];
        item *to = &w->items[by_left ? one->right : one->left], *from = &w->items[by_left ? one->left : one->right];
        to->sum += (double)from->order;
        to->weight += 1.0;
    }
    for (int32_t i = w->columns[column]; i < w->columns[column + 1]; i++) {
        item *one = &w->items[w->sorted[i]];
        one->sum = one->weight > 0.0 ? one->sum / one->weight : (double)one->order;
    }
    sort_column(w, column);
}

// Counts the pairs in the wrong order, and sorts them.
static int64_t count_inversions(int32_t *numbers, int32_t *other, int32_t count) {
    int64_t inversions = 0;
    for (int32_t width = 1; width < count; width *= 2) {
        for (int32_t first = 0; first < count; first += 2 * width) {
            const int32_t middle = first + width < count ? first + width : count;
            const int32_t end = middle + width < count ? middle + width : count;
            for (int32_t i = first, k = middle, to = first; to < end; to++) {
                const bool is_right = i == middle || (k < end && numbers[k] < numbers[i]);
                inversions += is_right && i < middle ? middle - i : 0;
                other[to] = is_right ? numbers[k++] : numbers[i++];
            }
        }
        memcpy(numbers, other, (size_t)count * sizeof *numbers);
    }
    return inversions;
}

static int64_t count_crossings(const work *w) {
    int64_t crossings = 0;
    for (int32_t c = 0; c < w->column_count; c++) {
        const link_list links = links_from(w, c);
        for (int32_t i = 0; i < links.count; i++) {
            const link *one = &w->links[links.items[i]];
            w->keys[i] = (sort_key){0, (double)w->items[one->left].order, (double)w->items[one->right].order};
        }
        if (links.count > 1) qsort(w->keys, (size_t)links.count, sizeof *w->keys, compare_keys);
        for (int32_t i = 0; i < links.count; i++) w->merged[i] = (int32_t)w->keys[i].order;
        crossings += count_inversions(w->merged, w->merged + w->link_count, links.count);
    }
    return crossings;
}

// Sets the item order that sweeps start with: as listed, or shuffled the same way in every run.
static void start_order(work *w, uint32_t shuffle) {
    for (int32_t i = 0; i < w->item_count; i++) {
        const uint32_t mixed = ((uint32_t)i + 1) * (2654435761u * shuffle + 1u);
        w->items[i].sum = shuffle == 0 ? (double)i : (double)(mixed % 65521u);
    }
    for (int32_t c = 0; c < w->column_count; c++) sort_column(w, c);
}

// Sweeps left to right and back, from several start orders. Keeps the order with the fewest crossings.
static void order_items(work *w) {
    enum { STARTS = 8, MOST_SHUFFLED = 600, MOST_COUNTED = 3000 }; // number of links; larger graphs take too long
    const int starts = w->link_count <= MOST_SHUFFLED ? STARTS : 1;
    const bool counts = w->link_count <= MOST_COUNTED;
    int64_t least = INT64_MAX;
    for (int start = 0; start < starts; start++) {
        start_order(w, (uint32_t)start);
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int32_t k = 0; k < w->column_count; k++)
                sweep_column(w, sweep % 2 == 0 ? k : w->column_count - 1 - k, sweep % 2 == 0);
            const int64_t crossings = counts ? count_crossings(w) : least - 1;
            if (crossings >= least) continue;
            least = crossings;
            for (int32_t i = 0; i < w->item_count; i++) w->kept[i] = w->items[i].order;
        }
    }
    for (int32_t i = 0; i < w->item_count; i++) w->items[i].sum = (double)w->kept[i];
    for (int32_t c = 0; c < w->column_count; c++) sort_column(w, c);
}

// ---- Positions -----------------------------------------------------------------------------------------------

// Returns where a line meets an item, measured from its upper edge.
static double line_of(const item *one) {
    switch (one->kind) {
    case ITEM_LABEL:
        return one->height - LINE_SPACE / 2.0;
    case ITEM_NODE:
    case ITEM_LOOP:
    case ITEM_BEND:
        break;
    }
    return one->height / 2.0;
}

// Moves a column's items as close as possible to their desired positions, keeping their order and without overlaps.
// Blocks of touching items move as one.
static void place_column(work *w, int32_t column) {
    int32_t first = w->columns[column], count = w->columns[column + 1] - first, blocks = 0;
    double *mean = w->scratch, *weight = mean + w->item_count, *size = weight + w->item_count, offset = 0.0;
    for (int32_t i = 0; i < count; i++) {
        item *one = &w->items[w->sorted[first + i]];
        const double wanted = one->weight > 0.0 ? one->sum / one->weight - line_of(one) : one->y;
        const double weighs = one->weight > 0.0 ? one->weight : 0.01;
        one->sum = offset;
        mean[blocks] = wanted - offset;
        weight[blocks] = weighs;
        size[blocks++] = 1.0;
        offset += one->height + ITEM_GAP;
        while (blocks > 1 && mean[blocks - 2] > mean[blocks - 1]) {
            const double both = weight[blocks - 2] + weight[blocks - 1];
            mean[blocks - 2] =
                (mean[blocks - 2] * weight[blocks - 2] + mean[blocks - 1] * weight[blocks - 1]) / both;
            weight[blocks - 2] = both;
            size[blocks - 2] += size[blocks - 1];
            blocks--;
        }
    }
    for (int32_t b = 0, i = 0; b < blocks; b++) {
        const int32_t end = i + (int32_t)size[b];
        for (; i < end; i++) {
            item *one = &w->items[w->sorted[first + i]];
            one->y = mean[b] + one->sum;
        }
    }
}

// Collects a column's desired positions, which are the neighbors' positions. Long lines pull more, to become straight.
static void gather_wishes(work *w, int32_t column, bool from_left, bool from_right) {
    for (int32_t i = w->columns[column]; i < w->columns[column + 1]; i++)
        w->items[w->sorted[i]].sum = w->items[w->sorted[i]].weight = 0.0;
    const link_list before = links_from(w, column - 1), after = links_from(w, column);
    for (int32_t b = 0, a = 0; b < before.count || a < after.count;) { // in the order of the links
        const bool is_left = a == after.count || (b < before.count && before.items[b] < after.items[a]);
        const link *one = &w->links[is_left ? before.items[b++] : after.items[a++]];
        if (is_left ? !from_left : !from_right) continue;
        item *to = &w->items[is_left ? one->right : one->left], *from = &w->items[is_left ? one->left : one->right];
        const double weight = to->kind == ITEM_NODE || from->kind == ITEM_NODE ? 1.0 : 16.0;
        to->sum += weight * (from->y + line_of(from));
        to->weight += weight;
    }
}

static void place_items(work *w) {
    for (int32_t c = 0; c < w->column_count; c++) {
        double y = 0.0;
        for (int32_t i = w->columns[c]; i < w->columns[c + 1]; i++) {
            w->items[w->sorted[i]].y = y;
            y += w->items[w->sorted[i]].height + ITEM_GAP;
        }
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int32_t k = 0; k < w->column_count; k++) {
            const int32_t column = sweep % 2 == 0 ? k : w->column_count - 1 - k;
            const bool both = sweep >= SWEEPS / 2;
            gather_wishes(w, column, both || sweep % 2 == 0, both || sweep % 2 != 0);
            place_column(w, column);
        }
    }
    double top = 0.0, x = 0.0;
    for (int32_t i = 0; i < w->item_count; i++) top = i == 0 ? w->items[i].y : fmin(top, w->items[i].y);
    w->l->height = 0.0;
    memset(w->widths, 0, (size_t)w->column_count * sizeof *w->widths);
    for (int32_t i = 0; i < w->item_count; i++) {
        item *one = &w->items[i];
        one->y = floor(one->y - top);
        w->l->height = fmax(w->l->height, one->y + one->height);
        w->widths[one->column] = fmax(w->widths[one->column], one->width);
    }
    for (int32_t c = 0; c < w->column_count; c++) {
        w->lefts[c] = x;
        x += w->widths[c] + COLUMN_GAP;
    }
    w->l->width = fmax(0.0, x - COLUMN_GAP);
}

// ---- Lines ---------------------------------------------------------------------------------------------------

// Numbers the ports on each side of the nodes, in the order of the items that their links lead to.
static void number_ports(work *w, bool right_side) {
    int32_t count = 0;
    for (int32_t i = 0; i < w->link_count; i++) {
        const link *one = &w->links[i];
        const int32_t node = right_side ? one->left : one->right, other = right_side ? one->right : one->left;
        if (w->items[node].kind == ITEM_NODE)
            w->keys[count++] = (sort_key){i, (double)node, (double)w->items[other].order};
    }
    if (count > 1) qsort(w->keys, (size_t)count, sizeof *w->keys, compare_keys);
    for (int32_t first = 0, end = 0; first < count; first = end) {
        int32_t slots = 0;
        for (; end < count && w->keys[end].number <= w->keys[first].number; end++) {
            link *one = &w->links[w->keys[end].index];
            *(right_side ? &one->left_slot : &one->right_slot) = slots;
            slots += w->items[right_side ? one->right : one->left].kind == ITEM_LOOP ? 2 : 1;
        }
        for (int32_t i = first; i < end; i++) {
            link *one = &w->links[w->keys[i].index];
            *(right_side ? &one->left_slots : &one->right_slots) = slots;
        }
    }
}

// Returns the y where a link meets a node. Ports are spread over a side in the order of the lines.
static double port_of(const work *w, const link *one, bool right_side, int32_t slot) {
    const item *box = &w->items[right_side ? one->left : one->right];
    const int32_t count = right_side ? one->left_slots : one->right_slots;
    const int32_t index = (right_side ? one->left_slot : one->right_slot) + slot;
    return box->y + box->height * (double)(index + 1) / (double)(count + 1);
}

static void add_point(layout_edge *e, double x, double y) {
    if (e->point_count > 0) {
        const layout_point *last = &e->points[e->point_count - 1];
        const bool same = fabs(last->x - x) < 0.01 && fabs(last->y - y) < 0.01;
        if (same) return;
    }
    e->points[e->point_count++] = (layout_point){x, y};
}

// Routes a loop from the side of a box to the edge of its column, to keep curves between columns.
static void route_loop(const work *w, int32_t edge) {
    layout_edge *e = &w->l->edges[edge];
    const link *one = &w->links[w->starts[edge]];
    const item *box = &w->items[one->left], *label = &w->items[one->right];
    const double right = w->lefts[box->column] + box->width, end = w->lefts[box->column] + w->widths[box->column];
    const double x = w->lefts[label->column], top = label->y + LINE_SPACE / 2.0;
    const double bottom = label->y + label->height - LINE_SPACE / 2.0;
    const double ports[2] = {port_of(w, one, true, 0), port_of(w, one, true, 1)};
    e->label = (layout_point){x, label->y + LINE_SPACE};
    add_point(e, right, ports[0]);
    add_point(e, end, ports[0]);
    add_point(e, x, top);
    add_point(e, x + label->width, top);
    add_point(e, x + label->width, bottom);
    add_point(e, x, bottom);
    add_point(e, end, ports[1]);
    add_point(e, right, ports[1]);
}

static void route_edge(const work *w, int32_t edge) {
    layout_edge *e = &w->l->edges[edge];
    const link *links = &w->links[w->starts[edge]];
    const int32_t count = w->starts[edge + 1] - w->starts[edge];
    const item *box = &w->items[links[0].left];
    double y = port_of(w, &links[0], true, 0);
    add_point(e, w->lefts[box->column] + box->width, y);
    add_point(e, w->lefts[box->column] + w->widths[box->column], y);
    for (int32_t i = 0; i < count - 1; i++) {
        const item *one = &w->items[links[i].right];
        const double x = w->lefts[one->column];
        y = one->y + line_of(one);
        if (one->kind == ITEM_LABEL) e->label = (layout_point){x, one->y};
        add_point(e, x, y);
        add_point(e, x + w->widths[one->column], y);
    }
    box = &w->items[links[count - 1].right];
    add_point(e, w->lefts[box->column], port_of(w, &links[count - 1], false, 0));
    for (int32_t i = 0; w->reversed[edge] && i < e->point_count / 2; i++) {
        const layout_point point = e->points[i];
        e->points[i] = e->points[e->point_count - 1 - i];
        e->points[e->point_count - 1 - i] = point;
    }
}

// ---- All of it -----------------------------------------------------------------------------------------------

static bool allocate_points(work *w) {
    for (int32_t i = 0; i < w->l->edge_count; i++) {
        layout_edge *e = &w->l->edges[i];
        const int32_t links = w->starts[i + 1] - w->starts[i];
        e->points = calloc(2 * (size_t)links + 8, sizeof *e->points);
        e->point_count = 0;
        if (!e->points) return false;
    }
    return true;
}

static bool compute(work *w) {
    for (int32_t i = 0; i < w->l->edge_count; i++) add_chain(w, i);
    w->starts[w->l->edge_count] = w->link_count;
    sort_links(w);
    sort_columns(w);
    order_items(w);
    place_items(w);
    number_ports(w, true);
    number_ports(w, false);
    if (!allocate_points(w)) return false;
    for (int32_t i = 0; i < w->l->node_count; i++)
        w->l->nodes[i].corner = (layout_point){w->lefts[w->items[i].column], w->items[i].y};
    for (int32_t i = 0; i < w->l->edge_count; i++) {
        if (w->l->edges[i].from == w->l->edges[i].to) {
            route_loop(w, i);
        } else {
            route_edge(w, i);
        }
    }
    return true;
}

static bool allocate_ranks(work *w) {
    const size_t nodes = (size_t)w->l->node_count + 1, edges = (size_t)w->l->edge_count + 1;
    w->ranks = calloc(nodes, sizeof *w->ranks);
    w->stack = calloc(nodes, sizeof *w->stack);
    w->next = calloc(nodes, sizeof *w->next);
    w->states = calloc(nodes, sizeof *w->states);
    w->reversed = calloc(edges, sizeof *w->reversed);
    w->starts = calloc(edges, sizeof *w->starts);
    w->out_edges = calloc(edges, sizeof *w->out_edges);
    w->out_starts = calloc(nodes + 1, sizeof *w->out_starts);
    return w->out_edges && w->out_starts && w->ranks && w->stack && w->next && w->states && w->reversed &&
           w->starts;
}

// Returns how many columns an arrow passes through.
static int32_t span_of(const work *w, int32_t edge) {
    return 2 * abs(w->ranks[w->l->edges[edge].from] - w->ranks[w->l->edges[edge].to]) - 1;
}

// Limits how many bends there are. Arrows need one in every column they pass through, so the longest arrows in a large
// graph get none.
static void limit_bends(work *w) {
    const double most = 16.0 * (double)(w->l->node_count + w->l->edge_count) + 2048.0;
    w->shortest_bends = (double)INFINITY;
    for (double total = most + 1.0; total > most;) {
        double longest = 0.0;
        total = 0.0;
        for (int32_t i = 0; i < w->l->edge_count; i++) {
            const double span = (double)span_of(w, i);
            if (span - 1.0 > w->shortest_bends) continue;
            total += fmax(span, 1.0);
            longest = fmax(longest, span);
        }
        if (total > most) w->shortest_bends = floor(0.9 * longest);
    }
}

// Counts the items and columns that the ranks need.
static bool allocate_items(work *w) {
    size_t items = (size_t)w->l->node_count, columns = 2;
    limit_bends(w);
    for (int32_t i = 0; i < w->l->edge_count; i++) {
        const int32_t span = span_of(w, i);
        items += span > 0 && (double)(span - 1) <= w->shortest_bends ? (size_t)span : 1;
    }
    for (int32_t i = 0; i < w->l->node_count; i++) {
        if (2 * (size_t)w->ranks[i] + 2 > columns) columns = 2 * (size_t)w->ranks[i] + 2;
    }
    w->items = calloc(items + 1, sizeof *w->items);
    w->links = calloc(items + (size_t)w->l->edge_count + 1, sizeof *w->links);
    w->sorted = calloc(items + 1, sizeof *w->sorted);
    w->kept = calloc(items + 1, sizeof *w->kept);
    w->scratch = calloc(3 * items + 1, sizeof *w->scratch);
    w->columns = calloc(columns + 1, sizeof *w->columns);
    w->by_column = calloc(items + (size_t)w->l->edge_count + 1, sizeof *w->by_column);
    w->column_links = calloc(columns + 1, sizeof *w->column_links);
    w->keys = calloc(items + (size_t)w->l->edge_count + 1, sizeof *w->keys);
    w->merged = calloc(2 * (items + (size_t)w->l->edge_count) + 1, sizeof *w->merged);
    w->lefts = calloc(columns + 1, sizeof *w->lefts);
    w->widths = calloc(columns + 1, sizeof *w->widths);
    return w->keys && w->merged && w->items && w->links && w->sorted && w->kept && w->scratch && w->columns &&
           w->by_column && w->column_links && w->lefts && w->widths;
}

static void free_work(work *w) {
    free(w->ranks);
    free(w->stack);
    free(w->next);
    free(w->states);
    free(w->reversed);
    free(w->starts);
    free(w->out_edges);
    free(w->out_starts);
    free(w->keys);
    free(w->merged);
    free(w->items);
    free(w->links);
    free(w->sorted);
    free(w->kept);
    free(w->scratch);
    free(w->columns);
    free(w->by_column);
    free(w->column_links);
    free(w->lefts);
    free(w->widths);
}

bool layout_compute(layout *l) {
    work w = {.l = l};
    for (int32_t i = 0; i < l->edge_count; i++) l->edges[i].points = NULL;
    bool good = allocate_ranks(&w);
    if (good) rank_nodes(&w);
    good = good && allocate_items(&w);
    for (int32_t i = 0; good && i < l->node_count; i++)
        add_item(&w, ITEM_NODE, i, 2 * w.ranks[i], l->nodes[i].width, l->nodes[i].height);
    good = good && compute(&w);
    free_work(&w);
    return good;
}

void layout_end(layout *l) {
    for (int32_t i = 0; i < l->edge_count; i++) free(l->edges[i].points);
}
