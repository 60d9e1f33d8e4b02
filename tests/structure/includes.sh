#!/bin/sh
# SPDX-License-Identifier: MIT
# Who may include whom: includes.sh SOURCE_FOLDER
# A file may include its own room and the rooms after its name in the table below (<all> are the public headers), and
# what is not ours. Every include of ours must lead to a file, and none may lead back to where it started.
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
        if (file ~ /^include\/sinew\//) return "<" substr(file, 15) ">"
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
            if (from[i] == "include/sinew/sinew.h") gathered[to[i]]
            if (!(to[i] in files)) { wrong(i, "which is no file of ours"); to[i] = "" }
            else if (!(a in known)) wrong(i, "but the table knows no room " a)
            else if (!may_include(a, b)) { wrong(i, "but " a " may not include " b); upward++ }
        }
        for (i = 1; i <= count; i++) {
            file = order[i]
            if (room(file) !~ /^</ || file ~ /\/(sinew|gl)\.h$/ || (file in gathered)) continue
            print "include/sinew/sinew.h: leaves out " file
            faults++
        }
        find_circles()
        if (n < 50) { print "only " n " includes found: this test reads the wrong folder"; faults++ }
        printf "%d includes of %d files: %d in circles, %d upward, %d faults\n", n, count, circular, upward, faults
        exit faults > 0
    }' - $(scripts/c_files.sh) <<'EOT'
<base.h>
<math.h>      <base.h>
<skeleton.h>  <base.h> <math.h>
<pose.h>      <base.h> <math.h> <skeleton.h>
<mask.h>      <base.h> <math.h> <skeleton.h> <pose.h>
<clip.h>      <base.h> <math.h> <skeleton.h> <pose.h>
<humanoid.h>  <base.h> <math.h> <skeleton.h>
<retarget.h>  <base.h> <math.h> <skeleton.h> <pose.h> <clip.h> <clip_speed.h> <humanoid.h>
<mirror.h>    <base.h> <math.h> <skeleton.h> <pose.h> <clip.h> <humanoid.h> <root_motion.h>
<vrm.h>       <base.h> <math.h> <skeleton.h> <pose.h> <humanoid.h>
<clip_speed.h> <base.h> <math.h> <skeleton.h> <pose.h> <clip.h>
<blend_space.h> <base.h> <math.h> <skeleton.h> <pose.h> <clip.h> <clip_speed.h>
<root_motion.h> <base.h> <math.h> <skeleton.h>
<warp.h>      <base.h> <math.h> <skeleton.h> <pose.h> <clip.h> <root_motion.h>
<mixer.h>     <base.h> <math.h> <skeleton.h> <pose.h> <mask.h> <clip.h> <blend_space.h> <root_motion.h>
<graph.h>     <base.h> <math.h> <skeleton.h> <pose.h> <mask.h> <clip.h> <blend_space.h> <root_motion.h> <mixer.h>
<ik_chain.h>  <base.h> <math.h> <skeleton.h> <pose.h>
<ik_body.h>   <base.h> <math.h> <skeleton.h> <pose.h> <ik_chain.h>
<ik.h>        <base.h> <math.h> <skeleton.h> <pose.h> <ik_chain.h> <ik_body.h>
<pose_warp.h> <base.h> <math.h> <skeleton.h> <pose.h> <ik.h>
<aim_offset.h> <base.h> <math.h> <skeleton.h> <pose.h> <mask.h> <clip.h>
<spring.h>    <base.h> <math.h> <skeleton.h> <pose.h> <humanoid.h> <vrm.h>
<foot_contact.h> <base.h> <math.h> <skeleton.h> <pose.h> <mask.h> <clip.h> <blend_space.h> <root_motion.h> <mixer.h> <ik.h>
<recording.h> <base.h> <math.h> <skeleton.h> <pose.h> <mask.h> <clip.h> <blend_space.h> <root_motion.h> <mixer.h>
<skin.h>      <base.h> <math.h> <skeleton.h> <pose.h>
<bounds.h>    <base.h> <math.h> <skeleton.h> <pose.h> <skin.h>
<cull.h>      <base.h> <math.h> <skeleton.h> <pose.h> <skin.h> <bounds.h>
<batch.h>     <base.h> <math.h> <skeleton.h> <pose.h> <mask.h> <clip.h> <blend_space.h> <root_motion.h> <mixer.h> <skin.h>
<asset.h>     <base.h> <math.h> <skeleton.h> <pose.h> <clip.h> <humanoid.h> <vrm.h> <skin.h> <bounds.h>
<reference.h> <base.h> <math.h> <skeleton.h> <pose.h> <clip.h> <clip_speed.h> <humanoid.h> <vrm.h> <skin.h> <bounds.h> <asset.h>
<pick.h>      <base.h> <math.h> <skeleton.h> <pose.h> <clip.h> <skin.h> <bounds.h> <asset.h>
<gltf.h>      <base.h> <math.h> <skeleton.h> <pose.h> <clip.h> <skin.h> <bounds.h> <asset.h>
<bvh.h>       <base.h> <math.h> <skeleton.h> <pose.h> <clip.h> <humanoid.h> <skin.h> <bounds.h> <asset.h>
<baked_asset.h> <base.h> <math.h> <skeleton.h> <pose.h> <clip.h> <humanoid.h> <vrm.h> <skin.h> <bounds.h> <asset.h>
<gpu_record.h>   <base.h> <math.h> <skeleton.h> <pose.h> <clip.h> <skin.h> <bounds.h> <asset.h>
<bake.h>      <base.h> <math.h> <skeleton.h> <pose.h> <mask.h> <clip.h> <blend_space.h> <root_motion.h> <mixer.h> <skin.h> <bounds.h> <asset.h> <gpu_record.h>
<shader.h>    <base.h> <math.h> <skeleton.h> <pose.h> <clip.h> <skin.h> <bounds.h> <asset.h> <gpu_record.h>
<gl.h>        <base.h> <math.h> <skeleton.h> <pose.h> <mask.h> <clip.h> <blend_space.h> <root_motion.h> <mixer.h> <skin.h> <bounds.h> <asset.h> <gpu_record.h> <bake.h> <shader.h>
<scene.h>     <base.h> <math.h> <skeleton.h> <pose.h> <mask.h> <clip.h> <blend_space.h> <root_motion.h> <mixer.h> <ik.h> <spring.h> <skin.h> <bounds.h> <cull.h> <asset.h> <pick.h>
<sinew.h>     <base.h> <math.h> <skeleton.h> <pose.h> <mask.h> <clip.h> <humanoid.h> <reference.h> <retarget.h> <mirror.h> <vrm.h> <clip_speed.h> <blend_space.h> <root_motion.h> <warp.h> <mixer.h> <graph.h> <ik_chain.h> <ik_body.h> <ik.h> <pose_warp.h> <aim_offset.h> <spring.h> <foot_contact.h> <recording.h> <skin.h> <bounds.h> <cull.h> <batch.h> <asset.h> <pick.h> <gpu_record.h> <bake.h> <shader.h> <scene.h> <gltf.h> <bvh.h> <baked_asset.h>
src/core        <base.h> <math.h>
src/json        <base.h> <math.h> src/core
src/kernels     <base.h> <math.h> <skeleton.h> <pose.h> <clip.h> <skin.h> <cull.h> src/core
src/pose        <base.h> <math.h> <skeleton.h> <pose.h> <mask.h> src/core src/kernels
src/clip        <base.h> <math.h> <skeleton.h> <pose.h> <clip.h> <clip_speed.h> <root_motion.h> <warp.h> src/core src/kernels src/pose
src/vrm         <base.h> <math.h> <skeleton.h> <pose.h> <humanoid.h> <vrm.h> src/core src/pose
src/blend_space <base.h> <math.h> <skeleton.h> <pose.h> <clip.h> <clip_speed.h> <blend_space.h> src/core src/clip
src/mixer       <base.h> <math.h> <skeleton.h> <pose.h> <mask.h> <clip.h> <blend_space.h> <root_motion.h> <mixer.h> <skin.h> <batch.h> src/core src/kernels src/pose src/clip src/blend_space
src/record      <base.h> <math.h> <skeleton.h> <pose.h> <mask.h> <clip.h> <blend_space.h> <root_motion.h> <mixer.h> <recording.h> src/core src/kernels src/pose src/clip src/blend_space src/mixer
src/graph       <base.h> <math.h> <skeleton.h> <pose.h> <mask.h> <clip.h> <blend_space.h> <root_motion.h> <mixer.h> <graph.h> <recording.h> src/core src/json
src/ik          <base.h> <math.h> <skeleton.h> <pose.h> <mask.h> <clip.h> <blend_space.h> <root_motion.h> <mixer.h> <ik_chain.h> <ik_body.h> <ik.h> <pose_warp.h> <aim_offset.h> <foot_contact.h> src/core src/pose
src/spring      <base.h> <math.h> <skeleton.h> <pose.h> <humanoid.h> <vrm.h> <spring.h> src/core src/pose src/ik src/kernels
src/retarget    <reference.h> <vrm.h> <skin.h> <bounds.h> <asset.h> <base.h> <math.h> <skeleton.h> <pose.h> <clip.h> <clip_speed.h> <humanoid.h> <root_motion.h> <ik.h> <retarget.h> <mirror.h> src/core src/json src/pose src/clip
src/skin        <base.h> <math.h> <skeleton.h> <pose.h> <skin.h> src/core src/kernels src/pose
src/spatial     <base.h> <math.h> <skeleton.h> <pose.h> <clip.h> <skin.h> <bounds.h> <asset.h> <cull.h> <pick.h> src/core src/kernels src/pose src/skin src/asset
src/scene       <base.h> <math.h> <skeleton.h> <pose.h> <mask.h> <clip.h> <blend_space.h> <root_motion.h> <mixer.h> <ik.h> <spring.h> <skin.h> <bounds.h> <cull.h> <batch.h> <asset.h> <pick.h> <scene.h> src/core src/kernels src/pose src/clip src/mixer src/skin src/spatial
src/asset       <base.h> <math.h> <skeleton.h> <pose.h> <clip.h> <humanoid.h> <skin.h> <bounds.h> <asset.h> src/core src/pose src/clip src/skin src/spatial
src/gltf        <base.h> <math.h> <skeleton.h> <pose.h> <clip.h> <humanoid.h> <vrm.h> <skin.h> <bounds.h> <asset.h> <gltf.h> src/core src/json src/pose src/clip src/skin src/spatial src/asset
src/bvh         <base.h> <math.h> <skeleton.h> <pose.h> <clip.h> <humanoid.h> <skin.h> <bounds.h> <asset.h> <bvh.h> src/core src/json src/asset
src/baked_asset <base.h> <math.h> <skeleton.h> <pose.h> <clip.h> <humanoid.h> <vrm.h> <skin.h> <bounds.h> <asset.h> <baked_asset.h> src/core src/kernels src/pose src/clip src/spatial src/asset
src/gpu         <base.h> <math.h> <skeleton.h> <pose.h> <mask.h> <clip.h> <blend_space.h> <root_motion.h> <mixer.h> <skin.h> <bounds.h> <asset.h> <gpu_record.h> <bake.h> <shader.h> src/core src/kernels src/pose src/clip src/blend_space src/mixer src/skin src/asset
src/gl          <base.h> <math.h> <skeleton.h> <pose.h> <mask.h> <clip.h> <blend_space.h> <root_motion.h> <mixer.h> <skin.h> <bounds.h> <asset.h> <gpu_record.h> <bake.h> <shader.h> <gl.h> src/core
tools/continuity <skeleton.h> <root_motion.h> <math.h> <base.h> src/core src/pose
tools/render    <all>
tools/bench     tools/render <all>
tools/plots     tools/render <all>
tools/files     <all> src/core
tools/system
tools/batch     tools/system
tools/numbers   src/json
tools/reference tools/files <gltf.h> src/json
tools/lint      tools/files tools/reference <all> src/core src/json
tools/write     tools/lint tools/reference <all> src/core src/json
tools/takes     tools/write tools/lint <all>
tools/retargeting tools/lint tools/write <all> src/core
tools/graph     tools/plots <graph.h> <mixer.h> <blend_space.h> <clip.h> <skeleton.h> <mask.h> <base.h>
tools/cli       tools/batch tools/files tools/system tools/numbers tools/continuity tools/render tools/view tools/bench tools/reference tools/lint tools/write tools/takes tools/retargeting tools/optimizing tools/compare tools/optimize tools/meshes tools/graph <all>
tools/compare   tools/lint tools/reference <all> src/core src/json
tools/optimize  tools/compare tools/lint tools/reference <all> src/core src/json
tools/meshes    tools/optimize tools/compare tools/lint tools/reference <all> src/core src/json
tools/optimizing tools/files tools/optimize tools/compare tools/lint tools/reference <all> src/core src/json
tools/view      tools/files tools/numbers tools/render <all>
web             tools/lint tools/retargeting tools/optimizing tools/meshes tools/compare tools/reference tools/graph <all> src/core src/kernels src/pose src/mixer src/clip src/asset
examples        <all>
models
tests           <all> src/core src/json src/kernels src/pose src/clip src/blend_space src/mixer src/record src/graph src/ik src/spring src/skin src/spatial src/scene src/asset src/baked_asset src/gltf src/bvh src/gpu src/gl tools/batch tools/files tools/numbers tools/continuity tools/render tools/cli tools/view tools/bench tools/plots tools/reference tools/lint tools/write tools/takes tools/retargeting tools/compare tools/optimize tools/meshes tools/optimizing tools/graph examples tools/system
EOT
