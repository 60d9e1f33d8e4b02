// The rules: their ids, how bad they are, why they matter and what to do. docs/lint.md has the same, at length.
#include "lint/lint.h"

const char *lint_severity_name(lint_severity severity) {
    static const char *const names[] = {"error", "warning", "note"};
    return names[severity];
}

const lint_rule lint_rules[LINT_RULE_COUNT] = {
    [LINT_REFUSED] = {"refused", LINT_ERROR, false, "the file breaks the specification",
                      "Sinew refuses the file, and other players do, or play something else.",
                      "Export it anew, or tell the maker of the exporter."},
    [LINT_NOT_FINITE] = {"not-finite", LINT_ERROR, false, "numbers that are infinite or not a number",
                         "One of them spreads to every vertex that it has a part in, and these are not drawn.",
                         "Look for a division by zero in what made the file: a scale of 0, a bone without length."},
    [LINT_JSON_KEY_REPEATED] =
        {"json-key-repeated", LINT_WARNING, false, "JSON members of one name in one object",
         "Sinew reads the first of them, many other readers the last: they load different files.",
         "Delete the one that is not meant."},
    [LINT_MATRIX_SHEAR] =
        {"matrix-shear", LINT_WARNING, false, "node matrices with shear",
         "The specification wants matrices that are a translation, a rotation and a scale. Sinew keeps the shear; "
         "many other players lose it, and every vertex below is wrong.",
         "Apply the transform to the mesh where it was made, or use a parent with an uneven scale and a rotated "
         "child."},
    [LINT_MATRIX_ANIMATED] =
        {"matrix-animated", LINT_WARNING, false, "channels that animate a node with a matrix",
         "The specification forbids it. Sinew replaces what the matrix says of that property; other players ignore "
         "the channel or the matrix.",
         "Write the node with translation, rotation and scale."},
    [LINT_MATRIX_AND_TRS] = {"matrix-and-trs", LINT_WARNING, false,
                             "nodes with a matrix and with translation, rotation or scale",
                             "The specification allows one of the two. Sinew reads the matrix; other players read "
                             "the other, or multiply "
                             "both.",
                             "Delete the one that is not meant."},
    [LINT_SCENE_ROOTS] = {"scene-roots", LINT_WARNING, false, "scenes that list nodes which have a parent",
                          "The specification wants root nodes. Players show such a node without its parents' "
                          "transforms, or twice, or "
                          "refuse the file.",
                          "List the root of the node instead."},
    [LINT_ROTATION_FLIP] =
        {"rotation-flip", LINT_WARNING, true, "rotation keys on the far side of the key before",
         "q and -q are the same rotation. A player that does not look which of the two is nearer goes the long way "
         "round between such keys.",
         "Negate the key and those behind it; this changes no pose."},
    [LINT_SPLINE_FLIP] =
        {"spline-flip", LINT_WARNING, false, "spline rotation keys on the far side of the key before",
         "A spline does not look for the shorter way: it goes through 0 between such keys, and the joint whirls "
         "round.",
         "Negate the key, its tangents and all keys behind it, in the tool that made the clip."},
    [LINT_ROTATION_NOT_UNIT] =
        {"rotation-not-unit", LINT_WARNING, true, "rotations that are not of length 1",
         "The specification wants unit quaternions. A player that does not normalise them scales and shears what "
         "it "
         "turns, and those that do differ in when they do it.",
         "Normalise them. --fix does so where that changes no pose in any player: not keys of splines, nor LINEAR "
         "keys "
         "of different lengths."},
    [LINT_SPLINE_SINGLE_KEY] =
        {"spline-single-key", LINT_WARNING, true, "splines of a single key",
         "The specification wants two keys at least. Players that take the first of the three values show the "
         "in-tangent as if it were a pose.",
         "Make it a STEP track of the middle value."},
    [LINT_TIMES_NOT_FLOAT] =
        {"times-not-float", LINT_WARNING, false, "key times that are not floats",
         "The specification wants 32-bit floats. Other players read the bytes as floats, or refuse the file.",
         "Write the accessor with component type 5126."},
    [LINT_TIMES_BOUNDS] = {"times-bounds", LINT_WARNING, false, "key times without min and max",
                           "The specification wants both. Players take the length of a clip from them.",
                           "Write min and max of the accessor."},
    [LINT_TIMES_START] =
        {"times-start", LINT_WARNING, false, "clips that do not start at 0",
         "A clip lasts from 0 to its last key: until its first key the pose stands still, and each loop hitches "
         "there.",
         "Move all keys so that the first is at 0. Blender does this where the action starts at frame 0."},
    [LINT_LOOP_SEAM] =
        {"loop-seam", LINT_NOTE, false, "clips that look like loops and do not close",
         "Each time round the pose jumps by as much as the last key differs from the first.",
         "Make the last key the same as the first. Where the last frame was left out because it repeats the first, "
         "put it back: a player that loops does not wait a frame."},
    [LINT_CHANNEL_REPEATED] =
        {"channel-repeated", LINT_WARNING, false, "channels that move what an earlier channel moves",
         "The specification forbids it. Sinew plays the first of them; other players play the last.",
         "Delete the one that is not meant."},
    [LINT_TRACK_AT_REST] =
        {"track-at-rest", LINT_NOTE, true, "tracks that never leave the rest pose",
         "What has no track is at rest anyway; the track costs bytes and time.",
         "Delete it. Keep it where the clip is to be played on another skeleton, whose rest pose is another."},
    [LINT_TRACK_CONSTANT] = {"track-constant", LINT_NOTE, true, "tracks whose keys are all the same",
                             "Two keys, the first and the last, say as much.",
                             "Delete those between, or let the exporter optimise the size of animations."},
    [LINT_TRACK_DUPLICATE] = {"track-duplicate", LINT_NOTE, true, "values that are in the file twice",
                              "Samplers may share an accessor; the second copy is only loaded again.",
                              "Let both refer to the first."},
    [LINT_TIMES_DUPLICATE] = {"times-duplicate", LINT_NOTE, true, "key times that are in the file twice",
                              "Samplers may share an accessor, and players that see that they do search it once.",
                              "Let all refer to the first."},
    [LINT_KEYS_DENSE] =
        {"keys-dense", LINT_NOTE, true, "keys that say no more than their neighbours",
         "At least half of a timeline's keys lie on the way between others, within 0.01 degrees and a "
         "ten-thousandth "
         "of the model's size: they cost bytes, not looks.",
         "Export with fewer keys, or have a tool resample them. Only keys that are exact to the last bits are "
         "mended."},
    [LINT_WEIGHTS_COUNT] =
        {"weights-count", LINT_WARNING, false, "morph weights that are not as many as morph targets",
         "The specification wants one weight per target. Sinew ignores those beyond and takes 0 for missing ones; "
         "other players refuse the file or read past the end.",
         "Write one weight per morph target, or delete the weights."},
    [LINT_WEIGHTS_WITHOUT_TARGETS] =
        {"weights-without-targets", LINT_WARNING, false, "channels of morph weights on nodes without morph targets",
         "They animate nothing. Often the mesh lost its targets on export, or the channel is on the wrong node.",
         "Export the morph targets, or delete the channel."},
    [LINT_MARKER_OUTSIDE] = {"marker-outside", LINT_WARNING, false, "markers outside their clip",
                             "No player reaches them: the footstep or the hit never comes. Sinew leaves them out.",
                             "Write seconds, not frames; or move the marker where the clip was cut."},
    [LINT_MARKER_TWICE] =
        {"marker-twice", LINT_WARNING, false, "markers of one name within a millisecond",
         "Each is an event of its own: the footstep is heard twice. What the file and the one beside it both have "
         "is one only where the times are the same to the bit.",
         "Delete one of them."},
    [LINT_WEIGHTS_NOT_FINITE] =
        {"weights-not-finite", LINT_ERROR, true, "vertex weights that are infinite or not a number",
         "Many players do not draw such a vertex, or drop the whole mesh. Sinew treats it as weightless: it "
         "follows "
         "the skin's first joint.",
         "Paint the weights of these vertices. Mending gives them to the skin's first joint, or writes 0."},
    [LINT_WEIGHTS_SUM] = {"weights-sum", LINT_WARNING, true, "vertices whose weights do not sum to 1",
                          "Such a vertex is drawn towards the origin or away from it. Sinew normalises weights; "
                          "the GPU code of many "
                          "players does not.",
                          "Normalise them. A vertex without any weight follows the skin's first joint; mending "
                          "writes that where it is one of the vertex's joints. Integers are left as they are."},
    [LINT_INFLUENCES_SMALL] = {"influences-small", LINT_NOTE, false,
                               "more than four joints a vertex, for next to nothing",
                               "All but the four largest weights of each vertex are at most 0.01 together. A "
                               "second set of joints doubles "
                               "what a vertex costs to load and to skin.",
                               "Limit the weights to four a vertex where they are painted, and export again."},
    [LINT_JOINT_UNUSED] =
        {"joint-unused", LINT_NOTE, false, "joints that move no vertex",
         "Each costs a matrix in every palette of every frame. It may be a node without being a joint.",
         "Take it out of the skin's joints; the node, its children and its tracks stay."},
    [LINT_SKIN_ROOTS] =
        {"skin-roots", LINT_WARNING, false, "joints without a common root",
         "The specification wants all joints of a skin below one node. Players that look for that node find none, "
         "or move a part of the character only.",
         "Put all of the skin's joints below one node."},
    [LINT_SKIN_SKELETON] = {"skin-skeleton", LINT_WARNING, false,
                            "skins whose skeleton is not above all of their joints",
                            "The specification wants a common ancestor of the joints there, or nothing. Sinew "
                            "ignores it; players that "
                            "start from it move a part of the character only.",
                            "Delete skeleton, or let it be a node above all joints."},
    [LINT_JOINTS_OUTSIDE] = {"joints-outside-scene", LINT_WARNING, false,
                             "joints outside the scene that shows their mesh",
                             "The specification wants them in the same scene. Players that load one scene have no "
                             "nodes for such joints.",
                             "List the root of the joints in the scene."},
    [LINT_INVERSE_BINDS_MISSING] = {"inverse-binds-missing", LINT_WARNING, false,
                                    "skins without inverse bind matrices",
                                    "They are identities then: the mesh is taken to be modelled around each of its "
                                    "joints, which is hardly ever "
                                    "meant.",
                                    "Export with inverse bind matrices, even where they are identities."},
    [LINT_INVERSE_BINDS_SHORT] = {"inverse-binds-short", LINT_ERROR, false,
                                  "fewer inverse bind matrices than joints",
                                  "The joints behind have none, and the file is refused.", "Export it anew."},
    [LINT_INVERSE_BINDS_ROW] = {"inverse-binds-row", LINT_WARNING, false,
                                "inverse bind matrices whose last row is not 0 0 0 1",
                                "The specification wants that row. Sinew takes it to be so; a shader that "
                                "multiplies whole matrices shrinks "
                                "or projects the mesh.",
                                "Write the matrices column after column, with 0 0 0 1 as their last row."},
    [LINT_INVERSE_BINDS_REST] =
        {"inverse-binds-rest", LINT_NOTE, false, "inverse bind matrices that do not agree with the rest pose",
         "The mesh was bound in another pose than the one that nodes rest in. That may be meant; at rest the mesh "
         "then does not look as it was modelled.",
         "Export with the rest pose as the bind pose, or make sure that some clip always plays."},
    [LINT_JOINT_MIRRORED] =
        {"joint-mirrored", LINT_WARNING, false, "joints with a negative scale",
         "Triangles of a mirrored joint turn their backs, and rotations do not blend through a mirror.",
         "Mirror the mesh and its joints in the tool, and apply the scale."},
    [LINT_JOINT_SHEAR] = {"joint-shear", LINT_WARNING, false, "joints that are sheared",
                          "A scale that differs along its axes, above a rotation, shears. Translation, rotation "
                          "and scale cannot say "
                          "that; tools that take matrices apart lose it.",
                          "Apply scales before binding, and scale no joint that has children."},
    [LINT_NAME_MISSING] = {"name-missing", LINT_NOTE, false, "clips, joints and animated nodes without a name",
                           "Without a name they can only be asked for by number, and a clip cannot be bound to "
                           "another character.",
                           "Give them names where they were made."},
    [LINT_NAME_DUPLICATE] =
        {"name-duplicate", LINT_WARNING, false, "names that are there twice",
         "Who asks by name gets the first, and a clip that is bound to another character by name moves the wrong "
         "node.",
         "Give each a name of its own. --fix leaves names alone, since somebody may ask for them."},
    [LINT_UNUSED_DATA] = {"unused-data", LINT_NOTE, true, "bytes that nothing refers to",
                          "They are stored, sent and loaded for nothing.", "Take them out."},
    [LINT_UNUSED_SAMPLER] = {"unused-sampler", LINT_NOTE, true, "animation samplers without a channel",
                             "Their keys are stored and loaded, and move nothing.", "Take them out."},
    [LINT_UNUSED_OBJECT] =
        {"unused-object", LINT_NOTE, false, "meshes, skins, materials, textures, images and cameras without a use",
         "They are stored and loaded, and never shown.",
         "Delete them. --fix does not, so that the numbers of the others stay what people know."},
    [LINT_UNUSED_NODE] = {"unused-node", LINT_NOTE, false, "nodes outside every scene",
                          "A player that shows scenes does not show them. As joints they break the specification.",
                          "Put them into a scene, or delete them."},
};
