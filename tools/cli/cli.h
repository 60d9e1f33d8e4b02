// SPDX-License-Identifier: MIT
// Functions that the sub-commands of `sinew` share: arguments, loading, messages, JSON.
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

// Prints one line to standard error, "sinew: ...". The whole line is escaped (sinew_escape).
void cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Like cli_warn, but returns CLI_BAD_INPUT.
int cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

// A buffer for an error. Used instead of printing by work that runs on several threads.
typedef struct cli_message {
    char *text; // [size]
    size_t size;
} cli_message;

// Writes an error and returns false.
bool cli_note(cli_message to, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Prints one escaped line to standard error, with the sub-command and a hint to its --help. Returns CLI_USAGE.
int cli_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Iterates over arguments. Options start with "-". `--name=value` and `--name value` mean the same. `--` ends the
// options.
typedef struct cli_args {
    const char *command;
    int argc;
    char **argv;
    int next;
    const char *option; // the current option, like "--clip", or NULL for a plain argument
    const char *value;  // the option's "=value" part, or the plain argument
    bool flag;          // the option takes no value
    bool only_files;    // "--" was read
    char name[32];
    bool failed; // a usage error was printed
} cli_args;

cli_args cli_args_start(int argc, char **argv);

// Reads the next option or plain argument, which is never empty. Returns false at the end or after a usage error.
bool cli_args_next(cli_args *args);

bool cli_args_is(const cli_args *args, const char *option);

// Like cli_args_is, but for an option without a value. If it has one, returns false, and cli_args_unknown reports it.
bool cli_args_flag(cli_args *args, const char *option);

// Returns the current option's value. If it's missing, prints a usage error and returns NULL.
const char *cli_args_value(cli_args *args);

// Like cli_args_value, but for a file name. It must not be empty.
const char *cli_args_file(cli_args *args);

// Reads the value as a finite number or an integer in a range. Otherwise prints a usage error and returns false.
bool cli_args_float(cli_args *args, float least, float most, float *number);
bool cli_args_int(cli_args *args, int least, int most, int *number);

// Reads the value as a range of seconds: A..B, A.. or ..B. An end that's left out stays unchanged.
bool cli_args_range(cli_args *args, float *start, float *end);

// Reads "y" or "z"; prints a usage error for any other value.
void cli_args_up(cli_args *args, sinew_up *up);

// Reports the current argument as an unknown option, a flag with a value or an unexpected argument. Returns CLI_USAGE.
int cli_args_unknown(cli_args *args);

// Decodes EXT_meshopt_compression. This is a sinew_meshopt_decode that ignores `user`.
bool cli_decode_meshopt(uint8_t *out, int32_t count, size_t stride, const uint8_t *data, size_t size,
                        sinew_meshopt_mode mode, sinew_meshopt_filter filter, void *user);

// Returns whether a name ends in .bvh. Such files are read as motion capture.
bool cli_is_bvh(const char *path);

// Returns whether a name ends in a suffix, ignoring the name's case. `suffix` must be lower case.
bool cli_has_suffix(const char *path, const char *suffix);

// Returns whether a file starts like a baked asset. Everything else is read as glTF.
bool cli_is_baked(const char *path);

// Returns whether a file is glTF. If it isn't, prints "PATH: REASON". Use this if a command needs the JSON or meshes.
bool cli_check_gltf(const char *path, const char *reason);

// The unit and up axis of .bvh files, which don't contain either. Set with --unit and --file-up, in any command.
typedef struct cli_bvh_reading {
    float unit;  // meters; 0 to guess
    bool has_up; // otherwise guessed
    sinew_up up; // the file's up axis
} cli_bvh_reading;

extern cli_bvh_reading cli_bvh;

// Reads the value of a common option, like "cm" or "z". Returns false if it's wrong.
bool cli_read_unit(const char *text);
bool cli_read_file_up(const char *text);

// Loads a file with the command's meshopt and Draco decoders. On failure, returns false with the reason in `error`. In
// a build without Draco, prints a line to standard error if meshes stay empty.
bool cli_read(const char *path, sinew_asset **asset, sinew_error *error);

// Like cli_read, but without the keys that the import adds. For commands that write or count keys.
bool cli_read_authored(const char *path, sinew_asset **asset, sinew_error *error);

// Like cli_read_authored, but with another asset's curves, except property curves; `curves_of` may be NULL. `notes`
// receives what was assumed about a .bvh file. Doesn't print anything. Any thread.
bool cli_read_silently(const char *path, const sinew_asset *curves_of, const sinew_log *notes, sinew_asset **asset,
                       sinew_error *error);

// Like cli_read_authored, but for a .glb in memory.
bool cli_read_memory(const void *data, size_t size, sinew_asset **asset, sinew_error *error);

// Like cli_read, but turns the file so +Z is up.
bool cli_read_z_up(const char *path, sinew_asset **asset, sinew_error *error);

// Loads a file with either axis up. On failure, prints the reason and returns NULL.
sinew_asset *cli_load_turned(const char *path, sinew_up up);
sinew_asset *cli_load(const char *path); // +Y is up

// Like cli_load, but uses cli_read_authored.
sinew_asset *cli_load_authored(const char *path);

// Like cli_load_authored, but with other assets' curves, except property curves. Then their clips can be written.
sinew_asset *cli_load_with_curves(const char *path, const sinew_asset *const *from, int from_count);

// How clips are stored.
typedef struct cli_storage {
    sinew_key_format keys;
    float compress_error; // meters; 0 to keep clips uncompressed
    bool only_authored;   // without the keys that the import adds
} cli_storage;

// Like cli_load_turned, but stores clips as `storage` says. A baked asset's clips stay as they are.
sinew_asset *cli_load_stored(const char *path, sinew_up up, const cli_storage *storage);

// Loads a graph. On failure, prints the reason and returns NULL.
sinew_graph *cli_load_graph(const char *path);

// Returns whether a pose with all its vertices is within the limit. If not, prints the reason.
bool cli_allows_pose(const sinew_asset *asset, const char *path);

// Returns the clip with that name, "#3" for the fourth clip, or the only clip if the name is NULL. If it doesn't exist,
// prints the existing names and returns NULL.
const sinew_clip *cli_find_clip(const sinew_asset *asset, const char *path, const char *name);

// Like cli_find_clip, but writes the reason to error[size].
const sinew_clip *cli_search_clip(const sinew_asset *asset, const char *path, const char *name, char *error,
                                  size_t size);

// Returns the node with that name. If it doesn't exist, prints the existing names and returns SINEW_NO_NODE.
int32_t cli_find_node(const sinew_asset *asset, const char *path, const char *name);

// A sub-command's pose: a clip at a time, or the rest pose.
typedef struct cli_pose_args {
    const char *file;
    const char *clip; // NULL for the rest pose
    float time;
    bool has_time;
    bool json;
    sinew_up up;
} cli_pose_args;

// Reads the current option if pose and skin share it (--clip, --time, --json, --up, FILE). Returns false for any other
// option.
bool cli_pose_arg(cli_pose_args *pose_args, cli_args *args);

// A posed asset: the local pose, and the model matrices of all nodes.
typedef struct cli_posed {
    sinew_asset *asset;
    const sinew_clip *clip; // NULL for the rest pose
    sinew_pose *pose;
    sinew_affine *model;
} cli_posed;

// Loads and poses an asset. On failure, prints the reason and returns false. Call cli_posed_free either way.
bool cli_posed_load(cli_posed *posed, const cli_pose_args *pose_args);
void cli_posed_free(cli_posed *posed);

// The vertices of one primitive of a mesh node, morphed and skinned on the CPU. Without a skin, the node's model matrix
// transforms them.
typedef struct cli_vertices {
    float *positions; // 3 floats per vertex
    float *normals;   // 3 floats per vertex, or NULL if the primitive has none
    float *tangents;  // 4 floats per vertex, or NULL
} cli_vertices;

// Returns false if memory runs out. Call cli_vertices_free either way.
bool cli_skin_primitive(const sinew_asset *asset, const sinew_mesh_node *mesh_node,
                        const sinew_primitive *primitive, const float *weights, const sinew_affine *model,
                        cli_vertices *vertices);
void cli_vertices_free(cli_vertices *vertices);

// Prints JSON text and a newline, and frees the text. If it's incomplete, prints the reason and returns false.
bool cli_print_json(lint_text *json);

// Flushes standard output. If not everything could be written, prints the reason once and returns false.
bool cli_flush_stdout(void);

// Records that memory ran out for part of the output. Then cli_flush_stdout fails.
void cli_lose_text(void);

// Prepares a file name, or a name from a file, for printing: escapes it (sinew_escape) if necessary. Valid until `name`
// is freed or seven more names are escaped.
const char *cli_text(const char *name);

// Like cli_text, but cuts the name to 120 bytes without splitting a character. For names that many lines may repeat.
const char *cli_short_text(const char *name);

// "s" or "", for "1 node" and "2 nodes".
const char *cli_plural(int32_t count);

// Prints a number of bytes to standard output in a readable unit.
void cli_print_bytes(size_t bytes);

// Prints JSON. Strings are quoted and escaped; they're valid JSON and safe to print whatever their bytes. Numbers are
// printed as %.9g, which reads back as the same float, or as null if they aren't finite.
void cli_json_string(FILE *out, const char *text);
void cli_json_floats(FILE *out, const float *numbers, size_t count);

// Set by --quiet. Turns off progress bars.
extern bool cli_quiet;

// Draws a progress bar on standard error if that's a terminal and --quiet wasn't given. `done` == `total` ends it.
void cli_progress(const char *what, int done, int total);

#endif
