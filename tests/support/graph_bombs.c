// SPDX-License-Identifier: MIT
#include "support/graph_bombs.h"
#include "support/check.h"

#include <stdarg.h>
#include <stdio.h>

static void put(gltf_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Single quotes become double ones.
static void put(gltf_text *text, const char *format, ...) {
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && length < (int)sizeof line);
    for (int i = 0; i < length; i++) line[i] = line[i] == '\'' ? '"' : line[i];
    gltf_append(text, line, (size_t)length);
}

static const char *comma(int index) {
    return index > 0 ? "," : "";
}

enum { BOOLS = 24, FLOATS = 20, TRIGGERS = 10 };

// A graph of one layer with states s0, s1 ..., up to its transitions.
static gltf_text begin(int states) {
    gltf_text g = {NULL, 0, 0};
    put(&g, "{'sinewGraph':1,'parameters':{'x':{'type':'float'}");
    for (int i = 0; i < BOOLS; i++) put(&g, ",'b%d':{'type':'bool'}", i);
    for (int i = 0; i < FLOATS; i++) put(&g, ",'f%d':{'type':'float','range':[0,1]}", i);
    for (int i = 0; i < TRIGGERS; i++) put(&g, ",'t%d':{'type':'trigger'}", i);
    put(&g, "},'layers':[{'name':'L','states':{");
    for (int i = 0; i < states; i++) put(&g, "%s's%d':{'clip':'Idle'}", comma(i), i);
    put(&g, "},'transitions':[");
    return g;
}

static gltf_text end(gltf_text g) {
    put(&g, "]}]}");
    return g;
}

static void put_condition(gltf_text *g, int seed) {
    for (int i = 0; i < 9; i++)
        put(g, "%s(b%d || f%d > 0.%d)", i > 0 ? " && " : "", (seed + i) % BOOLS, (seed + 3 * i) % FLOATS,
            1 + seed % 8);
}

// Of one state, with long conditions.
static gltf_text long_conditions(int size) {
    gltf_text g = begin(60);
    for (int i = 0; i < size / 240; i++) {
        put(&g, "%s{'from':'s0','to':'s%d','when':'", comma(i), 1 + i % 59);
        put_condition(&g, i);
        put(&g, "'}");
    }
    return end(g);
}

static gltf_text long_conditions_of_any(int size) {
    gltf_text g = begin(size / 300);
    for (int i = 0; i < size / 300; i++) {
        put(&g, "%s{'from':'*','to':'s%d','when':'", comma(i), i);
        put_condition(&g, i);
        put(&g, "'}");
    }
    return end(g);
}

static gltf_text times_of_any(int size) {
    gltf_text g = begin(size / 120);
    for (int i = 0; i < size / 120; i++)
        put(&g, "%s{'from':'*','to':'s%d','when':'elapsed > %d && time > 0.%d || loops > %d'}", comma(i), i, i, i,
            i);
    return end(g);
}

static gltf_text never_from_any(int size) {
    gltf_text g = begin(size / 80);
    for (int i = 0; i < size / 80; i++)
        put(&g, "%s{'from':'*','to':'s%d','when':'f%d > 2'}", comma(i), i, i % FLOATS);
    return end(g);
}

static gltf_text chain_with_ways_back(int size) {
    const int count = size / 120;
    gltf_text g = begin(count);
    for (int i = 0; i + 1 < count; i++)
        put(&g, "%s{'from':'s%d','to':'s%d','when':'b%d'},{'from':'s%d','to':'s0','when':'t%d'}", comma(i), i,
            i + 1, i % BOOLS, i + 1, i % TRIGGERS);
    return end(g);
}

static gltf_text star(int size) {
    const int count = size / 80;
    gltf_text g = begin(count);
    for (int i = 1; i < count; i++) put(&g, "%s{'from':'s0','to':'s%d','when':'b%d'}", comma(i - 1), i, i % BOOLS);
    return end(g);
}

// One transition from each state of a list.
static gltf_text list_of_sources(int size) {
    const int count = size / 30;
    gltf_text g = begin(count);
    put(&g, "{'from':[");
    for (int i = 0; i < count; i++) put(&g, "%s's%d'", comma(i), i);
    put(&g, "],'to':'s0','when':'");
    put_condition(&g, 3);
    put(&g, "'}");
    return end(g);
}

static gltf_text triggers_of_any(int size) {
    gltf_text g = begin(size / 140);
    for (int i = 0; i < size / 140; i++)
        put(&g, "%s{'from':'*','to':'s%d','toSelf':true,'duration':0,'when':'t%d && t%d && t%d'}", comma(i), i,
            i % TRIGGERS, (i + 1) % TRIGGERS, (i + 2) % TRIGGERS);
    return end(g);
}

static gltf_text compared_parameters(int size) {
    gltf_text g = begin(size / 160);
    for (int i = 0; i < size / 160; i++)
        put(&g, "%s{'from':'*','to':'s%d','when':'f%d > f%d || f%d > f%d || f%d > f%d'}", comma(i), i, i % 15,
            (i + 1) % 15, (i + 2) % 15, (i + 5) % 15, (i + 7) % 15, (i + 3) % 15);
    return end(g);
}

const graph_bomb graph_bombs[] = {
    {"long_conditions", long_conditions},
    {"long_conditions_of_any", long_conditions_of_any},
    {"times_of_any", times_of_any},
    {"never_from_any", never_from_any},
    {"chain_with_ways_back", chain_with_ways_back},
    {"star", star},
    {"list_of_sources", list_of_sources},
    {"triggers_of_any", triggers_of_any},
    {"compared_parameters", compared_parameters},
};
const int graph_bomb_count = (int)(sizeof graph_bombs / sizeof graph_bombs[0]);
