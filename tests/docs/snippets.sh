#!/bin/sh
# SPDX-License-Identifier: MIT
# Every C block in README.md and docs/ compiles, runs, and prints the page's output. The files that they load are also
# blocks of the page: snippets.sh SOURCE_FOLDER SCRATCH_FOLDER COMPILER [LIBRARIES AND FLAGS...]
#
# A block is the text between "```c" and "```". A block with a main() is a program. Any other block replaces the line
# SNIPPET of a prelude, tests/docs/NAME.c.in, which an HTML comment before the block names; the default is in_main.c.in:
#
#     <!-- snippet: NAME -->                 put into tests/docs/NAME.c.in
#     <!-- snippet: excerpt of FILE -->      not compiled: these lines are consecutive in FILE, which is tested itself
#     <!-- snippet: next of FILE -->         the same; all such blocks together are FILE
#     <!-- output -->                        before a block of text: the output of the last snippet
#     <!-- file: NAME -->                    before a block of any language: a file that later snippets of the page load
#
# Excerpts may be in any language. Programs run in a folder with these files and with links to models/, such as
# hero.glb. Exit status 77 means that a program can't run here; it's skipped.
set -u
export LC_ALL=C
source=$(cd "$1" && pwd) scratch=$2 compiler=$3
shift 3
rm -rf "$scratch"
mkdir -p "$scratch"
scratch=$(cd "$scratch" && pwd)
mkdir "$scratch/run"
ln -s "$source"/models/* "$scratch/run"
cd "$source"

# Writes each snippet as SCRATCH/NUMBER.c, its expected output as SCRATCH/NUMBER.expected, and checks excerpts.
find README.md docs -name '*.md' | sort | xargs awk -v scratch="$scratch" -v preludes=tests/docs '
    function fault(why) { printf "%s:%d: %s\n", FILENAME, start, why; faults++ }
    function plain(line) { gsub(/[ \t]+/, " ", line); sub(/^ /, "", line); sub(/ $/, "", line); return line }

    # The non-empty lines of a file, without indentation.
    function read_plain(path,    line, text) {
        text = "\n"
        while ((getline line < path) > 0) if (plain(line) != "") text = text plain(line) "\n"
        close(path)
        return text
    }

    function write_program(name,    line, path, place, found) {
        path = preludes "/" name ".c.in"
        place = sprintf("%s/%03d.c", scratch, ++programs)
        printf "%s:%d\n", FILENAME, start > (place ".from")
        close(place ".from")
        if (name == "") { printf "#line %d \"%s\"\n%s", start + 1, FILENAME, block > place; close(place); return }
        while ((getline line < path) > 0) {
            if (plain(line) == "SNIPPET") { printf "#line %d \"%s\"\n%s#line 1 \"%s\"\n", start + 1, FILENAME, block, path > place; found = 1 }
            else print line > place
        }
        close(path)
        close(place)
        if (!found) fault("there is no prelude " path " with a line SNIPPET")
    }

    function finish_file(path,    name) {
        for (name in pieces) {
            if (pieces[name] != read_plain(name)) { print path ": its pieces are not all of " name; faults++ }
            delete pieces[name]
        }
    }

    function finish_block(    words, text) {
        split(marker, words, " ")
        if (kind == "output") {
            printf "%s", block > (sprintf("%s/%03d.expected", scratch, programs))
        } else if (kind == "file") {
            if (marker in files) fault("the file " marker " is on a page already")
            files[marker]
            printf "%s", block > (scratch "/run/" marker)
        } else if (words[2] == "of") {
            text = read_plain(words[3])
            if (length(text) < 2 || !index(text, "\n" plain_block)) fault("these lines are not consecutive in " words[3])
            if (words[1] != "next") return
            if (!(words[3] in pieces)) pieces[words[3]] = "\n"
            pieces[words[3]] = pieces[words[3]] plain_block
        } else {
            write_program(block ~ /(^|\n)int main\(/ ? "" : marker == "" ? "in_main" : words[1])
        }
    }

    FNR == 1 { if (last) finish_file(last); last = FILENAME; marker = kind = "" }
    inside && /^```[ \t]*$/ { inside = 0; if (wanted) finish_block(); marker = kind = ""; next }
    inside { if (wanted) { block = block $0 "\n"; if (plain($0) != "") plain_block = plain_block plain($0) "\n" }; next }
    /^```/ {
        inside = 1; start = FNR; block = plain_block = ""
        wanted = $0 == "```c" || kind != "" || marker ~ / of /
        next
    }
    /^<!-- snippet: .* -->$/ { marker = $0; sub(/^<!-- snippet: /, "", marker); sub(/ -->$/, "", marker); next }
    /^<!-- output -->$/ { kind = "output"; next }
    /^<!-- file: .* -->$/ { kind = "file"; marker = $3; next }
    NF > 0 { marker = kind = "" }
    END {
        finish_file(last)
        if (programs < 20) { print "only " programs + 0 " snippets found: this test reads the wrong folder"; faults++ }
        exit faults > 0
    }' || exit 1

ran=0 skipped=0 faults=0
for program in "$scratch"/*.c; do
    place=$(cat "$program.from") name=${program%.c}
    if ! "$compiler" -std=c17 -g -Wall -Wextra -Wpedantic -Werror -Wno-unused-variable -Wno-unused-but-set-variable \
        -Wno-unused-function -Wno-unused-parameter -I include -I examples -I tests/docs "$program" -o "$name" "$@"; then
        echo "$place: does not compile"
        faults=$((faults + 1))
        continue
    fi
    (cd "$scratch/run" && "$name" >"$name.printed" 2>"$name.log")
    status=$?
    if [ $status = 77 ]; then
        skipped=$((skipped + 1))
        continue
    fi
    ran=$((ran + 1))
    if [ $status != 0 ]; then
        cat "$name.log"
        echo "$place: ends with status $status"
        faults=$((faults + 1))
    elif [ -f "$name.expected" ] && ! diff "$name.expected" "$name.printed"; then
        echo "$place: <: on the page, >: printed"
        faults=$((faults + 1))
    fi
done
echo "$ran snippets ran, $skipped skipped, $faults faults"
[ $faults = 0 ]
