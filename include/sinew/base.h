/// Results and errors, the allocator, the log, the version. Everything else in Sinew stands on this header.
/// Its functions may be called from any thread and cannot fail.
///
/// In all of Sinew, a pointer may be NULL only where its comment allows it, and strings are UTF-8. Arguments of what runs in
/// a frame are asserted: a wrong one stops a build without NDEBUG. With NDEBUG it is undefined, except where a header says
/// what happens, as mixer.h and scene.h do. What creates or loads returns SINEW_ERROR_ARGUMENT instead.
#ifndef SINEW_BASE_H
#define SINEW_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SINEW_VERSION_MAJOR 0 ///< of the headers; see sinew_version for the library
#define SINEW_VERSION_MINOR 1 ///< of the headers
#define SINEW_VERSION_PATCH 0 ///< of the headers

/// Stands before everything that the library exports. Programs that link the shared library on Windows define
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

/// What a call that creates or loads something answers. Per-frame calls cannot fail and return no result.
typedef enum sinew_result {
    SINEW_OK = 0,
    SINEW_ERROR_OUT_OF_MEMORY, ///< the allocator returned NULL
    SINEW_ERROR_LIMIT,         ///< a limit of the options or of the library would be passed
    SINEW_ERROR_ARGUMENT,      ///< the caller's own arguments or arrays are wrong
    SINEW_ERROR_IO,            ///< a file cannot be read
    SINEW_ERROR_FORMAT,        ///< the file is not what it claims to be, or is damaged
    SINEW_ERROR_UNSUPPORTED    ///< the file is sound but needs what this library or build does not have
} sinew_result;

/// The details of a failure. Calls that take one accept NULL. It is written only when the call fails.
typedef struct sinew_error {
    sinew_result result; ///< what the call returned too
    char message[512];   ///< UTF-8, one line, escaped (sinew_escape): what is wrong, where, and what was found
} sinew_error;

/// A short English name of a result, such as "out of memory"; "unknown result" for a number that is none. Static
/// storage. Any thread.
SINEW_API const char *sinew_result_string(sinew_result result);

/// Copies `text` to `out` so that it is safe to print on a terminal or in a log. Names in a file may hold any character:
/// line breaks, terminal commands, overrides of the writing direction. A control byte (below 0x20, and 0x7f) and a byte
/// that is not valid UTF-8 become `\x1b`; U+0080 to U+009F, U+2028 to U+202E and U+2066 to U+2069 become `\u202e`. All
/// else, the backslash too, is copied. Writes at most `size` bytes with the terminating zero, and cuts only between
/// characters and between escapes. Returns the length of the whole escaped text without the zero, as snprintf does; at
/// most 4 times that of `text`. `out` may be NULL where `size` is 0. Messages of sinew_error and sinew_log are escaped
/// already. Any thread.
SINEW_API size_t sinew_escape(const char *text, char *out, size_t size);

/// Where an object takes its memory. Zero-initialised (no functions) it means the C library's heap.
/// An object takes all its memory when it is made, and keeps a copy of its allocator to give it back.
/// The functions must be safe to call from each thread that creates or destroys objects with them.
typedef struct sinew_allocator {
    /// `size` bytes at a multiple of `alignment` (a power of two, at most 64), or NULL when there are none.
    void *(*allocate)(size_t size, size_t alignment, void *user);
    /// Gives back what `allocate` returned, with the same size and alignment. Never called with NULL.
    void (*release)(void *memory, size_t size, size_t alignment, void *user);
    void *user; ///< given to both; the caller's own, never looked at
} sinew_allocator;

/// Receives one-line remarks (UTF-8, escaped, no line end) about things that were put right on the way, such as weights
/// that did not sum to 1. Zero-initialised it is silent. It is called only during the call that it was given to.
typedef struct sinew_log {
    void (*write)(const char *message, void *user); ///< NULL: silent. The message is gone when it returns
    void *user;                                     ///< given to it; never looked at
} sinew_log;

/// The version of the library that is linked, as major × 10000 + minor × 100 + patch. Any thread.
SINEW_API int sinew_version(void);

/// The instruction set that poses and vertices are computed with: "avx512", "avx2" or "sse2" on x86-64, "neon" on
/// 64-bit ARM, "simd128" in WebAssembly, or "scalar". It is the widest that the processor has, or the one that
/// SINEW_SIMD names in the environment, where the processor has that; all give the same bits. Any thread.
SINEW_API const char *sinew_simd(void);

#ifdef __cplusplus
}
#endif
#endif
