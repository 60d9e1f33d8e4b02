// SPDX-License-Identifier: MIT
// Skins a random mesh through the proxy, with two functions of its own.
#include "support/skinned_stage.h"

// ---- The context -----------------------------------------------------------------------------------------------

random_crowd hero;
counting heap;
const char *spoiled;
int barriers_after_dispatch;

static void spoil_source(GLuint shader, GLsizei count, const GLchar *const *strings, const GLint *lengths) {
    const GLchar *mine[16];
    assert_in_range(count, 1, 16);
    memcpy(mine, strings, (size_t)count * sizeof *strings);
    if (spoiled) mine[count - 1] = spoiled;
    glShaderSource(shader, count, mine, lengths);
}

static void note_barrier(GLbitfield barriers) {
    if (gl_proxy_calls("glDispatchCompute") > 0) barriers_after_dispatch |= (int)barriers;
    glMemoryBarrier(barriers);
}

static sinew_gl_proc find(const char *name, void *user) {
    const sinew_gl_proc found = gl_proxy_proc(name, user);
    if (!found) return NULL;
    if (strcmp(name, "glShaderSource") == 0) return (sinew_gl_proc)spoil_source;
    return strcmp(name, "glMemoryBarrier") == 0 ? (sinew_gl_proc)note_barrier : found;
}

sinew_gl_def gl_def(void) {
    sinew_gl_def def = gl_context_def();
    def.get_proc_address = find;
    def.allocator = counting_allocator(&heap);
    return def;
}

sinew_gl *create_gl(void) {
    const sinew_gl_def def = gl_def();
    return gl_context_create(&def);
}

void need_context(void) {
    gl_context_need();
    heap = (counting){0};
    spoiled = NULL;
}

void destroy_gl(sinew_gl *gl) {
    sinew_gl_destroy(gl);
    gl_proxy_expect_clean();
    assert_int_equal(heap.live, 0);
}

bool has_compute(void) {
    return gl_context_has(43, 31);
}

void need_compute(void) {
    if (has_compute()) return;
    print_message("%s has no compute shaders\n", gl_context_name());
    skip();
}

// ---- Making things ---------------------------------------------------------------------------------------------

sinew_gl_records *make_palette(sinew_gl *gl, const sinew_gl_records_def *def) {
    sinew_gl_records *palette;
    sinew_error error;
    if (sinew_gl_records_create(gl, def, &palette, &error) != SINEW_OK) fail_msg("%s", error.message);
    return palette;
}

sinew_gl_mesh *make_mesh(sinew_gl *gl, const sinew_primitive *primitive) {
    sinew_gl_mesh *mesh;
    sinew_error error;
    if (sinew_gl_mesh_create(gl, primitive, &mesh, &error) != SINEW_OK) fail_msg("%s", error.message);
    if (sinew_gl_mesh_add_deltas(mesh, primitive, &error) != SINEW_OK) fail_msg("%s", error.message);
    return mesh;
}

sinew_gl_skinned *make_skinned(sinew_gl *gl, const sinew_gl_mesh *mesh, const sinew_gl_records *palette,
                               sinew_gl_skinning way) {
    sinew_gl_skinned *skinned;
    sinew_error error;
    if (sinew_gl_skinned_create(gl, mesh, palette, way, &skinned, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    return skinned;
}

stage make_stage(sinew_gl *gl, const sinew_gl_records_def *def, const sinew_primitive *primitive,
                 sinew_gl_skinning way) {
    stage s = {.palette = make_palette(gl, def), .mesh = make_mesh(gl, primitive)};
    s.skinned = make_skinned(gl, s.mesh, s.palette, way);
    return s;
}

void destroy_stage(const stage *s) {
    sinew_gl_skinned_destroy(s->skinned);
    sinew_gl_mesh_destroy(s->mesh);
    sinew_gl_records_destroy(s->palette);
}

sinew_gl_records_def block_def(int character_count) {
    sinew_gl_records_def def = sinew_gl_records_default();
    def.format.joint_count = hero.joint_count;
    def.format.per_instance_transform = true;
    def.character_count = character_count;
    def.resource = SINEW_GPU_RESOURCE_BLOCK;
    return def;
}

void upload(sinew_gl_records *palette, int count) {
    for (int i = 0; i < count; i++) {
        sinew_gl_records_write(palette, i, hero.places[i], hero.palettes[i], hero.morph_weights[i]);
    }
    sinew_gl_records_upload(palette, count);
}

void skin_first(const stage *s) {
    const sinew_gl_draw draw = {.records = s->palette, .count = 1, .joint = HUNG_ON};
    upload(s->palette, 1);
    sinew_gl_records_bind(s->palette);
    sinew_gl_skinned_update(s->skinned, &draw);
}

sinew_primitive hang_vertices(int joint) {
    memset(hero.joints, 0, sizeof hero.joints);
    memset(hero.weights, 0, sizeof hero.weights);
    for (int i = 0; i < hero.vertex_count; i++) {
        hero.joints[(ptrdiff_t)4 * i] = (uint16_t)joint;
        hero.weights[(ptrdiff_t)4 * i] = 1.0f;
    }
    sinew_primitive rigid = hero.primitive;
    rigid.influences = 0;
    rigid.joints = NULL;
    rigid.weights = NULL;
    return rigid;
}

// ---- Reading back ----------------------------------------------------------------------------------------------

float floats[10 * MOST_VERTICES];

int read_buffer(const sinew_gl_skinned *skinned) {
    GLint size = 0;
    glBindBuffer(GL_ARRAY_BUFFER, sinew_gl_skinned_buffer(skinned));
    glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &size);
    assert_in_range(size, 1, sizeof floats);
    const void *data = glMapBufferRange(GL_ARRAY_BUFFER, 0, size, GL_MAP_READ_BIT);
    assert_non_null(data);
    memcpy(floats, data, (size_t)size);
    glUnmapBuffer(GL_ARRAY_BUFFER);
    return size / (int)sizeof(float);
}

void spoil_buffer(const sinew_gl_skinned *skinned) {
    static float nothing[10 * MOST_VERTICES];
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++) nothing[i] = NAN;
    glBindBuffer(GL_ARRAY_BUFFER, sinew_gl_skinned_buffer(skinned));
    glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)10 * hero.vertex_count * (GLsizeiptr)sizeof(float), nothing);
}
