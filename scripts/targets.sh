#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs each target of the Makefile in a short form: scripts/targets.sh [TARGET...]
# Where tests do all that a target does, they are named instead. Prints how long each took, and the output of those that
# fail. The last line counts them: "N passed, M failed, K skipped". It finds most of what it needs in the builds of
# `make test`, so run it after them. structure_targets fails for a target that has no line here.
set -u
cd "$(dirname "$0")/.."
unset MAKEFLAGS MAKELEVEL

# TARGET: arguments of make, or "by" and what runs it.
forms='
demo: PIXELS=96
setup: by the test structure_setup
check: by the preset release, whose tests are more
test: by scripts/test.sh, which runs this script
soak: PRESETS=release-all TESTS=scene,seams SEQUENCES=100
sweep: PRESET=asan SHARE=0.005
fuzz: MINUTES=0.05
fuzz-web: WEB=build/release/tests/web/built MINUTES=0.2
coverage: TESTS=mixer,skin,clip LEAST=5
tidy:
format: FILES=src/core/base.c
mutants: CHECK_ONLY=1
models: by the tests structure_models, structure_conformance
plots: IMAGES=build/images
docs:
amalgamate:
interface:
package:
web: WEB=build/release/tests/web/built
studio: by the tests web_studio_gather, web_studio
bench: FILTER=pose
bench-compare: HEROES=10 SINEW_ASSETS=
bench-optimize: FILES=models/sword.glb SINEW_ASSETS=
bench-web: WEB=build/release/tests/web/built HEROES=10
windows: QUICK=1
clean: by structure_targets, which reads what it would do
help:
'
passed=0 failed=0 skipped=0
wanted=" $* "
log=$(mktemp)
trap 'rm -f "$log"' EXIT
set -f # no argument is a pattern of files

run_form() { # run_form TARGET ARGUMENT...
    start=$(date +%s)
    if make --no-print-directory "$@" >"$log" 2>&1 </dev/null; then
        if grep -q '^SKIPPED: ' "$log"; then
            skipped=$((skipped + 1)) result="skipped: $(grep -m 1 '^SKIPPED: ' "$log")"
        else
            passed=$((passed + 1)) result=passed
        fi
    else
        failed=$((failed + 1)) result=FAILED
        cat "$log"
    fi
    echo "make $*: $result, $(($(date +%s) - start)) s"
}

while IFS=: read -r target form; do
    [ -n "$target" ] || continue
    case $wanted in
    '  ' | *" $target "*) ;;
    *) continue ;;
    esac
    case $form in
    ' by '*) echo "make $target:$form" ;;
    *) run_form "$target" $form ;;
    esac
done <<EOT
$forms
EOT
echo "targets: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
