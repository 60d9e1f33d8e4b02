// SPDX-License-Identifier: MIT
/// Results and errors, the allocator, the log, the version. Every other header includes this one. Its functions may
/// be called from any thread and cannot fail.
///
/// Conventions of all headers:
///   - A pointer may be NULL only if its comment allows it. Strings are UTF-8.
///   - `[n]` in a comment is the number of elements of an array.
///   - A function that creates or loads returns a sinew_result; for wrong arguments it returns
///     SINEW_ERROR_ARGUMENT. On failure the pointer that it writes is NULL.
///   - A function that runs in a frame cannot fail. Its arguments are *asserted*: with assert() of the C library, so
///     a wrong one stops a library that was built without NDEBUG. In one that was built with NDEBUG the effect is
///     undefined, unless the header defines it, as mixer.h and scene/scene.h do.
///   - A struct of options is made by its default function, sinew_x_default(void), and then changed. The function
///     also sets the last field, `cookie`. A struct without it is asserted in every function; with NDEBUG it is a wrong
///     argument. Where zero is the default of a struct (an allocator, a log, a reader), there is no such function.
///   - A field that is marked private is the library's own. It comes last; don't read or write it.
///   - "Any thread" means that several threads may call the function at a time, with different objects to be changed.
///   - A hash, a result or a file that has "the same bits on every machine" is equal on every processor, instruction
///     set and compiler that Sinew supports.
///
/// Names, and a test checks them:
///   - An enum constant is SINEW_, the enum's name and its own: SINEW_LOOP_ONCE of sinew_loop. A last word such as
///     kind, type, mode or format may be left out: SINEW_EVENT_LOOPED of sinew_event_type.
///   - A number of elements is an int32_t whose name ends in _count. A number of bytes is a size_t.
///   - Vectors, quaternions and matrices are passed by value, structs of options by const pointer.
#ifndef SINEW_BASE_H
#define SINEW_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SINEW_VERSION_MAJOR 0 ///< of the headers; see sinew_version for the library
#define SINEW_VERSION_MINOR 1 ///< of the headers
#define SINEW_VERSION_PATCH 0 ///< of the headers

/// Marks every function that the library exports. Programs that link the shared library on Windows define
/// SINEW_SHARED.
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

/// The result of a call that creates or loads something. Per-frame calls cannot fail and return no result.
typedef enum sinew_result {
    SINEW_OK = 0,              ///< success, the only result that is not an error
    SINEW_ERROR_OUT_OF_MEMORY, ///< the allocator returned NULL
    SINEW_ERROR_LIMIT,         ///< a limit of the options or of the library is exceeded
    SINEW_ERROR_ARGUMENT,      ///< the caller's own arguments or arrays are wrong
    SINEW_ERROR_IO,            ///< a file cannot be read
    SINEW_ERROR_FORMAT,        ///< the file is not of its stated format, or is damaged
    SINEW_ERROR_UNSUPPORTED    ///< the file is valid but needs a feature that this library or build does not have
} sinew_result;

/// The details of a failure. Calls that take one accept NULL. It is written only if the call fails.
typedef struct sinew_error {
    sinew_result result; ///< the result that the call returned
    char message[512];   ///< UTF-8, one line, escaped (sinew_escape): what is wrong, where, and what was found
} sinew_error;

/// A short English name of a result, such as "out of memory"; "unknown result" for any other number. Static
/// storage. Any thread.
SINEW_API const char *sinew_result_string(sinew_result result);

/// Copies `text` to `out` with escapes, so that it is safe to print on a terminal or in a log. Names in a file may
/// contain any character: line breaks, terminal commands, overrides of the writing direction. A control byte (below
/// 0x20, and 0x7f) and a byte that is not valid UTF-8 are written like `\x1b`; U+0080 to U+009F, U+2028 to U+202E
/// and U+2066 to U+2069 like `\u202e`. All other characters, the backslash included, are copied. Writes at most
/// `size` bytes including the terminating zero, and truncates only between characters and between escapes. Returns
/// the length of the whole escaped text without the zero, as snprintf does; at most 4 times that of `text`. `out`
/// may be NULL if `size` is 0. Messages of sinew_error and sinew_log are already escaped. Any thread.
SINEW_API size_t sinew_escape(const char *text, char *out, size_t size);

/// Allocates and frees the memory of objects. Zero-initialized, with both functions NULL, it is the C library's heap;
/// otherwise both must be set. An object allocates its memory when it is created, and keeps a copy of its allocator
/// to free it. Loading also allocates temporary memory. The functions must be safe to call from each thread that
/// creates or destroys objects with them.
typedef struct sinew_allocator {
    /// Returns `size` bytes at a multiple of `alignment` (a power of two, at most 64), or NULL if out of memory.
    void *(*allocate)(size_t size, size_t alignment, void *user);
    /// Frees what `allocate` returned, with the same size and alignment. Never called with NULL.
    void (*release)(void *memory, size_t size, size_t alignment, void *user);
    void *user; ///< passed to both; otherwise ignored
} sinew_allocator;

/// Receives one-line messages (UTF-8, escaped, without a line end) about problems that were corrected, such as
/// weights that did not sum to 1. Zero-initialized it is silent. It is called only during the call that it was
/// passed to.
typedef struct sinew_log {
    void (*write)(const char *message, void *user); ///< NULL: silent. The message is valid during the call
    void *user;                                     ///< passed to `write`; otherwise ignored
} sinew_log;

/// The version of the library that is linked, as major × 10000 + minor × 100 + patch. Any thread.
SINEW_API int sinew_version(void);

/// The instruction set that computes poses and vertices: "avx512", "avx2" or "sse2" on x86-64, "neon" on 64-bit
/// ARM, "simd128" in WebAssembly, or "scalar". It is the widest that the processor has, or the one that the
/// environment variable SINEW_SIMD names, if the processor has it. All give the same bits. Any thread.
SINEW_API const char *sinew_simd(void);

#ifdef __cplusplus
}
#endif
#endif
