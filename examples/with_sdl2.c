// A character in an SDL2 window, skinned on the GPU. Keys 1 to 9 fade to the file's clips. Escape quits.
// with_sdl2 [FILE [FRAMES]]
//
//     cc with_sdl2.c $(pkg-config --cflags --libs sdl2 epoxy) -lsinew-gl -lsinew -lm
#include <SDL.h>
#include <epoxy/gl.h>
#include <sinew/gpu/gl.h>
#include <sinew/all.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require(bool good, const char *message) {
    if (good) return;
    fprintf(stderr, "with_sdl2: %s\n", message);
    exit(1);
}

static const char vertex_body[] = "layout(location = SINEW_POSITION_LOCATION) in vec3 position;\n"
                                  "layout(location = SINEW_NORMAL_LOCATION) in vec3 normal;\n"
                                  "layout(location = SINEW_COLOR_LOCATION) in vec4 color;\n"
                                  "uniform float narrow;\n" // window height / width
                                  "out vec4 shade;\n"
                                  "void main() {\n"
                                  "    sinew_matrix skin = sinew_skin_matrix();\n"
                                  "    vec3 n = normalize(sinew_skin_normal(skin, normal));\n"
                                  "    shade = vec4(sqrt(color.rgb) * (0.6 + 0.4 * n.y), 1.0);\n"
                                  "    vec3 p = sinew_skin_point(skin, position) - vec3(0.0, 0.9, 0.0);\n"
                                  "    gl_Position = vec4(narrow * p.x, p.y, -0.2 * p.z, 1.0);\n"
                                  "}\n";
static const char fragment_body[] = "in vec4 shade;\nout vec4 pixel;\nvoid main() { pixel = shade; }\n";

static sinew_gl_proc find_function(const char *name, void *user) {
    (void)user;
    void *address = SDL_GL_GetProcAddress(name);
    sinew_gl_proc function; // a function's address, because standard C has no such cast
    memcpy(&function, &address, sizeof function);
    return function;
}

static void compile(GLuint program, GLenum type, int count, const char *const *sources) {
    GLuint shader = glCreateShader(type);
    glShaderSource(shader, count, sources, NULL);
    glCompileShader(shader);
    GLint good;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    require(good, "a shader does not compile");
    glAttachShader(program, shader);
}

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "models/hero.glb";
    long frames_left = argc > 2 ? strtol(argv[2], NULL, 10) : -1; // -1: until the window closes

    // The character. Nothing here depends on SDL or OpenGL.
    sinew_error error;
    sinew_asset *asset;
    require(sinew_gltf_load_file(path, NULL, &asset, &error) == SINEW_OK, error.message);
    require(asset->mesh_node_count > 0 && asset->clip_count > 0, "the file has no mesh or no clip");
    const sinew_mesh_node *body = &asset->mesh_nodes[0];
    const sinew_primitive *primitive = &asset->meshes[body->mesh].primitives[0];
    require(body->skin >= 0 && primitive->influences > 0, "the file's first mesh has no skin");
    const sinew_skin *skin = &asset->skins[body->skin];
    sinew_mixer_def mixer_def = sinew_mixer_default();
    mixer_def.skeleton = asset->skeleton;
    sinew_mixer *mixer;
    sinew_affine *matrices = malloc((size_t)skin->joint_count * sizeof *matrices);
    require(matrices != NULL, "out of memory");
    require(sinew_mixer_create(&mixer_def, &mixer, &error) == SINEW_OK, error.message);
    sinew_mixer_play(mixer, sinew_clip_source(&asset->clips[0]), NULL);

    // The window and its context.
    require(SDL_Init(SDL_INIT_VIDEO) == 0, SDL_GetError());
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 24);
    SDL_Window *window = SDL_CreateWindow("Sinew", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, 640, 480,
                                          SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE);
    SDL_GLContext context = window ? SDL_GL_CreateContext(window) : NULL;
    require(context != NULL, SDL_GetError());
    SDL_GL_SetSwapInterval(1);

    // The GPU side of the character.
    sinew_gl_def gl_def = sinew_gl_default();
    gl_def.get_proc_address = find_function;
    sinew_gl *gl;
    sinew_gl_records *records;
    sinew_gl_mesh *mesh;
    require(sinew_gl_create(&gl_def, &gl, &error) == SINEW_OK, error.message);
    sinew_gl_records_def records_def = sinew_gl_records_default();
    records_def.format.joint_count = skin->joint_count;
    require(sinew_gl_records_create(gl, &records_def, &records, &error) == SINEW_OK, error.message);
    require(sinew_gl_mesh_create(gl, primitive, &mesh, &error) == SINEW_OK, error.message);
    GLuint program = glCreateProgram();
    const char *fragment[] = {sinew_gl_shader_head(gl), fragment_body};
    sinew_gl_source vertex;
    sinew_gl_vertex_shader(gl, records, primitive->influences, false, vertex_body, &vertex);
    compile(program, GL_VERTEX_SHADER, SINEW_GL_SOURCES, vertex.strings);
    compile(program, GL_FRAGMENT_SHADER, 2, fragment);
    glLinkProgram(program);
    require(sinew_gl_setup_program(gl, program, &error) == SINEW_OK, error.message);
    glUseProgram(program);
    glEnable(GL_DEPTH_TEST);
    glClearColor(0.85f, 0.9f, 0.95f, 1.0f);

    Uint64 before = SDL_GetPerformanceCounter();
    for (bool open = true; open && frames_left != 0; frames_left -= frames_left > 0) {
        for (SDL_Event event; SDL_PollEvent(&event);) {
            if (event.type == SDL_QUIT) open = false;
            if (event.type != SDL_KEYDOWN) continue;
            int number = event.key.keysym.sym - SDLK_1;
            if (event.key.keysym.sym == SDLK_ESCAPE) open = false;
            if (number < 0 || number > 8 || number >= asset->clip_count) continue;
            sinew_mixer_crossfade_to(mixer, sinew_clip_source(&asset->clips[number]), 0.3f, NULL);
        }
        Uint64 now = SDL_GetPerformanceCounter();
        float seconds = (float)(now - before) / (float)SDL_GetPerformanceFrequency();
        before = now;
        sinew_mixer_update(mixer, seconds < 0.1f ? seconds : 0.1f); // dragging the window must not make a long step
        sinew_skin_palette(skin, sinew_mixer_model_matrices(mixer), matrices);

        int width, height;
        SDL_GL_GetDrawableSize(window, &width, &height);
        glViewport(0, 0, width, height);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glUniform1f(glGetUniformLocation(program, "narrow"), (float)height / (float)width);
        sinew_gl_records_update(records, matrices, skin->joint_count);
        sinew_gl_records_bind(records);
        sinew_gl_mesh_draw(mesh);
        if (frames_left == 1) { // for runs that nobody watches
            unsigned char pixel[4];
            glReadPixels(width / 2, height / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
            printf("the pixel in the middle is %d %d %d\n", pixel[0], pixel[1], pixel[2]);
        }
        SDL_GL_SwapWindow(window);
    }

    sinew_gl_mesh_destroy(mesh);
    sinew_gl_records_destroy(records);
    sinew_gl_destroy(gl);
    SDL_GL_DeleteContext(context);
    SDL_DestroyWindow(window);
    SDL_Quit();
    sinew_mixer_destroy(mixer);
    free(matrices);
    sinew_asset_destroy(asset);
    return 0;
}
