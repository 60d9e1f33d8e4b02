#!/bin/sh
# SPDX-License-Identifier: MIT
# The library compiles for MSVC, as far as clang can tell: in its MSVC mode, without GNU C, and with a C library that
# only has what the sources use and Windows has: msvc.sh SOURCE_FOLDER SCRATCH_FOLDER Compiles each file like
# clang-cl, and again without __clang__, for the branches that MSVC takes.
set -u
export LC_ALL=C
source=$1 scratch=$2
clang=$(command -v clang || command -v clang-16) || { echo "SKIPPED: clang is not installed" && exit 77; }
rm -rf "$scratch"
mkdir -p "$scratch/sys"

# ---- The C library -----------------------------------------------------------------------------------------------

declare_header() { { echo '#pragma once'; cat; } >"$scratch/$1"; }

declare_header assert.h <<'EOT'
#ifdef __cplusplus
extern "C"
#endif
void _assert(const char *, const char *, unsigned);
#define assert(e) ((void)(!!(e) || (_assert(#e, __FILE__, __LINE__), 0)))
EOT
declare_header errno.h <<'EOT'
int *_errno(void);
#define errno (*_errno())
#define ENOENT 2
#define ENOMEM 12
#define EACCES 13
EOT
declare_header inttypes.h <<'EOT'
#include <stdint.h>
#define PRIx64 "llx"
#define PRIX64 "llX"
#define PRIu64 "llu"
#define PRId64 "lld"
#define PRIu32 "u"
#define PRId32 "d"
EOT
declare_header malloc.h <<'EOT'
#include <stdlib.h>
EOT
declare_header math.h <<'EOT'
#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define isfinite(x) __builtin_isfinite(x)
#define isinf(x) __builtin_isinf(x)
#define isnan(x) __builtin_isnan(x)
double acos(double), ceil(double), copysign(double, double), cos(double), fabs(double), floor(double), fmax(double, double);
double fmin(double, double), fmod(double, double), frexp(double, int *), ldexp(double, int), sin(double), sqrt(double), tan(double);
double atan2(double, double), trunc(double);
float ceilf(float), copysignf(float, float), cosf(float), fabsf(float), floorf(float), fmaxf(float, float), fminf(float, float);
float nextafterf(float, float), frexpf(float, int *), ldexpf(float, int), sinf(float), sqrtf(float), tanf(float);
EOT
declare_header stdint.h <<'EOT'
#include_next <stdint.h>
#undef UINT8_MAX
#undef UINT16_MAX
#define UINT8_MAX ((unsigned char)0xff) // as MSVC's, they are promoted to int
#define UINT16_MAX ((unsigned short)0xffff)
EOT
declare_header stdio.h <<'EOT'
#include <stdarg.h>
#include <stddef.h>
typedef struct _iobuf FILE;
int snprintf(char *, size_t, const char *, ...), vsnprintf(char *, size_t, const char *, va_list), fclose(FILE *);
size_t fread(void *, size_t, size_t, FILE *);
FILE *fopen(const char *, const char *);
FILE *_wfopen(const wchar_t *, const wchar_t *);
EOT
declare_header stdlib.h <<'EOT'
#include <stddef.h>
void *malloc(size_t);
void free(void *);
char *getenv(const char *);
long strtol(const char *, char **, int);
EOT
declare_header string.h <<'EOT'
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
int memcmp(const void *, const void *, size_t), strcmp(const char *, const char *), strncmp(const char *, const char *, size_t);
void *memcpy(void *, const void *, size_t), *memmove(void *, const void *, size_t), *memset(void *, int, size_t);
void *memchr(const void *, int, size_t);
size_t strlen(const char *), strspn(const char *, const char *), strcspn(const char *, const char *);
char *strchr(const char *, int), *strrchr(const char *, int), *strstr(const char *, const char *);
#ifdef __cplusplus
}
#endif
EOT
declare_header wchar.h <<'EOT'
#include <stddef.h>
EOT
declare_header sys/types.h </dev/null
declare_header sys/stat.h <<'EOT'
#include <stddef.h>
#define _S_IFMT 0xF000
#define _S_IFDIR 0x4000
#define _S_IFIFO 0x1000
#define _S_IFREG 0x8000
struct _stat64 { unsigned short st_mode; long long st_size; };
int _wstat64(const wchar_t *, struct _stat64 *);
EOT

# ---- Compiling ---------------------------------------------------------------------------------------------------

faults=0 compiled=0
compile() { # compile NAME ARGUMENT...: what MSVC lacks is an error
    name=$1
    shift
    "$clang" --target=x86_64-pc-windows-msvc -fms-compatibility -fms-extensions -fms-compatibility-version=19.30 -fsyntax-only \
        -nostdlibinc -isystem "$scratch" -I"$source/include" -I"$source/src" -Werror -Wall -Wextra -Wvla -Wgnu -Wpedantic \
        -Wimplicit-function-declaration -Wno-unknown-pragmas "$@" >"$scratch/log" 2>&1 || {
        head -n 5 "$scratch/log"
        echo "$name: not for MSVC"
        faults=$((faults + 1))
    }
    compiled=$((compiled + 1))
}

for file in $(find "$source/src" -name '*.c'); do
    compile "$file" -std=c17 "$file"
    # Without __clang__, inlining is forced MSVC's way. Functions that a file doesn't use are fine there.
    compile "$file" -std=c17 -U__clang__ -Wno-unused-function -Wno-language-extension-token "$file"
done
for header in $(cd "$source/include" && find . -name '*.h'); do
    echo "#include <sinew/${header#./sinew/}>" >"$scratch/header.c"
    compile "$header" -x c -std=c11 "$scratch/header.c"
    compile "$header" -x c++ -std=c++17 "$scratch/header.c"
done

# MSVC's arrays of a parameter have no `static`, and its atomics and threads of C11 need flags of their own.
found=$(grep -rnE '\[static |<(stdatomic|threads)\.h>|\b_(Atomic|Thread_local)\b|__auto_type|\btypeof\b' "$source/src" "$source/include")
[ -z "$found" ] || {
    echo "$found: not for MSVC"
    faults=$((faults + 1))
}
echo "$compiled compilations, $faults faults"
[ $compiled -gt 0 ] && [ $faults -eq 0 ]
