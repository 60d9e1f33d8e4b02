#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds and runs the tests of each test preset, up to the first that fails: scripts/test.sh [PRESET...]
# Without arguments: those of $PRESETS; without that either, release, clang and asan. CMakePresets.json has the presets, and
# tests/labels.cmake which tests each of them runs. With TESTS=mixer,skin only those unit tests are built and run. The
# preset "targets" runs targets of the Makefile in a short form (scripts/targets.sh), all or those of $TARGETS. After each
# preset it prints why tests were skipped. The last line counts them all: "N passed, M failed, K skipped".
set -u

: "${SINEW_ASSETS:=}" "${SINEW_ORACLE:=}"
[ -n "$SINEW_ASSETS" ] && [ -n "$SINEW_ORACLE" ] ||
    echo "SINEW_ASSETS or SINEW_ORACLE is not set: tests that need external files are skipped"

# Skipped tests print "SKIPPED: reason", which ctest does not show: skip_reasons JUNIT_FILE
skip_reasons() {
    awk '
        /<testcase / { split($0, parts, "\""); name = parts[2]; skipped = reason = "" }
        /<skipped message="SKIP_RETURN_CODE/ { skipped = 1 } # other tests that did not run have another
        /SKIPPED: / && reason == "" { reason = $0; sub(/.*SKIPPED: /, "", reason); sub(/<\/system-out>.*/, "", reason) }
        /<\/testcase>/ && skipped { print "skipped: " name ": " (reason == "" ? "no reason is given" : reason) }
    ' "$1"
}

status=0 passed=0 failed=0 skipped=0
presets=${*:-${PRESETS:-release clang asan}}
for preset in $presets; do
    if [ "$preset" = targets ]; then
        scripts/targets.sh ${TARGETS:-} >build/targets.txt || status=1
        cat build/targets.txt
        set -- $(sed -n '$s/[^0-9]\{1,\}/ /gp' build/targets.txt)
        passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
        continue
    fi
    case $preset in
    check) build=release ;;
    clang) build='clang test_bits' ;; # asan compiles everything by clang
    *) build=${preset%-all} ;;
    esac
    [ -z "${TESTS:-}" ] || build="${build%% *} $(echo "$TESTS" | sed 's/^/test_/; s/,/ test_/g')"
    if ! scripts/build.sh $build; then
        echo "$preset does not build"
        failed=$((failed + 1)) status=1
        break
    fi
    results=build/$preset.tests
    { ctest --preset "$preset" ${TESTS:+-R "^($(echo "$TESTS" | tr ',' '|'))\$"} --output-junit "$PWD/$results.xml" 2>&1; echo $? >"$results.status"; } | tee "$results"
    # "  3/20 Test  #3: pose ....   Passed    0.01 sec"; anything that neither passed nor skipped failed.
    set -- $(awk '
        /^ *[0-9]+\/[0-9]+ Test +#[0-9]+: / {
            if (/ Passed /) passed++; else if (/\*\*\*Skipped/) skipped++; else failed++
        }
        END { print passed + 0, failed + 0, skipped + 0 }' "$results")
    skip_reasons "$results.xml"
    echo "$preset: $1 passed, $2 failed, $3 skipped"
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
    if [ "$(cat "$results.status")" != 0 ] || [ "$1" = 0 ]; then
        status=1
        break
    fi
done
echo "$passed passed, $failed failed, $skipped skipped"
exit $status
