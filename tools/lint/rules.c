// SPDX-License-Identifier: MIT
// The table of rules: id, severity, title, why it matters, and advice. docs/lint.md describes each at length.
#include "lint/lint.h"

const char *lint_severity_name(lint_severity severity) {
    static const char *const names[] = {"error", "warning", "note"};
    return names[severity];
}

const lint_rule lint_rules[LINT_RULE_COUNT] = {
    [LINT_REFUSED] = {"refused", LINT_ERROR, false, "the file breaks the specification",
                      "Sinew refuses the file. Other players refuse it too, or play something else.",
                      "Export the file again, or report the fault to the exporter's authors."},
    [LINT_NOT_FINITE] =
        {"not-finite", LINT_ERROR, false, "numbers that are infinite or not a number",
         "Such a number spreads to every vertex that it affects, and those are not drawn.",
         "Find the division by zero in the tool that wrote the file: a scale of 0, a bone of length 0."},
    [LINT_JSON_KEY_REPEATED] =
        {"json-key-repeated", LINT_WARNING, false, "JSON objects with several members of one name",
         "Sinew reads the first of them, many other readers the last: they load different files.",
         "Delete all but the intended one."},
    [LINT_PART_IGNORED] = {"part-ignored", LINT_WARNING, false, "parts that break the specification",
                           "Sinew plays the file without them: a light, camera or material has default values "
                           "then, VRM data are left "
                           "out, keys of an unknown interpolation are LINEAR, and channels without keys animate "
                           "nothing. Other players refuse the file.",
                           "Correct the part, or export the file again."},
    [LINT_MATRIX_SHEAR] =
        {"matrix-shear", LINT_WARNING, false, "node matrices with shear",
         "The specification requires a product of translation, rotation and scale. Sinew keeps the shear; many "
         "other "
         "players drop it, and every vertex below the node is wrong.",
         "Apply the transform to the mesh, or use a parent with a non-uniform scale and a rotated child."},
    [LINT_MATRIX_ANIMATED] = {"matrix-animated", LINT_WARNING, false, "channels that animate a node with a matrix",
                              "The specification forbids it. Sinew replaces that part of the matrix; other players "
                              "ignore the channel or "
                              "the matrix.",
                              "Write the node with translation, rotation and scale."},
    [LINT_MATRIX_AND_TRS] =
        {"matrix-and-trs", LINT_WARNING, false, "nodes with a matrix and with translation, rotation or scale",
         "The specification allows only one of the two. Sinew reads the matrix; other players read the others, or "
         "multiply both.",
         "Delete the unintended one."},
    [LINT_SCENE_ROOTS] =
        {"scene-roots", LINT_WARNING, false, "scenes that list nodes with a parent",
         "The specification requires root nodes. Players show such a node without its parents' transforms, show it "
         "twice, or refuse the file.",
         "List the root of the node instead."},
    [LINT_ROTATION_FLIP] = {"rotation-flip", LINT_WARNING, true,
                            "rotation keys in the opposite hemisphere of the previous key",
                            "q and -q are the same rotation. A player that does not choose the nearer one "
                            "interpolates along the longer "
                            "arc between such keys.",
                            "Negate the key and those after it; this changes no pose."},
    [LINT_SPLINE_FLIP] =
        {"spline-flip", LINT_WARNING, false, "spline rotation keys in the opposite hemisphere of the previous key",
         "A spline does not choose the shorter arc: it passes near 0 between such keys, and the joint spins.",
         "Negate the key, its tangents and all keys after it, in the tool that made the clip."},
    [LINT_ROTATION_NOT_UNIT] =
        {"rotation-not-unit", LINT_WARNING, true, "rotations that are not of length 1",
         "The specification requires unit quaternions. A player that does not normalize them scales and shears the "
         "node; players that do, normalize at different times.",
         "Normalize them. --fix does so where no player's pose changes: not keys of splines, and not LINEAR keys "
         "of "
         "different lengths."},
    [LINT_SPLINE_SINGLE_KEY] =
        {"spline-single-key", LINT_WARNING, true, "splines with a single key",
         "The specification requires at least two keys. Players that read the first of the three values show the "
         "in-tangent as a pose.",
         "Make it a STEP track of the middle value."},
    [LINT_TIMES_NOT_FLOAT] =
        {"times-not-float", LINT_WARNING, false, "key times that are not floats",
         "The specification requires 32-bit floats. Other players read the bytes as floats, or refuse the file.",
         "Write the accessor with component type 5126."},
    [LINT_TIMES_BOUNDS] = {"times-bounds", LINT_WARNING, false, "key times without min and max",
                           "The specification requires both. Players take the duration of a clip from them.",
                           "Write min and max of the accessor."},
    [LINT_TIMES_START] =
        {"times-start", LINT_WARNING, false, "clips that do not start at 0",
         "A clip lasts from 0 to its last key: until the first key the pose does not move, and "
         "each loop pauses there.",
         "Move all keys so that the first is at 0: 'sinew bake --range' does. In Blender, start the "
         "action at frame 0."},
    [LINT_TIMES_NEGATIVE] = {"times-negative", LINT_WARNING, false, "keys before 0 s",
                             "The specification does not allow them. Sinew and most players show the clip from 0 s "
                             "on; others refuse the file, or play it from its first key.",
                             "Move all keys so that the first is at 0."},
    [LINT_TIMES_REPEATED] =
        {"times-repeated", LINT_WARNING, false, "keys at one time",
         "The specification requires increasing times. Sinew and most players jump there to the "
         "value of the last one; others refuse the file.",
         "Remove all but one of the keys, or move them apart."},
    [LINT_LOOP_SEAM] =
        {"loop-seam", LINT_NOTE, false, "clips that look like loops but do not close",
         "At the end of each cycle the pose jumps by the difference between the last and the first key.",
         "Make the last key equal to the first. If the exporter omitted the last frame because it repeats the "
         "first, "
         "add it again: a player that loops does not wait for a frame."},
    [LINT_LOOP_SHORT] =
        {"loop-short", LINT_NOTE, false, "loops that lack their last frame",
         "A player goes from the last key to the first at once: each cycle is a frame too short, and "
         "the pose jumps by the motion of that frame.",
         "Run 'sinew bake --close', which adds the frame. Or export one frame more, the one that "
         "equals the first."},
    [LINT_CHANNEL_REPEATED] =
        {"channel-repeated", LINT_WARNING, false, "channels with the target of an earlier channel",
         "The specification forbids it. Sinew plays the first of them; other players play the last.",
         "Delete the unintended one."},
    [LINT_TRACK_REDUNDANT] =
        {"track-redundant", LINT_NOTE, true, "tracks that are always equal to the rest pose",
         "A property without a track has its rest value; the track only costs bytes and time.",
         "Delete it. Keep it if the clip is played on another skeleton with another rest pose."},
    [LINT_TRACK_CONSTANT] = {"track-constant", LINT_NOTE, true, "tracks whose keys are all equal",
                             "Two keys, the first and the last, have the same effect.",
                             "Delete the keys between, or enable the exporter's optimisation of animations."},
    [LINT_TRACK_DUPLICATE] = {"track-duplicate", LINT_NOTE, true, "values that are stored twice",
                              "Samplers may share an accessor; the copy only costs bytes.",
                              "Let both samplers refer to the first accessor."},
    [LINT_TIMES_DUPLICATE] = {"times-duplicate", LINT_NOTE, true, "key times that are stored twice",
                              "Samplers may share an accessor, and players search shared key times once.",
                              "Let all samplers refer to the first accessor."},
    [LINT_KEYS_DENSE] =
        {"keys-dense", LINT_NOTE, true, "keys that interpolation of their neighbours reproduces",
         "At least half of a timeline's keys are reproduced within 0.01 degrees and a ten-thousandth of the "
         "model's "
         "size: they cost bytes and are not visible.",
         "Export fewer keys, or resample the clip with a tool. --fix removes only keys that are exact except for "
         "rounding."},
    [LINT_WEIGHTS_COUNT] = {"weights-count", LINT_WARNING, false,
                            "morph weights whose number differs from that of the morph targets",
                            "The specification requires one weight per target. Sinew ignores extra weights and "
                            "uses 0 for missing ones; "
                            "other players refuse the file or read past the end.",
                            "Write one weight per morph target, or delete the weights."},
    [LINT_WEIGHTS_WITHOUT_TARGETS] =
        {"weights-without-targets", LINT_WARNING, false, "channels of morph weights on nodes without morph targets",
         "They have no effect. Often the exporter dropped the mesh's targets, or the channel is on the wrong node.",
         "Export the morph targets, or delete the channel."},
    [LINT_MARKER_OUTSIDE] =
        {"marker-outside", LINT_WARNING, false, "markers outside their clip",
         "Playback never reaches them: the footstep or the hit is not reported. Sinew ignores them.",
         "Write seconds, not frames; or move the marker into the clip."},
    [LINT_MARKER_TWICE] = {"marker-twice", LINT_WARNING, false, "markers of one name within a millisecond",
                           "Each is an event of its own: the footstep is heard twice. A marker of the file and one "
                           "of the sidecar file "
                           "are one event only if their times are equal to the bit.",
                           "Delete one of them."},
    [LINT_CURVE_IGNORED] = {"curve-ignored", LINT_WARNING, false, "members of extras.curves that aren't curves",
                            "A curve is an object with times and values. Sinew ignores anything else there, so "
                            "that a misspelt curve stays "
                            "at its rest value.",
                            "Write {\"times\": [0, 1], \"values\": [0, 1]}, or move it elsewhere in extras."},
    [LINT_CURVE_TWICE] =
        {"curve-twice", LINT_WARNING, false, "curves that one clip has twice",
         "The clip plays the first one of the sidecar file. Changes of the other one have no effect.",
         "Delete one of them."},
    [LINT_CURVE_STILL] = {"curve-still", LINT_NOTE, false, "curves that no clip moves",
                          "All keys in all clips are the value that the curve has without a clip. Programs that "
                          "read it wait for a change "
                          "that does not come.",
                          "Write keys, or delete the curve."},
    [LINT_POINTER_IGNORED] = {"pointer-ignored", LINT_WARNING, false,
                              "channels of KHR_animation_pointer without an effect",
                              "Nothing is animated by them: the pointer leads to no number of the file, or an "
                              "earlier channel has the target.",
                              "Correct the pointer, write the property to the file, or delete the channel."},
    [LINT_POINTER_INVALID] =
        {"pointer-invalid", LINT_WARNING, false, "targets that KHR_animation_pointer does not allow",
         "Sinew plays them, but other players refuse the file, or animate the node instead of the property.",
         "Write \"path\": \"pointer\" without a node, and list the extension in extensionsUsed."},
    [LINT_WEIGHTS_NOT_FINITE] =
        {"weights-not-finite", LINT_ERROR, true, "vertex weights that are infinite or not a number",
         "Many players do not draw such a vertex, or drop the whole mesh. Sinew gives it weight 1 for the skin's "
         "first joint.",
         "Paint the weights of these vertices. --fix gives them to the skin's first joint, or writes 0."},
    [LINT_WEIGHTS_SUM] =
        {"weights-sum", LINT_WARNING, true, "vertices whose weights do not sum to 1",
         "Such a vertex is displaced towards the origin or away from it. Sinew normalizes weights; the GPU code of "
         "many players does not.",
         "Normalize them. A vertex without weights uses the skin's first joint; --fix writes that weight if the "
         "joint "
         "is one of the vertex's. Integers are not changed."},
    [LINT_INFLUENCES_SMALL] =
        {"influences-small", LINT_NOTE, false, "more than four joints per vertex with hardly any weight",
         "All but the four largest weights of each vertex sum to 0.01 or less. A second set of joints doubles the "
         "cost of a vertex in loading and skinning.",
         "Limit the weights to four per vertex in the modelling tool, and export again."},
    [LINT_JOINT_UNUSED] =
        {"joint-unused", LINT_NOTE, false, "joints that move no vertex",
         "Each costs a matrix in every palette of every frame. A node can be animated without being a joint.",
         "Remove it from the skin's joints; keep the node, its children and its tracks."},
    [LINT_SKIN_ROOTS] =
        {"skin-roots", LINT_WARNING, false, "joints without a common root",
         "The specification requires a common root node for all joints of a skin. Players that search for it find "
         "none, or move only a part of the character.",
         "Put all of the skin's joints below one node."},
    [LINT_SKIN_SKELETON] = {"skin-skeleton", LINT_WARNING, false,
                            "skins whose skeleton is not an ancestor of all their joints",
                            "The specification requires a common ancestor of the joints, or no skeleton. Sinew "
                            "ignores it; players that "
                            "start from it move only a part of the character.",
                            "Delete skeleton, or set it to a common ancestor of all joints."},
    [LINT_JOINTS_OUTSIDE] = {"joints-outside-scene", LINT_WARNING, false, "joints outside the scene of their mesh",
                             "The specification requires both in the same scene. Players that load one scene have "
                             "no nodes for such joints.",
                             "List the root of the joints in the scene."},
    [LINT_INVERSE_BINDS_MISSING] = {"inverse-binds-missing", LINT_WARNING, false,
                                    "skins without inverse bind matrices",
                                    "They are identities then: the mesh must be modelled in the space of each of "
                                    "its joints, which is hardly ever "
                                    "intended.",
                                    "Export inverse bind matrices, even if they are identities."},
    [LINT_INVERSE_BINDS_SHORT] = {"inverse-binds-short", LINT_ERROR, false,
                                  "fewer inverse bind matrices than joints",
                                  "The last joints have none, and the file is refused.", "Export the file again."},
    [LINT_INVERSE_BINDS_ROW] =
        {"inverse-binds-row", LINT_WARNING, false, "inverse bind matrices whose last row is not 0 0 0 1",
         "The specification requires that row. Sinew ignores it; a shader that multiplies 4x4 matrices shrinks or "
         "projects the mesh.",
         "Write the matrices column-major, with 0 0 0 1 as their last row."},
    [LINT_INVERSE_BINDS_REST] =
        {"inverse-binds-rest", LINT_NOTE, false, "inverse bind matrices that do not match the rest pose",
         "The mesh was bound in another pose than the rest pose of the nodes. That may be intended; in the rest "
         "pose "
         "the mesh then does not look as it was modelled.",
         "Export with the rest pose as the bind pose, or make sure that a clip always plays."},
    [LINT_JOINT_MIRRORED] =
        {"joint-mirrored", LINT_WARNING, false, "joints with a negative scale",
         "Triangles of a mirrored joint show their back faces, and rotations do not blend across a mirror.",
         "Mirror the mesh and its joints in the modelling tool, and apply the scale."},
    [LINT_JOINT_SHEAR] =
        {"joint-shear", LINT_WARNING, false, "joints that are sheared",
         "A non-uniform scale of an ancestor of a rotated node shears it. Translation, rotation and scale cannot "
         "express shear; tools that decompose matrices drop it.",
         "Apply scales before binding, and do not scale joints that have children."},
    [LINT_NAME_MISSING] = {"name-missing", LINT_NOTE, false, "clips, joints and animated nodes without a name",
                           "They can only be found by index, and a clip cannot be bound to another character.",
                           "Name them in the tool that made the file."},
    [LINT_NAME_DUPLICATE] =
        {"name-duplicate", LINT_WARNING, false, "names that are used twice",
         "A search by name finds the first. A clip of another file tells such nodes apart by their parents and "
         "their "
         "order only.",
         "Give each a unique name. --fix does not change names, because programs may use them."},
    [LINT_UNUSED_DATA] = {"unused-data", LINT_NOTE, true, "bytes that nothing refers to",
                          "They are stored, sent and loaded, and have no effect.", "Remove them."},
    [LINT_UNUSED_SAMPLER] = {"unused-sampler", LINT_NOTE, true, "animation samplers without a channel",
                             "Their keys are stored and loaded, and have no effect.", "Remove them."},
    [LINT_UNUSED_OBJECT] = {"unused-object", LINT_NOTE, false,
                            "meshes, skins, materials, textures, images and cameras without a use",
                            "They are stored and loaded, and never drawn.",
                            "Delete them. --fix doesn't, because that would change the indices of others."},
    [LINT_UNUSED_NODE] = {"unused-node", LINT_NOTE, false, "nodes outside every scene",
                          "A player that shows a scene does not show them. As joints they break the specification.",
                          "Add them to a scene, or delete them."},
};
