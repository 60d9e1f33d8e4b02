// SPDX-License-Identifier: MIT
/// Results and errors, memory, logging and the version. Every other header includes this one.
///
/// All headers follow these conventions:
///   - Pointers must not be NULL unless the comment says they may be. Strings are UTF-8.
///   - `[n]` in a comment is an array's length.
///   - Functions that create or load something return a sinew_result. Invalid arguments return
///     SINEW_ERROR_ARGUMENT. On failure, the output pointer is set to NULL.
///   - Per-frame functions can't fail. Their arguments are *asserted*: an invalid argument is a bug in your program
///     and triggers an assert(). With NDEBUG, the behavior is undefined unless the header says otherwise (see
///     mixer.h and scene/scene.h).
///   - To fill in an options struct, call its default function, sinew_x_default(void), then change the fields that
///     you need. It also sets the last field, `cookie`. Every function that takes the struct asserts that the
///     cookie is there. With NDEBUG, a NULL struct or a missing cookie is treated as an invalid argument. Structs
///     that default to zero (allocators, logs, readers) don't have a default function.
///   - Private fields come last. Don't read or write them.
///   - "Any thread" means that a function is thread-safe, as long as threads don't change the same object.
///   - "The same bits on every machine" means that results are identical on every processor, instruction set and
///     compiler that Sinew supports.
///
/// Names:
///   - Enum constants start with the enum's name, like SINEW_LOOP_ONCE in sinew_loop. A trailing word like kind,
///     type, mode or format may be left out. For example, sinew_event_type has SINEW_EVENT_LOOPED.
///   - Element counts are int32_t and end in _count. Byte counts are size_t.
///   - Vectors, quaternions and matrices are passed by value, and option structs by const pointer.
///
/// You can call the functions in this header from any thread. They can't fail.
#ifndef SINEW_BASE_H
#define SINEW_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SINEW_VERSION_MAJOR 0 ///< major version of these headers; sinew_version returns the library's version
#define SINEW_VERSION_MINOR 1 ///< minor version of these headers
#define SINEW_VERSION_PATCH 0 ///< patch version of these headers

/// Marks exported functions. On Windows, define SINEW_SHARED in programs that link the shared library.
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
    SINEW_ERROR_LIMIT,         ///< a limit in the options or the library was exceeded
    SINEW_ERROR_ARGUMENT,      ///< you passed invalid arguments or arrays
    SINEW_ERROR_IO,            ///< a file can't be read
    SINEW_ERROR_FORMAT,        ///< the file is damaged or in the wrong format
    SINEW_ERROR_UNSUPPORTED    ///< the input is valid, but needs a feature that isn't in this library or build
} sinew_result;

/// Details about a failure. Only written if the call fails. Functions that take a sinew_error also accept NULL.
typedef struct sinew_error {
    sinew_result result; ///< same as the returned result
    /// What's wrong, where it is, and what was found. One line of UTF-8, already escaped (see sinew_escape).
    char message[512];
} sinew_error;

/// Returns a short English description of a result, such as "out of memory", or "unknown result" for any other
/// value. The string is static. Any thread.
SINEW_API const char *sinew_result_string(sinew_result result);

/// Copies `text` to `out` and escapes it, so it's safe to print. This matters because names in files may contain
/// line breaks, terminal commands or text direction overrides. Control bytes (below 0x20, and 0x7f) and invalid
/// UTF-8 are written like `\x1b`. The characters U+0080 to U+009F, U+2028 to U+202E and U+2066 to U+2069 are
/// written like `\u202e`. Everything else is copied unchanged, including backslashes.
///
/// Writes at most `size` bytes, including the terminating zero, and never cuts a character or an escape in half.
/// Returns the full escaped length without the zero, like snprintf. This is at most 4 times the length of `text`.
/// `out` may be NULL if `size` is 0. Messages in sinew_error and sinew_log are already escaped. Any thread.
SINEW_API size_t sinew_escape(const char *text, char *out, size_t size);

/// Allocates and frees memory. Set both functions, or zero the struct to use the C library's heap. Objects allocate
/// when they're created, and keep a copy of the allocator so they can free their memory later. Loading also
/// allocates temporary memory. Both functions must be safe to call from every thread that creates or destroys
/// objects with them.
typedef struct sinew_allocator {
    /// Returns `size` bytes aligned to `alignment`, a power of two up to 64. Returns NULL if out of memory.
    void *(*allocate)(size_t size, size_t alignment, void *user);
    /// Frees memory from `allocate`, with the same size and alignment. `memory` is never NULL.
    void (*release)(void *memory, size_t size, size_t alignment, void *user);
    void *user; ///< passed to both functions
} sinew_allocator;

/// Receives messages about problems that Sinew corrected, such as weights that didn't sum to 1. Zero the struct if
/// you don't want any messages. It's only used during the call that you pass it to.
typedef struct sinew_log {
    /// Receives one escaped line of UTF-8 without a newline. The string is only valid during the call. If this is
    /// NULL, messages are discarded.
    void (*write)(const char *message, void *user);
    void *user; ///< passed to `write`
} sinew_log;

/// Returns the linked library's version: major × 10000 + minor × 100 + patch. Any thread.
SINEW_API int sinew_version(void);

/// Returns the instruction set used for poses and vertices: "avx512", "avx2" or "sse2" on x86-64, "neon" on 64-bit
/// ARM, "simd128" in WebAssembly, or "scalar". Defaults to the widest one the processor supports. Set the
/// SINEW_SIMD environment variable to pick a different one that it supports. The results have the same bits either
/// way. Any thread.
SINEW_API const char *sinew_simd(void);

#ifdef __cplusplus
}
#endif
#endif
