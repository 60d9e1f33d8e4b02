#!/bin/sh
# SPDX-License-Identifier: MIT
# Lists and numbers in the documentation agree with the tree: facts.sh SOURCE_FOLDER [SINEW]
# Checks tables of headers, examples and pages, numbers, make targets, presets, tests, commands, options, and statements
# that a feature is missing.
set -u
cd "$1"
sinew=${2:-}
export LC_ALL=C
pages=$(ls README.md CHANGELOG.md docs/*.md docs/howto/*.md web/package/README.md)
faults=0 facts=0
fault() {
    echo "$1"
    faults=$((faults + 1))
}

# ---- Tables -----------------------------------------------------------------------------------------------------

# section FILE HEADING: prints the lines below that heading, up to the next one.
section() { awk -v heading="$2" '/^#+ / { inside = $0 ~ "^#+ " heading "$" } inside' "$1"; }

# rows_of TABLE PATTERN FILE...: the table on standard input has one row for each FILE, and no others. PATTERN matches a
# row's link.
rows_of() {
    what=$1 pattern=$2
    shift 2
    rows=$(grep '^|' | grep -oE "\]\([^)]*$pattern\)" | sed 's,.*/,,; s,.*(,,; s,)$,,')
    for file; do
        facts=$((facts + 1))
        count=$(echo "$rows" | grep -cx "${file##*/}")
        [ "$count" = 1 ] || fault "$what: has ${file##*/} $count times, not once"
    done
    for row in $(echo "$rows" | sort -u); do
        case " $* " in *"/$row "*) ;; *) fault "$what: has $row, which is not in the tree" ;; esac
    done
}

headers=$(ls include/sinew/*.h | grep -v '/sinew\.h$')
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
section README.md 'Headers' >"$temporary/rooms"
rows_of "README.md's table of headers" 'include/sinew/[a-z_]*\.h' $headers <"$temporary/rooms"
grep -oE '^\|[^|]*\| [a-z_]+\.h \|' docs/reference.md | sed 's/.*| \(.*\) |/| [\1](\1) |/' >"$temporary/reference"
rows_of "docs/reference.md" '[a-z_]*\.h' $headers <"$temporary/reference"

section docs/README.md 'Documentation' >"$temporary/pages"
rows_of "docs/README.md's table of pages" '[a-z]*\.md' $(ls docs/*.md | grep -v README) <"$temporary/pages"
section docs/README.md 'How to' >"$temporary/howto"
rows_of "docs/README.md's table of how-to pages" 'howto/[a-z-]*\.md' docs/howto/*.md <"$temporary/howto"
section docs/README.md 'Examples' >"$temporary/examples"
rows_of "docs/README.md's table of examples" 'examples/[a-z0-9_]*\.c' examples/*.c <"$temporary/examples"

# A how-to page is listed with the programs that it names.
for page in docs/howto/*.md; do
    for program in $(grep -oE 'examples/[0-9a-z_]+\.c' "$page" | sort -u); do
        grep "howto/${page##*/}" "$temporary/howto" | grep -q "$program" ||
            fault "docs/README.md's table of how-to pages: has $page without $program, which it names"
    done
done

# ---- Files, names of the interface ------------------------------------------------------------------------------

# listed PAGE FILE...: the page names each file.
listed() {
    page=$1
    shift
    for file; do
        facts=$((facts + 1))
        grep -qE "(^|[^A-Za-z0-9_.-])${file##*/}([^A-Za-z0-9_-]|\$)" "$page" || fault "$page: does not list $file"
    done
}
listed docs/web.md web/*.[ch] web/package/*.js
listed docs/studio.md web/studio/*.js
listed docs/conformance.md $(sed -n 's/.*"file": *"\([^"]*\)\.gl[a-z]*".*/\1/p' models/conformance/index.json)

for path in $(grep -ohE '`[a-z_]+/[A-Za-z0-9_./-]+`' $pages | tr -d '`' | sort -u); do
    case $path in build/* | share/* | sinew/palette.h) continue ;; esac # made, installed, or in upgrading.md
    facts=$((facts + 1))
    [ -e "$path" ] || [ -e "include/$path" ] || [ -e "web/package/$path" ] || fault "a page names $path, which does not exist"
done
names=$(grep -ohE '\b(sinew|SINEW)_[A-Za-z0-9_]+' $(echo README.md docs/*.md docs/howto/*.md | sed "s, docs/upgrading.md,,") | sort -u | grep -v '^sinew_noun_verb$')
grep -rhoE '\b(sinew|SINEW)_[A-Za-z0-9_]+' include src tools/continuity tests/continuity web tests/*.txt CMakeLists.txt cmake examples |
    sort -u >"$temporary/names"
for name in $names; do
    facts=$((facts + 1))
    grep -qx "$name" "$temporary/names" || fault "a page names $name, which does not exist"
done

# ---- Numbers ----------------------------------------------------------------------------------------------------

# number FILE PATTERN EXPECTED: checks the one number before that pattern.
number() {
    facts=$((facts + 1))
    found=$(tr '\n' ' ' <"$1" | grep -oE "[0-9]+ $2" | sed 's/ .*//')
    [ "$found" = "$3" ] || fault "$1: says '$found $2'; there are $3"
}

numbered=$(ls examples/[0-9]*.c | wc -l)
number docs/hello.md 'more programs of less than 80 lines' $((numbered))
number docs/hello.md 'lines, and then reads it line by line' $(($(wc -l <examples/hello.c)))
number CHANGELOG.md 'examples' $(($(ls examples/*.c | wc -l)))
ways=$(section README.md 'Headers' | awk '/^Four methods of installation/ { inside = 1 } inside && /^\| / { rows++ } END { print rows - 1 }')
[ "$ways" = 4 ] || fault "README.md: says four methods of installation, and lists $ways"

# No entry is in the changelog twice.
twice=$(awk '/^- / { print $2, $3, $4 }' CHANGELOG.md | sort | uniq -d)
[ -z "$twice" ] || fault "CHANGELOG.md: has two entries that begin with '$twice'"

# ---- Make targets, presets, tests -------------------------------------------------------------------------------

for target in $(grep -ohE '(`|^ *|&& )make [a-z][a-z-]*' $pages | sed 's/.*make //' | sort -u); do
    facts=$((facts + 1))
    grep -q "^$target:" Makefile || fault "$(grep -lE "make $target" $pages | head -n 1): there is no 'make $target'"
done
for preset in $(grep -ohE -- '--preset [a-z][a-z-]*' $pages Makefile scripts/*.sh | sed 's/.* //' | sort -u); do
    facts=$((facts + 1))
    grep -q "\"name\": \"$preset\"" CMakePresets.json || fault "there is no preset '$preset'"
done
for target in $(sed -n 's/^\([a-z][a-z-]*\):.*/\1/p' Makefile); do
    case $target in clean | help) continue ;; esac
    facts=$((facts + 1))
    grep -qE "^    ([a-z-]+ \| )*$target( \| [a-z-]+)*\)" scripts/setup.sh ||
        fault "scripts/setup.sh: does not know 'make $target'"
done

web=$(sed -nE 's/^ *web_test(_with_npm|_of_studio)?\(([a-z_]+).*/\2/p' tests/web/CMakeLists.txt)
for test in $web; do
    facts=$((facts + 1))
    grep -qE "web_$test\`|tests/web/$test\.mjs" docs/web.md docs/studio.md || fault "docs/web.md: lacks the test web_$test"
done
for test in $(grep -oE '`web_[a-z_]+`' docs/web.md | tr -d '`' | sort -u); do
    grep -qE "\(${test#web_}( |\))|NAME $test " tests/web/CMakeLists.txt || fault "docs/web.md: there is no test $test"
done

# ---- Missing features -------------------------------------------------------------------------------------------

# claim WORDS PATH...: if a section on missing features has these words, none of these files exists.
missing=$(for page in $pages; do section "$page" '(What is not there|Not there|What it does not do).*' | grep -v '^#'; done)
claim() {
    words=$1
    shift
    facts=$((facts + 1))
    echo "$missing" | grep -qiE "$words" || return 0
    for path; do [ ! -e "$path" ] || fault "a page says that this is missing: $words; but $path exists"; done
}
claim 'WebAssembly|JavaScript' web/package/index.js
claim 'in the browser:[^.]*inverse kinematics' web/package/ik.js
claim 'in the browser:[^.]*culling' web/package/cull.js
claim 'in the browser:[^.]*picking' web/package/pick.js
claim 'animation graph|state machine' include/sinew/motion/graph.h src/graph
claim 'dual.quaternion' src/skin/dual_quaternion.c
claim 'export|writing files|writing glTF' cli/optimize.c include/sinew/write.h
claim 'chains longer' include/sinew/body/ik_chain.h src/ik/chain.c src/anim/ik_chain.c
claim 'levels of detail' include/sinew/lod.h
[ -n "$missing" ] || fault "no page has a section on missing features: this test reads the wrong headings"

# ---- The command ------------------------------------------------------------------------------------------------

if [ -n "$sinew" ]; then
    commands=$("$sinew" help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p')
    section README.md 'The command' >"$temporary/command"
    for command in $commands help; do "$sinew" help "$command" >"$temporary/help.$command" 2>&1; done
    for command in $commands; do
        facts=$((facts + 1))
        grep -q "^    sinew $command " "$temporary/command" || grep -q "^    sinew $command\$" "$temporary/command" ||
            fault "README.md: does not list sinew $command"
    done
    # "sinew COMMAND OPTIONS" in code.
    grep -ohE '(`|^    )sinew [a-z]+[^`]*' $pages | sed 's/^[` ]*//' | grep -v '^sinew [a-z]* [a-z]* [a-z]* ' |
        sort -u >"$temporary/lines"
    while read -r _ command rest; do
        facts=$((facts + 1))
        case " $(echo $commands) help " in
        *" $command "*) ;;
        *) fault "a page names 'sinew $command', which is no command" && continue ;;
        esac
        for option in $(echo "$rest" | grep -oE -- '(^| )--[a-z][a-z-]*' | sort -u); do
            grep -qE -- "$option([^a-z-]|\$)" "$temporary/help.$command" || fault "a page names 'sinew $command $option'"
        done
    done <"$temporary/lines"
    number CHANGELOG.md 'rules for what is wrong' "$("$sinew" help lint | grep -cE '^  [a-z-]+ +(error|warning|note) ')"
fi

echo "$facts facts, $faults faults"
[ $facts -gt 100 ] && [ $faults = 0 ]
