// SPDX-License-Identifier: MIT
// Damages every file in every way: truncates it at each byte, changes each byte, fails each allocation. Plays and
// skins files that still load. Run it with sanitizers; usage() has the arguments.
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier,cert-*): isatty, alarm
#endif
#include "fuzz/sweep_files.h"

#include "cli/cli.h"
#include "support/asset_use.h"
#include "support/avatar.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef SWEEP_SANITIZED
#include <sanitizer/common_interface_defs.h>
#endif

enum { MOST_PLACES = 4096, VALUES = 4, MOST_SECONDS = 300 };

// If only a fraction of the cases is tried, larger files get a smaller fraction, so each takes about as long. 16-bit
// keys have a measured error, and are only tried undamaged.
enum { SMALL_FILE = 32768 };

// ---- The current case, for a message after a crash ---------------------------------------------------------------

static char what[768];         // the case, as one line
static const uint8_t *culprit; // the bytes that were changed
static size_t culprit_size;
static const char *const culprit_path = "sweep-finding.bin";

static void say_what(void) {
    ssize_t written = write(STDERR_FILENO, what, strlen(what));
    int file = culprit ? open(culprit_path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (file >= 0) written += write(file, culprit, culprit_size);
    if (file >= 0) close(file);
    (void)written;
}

static void on_signal(int number) {
    say_what();
    _exit(number == SIGINT || number == SIGTERM ? 130 : 1);
}

static void watch(void) {
    static const int signals[] = {SIGABRT, SIGALRM, SIGINT, SIGTERM};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) (void)signal(signals[i], on_signal);
#ifdef SWEEP_SANITIZED
    __sanitizer_set_death_callback(say_what);
#else
    (void)signal(SIGSEGV, on_signal);
#endif
}

// ---- One case ----------------------------------------------------------------------------------------------------

typedef struct sweep {
    double share; // of the cases
    uint64_t random;
    sweep_file *file;
    double file_share;
    bool small;
    sinew_key_format rows;
    int64_t cases, loaded;
    bool fault;
} sweep;

static uint32_t draw(sweep *s) {
    s->random = s->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(s->random >> 32);
}

// Returns whether to try the next case.
static bool is_wanted(sweep *s) {
    if (s->file_share >= 1.0) return true;
    return (double)draw(s) < s->file_share * 4294967296.0;
}

static const char *try_gltf(const sweep *s, sweep_file *file, asset_memory *memory, sinew_result *result) {
    sinew_gltf_options options = *with_avatars();
    options.reader = sweep_reader(file);
    options.meshopt_decode = cli_decode_meshopt;
    options.key_format = s->rows;
    return asset_try(file->parts[0].data, file->parts[0].size, &options, memory, result);
}

static const char *try_bvh(const sweep *s, const sweep_file *file, asset_memory *memory, sinew_result *result) {
    sinew_bvh_options options = sinew_bvh_default();
    options.key_format = s->rows;
    return asset_try_bvh(file->parts[0].data, file->parts[0].size, &options, memory, result);
}

static sinew_result try_file(sweep *s, sweep_file *file, asset_memory *memory) {
    alarm(MOST_SECONDS); // what hangs says what it is, too
    sinew_result result;
    const char *fault = file->is_bvh ? try_bvh(s, file, memory, &result) : try_gltf(s, file, memory, &result);
    s->cases++;
    s->loaded += result == SINEW_OK;
    if (!fault) return result;
    fprintf(stderr, "\n%s: ", fault);
    say_what();
    s->fault = true;
    return result;
}

// Tries the file with one of its parts replaced.
static void try_part(sweep *s, int part, uint8_t *data, size_t size) {
    sweep_file changed = *s->file;
    changed.parts[part].data = data;
    changed.parts[part].size = size;
    culprit = data;
    culprit_size = size;
    s->rows = s->small && s->cases % 8 == 7 ? SINEW_KEYS_U16 : SINEW_KEYS_FLOAT;
    try_file(s, &changed, NULL);
    culprit = NULL;
}

static void put_u32(uint8_t *at, size_t value) {
    for (int i = 0; i < 4; i++) at[i] = (uint8_t)(value >> (8 * i));
}

static size_t get_u32(const uint8_t *at) {
    return at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 | (size_t)at[3] << 24;
}

// Corrects a truncated .glb's lengths, so only the data ends early. Returns false if there's no chunk to shorten.
static bool fit_lengths(uint8_t *data, size_t size) {
    if (size < 20 || memcmp(data, "glTF", 4) != 0) return false;
    put_u32(data + 8, size);
    size_t json = get_u32(data + 12);
    if (json > size - 20) {
        put_u32(data + 12, size - 20);
    } else if (size - 20 - json >= 8) {
        put_u32(data + 20 + json, size - 28 - json);
    }
    return true;
}

// ---- All cases of a file ---------------------------------------------------------------------------------------------

// The i-th offset to truncate or change a part at: every byte, or evenly spaced ones.
static size_t place_of(sweep *s, size_t i, size_t places, size_t from, size_t to) {
    if (places == to - from) return from + i;
    size_t start = from + (size_t)((uint64_t)(to - from) * i / places);
    size_t end = from + (size_t)((uint64_t)(to - from) * (i + 1) / places);
    return start + draw(s) % (end - start);
}

static void try_cut(sweep *s, int part, size_t cut) {
    const sweep_part *whole = &s->file->parts[part];
    snprintf(what, sizeof what, "%s, %s cut off behind %zu bytes (they are in %s)\n", s->file->parts[0].name,
             part > 0 ? whole->name : "itself", cut, culprit_path);
    uint8_t *copy = malloc(cut > 0 ? cut : 1);
    if (!copy) exit(2);
    memcpy(copy, whole->data, cut);
    try_part(s, part, copy, cut);
    if (part == 0 && fit_lengths(copy, cut)) try_part(s, part, copy, cut);
    free(copy);
}

static void cut_off(sweep *s, int part) {
    size_t size = s->file->parts[part].size, places = size < MOST_PLACES ? size : MOST_PLACES;
    for (size_t i = 0; i < places && !s->fault; i++) {
        size_t cut = place_of(s, i, places, 0, size);
        if (is_wanted(s)) try_cut(s, part, cut);
    }
}

static void try_change(sweep *s, int part, uint8_t *data, size_t at, int value) {
    uint8_t kept = data[at], values[VALUES] = {0, 0xff, kept, 0};
    values[2] ^= (uint8_t)(1u << (draw(s) % 8));
    values[3] = (uint8_t)draw(s);
    data[at] = values[value];
    snprintf(what, sizeof what, "%s, byte %zu of %s set to 0x%02x (it is in %s)\n", s->file->parts[0].name, at,
             part > 0 ? s->file->parts[part].name : "itself", data[at], culprit_path);
    try_part(s, part, data, s->file->parts[part].size);
    data[at] = kept;
}

static void change(sweep *s, int part, size_t places, size_t from, size_t to) {
    for (size_t i = 0; i < places && !s->fault; i++) {
        size_t at = place_of(s, i, places, from, to);
        for (int value = 0; value < VALUES; value++)
            if (is_wanted(s)) try_change(s, part, s->file->parts[part].data, at, value);
    }
}

static void change_bytes(sweep *s, int part) {
    size_t size = s->file->parts[part].size, first = size < MOST_PLACES ? size : MOST_PLACES, rest = size - first;
    change(s, part, first, 0, first);
    change(s, part, rest < MOST_PLACES ? rest : MOST_PLACES, first, size);
}

static void fail_allocations(sweep *s, sinew_key_format rows) {
    asset_memory whole = {0};
    s->rows = rows;
    snprintf(what, sizeof what, "%s, as it is\n", s->file->parts[0].name);
    if (try_file(s, s->file, &whole) != SINEW_OK) s->fault = true;
    int last = s->small || rows == SINEW_KEYS_FLOAT ? whole.taken : 0;
    for (int n = 1; n <= last && !s->fault; n++) {
        if (!is_wanted(s)) continue;
        snprintf(what, sizeof what, "%s, allocation %d of %d failed\n", s->file->parts[0].name, n, whole.taken);
        asset_memory failing = {.fail_at = n};
        sinew_result result = try_file(s, s->file, &failing);
        if (result == SINEW_OK || result == SINEW_ERROR_OUT_OF_MEMORY) continue;
        fprintf(stderr, "\n%s instead of out of memory: %s", sinew_result_string(result), what);
        s->fault = true;
    }
}

static size_t size_of(const sweep_file *file) {
    size_t size = 0;
    for (int i = 0; i < file->part_count; i++) size += file->parts[i].size;
    return size;
}

static double share_of(const sweep *s, const sweep_file *file) {
    size_t size = size_of(file);
    return s->share < 1.0 && size > SMALL_FILE ? s->share * SMALL_FILE / (double)size : s->share;
}

static void sweep_one(sweep *s, sweep_file *file) {
    s->file = file;
    s->small = size_of(file) <= SMALL_FILE;
    s->file_share = share_of(s, file);
    for (int part = 0; part < file->part_count && !s->fault; part++) {
        cut_off(s, part);
        change_bytes(s, part);
    }
    if (!s->fault) fail_allocations(s, SINEW_KEYS_FLOAT);
    if (!s->fault) fail_allocations(s, SINEW_KEYS_U16);
}

// ---- All files -------------------------------------------------------------------------------------------------------

static double seconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// Estimates the time of all cases of a file from the time of one.
static double guess(sweep *s, sweep_file *file) {
    double start = seconds();
    snprintf(what, sizeof what, "%s, as it is\n", file->parts[0].name);
    try_file(s, file, NULL);
    double once = seconds() - start, places = 0;
    for (int i = 0; i < file->part_count; i++) {
        double size = (double)file->parts[i].size;
        places += VALUES * (size < 2 * MOST_PLACES ? size : 2 * MOST_PLACES);
    }
    return once * places * share_of(s, file);
}

static int sweep_all(sweep *s, const sweep_list *list) {
    double left = 0.0, start = seconds();
    for (int i = 0; i < list->count; i++) left += guess(s, &list->files[i]);
    fprintf(stderr, "%d files, about %.0f s\n", list->count, left);
    for (int i = 0; i < list->count && !s->fault; i++) {
        int64_t cases = s->cases, loaded = s->loaded;
        double began = seconds();
        sweep_one(s, &list->files[i]);
        fprintf(stderr, "%3d/%d  %7.1f s  %6lld cases, %6lld load  %s\n", i + 1, list->count, seconds() - began,
                (long long)(s->cases - cases), (long long)(s->loaded - loaded), list->files[i].parts[0].name);
    }
    printf("%lld cases of %d files in %.0f s, %lld still load: %s\n", (long long)s->cases, list->count,
           seconds() - start, (long long)s->loaded, s->fault ? "a fault, see above" : "no fault");
    return s->fault ? 1 : 0;
}

static int usage(void) {
    fprintf(stderr, "usage: sweep [--share PART] [--seed NUMBER] [FILE|FOLDER...]\n"
                    "Without files: those that the tests build, the demo models, and the folder SINEW_ASSETS.\n");
    return 2;
}

int main(int argc, char **argv) {
    sweep s = {.share = 1.0};
    unsigned long seed = 1;
    int i = 1;
    for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
        if (strcmp(argv[i], "--share") == 0) {
            s.share = strtod(argv[i + 1], NULL);
        } else if (strcmp(argv[i], "--seed") == 0) {
            seed = strtoul(argv[i + 1], NULL, 10);
        } else {
            return usage();
        }
    }
    if ((i < argc && argv[i][0] == '-') || !(s.share > 0.0)) return usage();
    fprintf(stderr, "seed %lu, share %g\n", seed, s.share);
    s.random = seed;
    watch();

    sweep_list list = {NULL, 0, 0};
    const char *folder = getenv("SINEW_ASSETS");
    if (i == argc) {
        sweep_add_samples(&list);
        sweep_add(&list, SINEW_MODELS);
        if (folder) sweep_add(&list, folder);
        if (!folder) fprintf(stderr, "SINEW_ASSETS is not set: no files of other people's are tried\n");
    }
    for (; i < argc; i++) sweep_add(&list, argv[i]);
    int status = sweep_all(&s, &list);
    sweep_free(&list);
    return status;
}
