// SPDX-License-Identifier: MIT
// Finds the machine's name and clock, and measures its ceilings.
#include "bench/machine.h"

#include "bench/loops.h"
#include "bench/measure.h"
#include "bench/memory.h"

#include <sinew/sinew.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

// ---- Names ---------------------------------------------------------------------------------------------------

static void name_compiler(char *name, size_t room) {
#if defined(__clang__)
    snprintf(name, room, "clang %d.%d.%d", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
    snprintf(name, room, "gcc %d.%d.%d", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

// Writes the processor's name on Linux, or else the architecture's.
static void name_cpu(char *name, size_t room) {
    struct utsname system;
    snprintf(name, room, "%s", uname(&system) == 0 ? system.machine : "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file) return;
    char line[256];
    while (fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon || colon[1] == '\0') continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(name, room, "%s", colon + 2);
        break;
    }
    fclose(file);
}

// ---- The clock -----------------------------------------------------------------------------------------------

// Runs dependent additions, which take one cycle each. The operand is hidden from the compiler.
static void add_in_a_row(void *context, int64_t count) {
    uint64_t *sum = context;
    uint64_t total = *sum, step = 1;
    __asm__ volatile("" : "+r"(step));
    for (int64_t i = 0; i < count; i++) {
        for (int unrolled = 0; unrolled < 64; unrolled++) {
            total += step;
            __asm__ volatile("" : "+r"(total));
        }
    }
    *sum = total;
}

void bench_machine_identify(bench_machine *machine, int core) {
    *machine = (bench_machine){.core = core, .simd = sinew_simd()};
    name_cpu(machine->cpu, sizeof machine->cpu);
    name_compiler(machine->compiler, sizeof machine->compiler);
    uint64_t sum = 0;
    machine->clock = 64.0 / bench_measure(add_in_a_row, &sum).least;
}

// ---- Ceilings ------------------------------------------------------------------------------------------------

// Returns the number at the start of a system file, or 0.
static long read_number(const char *path) {
    char line[32] = "";
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    if (!fgets(line, sizeof line, file)) line[0] = '\0';
    fclose(file);
    return strtol(line, NULL, 10);
}

// Returns a cache's size on Linux, or 0 if it's unknown.
static size_t cache_size(int level) {
    for (int index = 0; index < 8; index++) {
        char path[96];
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/level", index);
        if (read_number(path) != level) continue;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", index);
        return (size_t)read_number(path) << 10;
    }
    return 0;
}

// Bytes per pass. A working set is a multiple of this.
enum { PIECE = 16 << 10 };

static size_t known(size_t size, size_t otherwise) {
    return size ? size : otherwise;
}

static size_t at_most(size_t size, size_t most) {
    return size < most ? size : most;
}

// Returns a level with its working set: half of L1 and L2, a multiple of L2 for the shared L3, and more than any cache
// for DRAM.
static bench_memory_level level_at(int index) {
    const size_t l1 = known(cache_size(1), 32u << 10), l2 = known(cache_size(2), 512u << 10);
    const size_t l3 = known(cache_size(3), 8u << 20);
    const bench_memory_level levels[BENCH_LEVELS] = {
        {"L1", l1 / 2, 0, 0},
        {"L2", l2 / 2, 0, 0},
        {"L3", at_most(4 * l2, l3 / 2), 0, 0},
        {"DRAM", at_most(8 * l3, 512u << 20), 0, 0},
    };
    bench_memory_level level = levels[index];
    level.bytes -= level.bytes % PIECE;
    return level;
}

typedef struct ceiling {
    const bench_loops *loops;
    char *memory;
    size_t bytes;
    size_t next; // offset of the next piece
    double operations;
    char sink[64];
} ceiling;

static char *next_piece(ceiling *c) {
    if (c->next >= c->bytes) c->next = 0;
    char *piece = c->memory + c->next;
    c->next += PIECE;
    return piece;
}

static void read_pieces(void *context, int64_t count) {
    ceiling *c = context;
    for (int64_t i = 0; i < count; i++) c->loops->read(next_piece(c), PIECE, c->sink);
}

static void write_pieces(void *context, int64_t count) {
    ceiling *c = context;
    for (int64_t i = 0; i < count; i++) c->loops->write(next_piece(c), PIECE);
}

static void multiply_and_add(void *context, int64_t count) {
    ceiling *c = context;
    c->operations = c->loops->multiply_add(count * 64, c->sink) / (double)count;
}

// Lists this machine's vector widths. Returns how many there are.
static int find_loops(const bench_loops *loops[3]) {
    int count = 0;
    loops[count++] = &bench_loops_16;
#ifdef BENCH_WIDE_LOOPS
    if (__builtin_cpu_supports("avx2")) loops[count++] = &bench_loops_32;
    if (__builtin_cpu_supports("avx512f")) loops[count++] = &bench_loops_64;
#endif
    return count;
}

static void measure_operations(bench_machine *machine) {
    const bench_loops *loops[3];
    int count = find_loops(loops);
    for (int i = 0; i < count; i++) {
        ceiling c = {.loops = loops[i]};
        double nanoseconds = bench_measure(multiply_and_add, &c).median;
        if (c.operations / nanoseconds <= machine->operations) continue;
        machine->operations = c.operations / nanoseconds;
        machine->vector_width = loops[i]->width;
    }
}

static void measure_level(bench_memory_level *level) {
    const bench_loops *loops[3];
    int count = find_loops(loops);
    ceiling c = {.memory = bench_allocate(level->bytes, 1), .bytes = level->bytes};
    for (int i = 0; i < count; i++) {
        c.loops = loops[i];
        double read = PIECE / bench_measure(read_pieces, &c).median;
        double write = PIECE / bench_measure(write_pieces, &c).median;
        if (read > level->read) level->read = read;
        if (write > level->write) level->write = write;
    }
    bench_release(c.memory);
}

int bench_machine_steps(void) {
    return 1 + BENCH_LEVELS;
}

void bench_machine_measure(bench_machine *machine, int step) {
    if (step == 0) {
        measure_operations(machine);
        return;
    }
    machine->levels[step - 1] = level_at(step - 1);
    measure_level(&machine->levels[step - 1]);
}
