#!/bin/sh
# SPDX-License-Identifier: MIT
# Names in the documentation exist, and whatever exists is listed where readers look for it: facts.sh SOURCE_FOLDER
# [SINEW]. Checks headers, pages, examples, files, interface names, make targets, commands, options and lint rules.
set -u
cd "$1"
sinew=${2:-}
export LC_ALL=C
pages=$(ls README.md CONTRIBUTING.md CHANGELOG.md docs/*.md docs/howto/*.md web/package/README.md)
faults=0 facts=0
fault() {
    echo "$1"
    faults=$((faults + 1))
}
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT

# lists PAGE FILE...: the page links each file, or names it.
lists() {
    page=$1
    shift
    for file; do
        facts=$((facts + 1))
        grep -qE "(^|[^A-Za-z0-9_.-])${file##*/}([^A-Za-z0-9_-]|\$)" "$page" || fault "$page: does not list $file"
    done
}
headers=$(find include/sinew -name '*.h' ! -name sinew.h)
lists docs/reference.md $headers
lists docs/README.md $(ls docs/*.md | grep -v README) docs/howto/*.md examples/*.c
lists docs/conformance.md $(sed -n 's/.*"file": *"\([^"]*\)\.gl[a-z]*".*/\1/p' models/conformance/index.json)

for path in $(grep -ohE '`[a-z_]+/[A-Za-z0-9_./-]+`' $pages | tr -d '`' | sort -u); do
    case $path in build/* | share/*) continue ;; esac # made or installed
    facts=$((facts + 1))
    [ -e "$path" ] || [ -e "include/$path" ] || [ -e "src/$path" ] || [ -e "web/package/$path" ] || fault "a page names $path, which does not exist"
done
grep -rhoE '\b(sinew|SINEW)_[A-Za-z0-9_]+' include src tools/continuity tests/continuity web tests/*.txt CMakeLists.txt cmake examples |
    sort -u >"$temporary/names"
for name in $(grep -ohE '\b(sinew|SINEW)_[A-Za-z0-9_]+' README.md docs/*.md docs/howto/*.md | sort -u); do
    facts=$((facts + 1))
    [ "$name" = sinew_noun_verb ] || [ "$name" = sinew_all ] || grep -qx "$name" "$temporary/names" || fault "a page names $name, which does not exist"
done
for target in $({ awk '/^ *```/ { code = !code } code || /^    /' $pages | grep -oE '(^ *|&& )make [a-z][a-z-]*'
    grep -ohE '`make [a-z][a-z-]*' $pages; } | sed 's/.*make //' | sort -u); do
    facts=$((facts + 1))
    grep -q "^$target:" Makefile || fault "$(grep -lE "make $target" $pages | head -n 1): there is no 'make $target'"
done
for preset in $(grep -ohE -- '--preset [a-z][a-z-]*' $pages | sed 's/.* //' | sort -u); do
    facts=$((facts + 1))
    grep -q "\"name\": \"$preset\"" CMakePresets.json || fault "there is no preset '$preset'"
done

# ---- The command ------------------------------------------------------------------------------------------------

# same_rules PAGE COMMAND...: the rules of the command's help and the headings of the page are the same ids.
same_rules() {
    page=$1
    shift
    facts=$((facts + 1))
    "$@" --help | awk '/^The rules/ { inside = 1; next } inside && /^  [a-z-]+ +(error|warning|note) / { print $1 }' |
        sort >"$temporary/rules"
    [ -s "$temporary/rules" ] || fault "$*: its help has no rules"
    awk '/^### / { id = $2 } id != "" && /^\*\*(error|warning|note)/ { print id; id = "" }' "$page" | sort |
        diff "$temporary/rules" - || fault "$page: < has no heading; > is not a rule"
}

if [ -n "$sinew" ]; then
    same_rules docs/lint.md "$sinew" lint
    same_rules docs/graph.md "$sinew" graph check
    commands=$("$sinew" help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p')
    for command in $commands help; do "$sinew" help "$command" >"$temporary/help.$command" 2>&1; done
    for command in $commands; do
        facts=$((facts + 1))
        grep -qE "^    sinew $command( |\$)" docs/command.md || fault "docs/command.md: does not list sinew $command"
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
fi

echo "$facts facts, $faults faults"
[ $facts -gt 100 ] && [ $faults = 0 ]
