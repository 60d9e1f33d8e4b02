// A crowd: each character has its own clip and time, and all of them take one upload and one draw.
// 17_crowd [FILE [CHARACTERS [OUT.ppm]]], where the first mesh of FILE has a skin
#include "gl_context.h"
#include <sinew/all.h>

#include <math.h>
#include <string.h>

enum { SIZE = 512, MOST = 10000, WORLD_FLOATS = 12 }; // a record starts with the world transform
static const char vertex_body[] =
    "layout(location = SINEW_POSITION_LOCATION) in vec3 position;\n"
    "layout(location = SINEW_NORMAL_LOCATION) in vec3 normal;\n"
    "uniform float scale;\nout vec3 facing;\n"
    "void main() {\n"
    "    sinew_matrix skin = sinew_skin_matrix();\n" // the instance's matrix, including its world matrix
    "    facing = normalize(sinew_skin_normal(skin, normal));\n"
    "    vec3 p = scale * sinew_skin_point(skin, position);\n" // seen from above at an angle
    "    gl_Position = vec4(p.x, 0.8 * p.y - 0.6 * p.z, -0.6 * p.y - 0.8 * p.z, 1.0);\n}\n";
static const char fragment_body[] = "in vec3 facing;\nout vec4 color;\n"
                                    "void main() { color = vec4(0.5 * facing + 0.5, 1.0); }\n";

// Writes the world matrix to the record once. Each update writes the palette to the same record,
// which is then uploaded.
static sinew_batch_item make_character(const sinew_asset *asset, int number, int side, float *record) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = asset->skeleton;
    sinew_batch_item item = {.skin = &asset->skins[0], .palette = (sinew_affine *)(void *)(record + WORLD_FLOATS)};
    sinew_error error;
    gl_context_require(sinew_mixer_create(&def, &item.mixer, &error) == SINEW_OK, error.message);
    sinew_play_def play = sinew_play_default();
    const sinew_clip *clip = &asset->clips[number % asset->clip_count];
    play.time = clip->duration * (float)(number % 13) / 13.0f;
    sinew_mixer_play(item.mixer, sinew_clip_source(clip), &play);
    const int column = number % side, row = number / side;
    const float x = 0.75f * (float)(2 * column - side + 1), z = 0.75f * (float)(2 * row - side + 1);
    memcpy(record, (float[]){1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, z}, WORLD_FLOATS * sizeof(float));
    return item;
}

int main(int argc, char **argv) {
    sinew_error error;
    sinew_asset *asset;
    const char *path = argc > 1 ? argv[1] : "models/hero.glb";
    gl_context_require(sinew_gltf_load_file(path, NULL, &asset, &error) == SINEW_OK, error.message);
    const int count = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 60, side = (int)ceil(sqrt((double)count));
    gl_context_require(asset->skin_count > 0 && asset->clip_count > 0, "the file has no skin or no clip");
    gl_context_require(count > 0 && count <= MOST, "a crowd is of 1 to 10000");
    const sinew_primitive *primitive = &asset->meshes[asset->mesh_nodes[0].mesh].primitives[0];
    gl_context_open();
    sinew_gl_def gl_def = sinew_gl_default();
    gl_def.get_proc_address = gl_context_proc;
    sinew_gl *gl;
    sinew_gl_records *records;
    sinew_gl_mesh *mesh;
    gl_context_require(sinew_gl_create(&gl_def, &gl, &error) == SINEW_OK, error.message);
    gl_context_require(sinew_gl_mesh_create(gl, primitive, &mesh, &error) == SINEW_OK, error.message);
    sinew_gl_records_def def = sinew_gl_records_default();
    def.format = (sinew_gpu_record_format){SINEW_GPU_RECORD_ROWS, asset->skins[0].joint_count, 0, true};
    def.character_count = count;
    gl_context_require(sinew_gl_records_create(gl, &def, &records, &error) == SINEW_OK, error.message);
    static sinew_batch_item items[MOST];
    for (int i = 0; i < count; i++) items[i] = make_character(asset, i, side, sinew_gl_records_data(records, i));
    sinew_gl_source vertex;
    sinew_gl_vertex_shader(gl, records, primitive->influences, false, vertex_body, &vertex);
    GLuint program = gl_context_link(gl, &vertex, fragment_body);
    gl_context_make_framebuffer(SIZE);
    glUseProgram(program);
    glUniform1f(glGetUniformLocation(program, "scale"), 1.2f / (float)(side + 1));
    sinew_batch_update(items, 0, count, 1.0f / 60.0f); // each frame: all poses,
    sinew_gl_records_upload(records, count);           // one upload,
    sinew_gl_records_bind(records);
    sinew_gl_mesh_draw_many(mesh, &(sinew_gl_draw){.records = records, .count = count}); // and one draw
    gl_context_finish(SIZE, argc > 3 ? argv[3] : NULL);
    for (int i = 0; i < count; i++) sinew_mixer_destroy(items[i].mixer);
    sinew_gl_records_destroy(records);
    sinew_gl_mesh_destroy(mesh);
    sinew_gl_destroy(gl);
    sinew_asset_destroy(asset);
}
