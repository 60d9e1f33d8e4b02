#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs each fuzz target, or those in $TARGETS, for $MINUTES minutes (30 by default), one after the other: scripts/fuzz.sh BUILD_FOLDER
# The corpus stays in BUILD_FOLDER/tests/fuzz/corpus, and the next run starts with it. Prints executions, coverage and
# findings; the exit status is 1 if there is a finding, whose input is in BUILD_FOLDER/tests/fuzz/findings.
set -eu

root=$(pwd)
build=$(cd "$1" && pwd)/tests/fuzz
seconds=$(echo "${MINUTES:-30}" | awk '{ print int($1 * 60 + 0.5) }')
status=0

mkdir -p "$build/findings"
mkdir -p "$build/seeds/glb" "$build/seeds/json" "$build/seeds/pipeline" "$build/seeds/graph" \
    "$build/seeds/condition" "$build/seeds/bvh" "$build/seeds/vrm" "$build/seeds/humanoid" "$build/seeds/baked" "$build/seeds/state" \
    "$build/seeds/recording"
"$build/make-seeds" "$build/seeds"
cp "$root"/models/*.graph.json "$root"/tests/graph/samples/*.graph.json "$build/seeds/graph"
for target in ${TARGETS:-glb json pipeline graph condition bvh vrm humanoid baked state recording}; do
    log=$build/$target.log
    mkdir -p "$build/corpus/$target"
    case $target in
        graph | condition | bvh | humanoid) dictionary=$root/tests/fuzz/$target.dict ;;
        baked | state | recording) dictionary= ;;
        *) dictionary=$root/tests/fuzz/gltf.dict ;;
    esac
    found=0
    "$build/fuzz-$target" ${dictionary:+"-dict=$dictionary"} -max_len=16384 -timeout=20 -rss_limit_mb=2048 \
        -max_total_time="$seconds" -artifact_prefix="$build/findings/$target-" -print_final_stats=1 \
        "$build/corpus/$target" "$build/seeds/$target" "$root/tests/fuzz/regressions" >"$log" 2>&1 || found=1
    # "#392187 DONE cov: 2442 ft: 6571 corp: 834/1360Kb ...", and at the end "stat::number_of_executed_units: 392187".
    awk -v target="$target" '
        / cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") edges = $(i + 1); else if ($i == "corp:") corpus = $(i + 1) }
        /^stat::number_of_executed_units:/ { count = $2 }
        /^stat::average_exec_per_sec:/ { rate = $2 }
        /Test unit written to/ { finding = $NF }
        END {
            sub(/\/.*/, "", corpus)
            printf "%-9s %d executions, %d per second, %d edges, %d inputs in the corpus, ", target, count, rate, edges, corpus
            print finding == "" ? "no finding" : "a finding: " finding
        }' "$log"
    [ $found = 0 ] && continue
    status=1
    grep -m 1 -E 'ERROR|runtime error|Assertion' "$log" || tail -n 5 "$log"
    echo "  the report is in $log; once fixed, add the input to tests/fuzz/regressions, named after the fault"
done
exit $status
