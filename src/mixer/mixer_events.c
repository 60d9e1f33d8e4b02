// Events: which ends and markers an action passes on its way through a clip, and the queue that they go into.
#include "mixer/mixer_state.h"

#include <assert.h>
#include <math.h>

// ---- The queue -----------------------------------------------------------------------------------------------

// By moment, then by the order in which actions were started. Events of one action come in the order that they have.
static bool comes_before(const sinew_event *a, const sinew_event *b) {
    if (a->moment != b->moment) return a->moment < b->moment;
    return a->action.id >> 8 < b->action.id >> 8; // the serial
}

static void lose(sinew_mixer *mixer, double count) {
    double room = (double)(INT32_MAX - mixer->state->dropped_event_count);
    mixer->state->dropped_event_count += count < room ? (int32_t)count : (int32_t)room;
}

static void add_event(sinew_mixer *mixer, const sinew_event *event) {
    if (mixer->state->event_count == mixer->def.max_events) {
        lose(mixer, 1.0);
        return;
    }
    int32_t place = mixer->state->event_count++;
    for (; place > 0 && comes_before(event, &mixer->events[place - 1]); place--) {
        mixer->events[place] = mixer->events[place - 1];
    }
    mixer->events[place] = *event;
}

// ---- The way -------------------------------------------------------------------------------------------------

// An action on its way.
typedef struct passage {
    sinew_mixer *mixer;
    const action_state *state;
    const clip_way *way;
    double duration;
} passage;

static void pass(const passage *p, sinew_event_type type, double at, const sinew_marker *marker) {
    double moment = at > p->way->from ? (at - p->way->from) / p->way->rate : 0.0;
    const space_state *space = sinew_action_space(p->mixer, p->state);
    sinew_event event = {
        .type = type,
        .action = sinew_mixer_handle(p->mixer, p->state),
        .clip = p->state->clip,
        .marker = marker,
        .moment = (float)(p->mixer->step_start + moment),
        .weight = sinew_fade_after(p->mixer, &p->state->weight, moment),
        .layer = p->state->layer,
        .blend_space = space ? space->space : NULL,
    };
    add_event(p->mixer, &event);
}

// Whether the clip's time runs backward between the ends `stretch` and `stretch` + 1.
static bool runs_backward(const passage *p, double stretch) {
    if (p->state->loop != SINEW_LOOP_PING_PONG) return p->way->backward;
    double there = p->way->backward ? -(stretch + 1.0) : stretch; // numbered as the phase is
    bool way_back = fmod(there, 2.0) != 0.0;
    return way_back != p->way->backward;
}

static void pass_markers(const passage *p, double stretch) {
    const sinew_clip *clip = p->state->clip;
    bool back = runs_backward(p, stretch), fresh = (p->state->flags & ACTION_FRESH) != 0;
    double start = stretch * p->duration;
    for (int32_t i = 0; i < clip->marker_count; i++) {
        const sinew_marker *marker = &clip->markers[back ? clip->marker_count - 1 - i : i];
        double time = (double)marker->time, distance = back ? p->duration - time : time, at = start + distance;
        if (at > p->way->to) return;
        bool begins_here = fresh && at == p->way->from;
        if (!(at > p->way->from) && !begins_here) continue;
        // Where ping-pong turns, the stretch before had the marker already.
        if (p->state->loop == SINEW_LOOP_PING_PONG && distance == 0.0 && !begins_here) continue;
        pass(p, SINEW_EVENT_MARKER, at, marker);
    }
}

// The markers at which a stretch of ping-pong starts, which the one before had.
static double turned_markers(const passage *p, double stretch) {
    if (p->state->loop != SINEW_LOOP_PING_PONG) return 0.0;
    double start = runs_backward(p, stretch) ? p->duration : 0.0, count = 0.0;
    for (int32_t i = 0; i < p->state->clip->marker_count; i++) {
        count += (double)p->state->clip->markers[i].time == start;
    }
    return count;
}

// Goes over the whole stretches between this one and the last once the queue is full: how many events they have is
// known without a look at each.
static double skip_stretches(const passage *p, double stretch, double last) {
    double count = last - stretch - 1.0;
    if (p->mixer->state->event_count < p->mixer->def.max_events || !(count > 0.0)) return stretch;
    double odd = ceil(count / 2.0) * turned_markers(p, stretch + 1.0);
    double even = floor(count / 2.0) * turned_markers(p, stretch + 2.0);
    lose(p->mixer, count * ((double)p->state->clip->marker_count + 1.0) - odd - even);
    return last - 1.0;
}

void sinew_action_add_events(sinew_mixer *mixer, const action_state *state, const clip_way *way) {
    passage p = {mixer, state, way, (double)state->clip->duration};
    if (!(p.duration > 0.0)) { // all of it is one moment
        for (int32_t i = 0; i < state->clip->marker_count && (state->flags & ACTION_FRESH) != 0; i++) {
            pass(&p, SINEW_EVENT_MARKER, way->from, &state->clip->markers[i]);
        }
        if (way->finishes) pass(&p, SINEW_EVENT_FINISHED, way->from, NULL);
        return;
    }
    double stretch = way->first;
    pass_markers(&p, stretch);
    while (stretch < way->last) {
        pass(&p, SINEW_EVENT_LOOPED, (stretch + 1.0) * p.duration, NULL);
        stretch = skip_stretches(&p, stretch, way->last) + 1.0;
        pass_markers(&p, stretch);
    }
    if (way->finishes) pass(&p, SINEW_EVENT_FINISHED, way->to, NULL);
}

const sinew_event *sinew_mixer_events(const sinew_mixer *mixer, int32_t *count) {
    assert(mixer && count);
    *count = mixer->state->event_count;
    return mixer->events;
}

int32_t sinew_mixer_dropped_event_count(const sinew_mixer *mixer) {
    assert(mixer);
    return mixer->state->dropped_event_count;
}
