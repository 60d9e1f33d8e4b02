#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs clang-tidy on the C files that changed, or on all of them, and clang-format and ESLint on all: scripts/tidy.sh BUILD_FOLDER
# Changed since $SINCE, a commit. Without it: since the branch left origin/main; on main itself, in the last three commits; in a
# clone without history, since its only commit. Of a changed header, a file that includes it is checked. ALL=1 checks each
# file that the build compiles, and so does a folder without git.
set -eu

build=$1
root=$(pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# compile_commands.json has one "file" per line. Generated files are excluded, and stb.c, which contains only stb.
awk -F '"' -v root="$root/" -v build="$(cd "$build" && pwd)/" '
    $2 == "file" && index($4, root) == 1 && index($4, build) != 1 && !/\/stb\.c"/ { print substr($4, length(root) + 1) }' \
    "$build/compile_commands.json" | sort -u >"$scratch/compiled"

# The commit to compare with.
find_base() {
    head=$(git rev-parse --verify HEAD)
    base=${SINCE:-$(git merge-base HEAD origin/main 2>/dev/null || echo "$head")}
    [ -n "${SINCE:-}" ] || [ "$base" != "$head" ] || base=$(git rev-list --first-parent --max-count 4 HEAD | tail -n 1)
    git rev-parse --verify "$base^{commit}"
}

# The compiled files to check, of the paths on standard input. A header stands for the first file that includes it.
select_files() {
    while IFS= read -r path; do
        case $path in
        *.c) grep -xF "$path" "$scratch/compiled" || true ;;
        *.h) xargs grep -lE "#include [\"<](.*/)?${path##*/}[\">]" <"$scratch/compiled" | head -n 1 || true ;;
        esac
    done | sort -u
}

if [ -z "${ALL:-}" ] && git rev-parse --verify -q HEAD >"$scratch/head"; then
    base=$(find_base)
    {
        git diff --name-only --diff-filter=d "$base"
        git ls-files --others --exclude-standard
    } | select_files >"$scratch/files"
    echo "tidy: $(wc -l <"$scratch/files") files, for what changed since $(git log -1 --format='%h, %s' "$base")"
else
    cp "$scratch/compiled" "$scratch/files"
    echo "tidy: all $(wc -l <"$scratch/files") files"
fi

# Assertions count, since they state what the static analyzer cannot know.
xargs -r -n 1 -P "${JOBS:-$(getconf _NPROCESSORS_ONLN)}" clang-tidy --quiet -p "$build" --extra-arg=-UNDEBUG \
    <"$scratch/files" 2>"$build/tidy.log"
scripts/c_files.sh | xargs clang-format --dry-run -Werror
scripts/eslint.sh "$build/eslint" || [ $? = 77 ]
