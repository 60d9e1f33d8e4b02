// A character in a raylib window, skinned on the CPU into raylib's own mesh. So raylib's shaders, lights and cameras
// work as usual. Keys 1 to 9 fade to the file's clips.
// with_raylib [FILE [FRAMES]]        (raylib 4.0 or newer)
//
//     cc with_raylib.c $(pkg-config --cflags --libs raylib) -lsinew -lm
#include <raylib.h>
#include <sinew/sinew.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void require(bool good, const char *message) {
    if (good) return;
    fprintf(stderr, "with_raylib: %s\n", message);
    exit(1);
}

// raylib's indices have 16 bits, so each triangle gets its own three vertices.
static Mesh make_mesh(const sinew_primitive *primitive) {
    const int count = primitive->index_count;
    Mesh mesh = {.vertexCount = count, .triangleCount = count / 3};
    mesh.vertices = MemAlloc((unsigned)count * 3 * sizeof(float));
    mesh.normals = MemAlloc((unsigned)count * 3 * sizeof(float));
    mesh.colors = MemAlloc((unsigned)count * 4);
    for (int i = 0; i < count; i++) {
        for (int c = 0; c < 4; c++) { // vertex colors are linear, but a screen needs them brighter
            float light = primitive->colors ? primitive->colors[4 * primitive->indices[i] + (unsigned)c] : 1.0f;
            mesh.colors[4 * i + c] = (unsigned char)(255.0f * (c < 3 ? sqrtf(light) : light));
        }
    }
    UploadMesh(&mesh, true);
    return mesh;
}

// Expands three floats per vertex to three floats per corner, and passes them to raylib. Buffer 0 is
// positions, 2 normals.
static void update_buffer(Mesh mesh, int buffer, float *corners, const float *vertices, const uint32_t *indices) {
    for (int i = 0; i < mesh.vertexCount * 3; i++) corners[i] = vertices[3 * indices[i / 3] + (unsigned)i % 3];
    UpdateMeshBuffer(mesh, buffer, corners, mesh.vertexCount * 3 * (int)sizeof(float), 0);
}

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "models/hero.glb";
    long frames_left = argc > 2 ? strtol(argv[2], NULL, 10) : -1; // -1: until the window closes

    sinew_error error;
    sinew_asset *asset;
    require(sinew_gltf_load_file(path, NULL, &asset, &error) == SINEW_OK, error.message);
    require(asset->mesh_node_count > 0 && asset->clip_count > 0, "the file has no mesh or no clip");
    const sinew_mesh_node *body = &asset->mesh_nodes[0];
    const sinew_primitive *primitive = &asset->meshes[body->mesh].primitives[0];
    require(body->skin >= 0 && primitive->influences > 0, "the file's first mesh has no skin");
    require(primitive->normals != NULL, "the file's first mesh has no normals");
    const sinew_skin *skin = &asset->skins[body->skin];

    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = asset->skeleton;
    sinew_mixer *mixer;
    sinew_affine *palette = malloc((size_t)skin->joint_count * sizeof *palette);
    float *skinned = malloc((size_t)primitive->vertex_count * 6 * sizeof *skinned); // positions, then normals
    require(palette && skinned, "out of memory");
    require(sinew_mixer_create(&def, &mixer, &error) == SINEW_OK, error.message);
    sinew_mixer_play(mixer, sinew_clip_source(&asset->clips[0]), NULL);

    sinew_skin_job job = sinew_primitive_skin_job(primitive);
    job.out_positions = skinned;
    job.out_normals = skinned + 3 * primitive->vertex_count;

    SetConfigFlags(FLAG_WINDOW_RESIZABLE | FLAG_MSAA_4X_HINT);
    InitWindow(640, 480, "Sinew");
    SetTargetFPS(60);
    Camera3D camera = {{1.5f, 1.4f, 3.0f}, {0.0f, 0.9f, 0.0f}, {0.0f, 1.0f, 0.0f}, 40.0f, CAMERA_PERSPECTIVE};
    Mesh mesh = make_mesh(primitive);
    Material material = LoadMaterialDefault();
    const Matrix identity = {.m0 = 1.0f, .m5 = 1.0f, .m10 = 1.0f, .m15 = 1.0f};

    for (; !WindowShouldClose() && frames_left != 0; frames_left -= frames_left > 0) {
        for (int i = 0; i < 9 && i < asset->clip_count; i++) {
            if (IsKeyPressed(KEY_ONE + i))
                sinew_mixer_crossfade_to(mixer, sinew_clip_source(&asset->clips[i]), 0.3f, NULL);
        }
        sinew_mixer_update(mixer, fminf(GetFrameTime(), 0.1f));
        sinew_skin_palette(skin, sinew_mixer_model_matrices(mixer), palette);
        sinew_skin_vertices(&job, palette, 0, primitive->vertex_count);
        update_buffer(mesh, 0, mesh.vertices, job.out_positions, primitive->indices);
        update_buffer(mesh, 2, mesh.normals, job.out_normals, primitive->indices);

        BeginDrawing();
        ClearBackground(RAYWHITE);
        BeginMode3D(camera);
        DrawGrid(10, 0.5f);
        DrawMesh(mesh, material, identity);
        EndMode3D();
        EndDrawing();
    }

    UnloadMaterial(material);
    UnloadMesh(mesh); // also frees its arrays
    CloseWindow();
    free(skinned);
    free(palette);
    sinew_mixer_destroy(mixer);
    sinew_asset_destroy(asset);
    return 0;
}
