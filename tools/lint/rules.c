// SPDX-License-Identifier: MIT
// The table of rules: id, severity, title, why it matters, and advice. docs/lint.md describes each one at length.
#include "lint/lint.h"

const char *lint_severity_name(lint_severity severity) {
    static const char *const names[] = {"error", "warning", "note"};
    return names[severity];
}

const lint_rule lint_rules[LINT_RULE_COUNT] = {
    [LINT_REFUSED] = {"refused", LINT_ERROR, false, "the file breaks the specification",
                      "Sinew refuses the file. Other players refuse it or play something else.",
                      "Export the file again, or report the bug to the exporter's authors."},
    [LINT_NOT_FINITE] =
        {"not-finite", LINT_ERROR, false, "infinite numbers or NaN",
         "The value spreads to every vertex it affects, and players don't draw those vertices.",
         "Look for a division by zero in the exporter, such as a scale of 0 or a bone of length 0."},
    [LINT_JSON_KEY_REPEATED] =
        {"json-key-repeated", LINT_WARNING, false, "a JSON object with duplicate names",
         "Sinew reads the first member and many other readers read the last, so the same file loads differently.",
         "Delete all but the one you want."},
    [LINT_PART_IGNORED] = {"part-ignored", LINT_WARNING, false, "an invalid part that animation doesn't need",
                           "Sinew ignores the part or uses default values: a light, camera or material gets its "
                           "defaults, VRM data is left out, an unknown interpolation becomes LINEAR, and a channel "
                           "without keys animates nothing. Other players refuse the file.",
                           "Fix the part, or export the file again."},
    [LINT_MATRIX_SHEAR] =
        {"matrix-shear", LINT_WARNING, false, "a node matrix with shear",
         "The specification only allows matrices that decompose into translation, rotation and scale. Sinew keeps "
         "the shear. Many other players drop it and misplace every vertex below the node.",
         "Apply the transform to the mesh, or split it into a non-uniformly scaled parent and a rotated child."},
    [LINT_MATRIX_ANIMATED] =
        {"matrix-animated", LINT_WARNING, false, "a channel that animates a node with a matrix",
         "The specification doesn't allow this. Sinew replaces the animated part and keeps the shear. "
         "Other players ignore the channel or the matrix.",
         "Give the node a translation, rotation and scale instead of a matrix."},
    [LINT_MATRIX_AND_TRS] = {"matrix-and-trs", LINT_WARNING, false,
                             "a node with a matrix and with translation, rotation or scale",
                             "The specification only allows one or the other. Sinew uses the matrix. Other players "
                             "ignore it, or multiply both.",
                             "Delete the one you don't want."},
    [LINT_SCENE_ROOTS] =
        {"scene-roots", LINT_WARNING, false, "a scene that lists a node with a parent",
         "Only roots are allowed. Players ignore the parents' transforms, show the node twice, or refuse the file.",
         "List the node's root instead."},
    [LINT_ROTATION_FLIP] =
        {"rotation-flip", LINT_WARNING, true, "a rotation key in the opposite hemisphere from the previous key",
         "q and -q are the same rotation, but some players take the longer arc between these keys.",
         "Negate the key and all later keys. This doesn't change any poses."},
    [LINT_SPLINE_FLIP] =
        {"spline-flip", LINT_WARNING, false,
         "a spline rotation key in the opposite hemisphere from the previous key",
         "A spline doesn't pick the shorter arc, so it passes near 0 between these keys and the joint spins.",
         "Negate the key, its tangents and all later keys in the tool that made the clip."},
    [LINT_ROTATION_NOT_UNIT] = {"rotation-not-unit", LINT_WARNING, true, "a rotation whose length isn't 1",
                                "The specification requires unit quaternions. Some players scale and shear the "
                                "node, and others normalize at different times.",
                                "Normalize the rotations. --fix only does this if no pose changes, so it skips "
                                "spline keys and LINEAR keys with different lengths."},
    [LINT_SPLINE_SINGLE_KEY] =
        {"spline-single-key", LINT_WARNING, true, "a spline with a single key",
         "The specification requires at least two keys. Some players show the in-tangent as a pose.",
         "Make it a STEP track with the key's value."},
    [LINT_TIMES_NOT_FLOAT] = {"times-not-float", LINT_WARNING, false, "key times that aren't floats",
                              "The specification requires 32-bit floats. Sinew converts the times. Other players "
                              "read the bytes as floats, or refuse the file.",
                              "Write the accessor with component type 5126."},
    [LINT_TIMES_BOUNDS] = {"times-bounds", LINT_WARNING, false, "key times without min and max",
                           "The specification requires both, because players get the clip's duration from them.",
                           "Write the accessor's min and max."},
    [LINT_TIMES_START] = {"times-start", LINT_WARNING, false, "a clip that doesn't start at 0",
                          "A clip lasts from 0 to its last key, so it pauses before the first key in every loop.",
                          "Move all keys so the first is at 0, or trim the clip with 'sinew bake --range'. In "
                          "Blender, start the action at frame 0."},
    [LINT_TIMES_NEGATIVE] = {"times-negative", LINT_WARNING, false, "keys before 0 s",
                             "The specification doesn't allow these. Sinew and most players start the clip at 0 s "
                             "with the value it has there. Others refuse the file, or play from the first key.",
                             "Move all keys so the first is at 0."},
    [LINT_TIMES_REPEATED] = {"times-repeated", LINT_WARNING, false, "several keys at the same time",
                             "The specification requires increasing times. Sinew and most players jump from the "
                             "first of these keys to the last. Others refuse the file.",
                             "Remove all but one of the keys, or move them apart."},
    [LINT_LOOP_SEAM] =
        {"loop-seam", LINT_NOTE, false, "a clip that looks like a loop but doesn't close",
         "At the end of each cycle the pose jumps by the difference between the last key and the first.",
         "Make the last key equal to the first. If the exporter omitted the last frame because it repeats the "
         "first, add it again, because players don't wait for it."},
    [LINT_LOOP_SHORT] =
        {"loop-short", LINT_NOTE, false, "a loop that's missing its last frame",
         "Players go from the last key to the first immediately, so each cycle is a frame short and the pose "
         "jumps.",
         "Run 'sinew bake --close', which adds the frame, or export one more frame that matches the first."},
    [LINT_CHANNEL_REPEATED] =
        {"channel-repeated", LINT_WARNING, false, "a channel with the same target as an earlier channel",
         "The specification doesn't allow this. Sinew plays the first, and other players play the last.",
         "Delete the one you don't want."},
    [LINT_TRACK_REDUNDANT] =
        {"track-redundant", LINT_NOTE, true, "a track that always equals the rest pose",
         "A property without a track has its rest value anyway, so the track only costs bytes and time.",
         "Delete it, unless the clip also plays on a skeleton with a different rest pose."},
    [LINT_TRACK_CONSTANT] = {"track-constant", LINT_NOTE, true,
                             "a track with more than two keys that are all equal",
                             "You get the same result with just the first and last keys.",
                             "Delete the keys in between, or enable animation optimization in the exporter."},
    [LINT_TRACK_DUPLICATE] = {"track-duplicate", LINT_NOTE, true, "values stored twice",
                              "Samplers may share an accessor, so the copy only costs bytes.",
                              "Make both samplers use the first accessor."},
    [LINT_TIMES_DUPLICATE] = {"times-duplicate", LINT_NOTE, true, "key times stored twice",
                              "Samplers may share an accessor, and some players search shared key times only once.",
                              "Make all samplers use the first accessor."},
    [LINT_KEYS_DENSE] =
        {"keys-dense", LINT_NOTE, true, "keys that interpolation can reproduce",
         "At least half of a timeline's keys can be interpolated from their neighbors within 0.01 degrees and a "
         "ten-thousandth of the model's size. They cost bytes, and you can't see the difference.",
         "Export fewer keys, or run 'sinew optimize'. --fix only removes keys that change nothing except "
         "rounding."},
    [LINT_WEIGHTS_COUNT] = {"weights-count", LINT_WARNING, false,
                            "a morph weight count that doesn't match the morph targets",
                            "The specification requires one weight per target. Sinew ignores extra weights and "
                            "uses 0 for missing ones. Other players refuse the file or read past the end.",
                            "Write one weight per morph target, or delete the weights."},
    [LINT_WEIGHTS_WITHOUT_TARGETS] =
        {"weights-without-targets", LINT_WARNING, false, "a weights channel on a node without morph targets",
         "It has no effect. The exporter may have dropped the mesh's targets, or the channel is on the wrong node.",
         "Export the morph targets, or delete the channel."},
    [LINT_MARKER_OUTSIDE] = {"marker-outside", LINT_WARNING, false,
                             "a marker before 0 or after its clip's last key",
                             "Playback never reaches it, so Sinew ignores it and you miss the footstep or the hit.",
                             "Write seconds, not frames, or move the marker into the clip."},
    [LINT_MARKER_TWICE] =
        {"marker-twice", LINT_WARNING, false, "markers with the same name within a millisecond",
         "Each one is an event, so you hear the footstep twice. A marker in the file and one in the sidecar file "
         "are merged into one event only if their times are the same 32-bit float.",
         "Delete one of them."},
    [LINT_CURVE_IGNORED] = {"curve-ignored", LINT_WARNING, false, "a member of extras.curves that isn't a curve",
                            "A curve is an object with times and values. Sinew ignores everything else, so a "
                            "misspelled curve stays at its rest value.",
                            "Write {\"times\": [0, 1], \"values\": [0, 1]}, or move it elsewhere in extras."},
    [LINT_CURVE_TWICE] = {"curve-twice", LINT_WARNING, false, "a clip with the same curve twice",
                          "Sinew plays the first one in the sidecar file. Changes to the other one have no effect.",
                          "Delete one of them."},
    [LINT_CURVE_STILL] = {"curve-still", LINT_NOTE, false, "a curve that no clip moves",
                          "Every key in every clip equals the curve's rest value, so a program that reads the "
                          "curve never sees a change.",
                          "Write keys, or delete the curve."},
    [LINT_POINTER_IGNORED] = {"pointer-ignored", LINT_WARNING, false,
                              "a KHR_animation_pointer channel that has no effect",
                              "It doesn't animate anything. The pointer doesn't lead to a number or boolean in the "
                              "file, or an earlier channel has the same target.",
                              "Fix the pointer, add the property to the file, or delete the channel."},
    [LINT_POINTER_INVALID] =
        {"pointer-invalid", LINT_WARNING, false, "a target that KHR_animation_pointer doesn't allow",
         "Sinew plays the channel, but other players refuse the file, or animate the node instead of the property.",
         "Write \"path\": \"pointer\" without a node, and list the extension in extensionsUsed."},
    [LINT_WEIGHTS_NOT_FINITE] = {"weights-not-finite", LINT_ERROR, true, "vertex weights that are infinite or NaN",
                                 "Many players don't draw the vertex, or drop the whole mesh. Sinew gives it "
                                 "weight 1 for the skin's first joint.",
                                 "Paint these weights again. --fix binds the vertex to the skin's first joint if "
                                 "that's one of the vertex's joints, and otherwise writes zeros."},
    [LINT_WEIGHTS_SUM] = {"weights-sum", LINT_WARNING, true, "vertex weights that don't sum to 1",
                          "In players that don't normalize weights, the vertex moves toward or away from the "
                          "origin. Sinew normalizes them.",
                          "Normalize the weights. A vertex without any weight uses the skin's first joint, and "
                          "--fix writes that if it's one of the vertex's joints. --fix doesn't change integers."},
    [LINT_INFLUENCES_SMALL] = {"influences-small", LINT_NOTE, false,
                               "more than four joints per vertex with hardly any weight",
                               "Apart from each vertex's four largest weights, the rest add up to 0.01 at most. A "
                               "second set of joints doubles the cost of loading and skinning a vertex.",
                               "Limit the weights to four per vertex in the modeling tool, and export again."},
    [LINT_JOINT_UNUSED] = {"joint-unused", LINT_NOTE, false, "a joint that doesn't move any vertices",
                           "It takes up a matrix in every palette. A node can be animated without being a joint.",
                           "Remove it from the skin's joints, but keep the node, its children and its tracks."},
    [LINT_SKIN_ROOTS] = {"skin-roots", LINT_WARNING, false, "joints without a common root",
                         "The specification requires a common root for all joints in a skin. Players that look for "
                         "one fail, or move only part of the character.",
                         "Put all of the skin's joints below one node."},
    [LINT_SKIN_SKELETON] = {"skin-skeleton", LINT_WARNING, false,
                            "a skin whose skeleton isn't an ancestor of all its joints",
                            "If the skeleton property is set, the specification requires a common ancestor of the "
                            "joints. Sinew ignores it. Players that start from it move only part of the character.",
                            "Delete the property, or set it to a common ancestor of all joints."},
    [LINT_JOINTS_OUTSIDE] = {"joints-outside-scene", LINT_WARNING, false, "joints outside their mesh's scene",
                             "The specification requires both to be in the same scene. Players that load only one "
                             "scene won't find these joints.",
                             "Add the joints' root to the scene."},
    [LINT_INVERSE_BINDS_MISSING] = {"inverse-binds-missing", LINT_WARNING, false,
                                    "a skin without inverse bind matrices",
                                    "They default to identity, so the mesh must be modeled in each joint's space. "
                                    "That's rarely what you want.",
                                    "Export inverse bind matrices, even if they're identities."},
    [LINT_INVERSE_BINDS_SHORT] = {"inverse-binds-short", LINT_ERROR, false,
                                  "fewer inverse bind matrices than joints",
                                  "The last joints have no matrix, so Sinew refuses the file.",
                                  "Export the file again."},
    [LINT_INVERSE_BINDS_ROW] = {"inverse-binds-row", LINT_WARNING, false,
                                "inverse bind matrices whose last row isn't 0 0 0 1",
                                "The specification requires that row, and Sinew assumes it. A shader that "
                                "multiplies 4x4 matrices shrinks or projects the mesh.",
                                "Write the matrices column-major, with 0 0 0 1 as their last row."},
    [LINT_INVERSE_BINDS_REST] =
        {"inverse-binds-rest", LINT_NOTE, false, "inverse bind matrices that don't match the rest pose",
         "The mesh was bound in a different pose, so it doesn't look the way it was modeled when it's in the rest "
         "pose. This may be intentional.",
         "Export with the rest pose as the bind pose, or make sure that a clip is always playing."},
    [LINT_JOINT_MIRRORED] = {"joint-mirrored", LINT_WARNING, false,
                             "a joint with a negative scale, either its own or an ancestor's",
                             "Triangles end up facing the wrong way, and rotations don't blend across a mirror.",
                             "Mirror the mesh and its joints in the modeling tool, and apply the scale."},
    [LINT_JOINT_SHEAR] = {"joint-shear", LINT_WARNING, false, "a sheared joint",
                          "A non-uniform scale above a rotated node shears it. Translation, rotation and scale "
                          "can't express shear, so tools that decompose matrices drop it.",
                          "Apply scales before binding, and don't scale joints that have children."},
    [LINT_NAME_MISSING] = {"name-missing", LINT_NOTE, false, "a clip, joint or animated node without a name",
                           "You can only find it by its index, and you can't bind the clip to another character.",
                           "Name it in the tool that made the file."},
    [LINT_NAME_DUPLICATE] = {"name-duplicate", LINT_WARNING, false, "names that are used twice",
                             "If you search by name, you only find the first. Clips in other files can only tell "
                             "these nodes apart by their parents and order.",
                             "Use unique names. --fix keeps names, because programs may use them."},
    [LINT_UNUSED_DATA] = {"unused-data", LINT_NOTE, true, "bytes that nothing refers to",
                          "They take up space and load time, but have no effect.", "Remove them from the file."},
    [LINT_UNUSED_SAMPLER] = {"unused-sampler", LINT_NOTE, true, "an animation sampler without a channel",
                             "Its keys are stored and loaded, but have no effect.", "Remove it from the file."},
    [LINT_UNUSED_OBJECT] = {"unused-object", LINT_NOTE, false,
                            "an unused mesh, skin, material, texture, image or camera",
                            "It's loaded but never drawn.",
                            "Delete it. --fix keeps it, because the others' indices would change."},
    [LINT_UNUSED_NODE] =
        {"unused-node", LINT_NOTE, false, "a node that isn't in any scene",
         "Players that show a scene don't show it. If it's a joint, the file breaks the specification.",
         "Add it to a scene, or delete it."},
};
