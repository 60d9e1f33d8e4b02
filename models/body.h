// SPDX-License-Identifier: MIT
// body.h - characters made of a rig and of surface parts: what the hero, the scout and the sprite share.
#ifndef MODELS_BODY_H
#define MODELS_BODY_H

#include "field.h"

// ---- the rig -----------------------------------------------------------------------------------

enum { RIG_JOINTS = 112 };

/// Sides: characters face +Z, so the left is +X.
enum side { CENTER = 0, LEFT = 1, RIGHT = -1 };

extern const enum side sides[2]; ///< left, right

/// A point of the left side, or the mirrored one.
vec3 sided(enum side side, double x, double y, double z);

/// All rigs use the same names, which each model translates into those of its file.
typedef struct joint {
    char name[24]; ///< without the side
    enum side side;
    int parent; ///< -1 for the first joint
    rigid rest; ///< in model space; +Y along the bone, until a model changes it
    vec3 tail;
    bone skin; ///< the segment of the bone for skinning weights
} joint;

/// The directions of a hand in the rest pose: unit vectors at right angles.
typedef struct palm {
    vec3 wrist;
    vec3 along; ///< from the wrist to the knuckles
    vec3 thumb; ///< towards the thumb's side
    vec3 back;  ///< out of the back of the hand
} palm;

typedef struct rig {
    joint joints[RIG_JOINTS];
    int count;
    double hand_size; ///< relative to the hero's
    rigid grip;       ///< of the hero: the rest frame of Grip_R in model space
} rig;

/// A joint of a table: names without side. If `paired`, both sides are made, and the row is the left one.
typedef struct joint_row {
    const char *name, *parent;
    bool paired;
    vec3 head, tail;
    vec3 front; ///< direction of the joint's +Z
} joint_row;

/// Adds the joints of a table, each after its parent.
void rig_add_rows(rig *r, const joint_row *rows, size_t count);

/// Adds three joints to each finger of a hand (Thumb1 ... Pinky3), relaxed. They are children of Thumb0 ... Pinky0 if the
/// rig has those, otherwise of Hand.
void rig_add_fingers(rig *r, enum side side);

/// Divides the skin of a bone between a twist joint and its main joint: each gets half.
void rig_share_skin(rig *r, const char *upper, const char *lower, enum side side);

/// The joint `name` on `side`. Ends the program if the rig has none.
int rig_find(const rig *r, const char *name, enum side side);
bool rig_has(const rig *r, const char *name, enum side side);
vec3 rig_head(const rig *r, const char *name, enum side side);
vec3 rig_tail(const rig *r, const char *name, enum side side);

/// The point of a bone at `t`: 0 is its head, 1 its tail.
vec3 rig_along(const rig *r, const char *name, enum side side, double t);
palm rig_palm(const rig *r, enum side side);
/// Converts a direction of (along, thumb, back) to model space.
vec3 palm_direction(const palm *p, vec3 v);

/// The local rest transform of a joint in the space of its parent joint, or of the model.
rigid rig_local(const rig *r, int joint);

enum { FINGERS = 5 };
extern const char *const finger_names[FINGERS]; ///< thumb first

// ---- the parts ---------------------------------------------------------------------------------

/// A faint tint around a point.
typedef struct tint_spot {
    vec3 at;
    double radius, strength;
    rgb color;
} tint_spot;

enum { TINTS_MAX = 24 };

/// A closed part of the surface, with its own colour and weights.
typedef struct part {
    field field;
    double cell;   ///< of the grid of surface nets
    size_t points; ///< budget
    double spread; ///< width of the weights' borders
    int base;      ///< the part under it, whose weights it takes, or -1
    rgb color;
    tint_spot tints[TINTS_MAX];
    int tint_count;
    double shade;                      ///< strength of the baked shade
    int mesh;                          ///< the mesh that it becomes a part of
    vec3 low, high;                    ///< bounds, set when the part is complete
    size_t first_vertex, vertex_count; ///< in its mesh, when it is grown
} part;

enum { PARTS_MAX = 64 };

typedef struct parts {
    part *items;
    int count;
} parts;

/// Adds a part, whose brush has no joints.
part *parts_add(parts *all, uint32_t srgb, double cell, size_t points, double spread);

/// Adds a part over part `base` with the given thickness, which takes its weights.
part *parts_layer(parts *all, int base, uint32_t srgb, double thickness, double cell, size_t points);

/// Adds a layer between two heights.
part *parts_band(parts *all, int base, uint32_t srgb, double thickness, double cell, size_t points, double low,
                 double high);

/// Sets the brush: `names` are joints on `side`, separated by spaces.
void brush(part *p, const rig *r, double blend, const char *names, enum side side);
/// Colours a part around a point.
void tint(part *p, vec3 at, double radius, uint32_t srgb, double strength);

/// Adds joints to the brush.
void brush_also(part *p, const rig *r, const char *names, enum side side);

/// Adds an upright oval column in the middle of the body, whose depth is `flat` times its width.
void add_column(part *p, double y0, double z0, double r0, double y1, double z1, double r1, double flat);

/// A lock of hair through three points, tapering to a tip.
typedef struct lock {
    vec3 a, b, c;
    double radius;
} lock;

/// Adds a lock; `middle` and `tip` are the radii there, relative to that of the root.
void add_lock(part *p, const lock *l, double middle, double tip);

/// Adds a hand with its fingers, as thick as `thickness` times the hero's.
part *parts_add_hand(parts *all, const rig *r, enum side side, uint32_t srgb, double thickness, size_t points);

/// The point of the skin straight behind (x, y), seen from the front, `lift` before it.
vec3 face_point(const field *skin, double x, double y, double lift);

/// A line drawn on the face from the first point to the last, bent by the one between them (a
/// quadratic Bezier curve); `thick` is its radius at those three.
typedef struct stroke {
    double xy[3][2];
    double thick[3];
} stroke;

/// Adds a stroke to a part; `side` is 1, or -1 for the mirrored one.
void face_stroke(part *p, const field *skin, const stroke *s, double side, double lift);

/// Grows all parts into their meshes and computes weights, normals and shade.
void parts_grow(const parts *all, const rig *r, mesh *meshes);

#endif
