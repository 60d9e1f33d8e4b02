// Skins a character in the vertex shader and renders it to an image, without a window.
// 05_gpu_skin [FILE [OUT.ppm]]
#include "gl_context.h"
#include <sinew/all.h>

enum { SIZE = 256 };

// Our own part of the vertex shader. Sinew puts the version, the attributes and the skinning in front of it.
static const char vertex_body[] =
    "layout(location = SINEW_POSITION_LOCATION) in vec3 position;\n"
    "layout(location = SINEW_NORMAL_LOCATION) in vec3 normal;\n"
    "out vec3 facing;\n"
    "void main() {\n"
    "    sinew_matrix skin = sinew_skin_matrix();\n"
    "    facing = sinew_skin_normal(skin, normal);\n"
    "    vec3 p = sinew_skin_point(skin, position) - vec3(0.0, 0.9, 0.0);\n" // the view is two meters tall
    "    gl_Position = vec4(p.xy, -0.2 * p.z, 1.0);\n"
    "}\n";
static const char fragment_body[] = "in vec3 facing;\nout vec4 color;\n"
                                    "void main() { color = vec4(0.5 * normalize(facing) + 0.5, 1.0); }\n";

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "models/hero.glb";
    sinew_error error;
    sinew_asset *asset;
    gl_context_require(sinew_gltf_load_file(path, NULL, &asset, &error) == SINEW_OK, error.message);
    gl_context_require(asset->mesh_node_count > 0 && asset->clip_count > 0, "the file has no mesh or no clip");
    const sinew_mesh_node *body = &asset->mesh_nodes[0];
    const sinew_primitive *primitive = &asset->meshes[body->mesh].primitives[0];
    gl_context_require(body->skin >= 0 && primitive->influences > 0, "the file's first mesh has no skin");
    const sinew_skin *skin = &asset->skins[body->skin];

    sinew_mixer_def mixer_def = sinew_mixer_default(); // one moment of the first clip
    mixer_def.skeleton = asset->skeleton;
    sinew_mixer *mixer;
    sinew_affine *matrices = malloc((size_t)skin->joint_count * sizeof *matrices);
    gl_context_require(matrices != NULL, "out of memory");
    gl_context_require(sinew_mixer_create(&mixer_def, &mixer, &error) == SINEW_OK, error.message);
    sinew_mixer_play(mixer, sinew_clip_source(&asset->clips[0]), NULL);
    sinew_mixer_update(mixer, 0.5f);
    sinew_skin_palette(skin, sinew_mixer_model_matrices(mixer), matrices);

    gl_context_open();
    sinew_gl_def gl_def = sinew_gl_default();
    gl_def.get_proc_address = gl_context_proc;
    sinew_gl *gl;
    sinew_gl_records *records;
    sinew_gl_mesh *mesh;
    gl_context_require(sinew_gl_create(&gl_def, &gl, &error) == SINEW_OK, error.message);
    sinew_gl_records_def records_def = sinew_gl_records_default();
    records_def.format.joint_count = skin->joint_count;
    gl_context_require(sinew_gl_records_create(gl, &records_def, &records, &error) == SINEW_OK, error.message);
    gl_context_require(sinew_gl_mesh_create(gl, primitive, &mesh, &error) == SINEW_OK, error.message);
    sinew_gl_source vertex;
    sinew_gl_vertex_shader(gl, records, primitive->influences, false, vertex_body, &vertex);
    GLuint program = gl_context_link(gl, &vertex, fragment_body);
    gl_context_make_framebuffer(SIZE);
    sinew_gl_records_update(records, matrices, skin->joint_count); // each frame: upload the palette,
    glUseProgram(program);
    sinew_gl_records_bind(records); // bind it,
    sinew_gl_mesh_draw(mesh);       // and draw
    gl_context_finish(SIZE, argc > 2 ? argv[2] : NULL);

    sinew_gl_mesh_destroy(mesh);
    sinew_gl_records_destroy(records);
    sinew_gl_destroy(gl);
    sinew_mixer_destroy(mixer);
    free(matrices);
    sinew_asset_destroy(asset);
}
