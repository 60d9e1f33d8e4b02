// SPDX-License-Identifier: MIT
/// Results and errors, memory, logging and the version. Every other header includes this one.
///
/// Conventions of all headers:
///   - Pointers must not be NULL unless their comment allows it. Strings are UTF-8.
///   - `[n]` in a comment is an array's length.
///   - Functions that create or load return a sinew_result. Wrong arguments return SINEW_ERROR_ARGUMENT. On failure
///     the output pointer is NULL.
///   - Per-frame functions can't fail. Their arguments are *asserted*: checked with assert(), and wrong to pass. With
///     NDEBUG, a wrong argument is undefined unless the header defines it, like mixer.h and scene/scene.h.
///   - Get an options struct from its default function, sinew_x_default(void), then change it. The function also sets
///     the last field, `cookie`. A struct without the cookie is asserted everywhere; with NDEBUG it counts as a wrong
///     argument. Structs that default to zero (allocators, logs, readers) have no default function.
///   - Private fields come last. Don't read or write them.
///   - "Any thread" means thread-safe, as long as the threads change distinct objects.
///   - "The same bits on every machine" means equal on every processor, instruction set and compiler that Sinew
///     supports.
///
/// Names:
///   - An enum constant is SINEW_, the enum's name and its own name: SINEW_LOOP_ONCE of sinew_loop. A last word such as
///     kind, type, mode or format may be dropped: SINEW_EVENT_LOOPED of sinew_event_type.
///   - Element counts are int32_t and end in _count. Byte counts are size_t.
///   - Vectors, quaternions and matrices are passed by value, option structs by const pointer.
///
/// Any thread may call the functions in this header. They can't fail.
#ifndef SINEW_BASE_H
#define SINEW_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SINEW_VERSION_MAJOR 0 ///< of the headers; see sinew_version for the library
#define SINEW_VERSION_MINOR 1 ///< of the headers
#define SINEW_VERSION_PATCH 0 ///< of the headers

/// Marks every exported function. Define SINEW_SHARED in programs that link the shared library on Windows.
#if defined(SINEW_SHARED) && defined(_WIN32)
#ifdef SINEW_BUILDING
#define SINEW_API __declspec(dllexport)
#else
#define SINEW_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define SINEW_API __attribute__((visibility("default")))
#else
#define SINEW_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// The result of creating or loading something.
typedef enum sinew_result {
    SINEW_OK = 0,              ///< success; everything else is an error
    SINEW_ERROR_OUT_OF_MEMORY, ///< the allocator returned NULL
    SINEW_ERROR_LIMIT,         ///< over a limit of the options or the library
    SINEW_ERROR_ARGUMENT,      ///< wrong arguments or arrays from the caller
    SINEW_ERROR_IO,            ///< can't read a file
    SINEW_ERROR_FORMAT,        ///< wrong file format, or a damaged file
    SINEW_ERROR_UNSUPPORTED    ///< a valid file or option that needs a feature this library or build lacks
} sinew_result;

/// Details of a failure, written only if the call fails. Functions that take one accept NULL.
typedef struct sinew_error {
    sinew_result result; ///< same as the returned result
    char message[512];   ///< what is wrong, where, and what was found; one line of UTF-8, escaped (sinew_escape)
} sinew_error;

/// Returns a short English description of a result, such as "out of memory". Other numbers return "unknown result".
/// The string is static. Any thread.
SINEW_API const char *sinew_result_string(sinew_result result);

/// Copies `text` to `out`, escaped so it's safe to print. Names in files may contain line breaks, terminal commands
/// or text direction overrides. Control bytes (below 0x20, and 0x7f) and invalid UTF-8 become `\x1b` and the like.
/// U+0080 to U+009F, U+2028 to U+202E and U+2066 to U+2069 become `\u202e` and the like. Everything else is copied
/// unchanged, backslashes included.
///
/// Writes at most `size` bytes with the terminating zero, and never cuts a character or an escape. Returns the full
/// escaped length without the zero, like snprintf; at most 4 times the length of `text`. `out` may be NULL if
/// `size` is 0. Messages of sinew_error and sinew_log are already escaped. Any thread.
SINEW_API size_t sinew_escape(const char *text, char *out, size_t size);

/// Allocates and frees memory. Set both functions, or zero the struct to use the C library's heap. An object
/// allocates when it is created and keeps a copy of its allocator to free itself. Loading also allocates temporary
/// memory. The functions must be safe to call on every thread that creates or destroys objects with them.
typedef struct sinew_allocator {
    /// Returns `size` bytes aligned to `alignment`, a power of two up to 64. Returns NULL if out of memory.
    void *(*allocate)(size_t size, size_t alignment, void *user);
    /// Frees memory from `allocate`, with the same size and alignment. `memory` is never NULL.
    void (*release)(void *memory, size_t size, size_t alignment, void *user);
    void *user; ///< passed to both functions
} sinew_allocator;

/// Receives messages about problems that Sinew corrected, such as weights that didn't sum to 1. Zero it for
/// silence. It's called only during the call that you pass it to.
typedef struct sinew_log {
    /// Receives one escaped line of UTF-8 without a line end, valid during the call. NULL: silent.
    void (*write)(const char *message, void *user);
    void *user; ///< passed to `write`
} sinew_log;

/// Returns the linked library's version: major × 10000 + minor × 100 + patch. Any thread.
SINEW_API int sinew_version(void);

/// Returns the instruction set used for poses and vertices: "avx512", "avx2" or "sse2" on x86-64, "neon" on 64-bit
/// ARM, "simd128" in WebAssembly, or "scalar". It's the widest one that the processor has. The environment variable
/// SINEW_SIMD selects another one, if the processor has it. All give the same bits. Any thread.
SINEW_API const char *sinew_simd(void);

#ifdef __cplusplus
}
#endif
#endif
