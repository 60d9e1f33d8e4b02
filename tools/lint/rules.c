// SPDX-License-Identifier: MIT
// The table of rules: id, severity, title, why it matters, and advice. docs/lint.md describes each at length.
#include "lint/lint.h"

const char *lint_severity_name(lint_severity severity) {
    static const char *const names[] = {"error", "warning", "note"};
    return names[severity];
}

const lint_rule lint_rules[LINT_RULE_COUNT] = {
    [LINT_REFUSED] = {"refused", LINT_ERROR, false, "the file breaks the specification",
                      "Sinew refuses the file. Other players refuse it or play something else.",
                      "Export the file again, or report the fault to the exporter's authors."},
    [LINT_NOT_FINITE] =
        {"not-finite", LINT_ERROR, false, "infinite numbers or NaN",
         "Such a number spreads to every vertex that it affects, and players don't draw those.",
         "Look for a division by zero in the exporter, such as a scale of 0 or a bone of length 0."},
    [LINT_JSON_KEY_REPEATED] =
        {"json-key-repeated", LINT_WARNING, false, "a JSON object with duplicate names",
         "Sinew reads the first member and many other readers read the last, so they load different files.",
         "Delete all but the intended one."},
    [LINT_PART_IGNORED] = {"part-ignored", LINT_WARNING, false, "an invalid part that animation doesn't need",
                           "Sinew ignores the part or uses default values: a light, camera or material gets its "
                           "defaults, VRM data is left out, an unknown interpolation becomes LINEAR, and a channel "
                           "without keys animates nothing. Other players refuse the file.",
                           "Correct the part, or export the file again."},
    [LINT_MATRIX_SHEAR] =
        {"matrix-shear", LINT_WARNING, false, "a node matrix with shear",
         "The specification requires a product of translation, rotation and scale. Sinew keeps the shear. Many "
         "other players drop it and misplace every vertex below the node.",
         "Apply the transform to the mesh, or split it into a non-uniformly scaled parent and a rotated child."},
    [LINT_MATRIX_ANIMATED] = {"matrix-animated", LINT_WARNING, false,
                              "a channel that animates a node with a matrix",
                              "The specification forbids it. Sinew replaces the animated part and keeps the shear. "
                              "Other players ignore the channel or the matrix.",
                              "Write the node with translation, rotation and scale."},
    [LINT_MATRIX_AND_TRS] =
        {"matrix-and-trs", LINT_WARNING, false, "a node with a matrix and with translation, rotation or scale",
         "Only one is allowed. Sinew reads the matrix. Other players read the rest, or multiply both.",
         "Delete the unintended one."},
    [LINT_SCENE_ROOTS] =
        {"scene-roots", LINT_WARNING, false, "a scene that lists a node with a parent",
         "Only roots are allowed. Players ignore the parents' transforms, show the node twice, or refuse the file.",
         "List the node's root instead."},
    [LINT_ROTATION_FLIP] =
        {"rotation-flip", LINT_WARNING, true, "a rotation key in the opposite hemisphere of the previous key",
         "q and -q are the same rotation, but some players take the longer arc between such keys.",
         "Negate the key and all later keys. This changes no pose."},
    [LINT_SPLINE_FLIP] =
        {"spline-flip", LINT_WARNING, false, "a spline rotation key in the opposite hemisphere of the previous key",
         "A spline doesn't pick the shorter arc, so it passes near 0 between such keys and the joint spins.",
         "Negate the key, its tangents and all later keys in the tool that made the clip."},
    [LINT_ROTATION_NOT_UNIT] = {"rotation-not-unit", LINT_WARNING, true, "a rotation whose length isn't 1",
                                "The specification requires unit quaternions. Some players scale and shear the "
                                "node, and others normalize at different times.",
                                "Normalize the rotations. --fix only does this where no pose changes, so not for "
                                "spline keys or for LINEAR keys with different lengths."},
    [LINT_SPLINE_SINGLE_KEY] =
        {"spline-single-key", LINT_WARNING, true, "a spline with a single key",
         "The specification requires at least two keys. Some players show the in-tangent as a pose.",
         "Make it a STEP track with the key's value."},
    [LINT_TIMES_NOT_FLOAT] = {"times-not-float", LINT_WARNING, false, "key times that aren't floats",
                              "The specification requires 32-bit floats. Sinew converts the times. Other players "
                              "read the bytes as floats, or refuse the file.",
                              "Write the accessor with component type 5126."},
    [LINT_TIMES_BOUNDS] = {"times-bounds", LINT_WARNING, false, "key times without min and max",
                           "The specification requires both, because players take the clip's duration from them.",
                           "Write the accessor's min and max."},
    [LINT_TIMES_START] = {"times-start", LINT_WARNING, false, "a clip that doesn't start at 0",
                          "A clip lasts from 0 to its last key, so it pauses before the first key in every loop.",
                          "Move all keys so the first is at 0, or trim the clip with 'sinew bake --range'. In "
                          "Blender, start the action at frame 0."},
    [LINT_TIMES_NEGATIVE] = {"times-negative", LINT_WARNING, false, "keys before 0 s",
                             "The specification forbids them. Sinew and most players start the clip at 0 s with "
                             "the value there. Others refuse the file, or play from the first key.",
                             "Move all keys so the first is at 0."},
    [LINT_TIMES_REPEATED] = {"times-repeated", LINT_WARNING, false, "several keys at one time",
                             "The specification requires increasing times. Sinew and most players jump from the "
                             "first of these keys to the last. Others refuse the file.",
                             "Remove all but one of the keys, or move them apart."},
    [LINT_LOOP_SEAM] =
        {"loop-seam", LINT_NOTE, false, "a clip that looks like a loop but doesn't close",
         "At the end of each cycle the pose jumps by the difference between the last key and the first.",
         "Make the last key equal to the first. If the exporter omitted the last frame because it repeats the "
         "first, add it again, because players don't wait for it."},
    [LINT_LOOP_SHORT] =
        {"loop-short", LINT_NOTE, false, "a loop that lacks its last frame",
         "Players go from the last key to the first immediately, so each cycle is a frame short and the pose "
         "jumps.",
         "Run 'sinew bake --close', which adds the frame, or export one more frame that equals the first."},
    [LINT_CHANNEL_REPEATED] =
        {"channel-repeated", LINT_WARNING, false, "a channel with the target of an earlier channel",
         "The specification forbids it. Sinew plays the first, and other players play the last.",
         "Delete the unintended one."},
    [LINT_TRACK_REDUNDANT] =
        {"track-redundant", LINT_NOTE, true, "a track that always equals the rest pose",
         "A property without a track has its rest value anyway, so the track only costs bytes and time.",
         "Delete it. Keep it if the clip plays on a skeleton with another rest pose."},
    [LINT_TRACK_CONSTANT] = {"track-constant", LINT_NOTE, true, "a track with more than two keys, all equal",
                             "The first and the last key alone have the same effect.",
                             "Delete the keys between, or enable animation optimization in the exporter."},
    [LINT_TRACK_DUPLICATE] = {"track-duplicate", LINT_NOTE, true, "values stored twice",
                              "Samplers may share an accessor, so the copy only costs bytes.",
                              "Let both samplers use the first accessor."},
    [LINT_TIMES_DUPLICATE] = {"times-duplicate", LINT_NOTE, true, "key times stored twice",
                              "Samplers may share an accessor, and some players search shared key times only once.",
                              "Let all samplers use the first accessor."},
    [LINT_KEYS_DENSE] =
        {"keys-dense", LINT_NOTE, true, "keys that interpolation reproduces",
         "At least half of a timeline's keys can be interpolated from their neighbors within 0.01 degrees and a "
         "ten-thousandth of the model's size. They cost bytes, and nobody can see them.",
         "Export fewer keys, or run 'sinew optimize'. --fix only removes keys that change nothing except "
         "rounding."},
    [LINT_WEIGHTS_COUNT] = {"weights-count", LINT_WARNING, false,
                            "a number of morph weights that doesn't match the morph targets",
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
    [LINT_MARKER_TWICE] = {"marker-twice", LINT_WARNING, false, "markers of one name within a millisecond",
                           "Each one is an event, so you hear the footstep twice. A marker in the file and one in "
                           "the sidecar file are one event only if their times are the same 32-bit float.",
                           "Delete one of them."},
    [LINT_CURVE_IGNORED] = {"curve-ignored", LINT_WARNING, false, "a member of extras.curves that isn't a curve",
                            "A curve is an object with times and values. Sinew ignores everything else, so a "
                            "misspelled curve stays at its rest value.",
                            "Write {\"times\": [0, 1], \"values\": [0, 1]}, or move it elsewhere in extras."},
    [LINT_CURVE_TWICE] = {"curve-twice", LINT_WARNING, false, "a clip with the same curve twice",
                          "The sidecar file's first one plays. Changes to the other have no effect.",
                          "Delete one of them."},
    [LINT_CURVE_STILL] = {"curve-still", LINT_NOTE, false, "a curve that no clip moves",
                          "All keys in all clips equal the curve's rest value. Programs that read it wait for a "
                          "change that doesn't come.",
                          "Write keys, or delete the curve."},
    [LINT_POINTER_IGNORED] = {"pointer-ignored", LINT_WARNING, false,
                              "a channel of KHR_animation_pointer without effect",
                              "It animates nothing. The pointer doesn't lead to a number or boolean in the file, "
                              "or an earlier channel has the same target.",
                              "Correct the pointer, write the property to the file, or delete the channel."},
    [LINT_POINTER_INVALID] =
        {"pointer-invalid", LINT_WARNING, false, "a target that KHR_animation_pointer doesn't allow",
         "Sinew plays the channel, but other players refuse the file, or animate the node instead of the property.",
         "Write \"path\": \"pointer\" without a node, and list the extension in extensionsUsed."},
    [LINT_WEIGHTS_NOT_FINITE] = {"weights-not-finite", LINT_ERROR, true, "vertex weights that are infinite or NaN",
                                 "Many players don't draw the vertex, or drop the whole mesh. Sinew gives it "
                                 "weight 1 for the skin's first joint.",
                                 "Paint these weights again. --fix gives the vertex to the skin's first joint if "
                                 "it's one of its joints, and writes zeros otherwise."},
    [LINT_WEIGHTS_SUM] = {"weights-sum", LINT_WARNING, true, "vertex weights that don't sum to 1",
                          "The vertex moves toward the origin or away from it in players that don't normalize. "
                          "Sinew normalizes weights.",
                          "Normalize the weights. A vertex without any weight uses the skin's first joint, and "
                          "--fix writes that if it's one of the vertex's joints. --fix doesn't change integers."},
    [LINT_INFLUENCES_SMALL] = {"influences-small", LINT_NOTE, false,
                               "more than four joints per vertex with hardly any weight",
                               "All but the four largest weights of each vertex sum to 0.01 at most. A second set "
                               "of joints doubles a vertex's loading and skinning cost.",
                               "Limit the weights to four per vertex in the modeling tool, and export again."},
    [LINT_JOINT_UNUSED] = {"joint-unused", LINT_NOTE, false, "a joint that moves no vertex",
                           "It costs a matrix in every palette. A node can be animated without being a joint.",
                           "Remove it from the skin's joints, but keep the node, its children and its tracks."},
    [LINT_SKIN_ROOTS] = {"skin-roots", LINT_WARNING, false, "joints without a common root",
                         "The specification requires a common root for all joints of a skin. Players that search "
                         "for it fail, or move only part of the character.",
                         "Put all of the skin's joints below one node."},
    [LINT_SKIN_SKELETON] = {"skin-skeleton", LINT_WARNING, false,
                            "a skin whose skeleton isn't an ancestor of all its joints",
                            "The specification requires a common ancestor of the joints, or no skeleton. Sinew "
                            "ignores it. Players that start from it move only part of the character.",
                            "Delete skeleton, or set it to a common ancestor of all joints."},
    [LINT_JOINTS_OUTSIDE] =
        {"joints-outside-scene", LINT_WARNING, false, "joints outside their mesh's scene",
         "The specification requires both in the same scene. Players that load one scene don't have these joints.",
         "List the joints' root in the scene."},
    [LINT_INVERSE_BINDS_MISSING] = {"inverse-binds-missing", LINT_WARNING, false,
                                    "a skin without inverse bind matrices",
                                    "They default to identity, so the mesh must be modeled in each joint's space. "
                                    "That's hardly ever intended.",
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
         "The mesh was bound in another pose, so it doesn't look as modeled in the rest pose. That may be "
         "intended.",
         "Export with the rest pose as the bind pose, or make sure that a clip always plays."},
    [LINT_JOINT_MIRRORED] = {"joint-mirrored", LINT_WARNING, false,
                             "a joint with a negative scale, its own or an ancestor's",
                             "Triangles show their back faces, and rotations don't blend across a mirror.",
                             "Mirror the mesh and its joints in the modeling tool, and apply the scale."},
    [LINT_JOINT_SHEAR] = {"joint-shear", LINT_WARNING, false, "a sheared joint",
                          "A non-uniform scale above a rotated node shears it. Translation, rotation and scale "
                          "can't express shear, so tools that decompose matrices drop it.",
                          "Apply scales before binding, and don't scale joints that have children."},
    [LINT_NAME_MISSING] = {"name-missing", LINT_NOTE, false, "a clip, joint or animated node without a name",
                           "You can find it only by its index, and you can't bind the clip to another character.",
                           "Name it in the tool that made the file."},
    [LINT_NAME_DUPLICATE] =
        {"name-duplicate", LINT_WARNING, false, "names that are used twice",
         "A search by name finds the first. Clips in other files tell such nodes apart only by parents and order.",
         "Use unique names. --fix keeps names, because programs may use them."},
    [LINT_UNUSED_DATA] = {"unused-data", LINT_NOTE, true, "bytes that nothing refers to",
                          "It's stored, sent and loaded, but has no effect.", "Remove it from the file."},
    [LINT_UNUSED_SAMPLER] = {"unused-sampler", LINT_NOTE, true, "an animation sampler without a channel",
                             "Its keys are stored and loaded, but have no effect.", "Remove it from the file."},
    [LINT_UNUSED_OBJECT] = {"unused-object", LINT_NOTE, false,
                            "an unused mesh, skin, material, texture, image or camera",
                            "It's loaded but never drawn.",
                            "Delete it. --fix keeps it, because the others' indices would change."},
    [LINT_UNUSED_NODE] = {"unused-node", LINT_NOTE, false, "a node outside every scene",
                          "Players that show a scene don't show it. As a joint it breaks the specification.",
                          "Add it to a scene, or delete it."},
};
