#!/bin/sh
# SPDX-License-Identifier: MIT
# Which files may include which: includes.sh SOURCE_FOLDER A file may include its own room, the rooms after its name
# in the table below, and anything that isn't ours. The public headers are rooms by tier: <core>, <body> and so on;
# <values> means base.h and math.h, and <all> means every header. Each of our includes must lead to a file, and none
# may lead back to where it started.
set -eu
export LC_ALL=C
cd "$1"

awk '
    # The table comes first, on standard input.
    FILENAME == "-" {
        if (NF > 0) known[$1]
        for (i = 2; i <= NF; i++) may[$1, $i]
        next
    }

    function room(file) {
        if (file ~ /^include\/sinew\/(base|math)\.h$/) return "<values>"
        if (file ~ /^include\/sinew\/all\.h$/) return "<everything>"
        if (file ~ /^include\/sinew\/[^\/]*$/) return "<core>"
        if (file ~ /^include\/sinew\//) { split(file, part, "/"); return "<" part[3] ">" }
        if (file ~ /^(src|tools)\//) { match(file, /^[a-z]+\/[^\/]*/); return substr(file, 1, RLENGTH) }
        sub(/\/.*/, "", file)
        return file
    }

    FNR == 1 { files[FILENAME]; order[++count] = FILENAME }

    /^[ \t]*#[ \t]*include[ \t]*["<]/ {
        split($0, part, /["<>]/)
        n++
        from[n] = FILENAME; line[n] = FNR; name[n] = part[2]; quoted[n] = $0 ~ /"/
    }

    # A path without "." and "..".
    function plain(path) {
        while (sub(/(^|\/)\.\//, "/", path) || sub(/[^\/]+\/\.\.\//, "", path)) continue
        sub(/^\//, "", path)
        return path
    }

    # The file of ours that an include means, or "".
    function target(i,    folder) {
        if (!quoted[i]) return name[i] ~ /^sinew\// ? "include/" name[i] : ""
        folder = from[i]
        sub(/[^\/]*$/, "", folder)
        if (plain(folder name[i]) in files) return plain(folder name[i])
        if (name[i] in files) return name[i]
        if (("src/" name[i]) in files) return "src/" name[i]
        if (("tools/" name[i]) in files) return "tools/" name[i]
        if (("tests/" name[i]) in files) return "tests/" name[i]
        return "examples/" name[i]
    }

    function may_include(a, b) {
        return a == b || ((a, b) in may) || b ~ /^</ && ((a, "<all>") in may)
    }

    function wrong(i, why) {
        printf "%s:%d: includes %s, %s\n", from[i], line[i], name[i], why
        faults++
    }

    # Takes away, again and again, the files that include none that is left, and those that none that is left
    # includes; what cannot be taken away is a circle.
    function find_circles(    i, taken, includes, included) {
        do {
            taken = 0
            split("", includes)
            split("", included)
            for (i = 1; i <= n; i++) {
                if ((from[i] in files) && (to[i] in files)) { includes[from[i]]; included[to[i]] }
            }
            for (i = 1; i <= count; i++) {
                if (!(order[i] in files) || (order[i] in includes) && (order[i] in included)) continue
                delete files[order[i]]
                taken = 1
            }
        } while (taken)
        for (i = 1; i <= n; i++) {
            if (!(from[i] in files) || !(to[i] in files)) continue
            wrong(i, "which is part of a circle")
            circular++
        }
    }

    END {
        for (i = 1; i <= n; i++) {
            to[i] = target(i)
            if (to[i] == "") continue
            a = room(from[i]); b = room(to[i])
            if (from[i] ~ /^include\/sinew\/(sinew|all)\.h$/) gathered[to[i]]
            if (!(to[i] in files)) { wrong(i, "which is no file of ours"); to[i] = "" }
            else if (!(a in known)) wrong(i, "but the table knows no room " a)
            else if (!may_include(a, b)) { wrong(i, "but " a " may not include " b); upward++ }
        }
        for (i = 1; i <= count; i++) {
            file = order[i]
            if (room(file) !~ /^</ || file ~ /\/(all|gl)\.h$/ || (file in gathered)) continue
            print "include/sinew/all.h: leaves out " file
            faults++
        }
        find_circles()
        if (n < 50) { print "only " n " includes found: this test reads the wrong folder"; faults++ }
        printf "%d includes of %d files: %d in circles, %d upward, %d faults\n", n, count, circular, upward, faults
        exit faults > 0
    }' - $(scripts/c_files.sh) <<'EOT'
<values>
<core>     <values>
<body>     <core> <values>
<humanoid> <body> <core> <values>
<scene>    <body> <core> <values>
<gpu>      <core> <values>
<io>       <core> <values>
<motion>   <humanoid> <body> <core> <values>
<everything> <core> <all>
src/base     <values>
src/json     <values> src/base
src/kernels  <values> <core> src/base
src/core     <values> <core> src/base src/json src/kernels
src/body     <values> <core> <body> src/base src/kernels src/core
src/humanoid <values> <core> <body> <humanoid> src/base src/json src/core src/body
src/scene    <values> <core> <body> <scene> src/base src/kernels src/core src/body
src/gpu      <values> <core> <gpu> src/base src/kernels src/core
src/io       <values> <core> <humanoid> <io> src/base src/json src/kernels src/core
src/motion   <values> <core> <body> <humanoid> <motion> src/base src/json src/core src/body
tools/continuity <all> src/base src/core
tools/render    <all>
tools/bench     <all> tools/render
tools/plots     <all> tools/render
tools/files     <all> src/base
tools/system
tools/batch     tools/system
tools/numbers   src/json
tools/reference <all> tools/files src/json
tools/lint      <all> tools/files tools/reference src/base src/json
tools/write     <all> tools/lint tools/reference src/base src/json
tools/takes     <all> tools/write tools/lint
tools/retargeting <all> tools/lint tools/write src/base
tools/graph     <all> tools/plots
tools/cli       <all> tools/batch tools/files tools/system tools/numbers tools/continuity tools/render tools/view tools/bench tools/reference tools/lint tools/write tools/takes tools/retargeting tools/shrink tools/compare tools/optimize tools/meshes tools/graph
tools/compare   <all> tools/lint tools/reference src/base src/json
tools/optimize  <all> tools/compare tools/lint tools/reference src/base src/json
tools/meshes    <all> tools/optimize tools/compare tools/lint tools/reference src/base src/json
tools/shrink <all> tools/files tools/optimize tools/compare tools/lint tools/reference src/base src/json
tools/view      <all> tools/files tools/numbers tools/render
web             <all> tools/lint tools/retargeting tools/shrink tools/meshes tools/compare tools/reference tools/graph src/base src/kernels src/core src/body
examples        <all>
models
tests           <all> tools/batch tools/files tools/numbers tools/continuity tools/render tools/cli tools/view tools/bench tools/plots tools/reference tools/lint tools/write tools/takes tools/retargeting tools/compare tools/optimize tools/meshes tools/shrink tools/graph examples tools/system src/base src/json src/kernels src/core src/body src/humanoid src/scene src/gpu src/io src/motion
EOT
