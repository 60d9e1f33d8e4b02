// SPDX-License-Identifier: MIT
// Writes the output of `sinew retarget`. Clips are added take by take, then the file is written.
#include "cli/retarget.h"

#include "cli/output.h"
#include "system/system.h"
#include "write/bvh.h"
#include "write/vrma.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static void fail(retarget_take *take, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(take->error, sizeof take->error, format, arguments);
    va_end(arguments);
    take->is_done = false;
}

// ---- The scratch file ----------------------------------------------------------------------------------------

static bool append_to_scratch(const void *data, size_t size, void *user) {
    FILE *file = user;
    return fseeko(file, 0, SEEK_END) == 0 && fwrite(data, 1, size, file) == size;
}

static bool read_from_scratch(size_t start, void *data, size_t size, void *user) {
    FILE *file = user;
    return fseeko(file, (off_t)start, SEEK_SET) == 0 && fread(data, 1, size, file) == size;
}

// ---- Opening -------------------------------------------------------------------------------------------------

// Stores keys in a temporary file for many takes and in memory for one.
bool retarget_output_open(retarget_output *output, const retarget_args *args) {
    *output = (retarget_output){.args = args};
    if (!args->out || args->form >= RETARGET_BVH) return true; // starts with the first take
    write_source source = {.path = args->target.path, .only = args->only, .decode = cli_decode_meshopt};
    if (args->takes.count > 1) {
        output->scratch = system_open_scratch();
        if (!output->scratch) {
            cli_fail("%s: cannot create a temporary file for keys: %s", args->out, strerror(errno));
            return false;
        }
        source.scratch = (write_scratch){append_to_scratch, read_from_scratch, output->scratch};
    }
    output->copy = write_copy_open(&source, &output->result);
    if (!output->copy) cli_fail("%s", output->result.error);
    return output->copy != NULL;
}

void retarget_output_close(retarget_output *output) {
    write_copy_close(output->copy);
    write_end(&output->result);
    lint_text_free(&output->text);
    if (output->scratch) (void)fclose(output->scratch);
    for (int i = 0; i < output->name_count; i++) free(output->names[i]);
    free(output->names);
}

// ---- Names ---------------------------------------------------------------------------------------------------

static bool has_name(const retarget_output *output, const char *name) {
    for (int i = 0; i < output->name_count; i++)
        if (strcmp(output->names[i], name) == 0) return true;
    return false;
}

static bool keep_name(retarget_output *output, const char *name) {
    if (output->name_count == output->name_capacity) {
        const int capacity = output->name_capacity > 0 ? 2 * output->name_capacity : 64;
        char **names =
            realloc(output->names, (size_t)capacity * sizeof *names); // NOLINT(bugprone-sizeof-expression)
        if (!names) return false;
        output->names = names;
        output->name_capacity = capacity;
    }
    char *copy = strdup(name);
    if (copy) output->names[output->name_count++] = copy;
    return copy != NULL;
}

// Appends a number to a name that a clip in an earlier take has: "Walk 2".
static bool number_name(const retarget_output *output, char **name) {
    if (!has_name(output, *name)) return true;
    const size_t size = strlen(*name) + 16;
    char *numbered = malloc(size);
    if (!numbered) return false;
    int number = 2;
    do {
        snprintf(numbered, size, "%s %d", *name, number++);
    } while (has_name(output, numbered));
    free(*name);
    *name = numbered;
    return true;
}

// ---- Adding --------------------------------------------------------------------------------------------------

// Writes a .bvh in centimeters.
static void add_motion(retarget_output *output, retarget_take *take) {
    const write_bvh_def def = {.units = 100.0};
    if (!write_bvh(take->work.clips[0], &def, &output->text))
        fail(take, "%s: out of memory, or more than a million frames", take->path);
    output->result.size = output->text.size;
}

// Starts a VRM animation with the avatar's nodes.
static bool start_avatar(retarget_output *output, retarget_take *take) {
    const retarget_character *target = retarget_target_of(take);
    const sinew_humanoid *humanoid = &target->roles.humanoid;
    const bool is_old = humanoid->source == SINEW_HUMANOID_SOURCE_VRM_0;
    if (!is_old && humanoid->source != SINEW_HUMANOID_SOURCE_VRM_1) {
        fail(
            take,
            "-o %s: a VRM animation starts from the T-pose of a VRM avatar, and %s isn't one; write a .glb instead",
            output->args->out, target->path);
        return false;
    }
    if (!write_vrma(target->asset->skeleton, humanoid, is_old, &output->text)) {
        fail(take, "%s: out of memory", take->path);
        return false;
    }
    const write_source source = {.path = output->args->out,
                                 .bytes = output->text.data,
                                 .size = output->text.size,
                                 .decode = cli_decode_meshopt};
    output->copy = write_copy_open(&source, &output->result);
    if (!output->copy) fail(take, "%s", output->result.error);
    return output->copy != NULL;
}

static void add_clips(retarget_output *output, retarget_take *take) {
    const int earlier = output->name_count;
    for (int32_t i = 0; i < take->clip_count && take->is_done; i++) {
        retarget_clip *clip = &take->clips[i];
        if (!number_name(output, &clip->name)) {
            fail(take, "%s: out of memory", take->path);
        } else if (!write_copy_add(output->copy, take->work.clips[i], clip->name, &clip->animation)) {
            fail(take, "%s", output->result.error);
        } else {
            output->clip_count++;
        }
    }
    // Clips in one file may share a name.
    for (int32_t i = 0; i < take->clip_count && take->is_done; i++)
        if (!keep_name(output, take->clips[i].name)) output->name_count = earlier;
}

void retarget_output_add(retarget_output *output, retarget_take *take) {
    if (!take->is_done || !output->args->out) return;
    if (output->args->form == RETARGET_BVH) {
        add_motion(output, take);
    } else if (output->copy || start_avatar(output, take)) {
        add_clips(output, take);
    }
}

// ---- Writing -------------------------------------------------------------------------------------------------

static void put(const void *data, size_t size, void *user) {
    (void)fwrite(data, 1, size, user); // closing the file finds errors
}

int retarget_output_write(retarget_output *output) {
    const retarget_args *args = output->args;
    const cli_output_def def = {"retarget", "-o", args->out};
    cli_output file;
    const int opened = cli_output_open(&file, &def);
    if (opened != CLI_GOOD) return opened;
    if (args->form == RETARGET_BVH) {
        put(output->text.data, output->text.size, file.file);
    } else if (!write_copy_finish(output->copy, args->form == RETARGET_GLTF, put, file.file)) {
        cli_output_discard(&file);
        return cli_fail("%s", output->result.error);
    }
    return cli_output_close(&file);
}
