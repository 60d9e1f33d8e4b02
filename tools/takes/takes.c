// SPDX-License-Identifier: MIT
// Runs the operations on a clip in order, and describes them.
#include "takes/takes.h"

#include "takes/fail.h"

#include <math.h>
#include <stdlib.h>

#define RATE       30.0 // at least this many poses per second
#define PLANT_RATE 60.0 // with fewer, planted feet wobble between poses

typedef struct maker {
    take take;
    const takes_body *body;
    const takes_def *def;
    lint_text *said;
    sinew_error *error;
    int parts; // number of parts in the description
} maker;

bool takes_needs_roles(const takes_def *def) {
    return def->ground || def->plant || def->in_place || def->root != SINEW_NO_NODE;
}

bool takes_has_work(const takes_def *def) {
    return takes_needs_roles(def) || def->smooth > 0.0f || def->rate > 0.0f;
}

// Returns the separator before the next part.
static const char *next(maker *m) {
    return m->parts++ > 0 ? "; " : "";
}

// ---- Feet ----------------------------------------------------------------------------------------------------

static sinew_result plant(maker *m, takes_contacts *c) {
    const double before = (double)c->slide, most = (double)c->most;
    float lowered;
    if (!(c->seconds > 0.0f)) {
        lint_append_format(m->said, "%splanted feet: not found", next(m));
        return SINEW_OK;
    }
    const sinew_result result = takes_plant(&m->take, m->body, c, &lowered, m->error);
    if (result != SINEW_OK) return result;
    lint_append_format(m->said, "%splanted feet slid %.3f m/s (at most %.3f), now %.4f (%.4f)", next(m), before,
                       most, (double)c->slide, (double)c->most);
    if (lowered > 0.0005f) lint_append_format(m->said, ", hips lowered by up to %.0f mm", 1000.0 * (double)lowered);
    return SINEW_OK;
}

// Handles the ground and the feet, which need contacts.
static sinew_result settle(maker *m) {
    takes_contacts c;
    sinew_result result = takes_find_contacts(&c, &m->take, m->body, m->error);
    if (result == SINEW_OK && m->def->ground) {
        takes_ground(&m->take, m->body, &c);
        lint_append_format(m->said, "%smoved %s by %.1f mm to the ground%s", next(m),
                           c.level > 0.0f ? "down" : "up", fabs(1000.0 * (double)c.level),
                           c.seconds > 0.0f ? "" : " in the lowest quarter of its poses");
    }
    if (result == SINEW_OK && m->def->plant) result = plant(m, &c);
    takes_contacts_free(&c);
    return result;
}

// ---- Travel --------------------------------------------------------------------------------------------------

static void say_node(maker *m, int32_t node) {
    char name[128];
    sinew_escape(m->take.skeleton->names[node], name, sizeof name);
    lint_append_format(m->said, "%s", name);
}

static void say_turn(maker *m, float turn) {
    const double degrees = 57.29577951308232 * (double)turn;
    if (fabs(degrees) >= 2.0) lint_append_format(m->said, ", the %.0f-degree turn stays", degrees);
}

static void say_removed(maker *m, const takes_travel *travel) {
    if (travel->node == SINEW_NO_NODE) {
        lint_append_format(m->said, "%sdoesn't travel", next(m));
        return;
    }
    lint_append_format(m->said, "%sremoved from ", next(m));
    say_node(m, travel->node);
    if (travel->speed > 0.0f) {
        lint_append_format(m->said, ": %.3f m/s, %s", (double)travel->speed,
                           travel->is_even ? "its mean velocity" : "its whole path");
    }
    if (travel->start > 0.0f) lint_append_format(m->said, ", %.2f m from its rest position", (double)travel->start);
    say_turn(m, travel->turn);
}

static void say_added(maker *m, const takes_travel *travel) {
    if (travel->node == SINEW_NO_NODE && travel->speed > 0.0f) {
        lint_append_format(m->said, "%salready travels at %.3f m/s; --in-place also moves that to the node",
                           next(m), (double)travel->speed);
    } else if (travel->node == SINEW_NO_NODE) {
        lint_append_format(m->said, "%splanted feet don't move, so there's no root motion", next(m));
    } else {
        lint_append_format(m->said, "%sadded to ", next(m));
        say_node(m, travel->node);
        lint_append_format(m->said, ": %.3f m/s", (double)travel->speed);
        say_turn(m, travel->turn);
    }
}

static sinew_result move_travel(maker *m) {
    takes_travel travel;
    const sinew_result result = takes_remove_travel(&m->take, m->body, &travel, m->error);
    if (result == SINEW_OK) say_removed(m, &travel);
    if (result == SINEW_OK && m->def->root != SINEW_NO_NODE && travel.node != SINEW_NO_NODE) {
        takes_give_travel(&m->take, m->def->root, &travel);
        lint_append_format(m->said, ", moved to ");
        say_node(m, m->def->root);
    }
    free(travel.moved);
    return result;
}

static sinew_result add_travel(maker *m) {
    takes_travel travel;
    const sinew_result result = takes_add_travel(&m->take, m->body, m->def->root, &travel, m->error);
    if (result == SINEW_OK) say_added(m, &travel);
    free(travel.moved);
    return result;
}

// ---- All -----------------------------------------------------------------------------------------------------

static sinew_result filter(maker *m) {
    const takes_def *def = m->def;
    sinew_result result = SINEW_OK;
    if (def->smooth > 0.0f) {
        result = takes_smooth(&m->take, m->body, (double)def->smooth, m->error);
        if (result == SINEW_OK) lint_append_format(m->said, "%ssmoothed at %g Hz", next(m), (double)def->smooth);
    }
    if (result == SINEW_OK && def->rate > 0.0f) {
        result = takes_resample(&m->take, (double)def->rate, m->error);
        if (result == SINEW_OK) lint_append_format(m->said, "%s%d keys", next(m), (int)m->take.count);
    }
    return result;
}

static sinew_result work(maker *m) {
    const takes_def *def = m->def;
    sinew_result result = filter(m);
    if (result == SINEW_OK && (def->ground || def->plant)) result = settle(m);
    if (result == SINEW_OK && def->in_place) result = move_travel(m);
    if (result == SINEW_OK && !def->in_place && def->root != SINEW_NO_NODE) result = add_travel(m);
    return result;
}

sinew_result takes_make(const sinew_clip *clip, const takes_body *body, const takes_def *def, lint_text *said,
                        sinew_clip **made, sinew_error *error) {
    maker m = {.body = body, .def = def, .said = said, .error = error};
    *made = NULL;
    sinew_result result = take_open(&m.take, clip, def->plant ? PLANT_RATE : RATE, error);
    if (result == SINEW_OK) result = work(&m);
    if (result == SINEW_OK) result = take_create_clip(&m.take, NULL, made, error);
    take_close(&m.take);
    return result;
}
