// Pitfall 18, over files: posed bounds hold every vertex that is drawn, at every time of every clip, and are not much
// larger than they must be. Mistakes: bounds of the rest pose, which lose whatever moves; the transform of the node that
// carries a skinned mesh; morph targets left out; bounds made before a file is turned.
#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier,cert-*): nftw
#endif
#include "check.h"

#include <ftw.h>
#include <stdio.h>
#ifdef SINEW_HAVE_MESHOPTIMIZER
#include <meshoptimizer.h>
#endif

enum { TIMES = 64 }; // of a clip, and its end

// ---- Files -------------------------------------------------------------------------------------------------------

#ifdef SINEW_HAVE_MESHOPTIMIZER
enum { CAN_DECODE = true };

static bool decode(uint8_t *out, size_t count, size_t stride, const uint8_t *data, size_t size,
                   sinew_meshopt_mode mode, sinew_meshopt_filter filter, void *user) {
    (void)user;
    if (mode == SINEW_MESHOPT_TRIANGLES) return meshopt_decodeIndexBuffer(out, count, stride, data, size) == 0;
    if (mode == SINEW_MESHOPT_INDICES) return meshopt_decodeIndexSequence(out, count, stride, data, size) == 0;
    if (meshopt_decodeVertexBuffer(out, count, stride, data, size) != 0) return false;
    if (filter == SINEW_MESHOPT_OCTAHEDRAL) meshopt_decodeFilterOct(out, count, stride);
    if (filter == SINEW_MESHOPT_QUATERNION) meshopt_decodeFilterQuat(out, count, stride);
    if (filter == SINEW_MESHOPT_EXPONENTIAL) meshopt_decodeFilterExp(out, count, stride);
    return true;
}
#else
enum { CAN_DECODE = false };
static const sinew_meshopt_decode decode = NULL;
#endif

static sinew_asset *load(const char *path, sinew_up up) {
    sinew_gltf_options options = sinew_gltf_default_options();
    options.up = up;
    options.meshopt_decode = decode;
    sinew_asset *asset;
    sinew_error error = {0};
    if (sinew_gltf_load_file(path, &options, &asset, &error) != SINEW_OK) fail_msg("%s", error.message);
    return asset;
}

static sinew_asset *load_model(const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", SINEW_MODELS, name);
    return load(path, SINEW_UP_Y);
}

// ---- Vertices ----------------------------------------------------------------------------------------------------

// An asset in a pose, and its vertices twice: as the library moves them, and in double by the specification's sums.
typedef struct posed {
    const sinew_asset *asset;
    sinew_pose *pose;
    sinew_affine *model, *palette;
    float *morphed, *moved; // of one primitive
    double *exact;
} posed;

static posed make_posed(const sinew_asset *asset) {
    posed p = {.asset = asset};
    size_t joints = 1, vertices = 1;
    for (int32_t i = 0; i < asset->skin_count; i++)
        if ((size_t)asset->skins[i].joint_count > joints) joints = (size_t)asset->skins[i].joint_count;
    for (int32_t i = 0; i < asset->mesh_count; i++)
        for (int32_t k = 0; k < asset->meshes[i].primitive_count; k++)
            if ((size_t)asset->meshes[i].primitives[k].vertex_count > vertices)
                vertices = (size_t)asset->meshes[i].primitives[k].vertex_count;
    assert_int_equal(sinew_pose_create(asset->skeleton, NULL, &p.pose), SINEW_OK);
    p.model = calloc((size_t)asset->skeleton->node_count + 1, sizeof *p.model);
    p.palette = calloc(joints, sizeof *p.palette);
    p.morphed = calloc(3 * vertices, sizeof *p.morphed);
    p.moved = calloc(3 * vertices, sizeof *p.moved);
    p.exact = calloc(3 * vertices, sizeof *p.exact);
    return p;
}

static void free_posed(posed *p) {
    sinew_pose_destroy(p->pose);
    free(p->model);
    free(p->palette);
    free(p->morphed);
    free(p->moved);
    free(p->exact);
}

static void multiply_point(const sinew_affine *m, const double v[3], double out[3]) {
    for (int r = 0; r < 3; r++) out[r] = m->m[r][0] * v[0] + m->m[r][1] * v[1] + m->m[r][2] * v[2] + m->m[r][3];
}

static void exact_vertex(const posed *p, const sinew_mesh_instance *instance, const sinew_primitive *of, int32_t v,
                         double out[3]) {
    const float *weights = p->pose->weights + p->asset->skeleton->weight_offsets[instance->node];
    double at[3], in_joint[3], moved[3];
    for (int k = 0; k < 3; k++) {
        at[k] = of->positions[3 * v + k];
        for (int32_t t = 0; t < of->target_count; t++)
            if (of->target_positions[t]) at[k] += (double)weights[t] * of->target_positions[t][3 * v + k];
    }
    if (instance->skin < 0 || of->influences == 0) {
        multiply_point(&p->model[instance->node], at, out);
        return;
    }
    const sinew_skin *skin = &p->asset->skins[instance->skin];
    out[0] = out[1] = out[2] = 0.0;
    for (int32_t i = 0; i < of->influences; i++) {
        int32_t joint = of->joints[v * of->influences + i];
        multiply_point(&skin->inverse_binds[joint], at, in_joint);
        multiply_point(&p->model[skin->joints[joint]], in_joint, moved);
        for (int k = 0; k < 3; k++) out[k] += (double)of->weights[v * of->influences + i] * moved[k];
    }
}

static void move_primitive(posed *p, const sinew_mesh_instance *instance, const sinew_primitive *of) {
    const float *weights = p->pose->weights + p->asset->skeleton->weight_offsets[instance->node];
    for (int32_t v = 0; v < of->vertex_count; v++) exact_vertex(p, instance, of, v, p->exact + 3 * (ptrdiff_t)v);
    sinew_morph(of->positions, of->target_positions, weights, of->target_count, 3 * (size_t)of->vertex_count,
                p->morphed);
    if (instance->skin >= 0 && of->influences > 0) {
        sinew_skin_palette(&p->asset->skins[instance->skin], p->model, p->palette);
        sinew_skin_job job = sinew_skin_job_default();
        job.influences = of->influences;
        job.joints = of->joints, job.weights = of->weights;
        job.positions = p->morphed, job.out_positions = p->moved;
        sinew_skin_vertices(&job, p->palette, 0, of->vertex_count);
        return;
    }
    for (int32_t v = 0; v < of->vertex_count; v++) {
        const float *at = p->morphed + 3 * (ptrdiff_t)v;
        sinew_vec3 moved = sinew_affine_point(p->model[instance->node], (sinew_vec3){at[0], at[1], at[2]});
        memcpy(p->moved + 3 * (ptrdiff_t)v, &moved, sizeof moved);
    }
}

// ---- Boxes -------------------------------------------------------------------------------------------------------

static void grow(double box[6], const double v[3]) {
    for (int k = 0; k < 3; k++) {
        box[k] = fmin(box[k], v[k]);
        box[3 + k] = fmax(box[3 + k], v[k]);
    }
}

static double surface(const double box[6]) {
    double x = box[3] - box[0], y = box[4] - box[1], z = box[5] - box[2];
    return 2 * (x * y + y * z + z * x);
}

// Strictly, without any tolerance.
static bool holds(const sinew_box *box, const double v[3]) {
    return v[0] >= box->min.x && v[1] >= box->min.y && v[2] >= box->min.z && v[0] <= box->max.x &&
           v[1] <= box->max.y && v[2] <= box->max.z;
}

static bool sphere_holds(const sinew_sphere *s, const double v[3]) {
    double x = v[0] - s->center.x, y = v[1] - s->center.y, z = v[2] - s->center.z;
    return sqrt(x * x + y * y + z * z) <= s->radius;
}

// The drawn vertices of a pose that neither lose: how many a box and a sphere do not hold, and the tightest box.
typedef struct count {
    int vertices, outside_box, outside_sphere;
    double tight[6];
} count;

static void count_vertex(count *c, const sinew_box *box, const sinew_sphere *sphere, const double v[3]) {
    c->vertices++;
    c->outside_box += !holds(box, v);
    c->outside_sphere += !sphere_holds(sphere, v);
    grow(c->tight, v);
}

static count count_vertices(posed *p, const sinew_box *box, const sinew_sphere *sphere) {
    count c = {.tight = {INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY}};
    for (int32_t i = 0; i < p->asset->instance_count; i++) {
        const sinew_mesh_instance *instance = &p->asset->instances[i];
        const sinew_mesh *mesh = &p->asset->meshes[instance->mesh];
        if (!instance->in_scene || !instance->visible) continue;
        for (int32_t k = 0; k < mesh->primitive_count; k++) {
            const sinew_primitive *of = &mesh->primitives[k];
            if (of->vertex_count == 0) continue;
            move_primitive(p, instance, of);
            for (ptrdiff_t v = 0; v < of->vertex_count; v++) {
                const double moved[3] = {p->moved[3 * v], p->moved[3 * v + 1], p->moved[3 * v + 2]};
                count_vertex(&c, box, sphere, moved);
                count_vertex(&c, box, sphere, p->exact + 3 * v);
            }
        }
    }
    return c;
}

// ---- Clips -------------------------------------------------------------------------------------------------------

typedef struct ratios {
    double sum, most;       // of surfaces: the bounds' and the tightest box's
    double sphere, upright; // radii: the sphere's, and half the diagonals of the bounds
    int samples;
} ratios;

static void check_pose(posed *p, const char *name, const char *clip, double time, ratios *found) {
    sinew_box box;
    sinew_sphere sphere;
    sinew_pose_to_model(p->pose, p->model);
    sinew_bounds_pose(p->asset->bounds, p->model, p->pose->weights, &box, &sphere);
    count c = count_vertices(p, &box, &sphere);
    if (c.vertices == 0) {
        assert_true(sinew_box_is_empty(box));
        return;
    }
    if (c.outside_box + c.outside_sphere > 0)
        fail_msg("%s, %s at %g s: of %d vertices, the box does not hold %d, the sphere %d", name, clip, time,
                 c.vertices, c.outside_box, c.outside_sphere);
    const double all[6] = {box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z};
    double x = all[3] - all[0], y = all[4] - all[1], z = all[5] - all[2];
    double ratio = surface(all) / surface(c.tight);
    found->sum += ratio;
    found->most = fmax(found->most, ratio);
    found->sphere += sphere.radius;
    found->upright += sqrt(x * x + y * y + z * z) / 2;
    found->samples++;
}

static ratios check_clips(const char *name, const sinew_asset *asset) {
    posed p = make_posed(asset);
    ratios found = {0};
    check_pose(&p, name, "the rest pose", 0, &found);
    for (int32_t i = 0; i < asset->clip_count; i++) {
        const sinew_clip *clip = &asset->clips[i];
        for (int t = 0; t <= TIMES; t++) {
            float time = t < TIMES ? clip->duration * (float)t / TIMES : clip->duration;
            sinew_pose_reset(p.pose);
            sinew_clip_sample(clip, time, p.pose);
            check_pose(&p, name, clip->name, (double)time, &found);
        }
    }
    free_posed(&p);
    return found;
}

static int checked_files, checked_poses;

static int check_file(const char *path, const struct stat *status, int kind, struct FTW *where) {
    (void)status;
    size_t length = strlen(path);
    bool model = length > 5 && (strcmp(path + length - 4, ".glb") == 0 || strcmp(path + length - 5, ".gltf") == 0);
    if (kind != FTW_F || !model || strstr(path, "/refused-")) return 0;
    if (strstr(path, "meshopt") && !CAN_DECODE) return 0;
    for (int up = SINEW_UP_Y; up <= SINEW_UP_Z; up++) {
        sinew_asset *asset = load(path, (sinew_up)up);
        ratios found = check_clips(path + where->base, asset);
        if (up == SINEW_UP_Y && found.samples > 0)
            print_message("%-34s %3d boxes %6zu bytes, surface %.3f times the tightest, at most %.3f; sphere %.3f "
                          "times the diagonal's\n",
                          path + where->base, asset->bounds->box_count, asset->bounds->memory,
                          found.sum / found.samples, found.most, found.sphere / found.upright);
        checked_poses += found.samples;
        sinew_asset_destroy(asset);
    }
    checked_files++;
    return 0;
}

static void check_folder(const char *folder) {
    checked_files = checked_poses = 0;
    assert_int_equal(nftw(folder, check_file, 16, FTW_PHYS), 0);
    print_message("%s: %d files, %d poses\n", folder, checked_files, checked_poses);
    assert_true(checked_poses > 100);
}

static void test_models(void **state) {
    (void)state;
    check_folder(SINEW_MODELS);
}

static void test_assets(void **state) {
    (void)state;
    const char *folder = getenv("SINEW_ASSETS");
    if (!folder) {
        print_message("SINEW_ASSETS is not set: no files of other people's are checked\n");
        skip();
        return;
    }
    check_folder(folder);
}

// ---- What this would not see if it were blind --------------------------------------------------------------------

static void test_bounds_are_tight_on_the_hero(void **state) {
    (void)state;
    sinew_asset *asset = load_model("hero.glb");
    ratios found = check_clips("hero.glb", asset);
    assert_true(found.samples > 7 * TIMES);
    assert_true(found.most <= 1.5);
    assert_true(found.sphere < 0.95 * found.upright);
    sinew_asset_destroy(asset);
}

// The mistake itself: the box of the rest pose loses vertices in each clip but the one that stands still.
static void test_a_rest_pose_box_loses_the_hero(void **state) {
    (void)state;
    sinew_asset *asset = load_model("hero.glb");
    posed p = make_posed(asset);
    sinew_box rest;
    sinew_sphere around;
    sinew_pose_to_model(p.pose, p.model);
    sinew_bounds_pose(asset->bounds, p.model, p.pose->weights, &rest, &around);
    assert_int_equal(count_vertices(&p, &rest, &around).outside_box, 0);
    static const char *const moving[] = {"Walk", "Run", "Attack", "Wave", "Jump"};
    for (size_t i = 0; i < sizeof moving / sizeof moving[0]; i++) {
        const sinew_clip *clip = sinew_asset_find_clip(asset, moving[i]);
        int outside = 0;
        for (int t = 0; t < TIMES; t++) {
            sinew_clip_sample(clip, clip->duration * (float)t / TIMES, p.pose);
            sinew_pose_to_model(p.pose, p.model);
            outside += count_vertices(&p, &rest, &around).outside_box;
        }
        if (outside == 0) fail_msg("%s stays inside of the rest pose's box", moving[i]);
    }
    free_posed(&p);
    sinew_asset_destroy(asset);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_assets),
        cmocka_unit_test(test_bounds_are_tight_on_the_hero),
        cmocka_unit_test(test_a_rest_pose_box_loses_the_hero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
