// SPDX-License-Identifier: MIT
// Common functions of the sub-commands of `sinew`: arguments, loading, messages, JSON.
#ifndef CLI_H
#define CLI_H

#include "lint/edit.h"

#include <sinew/all.h>

#include <stdio.h>

// The command's exit statuses.
enum { CLI_GOOD = 0, CLI_BAD_INPUT = 1, CLI_USAGE = 2 };

// The sub-commands. argv[0] is the sub-command's own name.
int cli_info(int argc, char **argv);
int cli_pose(int argc, char **argv);
int cli_skin(int argc, char **argv);
int cli_render(int argc, char **argv);
int cli_humanoid(int argc, char **argv);
int cli_bake(int argc, char **argv);
int cli_bake_asset(int argc, char **argv);
int cli_retarget(int argc, char **argv);
int cli_lint(int argc, char **argv);
int cli_compare(int argc, char **argv);
int cli_optimize(int argc, char **argv);
int cli_graph(int argc, char **argv);
int cli_view(int argc, char **argv);
int cli_replay(int argc, char **argv);
int cli_continuity(int argc, char **argv);
int cli_verify(int argc, char **argv);
int cli_bench(int argc, char **argv);

// One line on standard error, "sinew: ...", escaped (sinew_escape) as a whole.
void cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The same; returns CLI_BAD_INPUT.
int cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Where an error goes instead, for what several threads do.
typedef struct cli_message {
    char *text; // [size]
    size_t size;
} cli_message;

// Writes an error; returns false.
bool cli_note(cli_message to, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Prints one line on standard error, escaped, with the sub-command and a hint to its --help; returns CLI_USAGE.
int cli_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

// An iterator over arguments. Options start with "-"; `--name=value` and `--name value` are the same; `--` ends the options.
typedef struct cli_args {
    const char *command;
    int argc;
    char **argv;
    int next;
    const char *option; // the option just read, "--clip", or NULL for a plain argument
    const char *value;  // its "=value" part, or the plain argument
    bool flag;          // the option takes no value
    bool only_files;    // "--" was read
    char name[32];
    bool failed; // a usage error was printed
} cli_args;

cli_args cli_args_start(int argc, char **argv);

// The next option or plain argument, which is not empty; false at the end, or after a usage error.
bool cli_args_next(cli_args *args);

bool cli_args_is(const cli_args *args, const char *option);

// The same for an option without a value. False if it has one, which cli_args_unknown then reports.
bool cli_args_flag(cli_args *args, const char *option);

// The value of the option just read; NULL, with a usage error printed, if it is missing.
const char *cli_args_value(cli_args *args);

// The same for the name of a file, which is not empty.
const char *cli_args_file(cli_args *args);

// The value as a finite number or a whole number in a range; false, with a usage error printed, otherwise.
bool cli_args_float(cli_args *args, float least, float most, float *number);
bool cli_args_int(cli_args *args, int least, int most, int *number);

// The value as a range of seconds: A..B, A.. or ..B. What is left out stays as it is.
bool cli_args_range(cli_args *args, float *start, float *end);

// Reads "y" or "z"; prints a usage error for any other value.
void cli_args_up(cli_args *args, sinew_up *up);

// Reports the argument just read as an unknown option, a flag with a value or an unexpected argument; returns CLI_USAGE.
int cli_args_unknown(cli_args *args);

// Decodes EXT_meshopt_compression: a sinew_meshopt_decode; `user` is ignored.
bool cli_decode_meshopt(uint8_t *out, int32_t count, size_t stride, const uint8_t *data, size_t size,
                        sinew_meshopt_mode mode, sinew_meshopt_filter filter, void *user);

// Whether a name ends in .bvh: such files are read as motion capture.
bool cli_is_bvh(const char *path);

// Whether a name ends in a suffix, in upper or lower case. `suffix` is in lower case.
bool cli_has_suffix(const char *path, const char *suffix);

// Whether a file starts like a baked asset. All others are read as glTF.
bool cli_is_baked(const char *path);

// Whether a file is glTF. Prints "PATH: REASON" for others, whose JSON and meshes a command cannot use.
bool cli_check_gltf(const char *path, const char *reason);

// How .bvh files are read, which state neither. By --unit and --file-up of any command.
typedef struct cli_bvh_reading {
    float unit;  // metres; 0: it is guessed
    bool has_up; // otherwise it is guessed
    sinew_up up; // the axis that points up in the file
} cli_bvh_reading;

extern cli_bvh_reading cli_bvh;

// Reads the value of an option of main's, "cm" or "z"; false for a wrong one.
bool cli_read_unit(const char *text);
bool cli_read_file_up(const char *text);

// Loads a file with the decoders that the command links, meshopt and Draco; false, with the reason in `error`, if that
// fails. If a build has no Draco decoder, a line on standard error names a file whose meshes stay empty.
bool cli_read(const char *path, sinew_asset **asset, sinew_error *error);

// The same without the keys that the import adds, for commands that write keys or count them.
bool cli_read_authored(const char *path, sinew_asset **asset, sinew_error *error);

// The same with the curves of another asset, except those of properties; NULL: none. `notes` receives what is assumed of a .bvh
// file. Prints nothing: on any thread.
bool cli_read_silently(const char *path, const sinew_asset *curves_of, const sinew_log *notes, sinew_asset **asset,
                       sinew_error *error);

// The same for a .glb in memory.
bool cli_read_memory(const void *data, size_t size, sinew_asset **asset, sinew_error *error);

// cli_read, turned so that +Z is up.
bool cli_read_z_up(const char *path, sinew_asset **asset, sinew_error *error);

// The same for either axis; prints the reason and returns NULL if that fails.
sinew_asset *cli_load_turned(const char *path, sinew_up up);
sinew_asset *cli_load(const char *path); // +Y is up

// cli_load by cli_read_authored.
sinew_asset *cli_load_authored(const char *path);

// The same with the curves of other assets, except those of properties: their clips can be written.
sinew_asset *cli_load_with_curves(const char *path, const sinew_asset *const *from, int from_count);

// How clips are stored.
typedef struct cli_storage {
    sinew_key_format keys;
    float compress_error; // metres; 0: not compressed
    bool only_authored;   // without the keys that the import adds
} cli_storage;

// The same with clips stored in that form; those of a baked asset stay as they are.
sinew_asset *cli_load_stored(const char *path, sinew_up up, const cli_storage *storage);

// Loads a graph; prints the reason and returns NULL if that fails.
sinew_graph *cli_load_graph(const char *path);

// Whether a pose with all its vertices is within the limit. Prints the reason if not.
bool cli_allows_pose(const sinew_asset *asset, const char *path);

// The clip of that name, or "#3" for the fourth, or the only clip if the name is NULL; prints the existing names and
// returns NULL if there is none.
const sinew_clip *cli_find_clip(const sinew_asset *asset, const char *path, const char *name);

// The same with the reason in error[size] instead.
const sinew_clip *cli_search_clip(const sinew_asset *asset, const char *path, const char *name, char *error,
                                  size_t size);

// The node of that name; prints the existing names and returns SINEW_NO_NODE if there is none.
int32_t cli_find_node(const sinew_asset *asset, const char *path, const char *name);

// The pose of a sub-command: a clip at a time, or the rest pose.
typedef struct cli_pose_args {
    const char *file;
    const char *clip; // NULL: the rest pose
    float time;
    bool has_time;
    bool json;
    sinew_up up;
} cli_pose_args;

// Reads the option just read if it is one that pose and skin share (--clip, --time, --json, --up, FILE).
// Returns false for any other option.
bool cli_pose_arg(cli_pose_args *pose_args, cli_args *args);

// An asset, posed: local pose, and model matrices of all its nodes.
typedef struct cli_posed {
    sinew_asset *asset;
    const sinew_clip *clip; // NULL: the rest pose
    sinew_pose *pose;
    sinew_affine *model;
} cli_posed;

// Loads and poses; false, with the reason printed, when that fails. Freed with cli_posed_free in both cases.
bool cli_posed_load(cli_posed *posed, const cli_pose_args *pose_args);
void cli_posed_free(cli_posed *posed);

// The vertices of one primitive of a mesh node, morphed and skinned on the CPU. Vertices of meshes without a
// skin are transformed by their node's model matrix.
typedef struct cli_vertices {
    float *positions; // 3 floats a vertex
    float *normals;   // the same, or NULL where the primitive has none
    float *tangents;  // 4 floats a vertex, or NULL
} cli_vertices;

// False when memory runs out. Freed with cli_vertices_free in both cases.
bool cli_skin_primitive(const sinew_asset *asset, const sinew_mesh_node *mesh_node,
                        const sinew_primitive *primitive, const float *weights, const sinew_affine *model,
                        cli_vertices *vertices);
void cli_vertices_free(cli_vertices *vertices);

// Prints a JSON text with a newline, and frees it. Returns false, with the reason printed, if it is incomplete.
bool cli_print_json(lint_text *json);

// Flushes standard output; false, with the reason printed once, if not everything could be written.
bool cli_flush_stdout(void);

// Notes that memory ran out for a part of what is printed: cli_flush_stdout fails.
void cli_lose_text(void);

// A name of a file, or from a file, for printing: escaped (sinew_escape) if necessary. Valid until `name` is freed or
// seven more names were escaped.
const char *cli_text(const char *name);

// The same, cut to at most 120 bytes at a character, for names that many lines may repeat.
const char *cli_short_text(const char *name);

// "s" or "", for "1 node" and "2 nodes".
const char *cli_plural(int32_t count);

// Prints a number of bytes on standard output, in a readable unit.
void cli_print_bytes(size_t bytes);

// Prints JSON. Strings have quotes and escapes, and are valid and safe to print for any bytes. Numbers are printed as
// %.9g, which reads back to the same float, or as null if they are not finite.
void cli_json_string(FILE *out, const char *text);
void cli_json_floats(FILE *out, const float *numbers, size_t count);

// Whether --quiet was given, which turns off progress bars.
extern bool cli_quiet;

// Draws a progress bar on standard error if that is a terminal, and not with --quiet; `done` == `total` ends it.
void cli_progress(const char *what, int done, int total);

#endif
