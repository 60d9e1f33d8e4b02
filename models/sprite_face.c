// SPDX-License-Identifier: MIT
// sprite_face.c - the sprite's face, hair and ears, and the morph targets of its expressions.
#include "sprite.h"

static const uint32_t skin_color = 0xFFD6B2, blush_color = 0xF08A74, line_color = 0x4A2418, mouth_color = 0x7E2B2B;
static const uint32_t tongue_color = 0xE8837B, eye_white = 0xFFFDF8, iris_color = 0x2F8F6B, iris_low = 0x7ED69A;
static const uint32_t pupil_color = 0x17302B, hair_color = 0xD9722B, hair_light = 0xF5A655, hair_dark = 0xA84E1C;
static const uint32_t cream_color = 0xFFF0D8;

// ---- skin ----

static void add_skin(parts *all, const rig *r) {
    part *p = parts_add(all, skin_color, 0.0085, 520, 0.025);
    p->mesh = SPRITE_FACE;
    p->shade = 0.22;
    field *f = &p->field;
    brush(p, r, 0.05, "Head", CENTER);
    field_ellipsoid(f, rigid_shift(0, 0.745, -0.004), v3(0.160, 0.148, 0.146));
    field_ellipsoid(f, rigid_shift(0, 0.672, 0.034), v3(0.122, 0.082, 0.100));
    for (int i = 0; i < 2; i++) {
        field_ball(f, v3(0.078 * (double)sides[i], 0.664, 0.068), 0.052);
    }
    brush(p, r, 0.010, "Head", CENTER);
    field_ball(f, v3(0, 0.672, 0.134), 0.0085);
    brush(p, r, 0.02, "UpperChest Neck Head", CENTER);
    field_cone(f, v3(0, 0.520, -0.012), v3(0, 0.620, -0.006), 0.044, 0.042);
    tint(p, v3(0, 0.672, 0.145), 0.022, blush_color, 0.45);
    for (int i = 0; i < 2; i++) {
        tint(p, v3(0.098 * (double)sides[i], 0.645, 0.105), 0.042, blush_color, 0.75);
    }
}

// ---- eyes ----

static const vec3 eye_radii = {0.0360, 0.0500, 0.0200};

/// The frame of an eye: +Z is its direction of gaze.
static rigid eye_frame(const field *skin, enum side side) {
    vec3 at = face_point(skin, 0.073 * (double)side, 0.712, -0.010);
    vec3 ahead = v3_unit(v3(0.30 * (double)side, 0.02, 1.0));
    return (rigid){q_columns(v3_unit(v3_cross(v3(0, 1, 0), ahead)), v3_across(v3(0, 1, 0), ahead), ahead), at};
}

/// The white of an eye. The iris is drawn on it when it is grown.
static void add_white(parts *all, const rig *r, const field *skin, enum side side) {
    part *p = parts_add(all, eye_white, 0.0065, 80, 0.0);
    p->mesh = SPRITE_FACE;
    p->shade = 0.25;
    brush(p, r, 0.002, "Eye", side);
    field_ellipsoid(&p->field, eye_frame(skin, side), eye_radii);
}

/// Ovals on an eye: `tall` is the height by the width. A ring whose two colours differ is shaded from low to high.
typedef struct oval {
    vec3 center; ///< z: the height over the white, relative to its radii
    double tall;
    struct {
        double radius;
        uint32_t low, high;
    } rings[5]; ///< from inside; equal radii are a sharp edge
    int ring_count;
} oval;

static const oval ovals[] = {
    {{-0.004, -0.002, 0.02},
     1.45,
     {{0.0125, pupil_color, pupil_color},
      {0.0125, iris_low, iris_color},
      {0.0232, iris_low, iris_color},
      {0.0232, line_color, line_color},
      {0.0262, line_color, line_color}},
     5},
    {{0.007, 0.016, 0.06}, 1.2, {{0.0075, 0xFFFFFF, 0xFFFFFF}}, 1},
    {{-0.012, -0.021, 0.06}, 1.2, {{0.0040, 0xFFFFFF, 0xFFFFFF}}, 1},
};

static vertex oval_vertex(rigid eye, const oval *o, double side, vec3 at, rgb color, int mover) {
    double x = (o->center.x + at.x) * side, y = o->center.y + at.y * o->tall;
    double u = x / eye_radii.x, v = y / eye_radii.y;
    double z = eye_radii.z * sqrt(fmax(1.0 - u * u - v * v, 0.0));
    vec3 normal = v3_unit(v3(u / eye_radii.x, v / eye_radii.y, z / (eye_radii.z * eye_radii.z)));
    double lift = o->center.z * eye_radii.z;
    return (vertex){.position = rigid_point(eye, v3_mad(v3(x, y, z), normal, lift)),
                    .normal = q_turn(eye.r, normal),
                    .color = color,
                    .joint = {(uint8_t)mover},
                    .weight = {255}};
}

static rgb ring_color(const oval *o, int index, double height) {
    rgb low = rgb_from_srgb(o->rings[index].low), high = rgb_from_srgb(o->rings[index].high);
    double t = smooth(0.5 + 0.7 * height);
    return (rgb){mix(low.r, high.r, t), mix(low.g, high.g, t), mix(low.b, high.b, t)};
}

static void add_oval(mesh *m, rigid eye, const oval *o, double side, int mover) {
    enum { SEGMENTS = 20 };
    uint32_t center = mesh_vertex(m, oval_vertex(eye, o, side, v3(0, 0, 0), ring_color(o, 0, 0.0), mover));
    for (int k = 0; k < o->ring_count; k++) {
        uint32_t first = (uint32_t)m->vertex_count;
        for (uint32_t i = 0; i < SEGMENTS; i++) {
            double a = 2.0 * PI * i / SEGMENTS * side;
            vec3 at = v3_mul(v3(cos(a), sin(a), 0), o->rings[k].radius);
            mesh_vertex(m, oval_vertex(eye, o, side, at, ring_color(o, k, sin(a)), mover));
        }
        for (uint32_t i = 0; i < SEGMENTS; i++) {
            uint32_t a = first + i, b = first + (i + 1) % SEGMENTS;
            if (k == 0) {
                mesh_triangle(m, center, a, b);
            } else if (o->rings[k].radius > o->rings[k - 1].radius) {
                mesh_triangle(m, a - SEGMENTS, a, b);
                mesh_triangle(m, a - SEGMENTS, b, b - SEGMENTS);
            }
        }
    }
}

/// The upper edge of the open eye over x of its frame, which the lashes follow.
static double lash_height(double x) {
    double u = clamp(x / 0.0375, -1.0, 1.0);
    return 0.0500 * sqrt(1.0 - 0.93 * u * u);
}

static void add_lashes(parts *all, const rig *r, const field *skin, enum side side) {
    enum { STEPS = 8 };
    part *p = parts_add(all, line_color, 0.0030, 60, 0.0);
    p->mesh = SPRITE_FACE;
    brush(p, r, 0.002, "Head", CENTER);
    rigid eye = eye_frame(skin, side);
    vec3 last = {0, 0, 0};
    double thick = 0.0;
    for (int i = 0; i <= STEPS; i++) {
        double t = (double)i / STEPS, x = mix(-0.0365, 0.0410, t) * (double)side;
        vec3 at = rigid_point(eye, v3(x, lash_height(x), 0.0085));
        double radius = 0.0022 + 0.0036 * sin(PI * pow(t, 1.5)) + 0.0008 * t;
        if (i > 0) {
            field_cone(&p->field, last, at, thick, radius);
        }
        last = at;
        thick = radius;
    }
}

// ---- brows and mouth ----

static const stroke brow = {{{0.042, 0.7860}, {0.074, 0.8040}, {0.106, 0.7840}}, {0.0040, 0.0062, 0.0026}};

static const double mouth_y = 0.6330, lip_half = 0.0260; // the middle of the open mouth, and half of its width
static const double mouth_rx = 0.0270, mouth_ry = 0.0210;

/// The line of the closed mouth over x: a small smile.
static double lip_height(double x) {
    double u = x / lip_half;
    return mouth_y - 0.0035 + 0.0075 * u * u;
}

static void add_lips(parts *all, const rig *r, const field *skin) {
    enum { STEPS = 8 };
    part *p = parts_add(all, line_color, 0.0024, 70, 0.0);
    p->mesh = SPRITE_FACE;
    brush(p, r, 0.001, "Head", CENTER);
    for (int i = 0; i < STEPS; i++) {
        vec3 ends[2];
        double radii[2];
        for (int e = 0; e < 2; e++) {
            double x = mix(-lip_half, lip_half, (double)(i + e) / STEPS);
            ends[e] = face_point(skin, x, lip_height(x), 0.0006);
            radii[e] = 0.0030 - 0.0012 * fabs(x) / lip_half;
        }
        field_cone(&p->field, ends[0], ends[1], radii[0], radii[1]);
    }
}

/// A flat disc on the face.
static void add_disc(parts *all, const rig *r, const field *skin, double y, double lift, uint32_t color, vec3 radii,
                     size_t points) {
    part *p = parts_add(all, color, 0.0036, points, 0.0);
    p->mesh = SPRITE_FACE;
    p->shade = 0.0;
    brush(p, r, 0.001, "Head", CENTER);
    vec3 at = face_point(skin, 0, y, lift), out = v3_unit(field_gradient(skin, at));
    field_ellipsoid(&p->field, (rigid){q_columns(v3(1, 0, 0), v3_cross(out, v3(1, 0, 0)), out), at}, radii);
}

/// The open mouth: its dark inside and the tongue.
static void add_mouth(parts *all, const rig *r, const field *skin) {
    add_disc(all, r, skin, mouth_y, 0.0004, mouth_color, v3(mouth_rx, mouth_ry, 0.0042), 64);
    add_disc(all, r, skin, mouth_y - 0.0095, 0.0030, tongue_color, v3(0.0150, 0.0085, 0.0034), 36);
}

static void add_region(sprite_face *f, enum sprite_feature feature, int side, int index) {
    f->regions[f->region_count++] = (sprite_region){.feature = feature, .side = side, .part = index};
}

sprite_face sprite_add_face(parts *all, const rig *r) {
    sprite_face f = {.skin = all->count};
    add_skin(all, r);
    const field *skin = &all->items[f.skin].field;
    for (int i = 0; i < 2; i++) {
        add_white(all, r, skin, sides[i]);
        add_region(&f, EYE, i, all->count - 1);
        add_lashes(all, r, skin, sides[i]);
        add_region(&f, LASHES, i, all->count - 1);
        part *p = parts_add(all, hair_dark, 0.0030, 44, 0.0);
        p->mesh = SPRITE_FACE;
        brush(p, r, 0.002, "Head", CENTER);
        face_stroke(p, skin, &brow, (double)sides[i], 0.0016);
        add_region(&f, BROW, i, all->count - 1);
    }
    add_lips(all, r, skin);
    add_region(&f, LIPS, 0, all->count - 1);
    add_mouth(all, r, skin);
    add_region(&f, MOUTH, 0, all->count - 2);
    add_region(&f, MOUTH, 0, all->count - 1);
    return f;
}

// ---- hair and ears ----

static const lock locks[] = {
    {{0.030, 0.900, 0.070}, {0.010, 0.868, 0.142}, {-0.028, 0.792, 0.158}, 0.034},
    {{0.040, 0.900, 0.065}, {0.062, 0.866, 0.126}, {0.040, 0.800, 0.150}, 0.034},
    {{0.050, 0.895, 0.050}, {0.115, 0.850, 0.092}, {0.112, 0.778, 0.112}, 0.036},
    {{-0.010, 0.900, 0.060}, {-0.070, 0.866, 0.116}, {-0.082, 0.790, 0.136}, 0.036},
    {{-0.050, 0.895, 0.050}, {-0.125, 0.838, 0.078}, {-0.136, 0.766, 0.086}, 0.034},
    {{0.000, 0.840, -0.140}, {0.000, 0.700, -0.165}, {0.012, 0.570, -0.135}, 0.056},
    {{0.070, 0.830, -0.125}, {0.082, 0.700, -0.140}, {0.090, 0.580, -0.112}, 0.052},
    {{-0.070, 0.830, -0.125}, {-0.082, 0.700, -0.140}, {-0.080, 0.576, -0.116}, 0.052},
    {{0.120, 0.800, -0.070}, {0.142, 0.690, -0.076}, {0.142, 0.592, -0.056}, 0.046},
    {{-0.120, 0.800, -0.070}, {-0.142, 0.690, -0.076}, {-0.142, 0.592, -0.056}, 0.046},
    {{0.020, 0.895, -0.010}, {0.030, 0.945, 0.010}, {0.000, 0.975, 0.040}, 0.020},
    {{-0.010, 0.895, -0.020}, {-0.020, 0.930, -0.010}, {-0.055, 0.950, 0.000}, 0.018},
};

static void add_cap(parts *all, const rig *r) {
    part *p = parts_add(all, hair_color, 0.0085, 480, 0.0);
    p->mesh = SPRITE_HAIR;
    brush(p, r, 0.03, "Head", CENTER);
    field_ellipsoid(&p->field, rigid_shift(0, 0.758, -0.020), v3(0.176, 0.164, 0.160));
    p->field.brush.op = OP_CARVE;
    field_ellipsoid(&p->field, rigid_shift(0, 0.690, 0.135), v3(0.146, 0.142, 0.130));
    brush(p, r, 0.014, "Head", CENTER);
    for (size_t i = 0; i < sizeof locks / sizeof *locks; i++) {
        add_lock(p, &locks[i], 0.80, 0.14);
    }
    tint(p, v3(0.02, 0.900, 0.090), 0.110, hair_light, 0.65);
    tint(p, v3(0, 0.920, -0.060), 0.090, hair_light, 0.30);
    tint(p, v3(0, 0.570, -0.120), 0.150, hair_dark, 0.60);
}

/// The lock before an ear, which has its own joints.
static void add_side_lock(parts *all, const rig *r, enum side side) {
    part *p = parts_add(all, hair_color, 0.0075, 90, 0.03);
    p->mesh = SPRITE_HAIR;
    brush(p, r, 0.01, "Head", CENTER);
    brush_also(p, r, "HairSide1", side);
    vec3 a = rig_head(r, "HairSide1", side), b = rig_head(r, "HairSide2", side), c = rig_tail(r, "HairSide2", side);
    field_cone(&p->field, v3_add(a, v3(-0.030 * (double)side, 0.07, -0.015)), a, 0.020, 0.030);
    brush(p, r, 0.01, "HairSide1 HairSide2", side);
    field_cone(&p->field, a, b, 0.030, 0.026);
    brush(p, r, 0.01, "HairSide2", side);
    field_cone(&p->field, b, c, 0.026, 0.004);
    tint(p, c, 0.09, hair_light, 0.7);
}

static void add_ear(parts *all, const rig *r, enum side side) {
    part *p = parts_add(all, hair_color, 0.0075, 130, 0.02);
    p->mesh = SPRITE_HAIR;
    vec3 a = rig_head(r, "Ear1", side), b = rig_head(r, "Ear2", side), c = rig_tail(r, "Ear2", side);
    vec3 front = v3(0.25 * (double)side, 0.1, 1.0);
    brush(p, r, 0.01, "Ear1", side);
    field_flat_cone(&p->field, a, b, 0.060, 0.041, 0.50, front);
    brush(p, r, 0.01, "Ear2", side);
    field_flat_cone(&p->field, b, c, 0.041, 0.008, 0.50, front);
    p->field.brush.op = OP_CARVE;
    p->field.brush.blend = 0.008;
    vec3 lift = v3_mul(v3_unit(front), 0.030);
    field_flat_cone(&p->field, v3_add(v3_lerp(a, b, 0.2), lift), v3_add(v3_lerp(b, c, 0.55), lift), 0.042, 0.012,
                    0.42, front);
    tint(p, v3_add(v3_lerp(a, b, 0.5), v3_mul(lift, 0.7)), 0.052, cream_color, 1.0);
    tint(p, v3_add(b, v3_mul(lift, 0.6)), 0.038, cream_color, 0.8);
    tint(p, c, 0.050, hair_dark, 0.9);
}

void sprite_add_hair(parts *all, const rig *r) {
    add_cap(all, r);
    for (int i = 0; i < 2; i++) {
        add_side_lock(all, r, sides[i]);
        add_ear(all, r, sides[i]);
    }
}

// ---- morph targets ----

const char *const sprite_morph_names[SPRITE_MORPHS] = {
    "Blink_L", "Blink_R", "Smile_L",  "Smile_R",   "A",           "I",           "U",
    "E",       "O",       "Brows_Up", "Brows_Sad", "Brows_Angry", "Mouth_Smile", "Mouth_Sad",
};

/// The line of a closed eye over x of its frame: lowered for a blink, arched for a smile.
static double closed_height(double x, bool smiles) {
    double u = x / 0.0375, arch = 1.0 - u * u;
    return smiles ? -0.012 + 0.020 * arch : -0.012 - 0.012 * arch;
}

/// Flattens an eye to the line of the closed eye and sinks it into the head.
static vec3 closed_eye(rigid eye, vec3 at, bool smiles) {
    vec3 local = rigid_point(rigid_inverse(eye), at);
    local.y = closed_height(local.x, smiles) + 0.05 * local.y;
    local.z = 0.3 * local.z - 0.022;
    return rigid_point(eye, local);
}

/// Lays the lashes on the skin along the line of the closed eye.
static vec3 closed_lashes(const field *skin, rigid eye, vec3 at, bool smiles) {
    vec3 local = rigid_point(rigid_inverse(eye), at);
    double up = local.y - lash_height(local.x), ahead = local.z - 0.0085;
    vec3 line = rigid_point(eye, v3(local.x, closed_height(local.x, smiles) + up, 0));
    return face_point(skin, line.x, line.y, 0.0010 + ahead);
}

/// Moves a point along the face, at its distance from the skin.
static vec3 slid(const field *skin, vec3 at, double x, double y) {
    double lift = at.z - face_point(skin, at.x, at.y, 0).z;
    return face_point(skin, x, y, lift);
}

static vec3 moved_brow(const field *skin, vec3 at, int morph) {
    double t = (fabs(at.x) - 0.042) / 0.064; // 0 at the inner end, 1 at the outer
    double up = morph == BROWS_UP ? 0.016 : morph == BROWS_SAD ? mix(0.016, -0.010, t) : mix(-0.022, 0.006, t);
    return slid(skin, at, at.x, at.y + up);
}

/// The width and height of the mouth for each vowel, relative to its open form.
static const double vowels[][2] = {{0.95, 1.05}, {1.05, 0.45}, {0.45, 0.50}, {1.00, 0.72}, {0.62, 0.95}};

static vec3 open_mouth(const field *skin, vec3 at, int vowel) {
    return slid(skin, at, at.x * vowels[vowel][0], mouth_y + (at.y - mouth_y) * vowels[vowel][1]);
}

/// The lips become the upper edge of the open mouth.
static vec3 open_lips(const field *skin, vec3 at, int vowel) {
    double u = clamp(at.x / mouth_rx, -1.0, 1.0), edge = mouth_ry * sqrt(1.0 - 0.97 * u * u);
    double y = mouth_y + edge * vowels[vowel][1] + at.y - lip_height(at.x);
    return slid(skin, at, at.x * vowels[vowel][0], y);
}

static vec3 moved_lips(const field *skin, vec3 at, int morph) {
    double u = at.x / lip_half, smile = 0.0100 * u * u - 0.0020, sad = 0.0050 - 0.0125 * u * u;
    return slid(skin, at, at.x * (morph == MOUTH_SMILE ? 1.35 : 1.0), at.y + (morph == MOUTH_SMILE ? smile : sad));
}

/// Folds the open mouth into the line of the closed one, just inside of the skin.
static vec3 closed_mouth(const field *skin, vec3 at) {
    double x = at.x * 0.85;
    return face_point(skin, x, lip_height(x) + 0.04 * (at.y - mouth_y), -0.006);
}

/// Where a morph target has a point of a region, which is at `at` with the mouth open; or `at`, if it does not move it.
static vec3 morphed(const field *skin, const sprite_region *region, rigid eye, vec3 at, int morph) {
    const bool is_vowel = morph >= VOWEL_A && morph <= VOWEL_O, smiles = morph >= SMILE_L;
    const bool closes = morph == BLINK_L + region->side || morph == SMILE_L + region->side;
    switch (region->feature) {
    case EYE:
        return closes ? closed_eye(eye, at, smiles) : at;
    case LASHES:
        return closes ? closed_lashes(skin, eye, at, smiles) : at;
    case BROW:
        return morph >= BROWS_UP && morph <= BROWS_ANGRY ? moved_brow(skin, at, morph) : at;
    case LIPS:
        return is_vowel               ? open_lips(skin, at, morph - VOWEL_A)
               : morph >= MOUTH_SMILE ? moved_lips(skin, at, morph)
                                      : at;
    default:
        return is_vowel ? open_mouth(skin, at, morph - VOWEL_A) : closed_mouth(skin, at);
    }
}

static void morph_region(mesh *face, const field *skin, const sprite_region *region, vec3 *offsets[SPRITE_MORPHS]) {
    rigid eye = eye_frame(skin, sides[region->side]);
    for (size_t i = region->first; i < region->first + region->count; i++) {
        vec3 at = face->vertices[i].position, rest = region->feature == MOUTH ? closed_mouth(skin, at) : at;
        face->vertices[i].position = rest;
        for (int m = 0; m < SPRITE_MORPHS; m++) {
            offsets[m][i] = v3_sub(morphed(skin, region, eye, at, m), rest);
        }
    }
}

/// Draws the irises on the whites.
static void add_irises(mesh *face, const rig *r, const field *skin, sprite_face *f) {
    for (int i = 0; i < 2; i++) {
        size_t first = face->vertex_count;
        for (size_t k = 0; k < sizeof ovals / sizeof *ovals; k++) {
            double side = k == 0 ? (double)sides[i] : 1.0; // the light comes from one side
            add_oval(face, eye_frame(skin, sides[i]), &ovals[k], side, rig_find(r, "Eye", sides[i]));
        }
        f->regions[f->region_count++] = (sprite_region){EYE, i, 0, first, face->vertex_count - first};
    }
}

void sprite_finish_face(mesh *face, const rig *r, const parts *all, sprite_face *f, vec3 *offsets[SPRITE_MORPHS]) {
    const field *skin = &all->items[f->skin].field;
    for (int i = 0; i < f->region_count; i++) {
        const part *p = &all->items[f->regions[i].part];
        f->regions[i].first = p->first_vertex;
        f->regions[i].count = p->vertex_count;
    }
    add_irises(face, r, skin, f);
    for (int m = 0; m < SPRITE_MORPHS; m++) {
        offsets[m] = must_alloc(face->vertex_count, sizeof *offsets[m]);
    }
    for (int i = 0; i < f->region_count; i++) {
        morph_region(face, skin, &f->regions[i], offsets);
    }
}
