// SPDX-License-Identifier: MIT
// The tables of rig_setting.h.
#include "motion/rig_setting.h"
#include "base/float_rules.h"

#include <float.h>
#include <stddef.h>
#include <stdio.h>

// ---- The tables ----------------------------------------------------------------------------------------------

#define AT(member) offsetof(sinew_rig_step, member)
#define NUMBER(key, member, least, most)                                                                           \
    { .name = (key), .type = SINEWI_SETTING_NUMBER, .offset = AT(member), .min = (least), .max = (most) }
#define GOAL(key, member, parameter_types, is_required)                                                            \
    {                                                                                                              \
        .name = (key), .type = SINEWI_SETTING_GOAL, .offset = AT(member), .types = (parameter_types),              \
        .required = (is_required)                                                                                  \
    }
#define INPUT(key, parameter_type)                                                                                 \
    {                                                                                                              \
        .name = (key), .type = SINEWI_SETTING_INPUT, .offset = AT(input), .types = 1 << (parameter_type),          \
        .required = true                                                                                           \
    }
#define OTHER(key, setting, member, is_required)                                                                   \
    { .name = (key), .type = (setting), .offset = AT(member), .required = (is_required) }

static const sinewi_rig_setting root_warp_settings[] = {
    OTHER("clip", SINEWI_SETTING_STRING, root_warp.clip, true),
    OTHER("window", SINEWI_SETTING_STRING, root_warp.window, false),
    NUMBER("start", root_warp.settings.start, 0.0f, FLT_MAX),
    NUMBER("end", root_warp.settings.end, 0.0f, FLT_MAX),
    GOAL("goal", goal, SINEWI_TRANSFORMS, true),
    NUMBER("maxSpeed", root_warp.settings.max_speed, 1.0f, FLT_MAX),
    NUMBER("addedSpeed", root_warp.settings.added_speed, 0.0f, FLT_MAX),
    NUMBER("maxTurnRate", root_warp.settings.max_turn_rate, 0.0f, FLT_MAX),
    {.name = NULL}};

static const sinewi_rig_setting aim_offset_settings[] = {
    INPUT("direction", SINEW_PARAMETER_VECTOR2),
    OTHER("yaws", SINEWI_SETTING_GRID, aim_offset.yaws, false),
    OTHER("pitches", SINEWI_SETTING_GRID, aim_offset.pitches, false),
    OTHER("clips", SINEWI_SETTING_CLIPS, aim_offset.clips, true),
    OTHER("reference", SINEWI_SETTING_STRING, aim_offset.reference, false),
    OTHER("mask", SINEWI_SETTING_MASK, aim_offset.parts, false),
    {.name = NULL}};

static const sinewi_rig_setting orientation_warp_settings[] = {
    INPUT("angle", SINEW_PARAMETER_FLOAT),
    OTHER("nodes", SINEWI_SETTING_NODES, nodes, false),
    NUMBER("limit", orientation_warp.limit, 0.0f, 3.1f),
    NUMBER("settleTime", orientation_warp.settle_time, 0.0f, FLT_MAX),
    {.name = NULL}};

static const sinewi_rig_setting stride_warp_settings[] = {
    INPUT("scale", SINEW_PARAMETER_FLOAT),
    OTHER("pelvis", SINEWI_SETTING_NODE, nodes, false),
    OTHER("direction", SINEWI_SETTING_VECTOR, stride_warp.direction, false),
    OTHER("origin", SINEWI_SETTING_VECTOR, stride_warp.origin, false),
    NUMBER("minScale", stride_warp.min_scale, 0.0f, 1.0f),
    NUMBER("maxScale", stride_warp.max_scale, 1.0f, FLT_MAX),
    NUMBER("pelvisTime", stride_warp.pelvis_time, 0.0f, FLT_MAX),
    {.name = NULL}};

static const sinewi_rig_setting foot_lock_settings[] = {
    NUMBER("contactOn", foot_lock.contact_on, 0.0f, 1.0f),
    NUMBER("contactOff", foot_lock.contact_off, 0.0f, 1.0f),
    NUMBER("distance", foot_lock.distance, 0.0f, FLT_MAX),
    NUMBER("turn", foot_lock.turn, 0.0f, FLT_MAX),
    NUMBER("stretch", foot_lock.stretch, 0.0f, 1.0f),
    NUMBER("roll", foot_lock.roll, 0.0f, FLT_MAX),
    NUMBER("liftHeight", foot_lock.lift_height, 0.0f, FLT_MAX),
    NUMBER("releaseTime", foot_lock.release_time, 0.0f, FLT_MAX),
    NUMBER("height", foot_lock.height, 0.0f, FLT_MAX),
    {.name = NULL}};

static const sinewi_rig_setting foot_placement_settings[] = {
    OTHER("pelvis", SINEWI_SETTING_NODE, nodes, false),
    NUMBER("maxStair", foot_placement.max_stair, 0.0f, FLT_MAX),
    NUMBER("lift", foot_placement.lift, 1e-3f, FLT_MAX),
    NUMBER("tilt", foot_placement.tilt, 0.0f, FLT_MAX),
    NUMBER("footTime", foot_placement.foot_time, 0.0f, FLT_MAX),
    NUMBER("pelvisTime", foot_placement.pelvis_time, 0.0f, FLT_MAX),
    {.name = NULL}};

static const sinewi_rig_setting limb_settings[] = {OTHER("end", SINEWI_SETTING_NODE, nodes, false),
                                                   OTHER("nodes", SINEWI_SETTING_NODES, nodes, false),
                                                   GOAL("goal", goal, SINEWI_PLACES, true),
                                                   GOAL("pole", pole, SINEWI_PLACES, false),
                                                   NUMBER("poleWeight", limb.pole_weight, 0.0f, 1.0f),
                                                   OTHER("bendAxis", SINEWI_SETTING_VECTOR, limb.bend_axis, false),
                                                   OTHER("endRotation", SINEWI_SETTING_END, limb.end_mode, false),
                                                   NUMBER("softness", limb.softness, 0.0f, 1.0f),
                                                   {.name = NULL}};

static const sinewi_rig_setting chain_settings[] = {
    OTHER("root", SINEWI_SETTING_NODE, nodes, true),
    OTHER("tip", SINEWI_SETTING_NODE, nodes, true),
    GOAL("goal", goal, SINEWI_PLACES, true),
    GOAL("pole", pole, SINEWI_PLACES, false),
    NUMBER("poleWeight", chain.pole_weight, 0.0f, 1.0f),
    NUMBER("softness", chain.softness, 0.0f, 1.0f),
    OTHER("method", SINEWI_SETTING_METHOD, chain.method, false),
    OTHER("restarts", SINEWI_SETTING_RESTARTS, chain.restarts, false),
    {.name = NULL}};

static const sinewi_rig_setting body_settings[] = {
    OTHER("root", SINEWI_SETTING_NODE, nodes, false),
    OTHER("effectors", SINEWI_SETTING_EFFECTORS, body.effectors, true),
    NUMBER("rootStiffness", body.settings.root_stiffness, 0.0f, 1.0f),
    NUMBER("restBias", body.settings.rest_bias, 0.0f, 1.0f),
    {.name = NULL}};

static const sinewi_rig_setting aim_settings[] = {OTHER("node", SINEWI_SETTING_NODE, nodes, true),
                                                  OTHER("tip", SINEWI_SETTING_NODE, nodes, false),
                                                  GOAL("goal", goal, SINEWI_PLACES, true),
                                                  OTHER("forward", SINEWI_SETTING_VECTOR, aim.forward, false),
                                                  OTHER("origin", SINEWI_SETTING_VECTOR, aim.origin, false),
                                                  NUMBER("limit", aim.limit, 0.0f, FLT_MAX),
                                                  NUMBER("pitchUp", aim.pitch_up, 0.0f, FLT_MAX),
                                                  NUMBER("pitchDown", aim.pitch_down, 0.0f, FLT_MAX),
                                                  NUMBER("softness", aim.softness, 0.0f, 1.0f),
                                                  NUMBER("settleTime", aim.settle_time, 0.0f, FLT_MAX),
                                                  {.name = NULL}};

static const sinewi_rig_setting springs_settings[] = {
    OTHER("colliders", SINEWI_SETTING_COLLIDERS, springs.colliders, false),
    OTHER("chains", SINEWI_SETTING_CHAINS, springs.chains, false),
    {.name = NULL}};
static const sinewi_rig_setting callback_settings[] = {{.name = NULL}};

static const sinewi_rig_kind kinds[SINEWI_RIG_KIND_COUNT] = {
    [SINEW_RIG_ROOT_WARP] = {"rootWarp", "a root warp", root_warp_settings, "none", 0, 0},
    [SINEW_RIG_AIM_OFFSET] = {"aimOffset", "an aim offset", aim_offset_settings, "none", 0, 0},
    [SINEW_RIG_ORIENTATION_WARP] = {"orientationWarp", "an orientation warp", orientation_warp_settings,
                                    "up to 9: the hips, then the spine", 0, SINEW_MAX_RIG_NODES},
    [SINEW_RIG_STRIDE_WARP] = {"strideWarp", "a stride warp", stride_warp_settings, "at most one, the pelvis", 0,
                               1},
    [SINEW_RIG_FOOT_LOCK] = {"footLock", "a foot lock", foot_lock_settings, "none", 0, 0},
    [SINEW_RIG_FOOT_PLACEMENT] = {"footPlacement", "a foot placement", foot_placement_settings,
                                  "at most one, the pelvis", 0, 1},
    [SINEW_RIG_LIMB] = {"limb", "a limb", limb_settings, "one, the end, or three: upper, lower and end", 1, 3},
    [SINEW_RIG_CHAIN] = {"chain", "a chain", chain_settings, "two, the root and the tip", 2, 2},
    [SINEW_RIG_BODY] = {"body", "a body", body_settings, "at most one, the root", 0, 1},
    [SINEW_RIG_AIM] = {"aim", "an aim", aim_settings, "one, or two: the node, then its tip", 1, 2},
    [SINEW_RIG_SPRINGS] = {"springs", "springs", springs_settings, "none", 0, 0},
    [SINEW_RIG_CALLBACK] = {"callback", "a callback", callback_settings, "none", 0, 0}};

const sinewi_rig_kind *sinewi_rig_kind_of(sinew_rig_kind kind) {
    return &kinds[kind];
}

// ---- Messages ------------------------------------------------------------------------------------------------

const char *sinewi_rig_types_text(int types) {
    switch (types) {
    case 1 << SINEW_PARAMETER_FLOAT:
        return "a float";
    case 1 << SINEW_PARAMETER_VECTOR2:
        return "a vector2";
    case SINEWI_TRANSFORMS:
        return "a transform";
    default:
        return "a vector3 or a transform";
    }
}

sinewi_range_text sinewi_rig_range_text(float min, float max) {
    sinewi_range_text range;
    if (max == FLT_MAX) {
        (void)snprintf(range.text, sizeof range.text, "%g or more", (double)min);
    } else {
        (void)snprintf(range.text, sizeof range.text, "%g to %g", (double)min, (double)max);
    }
    return range;
}
