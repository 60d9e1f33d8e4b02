// SPDX-License-Identifier: MIT
// Assets on the GPU.
#include "render/model.h"

#include "render/picture.h"
#include "render/properties.h"

#include <stdio.h>
#include <stdlib.h>

// ---- Textures ------------------------------------------------------------------------------------------------

static GLint gl_wrap(sinew_wrap wrap) {
    switch (wrap) {
    case SINEW_WRAP_CLAMP:
        return GL_CLAMP_TO_EDGE;
    case SINEW_WRAP_MIRROR:
        return GL_MIRRORED_REPEAT;
    case SINEW_WRAP_REPEAT:
        break;
    }
    return GL_REPEAT;
}

static GLuint upload_texture(const sinew_texture *texture, const draw_picture *picture) {
    GLuint name;
    glGenTextures(1, &name);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, picture->width, picture->height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 picture->rgba);
    glGenerateMipmap(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, gl_wrap(texture->wrap_u));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, gl_wrap(texture->wrap_v));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, texture->nearest ? GL_NEAREST : GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    return name;
}

// Prints one line to standard error. Escapes it, because it contains names from the file.
static void warn_of_image(const char *path, int32_t index, const sinew_image *image, const char *reason) {
    char text[1024], escaped[2 * sizeof text];
    snprintf(text, sizeof text, "%s: image %d '%s' is left out of its material: %s", path, (int)index, image->name,
             reason);
    sinew_escape(text, escaped, sizeof escaped);
    fprintf(stderr, "sinew: %s\n", escaped);
}

static const char *decode_image(draw_picture *picture, const sinew_image *image, int64_t pixels_left) {
    const char *reason;
    if (!image->bytes) return "the file is missing or cannot be read";
    if (!draw_picture_decode(picture, image->bytes, image->size, pixels_left, &reason)) return reason;
    GLint most_size;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most_size);
    const bool fits = picture->width <= most_size && picture->height <= most_size;
    return fits ? NULL : "it is larger than this OpenGL's largest texture";
}

typedef struct image_loading {
    const sinew_asset *asset;
    const char *path;
    int64_t pixels_left;
    bool *left_out; // [image_count]; reported, so don't try again
} image_loading;

// Returns 0 if an image can't be used. The model is then drawn without its texture.
static GLuint load_texture(image_loading *loading, const sinew_texture *texture) {
    if (texture->image < 0 || loading->left_out[texture->image]) return 0;
    const sinew_image *image = &loading->asset->images[texture->image];
    draw_picture picture = {0};
    GLuint name = 0;
    const char *reason = decode_image(&picture, image, loading->pixels_left);
    if (reason) {
        loading->left_out[texture->image] = true;
        warn_of_image(loading->path, texture->image, image, reason);
    } else {
        loading->pixels_left -= (int64_t)picture.width * picture.height;
        name = upload_texture(texture, &picture);
    }
    draw_picture_free(&picture);
    return name;
}

// Uploads a material's textures. Returns false if memory runs out.
static bool load_textures(draw_model *model, const char *path) {
    const sinew_asset *asset = model->asset;
    image_loading loading = {asset, path, DRAW_MAX_FILE_PIXELS,
                             calloc((size_t)asset->image_count + 1, sizeof *loading.left_out)};
    for (int32_t i = 0; loading.left_out && i < asset->material_count; i++) {
        int32_t texture = asset->materials[i].base_color_texture;
        if (texture < 0 || model->textures[texture]) continue;
        model->textures[texture] = load_texture(&loading, &asset->textures[texture]);
    }
    const bool good = loading.left_out != NULL;
    free(loading.left_out);
    return good;
}

// ---- Parts ---------------------------------------------------------------------------------------------------

bool draw_is_shown(const sinew_mesh_node *mesh_node) {
    return mesh_node->in_scene && mesh_node->visible;
}

static int count_parts(const sinew_asset *asset) {
    int count = 0;
    for (int32_t i = 0; i < asset->mesh_node_count; i++) {
        const sinew_mesh_node *mesh_node = &asset->mesh_nodes[i];
        if (mesh_node->in_scene) count += asset->meshes[mesh_node->mesh].primitive_count;
    }
    return count;
}

static bool create_part(draw_model *model, const sinew_mesh_node *mesh_node, const sinew_primitive *primitive,
                        sinew_error *error) {
    bool skinned = primitive->influences > 0 && mesh_node->skin >= 0 && model->palettes[mesh_node->skin];
    draw_part *part = &model->parts[model->part_count++];
    *part = (draw_part){.mesh_node = mesh_node,
                        .primitive = primitive,
                        .skin = skinned ? mesh_node->skin : -1,
                        .world = sinew_affine_identity()};
    return sinew_gl_mesh_create(model->gl, primitive, &part->mesh, error) == SINEW_OK;
}

static bool create_node_parts(draw_model *model, const sinew_mesh_node *mesh_node, sinew_error *error) {
    const sinew_mesh *mesh = &model->asset->meshes[mesh_node->mesh];
    for (int32_t k = 0; k < mesh->primitive_count; k++) {
        if (!create_part(model, mesh_node, &mesh->primitives[k], error)) return false;
    }
    return true;
}

static bool create_parts(draw_model *model, sinew_error *error) {
    const sinew_asset *asset = model->asset;
    for (int32_t i = 0; i < asset->mesh_node_count; i++) {
        const sinew_mesh_node *mesh_node = &asset->mesh_nodes[i];
        if (draw_is_shown(mesh_node) && !create_node_parts(model, mesh_node, error)) return false;
    }
    for (int32_t i = 0; i < asset->mesh_node_count; i++) {
        const sinew_mesh_node *mesh_node = &asset->mesh_nodes[i];
        const bool appears =
            mesh_node->in_scene && !mesh_node->visible && draw_may_be_visible(asset, model->visibility, mesh_node);
        if (appears && !create_node_parts(model, mesh_node, error)) return false;
    }
    return true;
}

static bool create_palettes(draw_model *model, sinew_error *error) {
    for (int32_t i = 0; i < model->asset->skin_count; i++) {
        sinew_gl_records_def def = sinew_gl_records_default();
        def.format.joint_count = model->asset->skins[i].joint_count;
        if (def.format.joint_count == 0) continue;
        if (sinew_gl_records_create(model->gl, &def, &model->palettes[i], error) != SINEW_OK) return false;
    }
    return true;
}

// ---- The model -----------------------------------------------------------------------------------------------

static bool allocate(draw_model *model) {
    const sinew_asset *asset = model->asset;
    size_t most_joints = 0, most_vertices = 0;
    for (int32_t i = 0; i < asset->skin_count; i++) {
        size_t joints = (size_t)asset->skins[i].joint_count;
        if (joints > most_joints) most_joints = joints;
    }
    for (int32_t i = 0; i < asset->mesh_count; i++) {
        for (int32_t k = 0; k < asset->meshes[i].primitive_count; k++) {
            const sinew_primitive *primitive = &asset->meshes[i].primitives[k];
            size_t vertices = primitive->target_count > 0 ? (size_t)primitive->vertex_count : 0;
            if (vertices > most_vertices) most_vertices = vertices;
        }
    }
    // Allocate one more of each, because allocating 0 bytes may return NULL.
    const size_t skins = (size_t)asset->skin_count + 1;
    model->parts = calloc((size_t)count_parts(asset) + 1, sizeof *model->parts);
    model->palettes = calloc(skins, sizeof *model->palettes); // NOLINT(bugprone-sizeof-expression): pointers
    model->skin_windings = calloc(skins, sizeof *model->skin_windings);
    model->textures = calloc((size_t)asset->texture_count + 1, sizeof *model->textures);
    model->matrices = calloc(most_joints + 1, sizeof *model->matrices);
    model->morphed = calloc(6 * most_vertices + 1, sizeof *model->morphed);
    model->materials = calloc((size_t)asset->material_count + 1, sizeof *model->materials);
    model->visibility = calloc((size_t)asset->skeleton->node_count + 1, sizeof *model->visibility);
    return model->parts && model->palettes && model->skin_windings && model->textures && model->matrices &&
           model->morphed && model->materials && model->visibility;
}

// Applies the properties that clips animate.
static void set_properties(draw_model *model, const float *curves) {
    draw_animate_materials(model->asset, curves, model->materials);
    for (int i = 0; i < model->part_count; i++) {
        draw_part *part = &model->parts[i];
        part->is_hidden = !draw_is_visible(model->asset, model->visibility, part->mesh_node, curves);
    }
}

bool draw_model_create(draw_model *model, sinew_gl *gl, const sinew_asset *asset, const char *path,
                       sinew_error *error) {
    *model = (draw_model){.gl = gl, .asset = asset};
    if (allocate(model)) {
        draw_find_visibility(asset, model->visibility);
        if (!create_palettes(model, error) || !create_parts(model, error)) return false;
        set_properties(model, asset->skeleton->rest_curves);
        if (load_textures(model, path)) return true;
    }
    *error = (sinew_error){SINEW_ERROR_OUT_OF_MEMORY, "out of memory"};
    return false;
}

void draw_model_free(draw_model *model) {
    for (int i = 0; i < model->part_count; i++) sinew_gl_mesh_destroy(model->parts[i].mesh);
    for (int32_t i = 0; model->palettes && i < model->asset->skin_count; i++) {
        sinew_gl_records_destroy(model->palettes[i]);
    }
    sinew_gl_records_destroy(model->records);
    sinew_gl_animations_destroy(model->animations);
    if (model->textures) glDeleteTextures(model->asset->texture_count, model->textures);
    free(model->parts);
    free(model->palettes);
    free(model->skin_windings);
    free(model->textures);
    free(model->matrices);
    free(model->morphed);
    free(model->materials);
    free(model->visibility);
    *model = (draw_model){0};
}

// ---- A frame -------------------------------------------------------------------------------------------------

static float determinant(const sinew_affine *matrix) {
    const float(*m)[4] = matrix->m;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

// A matrix scaled to 0 has no winding and is ignored.
draw_winding draw_winding_of(const sinew_affine *matrices, int32_t count) {
    bool mirrored = false, as_authored = false;
    for (int32_t i = 0; i < count; i++) {
        float d = determinant(&matrices[i]);
        mirrored = mirrored || d < 0.0f;
        as_authored = as_authored || d > 0.0f;
    }
    if (mirrored && as_authored) return DRAW_WINDING_MIXED;
    return mirrored ? DRAW_WINDING_MIRRORED : DRAW_WINDING_AS_AUTHORED;
}

static void pose_skins(draw_model *model, const sinew_scene *scene, sinew_scene_node instance) {
    const sinew_affine world = sinew_scene_world(scene, instance);
    for (int32_t i = 0; i < model->asset->skin_count; i++) {
        const int32_t joints = model->asset->skins[i].joint_count;
        if (!model->palettes[i]) continue;
        const sinew_affine *palette = sinew_scene_palette(scene, instance, i);
        for (int32_t k = 0; k < joints; k++) model->matrices[k] = sinew_affine_multiply(world, palette[k]);
        sinew_gl_records_update(model->palettes[i], model->matrices, joints);
        model->skin_windings[i] = draw_winding_of(model->matrices, joints);
    }
}

static void morph_part(draw_model *model, const draw_part *part, const float *weights) {
    const sinew_primitive *p = part->primitive;
    const size_t floats = (size_t)p->vertex_count * 3;
    const float *mine = weights + model->asset->skeleton->weight_offsets[part->mesh_node->node];
    float *positions = model->morphed, *normals = p->normals ? model->morphed + floats : NULL;
    sinew_morph(p->positions, p->target_positions, mine, p->target_count, (int32_t)floats, positions);
    if (normals) sinew_morph(p->normals, p->target_normals, mine, p->target_count, (int32_t)floats, normals);
    sinew_gl_mesh_update(part->mesh, positions, normals);
}

void draw_model_pose(draw_model *model, const sinew_scene *scene, sinew_scene_node instance) {
    const float *weights = sinew_scene_weights(scene, instance);
    const sinew_mixer *mixer = sinew_scene_mixer(scene, instance);
    set_properties(model, mixer ? sinew_mixer_curves(mixer) : model->asset->skeleton->rest_curves);
    pose_skins(model, scene, instance);
    for (int i = 0; i < model->part_count; i++) {
        draw_part *part = &model->parts[i];
        if (part->primitive->target_count > 0) morph_part(model, part, weights);
        if (part->skin >= 0) {
            part->winding = model->skin_windings[part->skin];
        } else {
            part->world = sinew_scene_world(scene, sinew_scene_joint(instance, part->mesh_node->node));
            part->winding = draw_winding_of(&part->world, 1);
        }
    }
}

void draw_models_cull(draw_model *models, const sinew_scene_node *nodes, int count, sinew_scene *scene,
                      const sinew_mat4 *view_projection) {
    const sinew_frustum frustum = sinew_frustum_from_matrix(*view_projection, SINEW_DEPTH_MINUS_ONE_TO_ONE);
    const uint32_t *visible = sinew_scene_cull(scene, &frustum);
    for (int i = 0; i < count; i++) models[i].is_seen = false;
    for (int32_t k = 0; k < sinew_scene_instance_count(scene); k++) {
        const sinew_scene_node node = sinew_scene_instance(scene, k);
        for (int i = 0; i < count; i++) {
            if (sinew_scene_node_equals(nodes[i], node)) models[i].is_seen = sinew_is_visible(visible, k);
        }
    }
}
