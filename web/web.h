// SPDX-License-Identifier: MIT
// The interface between the WebAssembly module and JavaScript: functions that take and return only numbers.
// exports.txt lists them, along with the public functions that already do so. Functions here wrap the public ones that
// take or return structs. Pointers are addresses in the module's memory. Strings end with 0. The page allocates input
// data with malloc.
//
// An action is its slot's index + 1; 0 is no action. A 64-bit handle would be a BigInt, which makes garbage in each
// call. JavaScript looks the action up again before each call.
//
// These functions don't check arguments. The package (package/*.js) checks them all.
#ifndef SINEW_WEB_H
#define SINEW_WEB_H

#include <sinew/all.h>

// One character: a mixer, and palettes for all of its asset's skins.
typedef struct web_mixer web_mixer;

// A skeleton's legs, and when each clip's feet are on the ground.
typedef struct web_legs web_legs;

// One character's foot locking.
typedef struct web_foot_lock web_foot_lock;

// A clip's root motion warping.
typedef struct web_warp web_warp;

// Characters to update in one call.
typedef struct web_batch web_batch;

// A file from the page: the one to load, or one of its sidecar files.
typedef struct web_file {
    char *name;    // the glTF file's `uri` for it, decoded
    uint8_t *data; // [size]
    size_t size;
} web_file;

// [16] floats: results of functions that return several numbers.
float *web_numbers(void);

// The reason for the last failure, one line.
const char *web_error(void);

// ---- Assets --------------------------------------------------------------------------------------------------

// Loads a .glb, a .gltf or a baked asset from memory. The first bytes tell which. The data, the files and their names
// may be freed afterwards. `markers` is the name of the file with markers and curves, or NULL. It must be NULL for a
// baked asset. `decode` and `draco` are the meshopt and Draco decoders' indices in the module's function table, or 0.
// Returns NULL on failure, with the reason in web_error. Free it with sinew_asset_destroy.
sinew_asset *web_asset_load(const uint8_t *data, size_t size, const web_file *files, int32_t file_count,
                            const char *markers, sinew_meshopt_decode decode, sinew_draco_decode draco);

// A parsed file's content, for web_asset_assemble. Nodes are given by their index in the file. The page owns the
// arrays and may free them afterwards. Names must not be NULL.
typedef struct web_node {
    const char *name;
    int32_t parent; // or SINEW_NO_NODE
    sinew_transform rest;
    const sinew_mat4 *matrix; // replaces `rest`; or NULL
    int32_t weight_count;
    const float *rest_weights; // [weight_count], or NULL for zeros
} web_node;

typedef struct web_skin {
    const char *name;
    int32_t joint_count;
    int32_t *joints;                 // [joint_count]
    const sinew_mat4 *inverse_binds; // [joint_count], or NULL for identities
} web_skin;

typedef struct web_clip {
    const char *name;
    int32_t channel_count;
    sinew_channel_def *channels; // [channel_count]
    int32_t marker_count;
    const sinew_marker *markers; // [marker_count]
} web_clip;

typedef struct web_mesh_node {
    int32_t node, mesh, skin; // skin: or -1
    int32_t drawn;
} web_mesh_node;

// A primitive's vertices, for the bounds of poses. The fields are sinew_bounds_mesh's.
typedef struct web_bounded {
    int32_t node_count;
    int32_t *nodes; // [node_count]
    int32_t skin;   // or -1
    int32_t vertex_count;
    const float *positions;
    int32_t index_count;
    const uint32_t *indices;
    int32_t influences;
    const uint16_t *joints;
    const float *weights;
    int32_t target_count;
    const float *const *target_positions;
} web_bounded;

typedef struct web_content {
    int32_t node_count;
    const web_node *nodes;
    int32_t skin_count;
    const web_skin *skins;
    int32_t clip_count;
    const web_clip *clips;
    int32_t mesh_count;
    const char *const *mesh_names;
    int32_t mesh_node_count;
    const web_mesh_node *mesh_nodes;
    int32_t bounded_count;
    const web_bounded *bounded;
} web_content;

// Makes an asset from a parsed file, without vertices, materials and images. Overwrites the node indices in the
// arrays. Returns NULL on failure, with the reason in web_error. Free it with sinew_asset_destroy.
sinew_asset *web_asset_assemble(const web_content *content);

// The asset's skeleton. The package reads its rest pose.
const sinew_skeleton *web_asset_skeleton(const sinew_asset *asset);

// The asset's content as JSON: names, numbers and array addresses. NULL if memory ran out. Free it with free.
char *web_asset_describe(const sinew_asset *asset);

// Makes an additive clip: the difference between `clip` and the pose of `reference` at `time`. If `reference` is
// NULL, uses the rest pose. Returns NULL on failure, with the reason in web_error. Free it with sinew_clip_destroy.
sinew_clip *web_clip_make_additive(const sinew_clip *clip, const sinew_clip *reference, float time);

// How web_clip_bind matches nodes: see sinew_bind_def.
typedef struct web_bind {
    int32_t name_count;
    const char *names; // [2 × name_count], in pairs: a clip's node, then the asset's node
    int32_t ignore_prefixes;
    int32_t rotations_only;
    float min_match;
    int32_t *bound_nodes; // [channel_count of the clip], written
} web_bind;

// Copies a clip to the skeleton of another asset. Returns NULL on failure, with the reason in web_error. Free it with
// sinew_clip_destroy.
sinew_clip *web_clip_bind(const sinew_clip *clip, const sinew_asset *asset, const web_bind *bind);

// Copies part of a clip. Returns NULL on failure, with the reason in web_error. Free it with sinew_clip_destroy.
sinew_clip *web_clip_subclip(const sinew_clip *clip, float start, float end, const char *name);

// Combines clips. Writes the new clips to `combined` [count], and whether each clip is left out to `left_out`
// [count]. Returns the number of new clips, or -1 with the reason in web_error. Free them with sinew_clip_destroy.
int32_t web_clip_combine(const sinew_clip *const *clips, int32_t count, sinew_clip **combined, bool *left_out);

// The clip as JSON, in web_asset_describe's form.
char *web_clip_describe(const sinew_clip *clip);

// ---- Masks and blend spaces ----------------------------------------------------------------------------------

// Makes a mask with the same factor for all nodes. Returns NULL if memory ran out, with the reason in web_error. Free
// it with sinew_mask_destroy, after every mixer that uses it.
sinew_mask *web_mask_create(const sinew_asset *asset, float factor);

// [node_count] factors.
const float *web_mask_factors(const sinew_mask *mask);

// Makes a blend space. `names` are `name_count` consecutive strings: the sync markers. `names` and `samples` may be
// freed afterwards. Returns NULL on failure, with the reason in web_error. Free it with sinew_blend_space_destroy,
// after every mixer that uses it.
sinew_blend_space *web_space_create(const sinew_asset *asset, sinew_blend_space_kind kind,
                                    const sinew_blend_sample *samples, int32_t sample_count, const char *names,
                                    int32_t name_count, float damping, bool match_speed, float min_rate,
                                    float max_rate);

// [web_space_triangle_count] triples of sample indices.
const sinew_blend_triangle *web_space_triangles(const sinew_blend_space *space);
int32_t web_space_triangle_count(const sinew_blend_space *space);

// The samples that have a weight at (x, y): [web_space_weight_count] pairs of an index and a float. Valid until the
// next call.
const sinew_blend_weight *web_space_weights(const sinew_blend_space *space, float x, float y);
int32_t web_space_weight_count(void);

// Sets each sample's position to its clip's ground velocity. `nodes` are [count] feet; with a count of 0, feet are
// found by shape. Returns false on failure, with the reason in web_error.
bool web_space_measure(const sinew_asset *asset, sinew_blend_space_kind kind, sinew_blend_sample *samples,
                       int32_t sample_count, const int32_t *nodes, int32_t count);

// Writes to web_numbers: sinew_blend_space_stride (speed, rate, length).
void web_space_stride(const sinew_blend_space *space, float x, float y);

// ---- Feet ----------------------------------------------------------------------------------------------------

// The ground speed of a clip, valid until the next call. `nodes` are as for web_space_measure. Returns NULL on
// failure, with the reason in web_error. web_speed_foot_node returns the node of each foot, then SINEW_NO_NODE.
const sinew_clip_speed *web_clip_measure_speed(const sinew_asset *asset, const sinew_clip *clip,
                                               const int32_t *nodes, int32_t count);
int32_t web_speed_foot_node(int32_t foot);

// Makes legs, and finds when each clip's feet are on the ground. `nodes` has four entries for each of [count] legs:
// thigh, shin, foot, and toes or SINEW_NO_NODE. If has_names, `names` are 2 * count consecutive strings: first the
// markers at which each foot comes down, then those at which it lifts. The arrays may be freed afterwards. Returns
// NULL on failure, with the reason in web_error. Free it with web_legs_destroy, after every character that uses it.
web_legs *web_legs_create(const sinew_asset *asset, const int32_t *nodes, int32_t count,
                          const sinew_clip *const *clips, int32_t clip_count, const char *names, bool has_names);
void web_legs_destroy(web_legs *legs);

// sinew_foot_contacts_find.
const sinew_clip_contacts *web_legs_contacts(const web_legs *legs, const sinew_clip *clip);

// Makes a character's foot locking. The character and the legs must outlive it. Returns NULL if memory ran out, with
// the reason in web_error.
web_foot_lock *web_foot_lock_create(web_mixer *character, const web_legs *legs);
void web_foot_lock_destroy(web_foot_lock *lock);

// [10] floats: contact_on to height of sinew_foot_lock. The address does not change.
float *web_foot_lock_settings(web_foot_lock *lock);
sinew_foot_lock_state *web_foot_lock_state(web_foot_lock *lock);
void web_foot_lock_release(web_foot_lock *lock);
bool web_foot_lock_is_locked(const web_foot_lock *lock, int32_t leg);

// Applies foot locking to the last update's pose, including matrices and palettes. Reads the character's column-major
// world matrix from web_numbers.
void web_foot_lock_solve(web_foot_lock *lock, float dt);

// ---- Mixers --------------------------------------------------------------------------------------------------

// Flags for sinew_root_motion_def: the extracted axes, and close_loops.
enum { WEB_ROOT_X = 1, WEB_ROOT_Y = 2, WEB_ROOT_Z = 4, WEB_ROOT_YAW = 8, WEB_ROOT_CLOSE_LOOPS = 16 };

// Makes a character in the rest pose. `max_actions` is 1 to 64, `layer_count` 1 to 8. `names` are `name_count`
// consecutive strings: the sync markers. The call takes ownership of them, even if it fails. `root` is the root
// motion node, or SINEW_NO_NODE.
//
// `binding` and `rig` are optional. With a binding, an animator drives the character, and each update advances it.
// With the binding's rig, a sinew_character does. `asset`, `binding` and `rig` must outlive the character.
//
// Returns NULL on failure, with the reason in web_error: no memory, or the root's motion can't be extracted. Free it
// with web_mixer_destroy.
web_mixer *web_mixer_create(const sinew_asset *asset, int32_t max_actions, int32_t layer_count, char *names,
                            int32_t name_count, int32_t root, uint32_t root_flags,
                            const sinew_graph_binding *binding, const sinew_rig *rig);
void web_mixer_destroy(web_mixer *character);

// Replaces the graph of an animator's character by another version, which continues from the current state
// (sinew_animator_adopt). This replaces the mixer. `binding` must outlive the character; the old one is no longer
// used. Returns false if memory ran out, with the reason in web_error, and changes nothing.
bool web_mixer_set_graph(web_mixer *character, const sinew_graph_binding *binding, float duration);

// The character's mixer, for the public functions, and its animator or NULL.
sinew_mixer *web_mixer_mixer(web_mixer *character);
sinew_animator *web_mixer_animator(web_mixer *character);

// [joint_count] matrices for each of the asset's skins, in order. The address doesn't change.
const sinew_affine *web_mixer_palettes(const web_mixer *character);

// Keeps model matrices up to date from now on. Batches don't write them otherwise.
void web_mixer_keep_model(web_mixer *character);

// The current local transforms of all nodes, in ten consecutive planes of `web_mixer_stride` floats: translation x,
// y, z, rotation x, y, z, w and scale x, y, z. The address doesn't change.
const float *web_mixer_pose(web_mixer *character);
int32_t web_mixer_stride(const web_mixer *character);

// Sets the factor for every step: 0 or more, default 1.
void web_mixer_set_time_scale(web_mixer *character, float scale);

// Calls sinew_animator_advance if there is an animator, then sinew_mixer_update. Updates palettes if the pose
// changed. With a rig, calls web_mixer_begin and web_mixer_end instead.
bool web_mixer_update(web_mixer *character, float dt);

// sinew_mixer_edit_pose. Returns the address like web_mixer_pose.
float *web_mixer_edit_pose(web_mixer *character);

// sinew_mixer_finish_pose. Also updates the palettes.
void web_mixer_finish_pose(web_mixer *character);

// ---- Playing -------------------------------------------------------------------------------------------------

// Sets the sinew_play_def for the next play, transition or queue call.
void web_play_def(float time, float speed, float weight, float fade, int32_t layer, int32_t sync, sinew_loop loop,
                  int32_t loop_count, bool restart);

// Sets the sinew_transition for the next transition or queue call.
void web_transition(sinew_transition_kind kind, float duration, sinew_easing easing, bool match_rate);

// sinew_mixer_play, sinew_mixer_transition_to, sinew_action_queue and sinew_mixer_find. The source is a clip or a
// blend space; the other is NULL. (x, y) is the blend space's parameter.
uint32_t web_mixer_play(web_mixer *character, const sinew_clip *clip, const sinew_blend_space *space, float x,
                        float y);
uint32_t web_mixer_transition_to(web_mixer *character, const sinew_clip *clip, const sinew_blend_space *space,
                                 float x, float y);
void web_action_queue(sinew_mixer *mixer, uint32_t action, const sinew_clip *clip, const sinew_blend_space *space,
                      float x, float y);
uint32_t web_action_find(const sinew_mixer *mixer, int32_t layer, const sinew_clip *clip,
                         const sinew_blend_space *space);

// sinew_action_queue_previous and sinew_action_queue_fade_out.
bool web_action_queue_previous(sinew_mixer *mixer, uint32_t action);
void web_action_queue_fade_out(sinew_mixer *mixer, uint32_t action, float duration);

// ---- One action ----------------------------------------------------------------------------------------------

// The public sinew_action_* functions of the same names.
void web_action_stop(sinew_mixer *mixer, uint32_t action);
void web_action_set_paused(sinew_mixer *mixer, uint32_t action, bool paused);
void web_action_reset(sinew_mixer *mixer, uint32_t action);
void web_action_fade_to(sinew_mixer *mixer, uint32_t action, float weight, float duration);
void web_action_fade_out(sinew_mixer *mixer, uint32_t action, float duration);
bool web_action_is_paused(const sinew_mixer *mixer, uint32_t action);
bool web_action_is_finished(const sinew_mixer *mixer, uint32_t action);
const sinew_clip *web_action_clip(const sinew_mixer *mixer, uint32_t action);
int32_t web_action_loops_done(const sinew_mixer *mixer, uint32_t action);
float web_action_time(const sinew_mixer *mixer, uint32_t action);
void web_action_set_time(sinew_mixer *mixer, uint32_t action, float time);
float web_action_speed(const sinew_mixer *mixer, uint32_t action);
void web_action_set_speed(sinew_mixer *mixer, uint32_t action, float speed);
float web_action_weight(const sinew_mixer *mixer, uint32_t action);
void web_action_set_weight(sinew_mixer *mixer, uint32_t action, float weight);
void web_action_set_loop(sinew_mixer *mixer, uint32_t action, sinew_loop loop, int32_t loop_count);
void web_action_set_parameter(sinew_mixer *mixer, uint32_t action, float x, float y);

// Writes the current parameter of the action's blend space to web_numbers: x, y.
void web_action_parameter(const sinew_mixer *mixer, uint32_t action);

// ---- Graphs --------------------------------------------------------------------------------------------------

// Loads a graph from its file's text, which may be freed afterwards. Returns NULL on failure, with the reason in
// web_error. Free it with sinew_graph_destroy, after all of its bindings.
sinew_graph *web_graph_load(const char *text, size_t size);

// The graph's content as JSON. NULL if memory ran out. Free it with free.
char *web_graph_describe(const sinew_graph *graph);

// Binds a graph to an asset's clips. A name that isn't in the asset is looked up in `clips`. The asset and the clips
// must outlive the binding; the array `clips` may be freed. Returns NULL on failure, with the reason in web_error.
// Free it with sinew_graph_binding_destroy, after every character that it drives.
sinew_graph_binding *web_graph_bind(const sinew_graph *graph, const sinew_asset *asset,
                                    const sinew_clip *const *clips, int32_t clip_count);

// A state's clip, a state's blend space, the clip of one of its samples, and a layer's mask. Each may be NULL.
const sinew_clip *web_binding_clip(const sinew_graph_binding *binding, int32_t state);
const sinew_blend_space *web_binding_space(const sinew_graph_binding *binding, int32_t state);
const sinew_clip *web_binding_sample_clip(const sinew_graph_binding *binding, int32_t state, int32_t sample);
const sinew_mask *web_binding_mask(const sinew_graph_binding *binding, int32_t layer);

// sinew_animator_vector2. Writes x, y to web_numbers.
void web_animator_vector2(const sinew_animator *animator, int32_t parameter);

// sinew_animator_set_vector3, and sinew_animator_vector3, which writes to web_numbers.
void web_animator_set_vector3(sinew_animator *animator, int32_t parameter, float x, float y, float z);
void web_animator_vector3(const sinew_animator *animator, int32_t parameter);

// sinew_animator_set_transform and sinew_animator_transform, through web_numbers: position, rotation.
void web_animator_set_transform(sinew_animator *animator, int32_t parameter);
void web_animator_transform(const sinew_animator *animator, int32_t parameter);

// sinew_animator_force_state, with the transition that the last web_transition set.
void web_animator_force_state(sinew_animator *animator, int32_t state);

// The most events a graph sends in one step: two layers take as many transitions as they can.
enum { WEB_MAX_GRAPH_EVENTS = 64 };

// The events of the last step and since: four integers each. The address doesn't change.
const sinew_graph_event *web_animator_events(const sinew_animator *animator);
int32_t web_animator_event_count(const sinew_animator *animator);

// ---- Snapshots -----------------------------------------------------------------------------------------------

// sinew_mixer_*, or sinew_animator_* if an animator drives the character.
size_t web_mixer_snapshot_size(const web_mixer *character);
void web_mixer_save(const web_mixer *character, void *memory);
bool web_mixer_restore(web_mixer *character, const void *memory, size_t size);

// ---- Results -------------------------------------------------------------------------------------------------

// sinew_mixer_root_delta. Writes translation, rotation, yaw to web_numbers.
void web_mixer_root_delta(const web_mixer *character);

// ---- Root motion warping -------------------------------------------------------------------------------------

// Makes a warp for a clip, with the character's root motion. The clip must outlive it. Returns NULL if memory ran out
// or the character has no root motion, with the reason in web_error. Free it with web_warp_destroy.
web_warp *web_warp_create(const web_mixer *character, const sinew_clip *clip);
void web_warp_destroy(web_warp *warp);

// [5] floats: start to max_turn_rate of sinew_root_warp_def. The address doesn't change.
float *web_warp_settings(web_warp *warp);

// The warp's state, plain numbers. The address doesn't change.
sinew_root_warp *web_warp_state(web_warp *warp);

// Sets the window from the clip's markers. Returns false if it doesn't have them.
bool web_warp_find_window(web_warp *warp, const char *name);

// Reads the start and the goal from web_numbers: a position and a facing each. Returns false on failure, with the
// reason in web_error.
bool web_warp_begin(web_warp *warp, float time);

// Reads the current transform from web_numbers if has_now, then the goal.
void web_warp_set_goal(web_warp *warp, float time, bool has_now);

// sinew_root_warp_at and sinew_root_warp_delta. Write to web_numbers: position, facing; translation, rotation, yaw.
void web_warp_at(const web_warp *warp, float time);
void web_warp_root(const web_warp *warp, float from, float to);

// ---- Bounds and bones ----------------------------------------------------------------------------------------

// Writes the pose's bounding box to web_numbers: minimum, then maximum.
void web_mixer_bounds(web_mixer *character);

// Writes [joint_count] column-major 4x4 matrices to `bones`: the world matrix in web_numbers, column-major, times a
// skin's palette. Each fourth row is 0 0 0 1.
void web_mixer_bones(const web_mixer *character, int32_t skin, float *bones);

// The last update's events: the count, and each event's fields. Clips and blend spaces are addresses. A marker is its
// index in the clip, or -1.
int32_t web_mixer_event_count(const web_mixer *character);
sinew_event_type web_event_type(const web_mixer *character, int32_t event);
int32_t web_event_layer(const web_mixer *character, int32_t event);
const sinew_clip *web_event_clip(const web_mixer *character, int32_t event);
const sinew_blend_space *web_event_space(const web_mixer *character, int32_t event);
int32_t web_event_marker(const web_mixer *character, int32_t event);

// ---- Batches -------------------------------------------------------------------------------------------------

// Makes a batch of [count] distinct characters. They must outlive it; the array may be freed afterwards. Returns NULL
// if memory ran out, with the reason in web_error. Free it with web_batch_destroy.
web_batch *web_batch_create(web_mixer *const *characters, int32_t count);
void web_batch_destroy(web_batch *batch);

// Like web_mixer_update for all characters, but faster.
void web_batch_update(web_batch *batch, float dt);

// ---- Characters: sinew-character-*.wasm alone ------------------------------------------------------------------------

// Why no roles were found when the last graph was bound; "" if they were.
const char *web_roles_refusal(void);

// Looks up a binding's graph steps. If the asset is an avatar, spring steps without chains use its springs. Returns
// NULL on failure, with the reason in web_error. Free it with sinew_rig_destroy, before the binding.
sinew_rig *web_character_rig_create(const sinew_graph_binding *binding);

// The page's function that finds the ground: an index into the module's function table. It reads a place from
// web_numbers, and overwrites it with the ground's position and normal. It returns 0 if there's no ground.
typedef int32_t (*web_ground_function)(void);
void web_set_ground_function(web_ground_function find);

// The page's function that runs a callback step: an index into the module's function table. Takes the step's index,
// and reads the weight and the time step from web_numbers. Changes web_mixer_pose, and calls web_character_step_below
// for each changed node to update the matrices. Its result is ignored.
typedef int32_t (*web_step_function)(int32_t step);
void web_set_step_function(web_step_function run);
void web_character_step_below(int32_t node);

// The character of a web_mixer made with a rig.
sinew_character *web_mixer_character(web_mixer *character);

// web_mixer_update in two halves.
void web_mixer_begin(web_mixer *character, float dt);
void web_mixer_end(web_mixer *character);

// [SINEW_MAX_GROUND_PLACES] places and normals. The address doesn't change. sinew_character_ground_places writes the
// places here with normals of 0, and returns their count. sinew_character_set_grounds reads them.
sinew_ground *web_grounds(void);
int32_t web_character_ground_places(const sinew_character *character);
void web_character_set_grounds(sinew_character *character, int32_t count);

// sinew_character_* functions, with transforms in web_numbers: translation, rotation, scale.
void web_character_world(const sinew_character *character);
void web_character_set_world(sinew_character *character);
void web_character_teleport(sinew_character *character);
void web_character_ride(sinew_character *character);
void web_character_set_wind(sinew_character *character, float x, float y, float z);

// sinew_character_node. Writes its 12 numbers to web_numbers.
void web_character_node(const sinew_character *character, int32_t node);

// sinew_character_write and sinew_character_read, with an asset's clips. Reading returns the unknown names as JSON,
// or NULL on failure, with the reason in web_error. Free it with free.
size_t web_character_write(const sinew_character *character, void *bytes, size_t size);
char *web_character_read(sinew_character *character, const sinew_asset *asset, const void *bytes, size_t size);

// ---- Lint: sinew-lint.wasm alone -----------------------------------------------------------------------------------

// Lints the first of `count` files; the others are its sidecar files. Returns JSON: the report of `sinew lint --json`
// with its rules' texts, or {"error": ...} if the file can't be read. NULL if memory ran out. Free it with free.
// `decode` is as for web_asset_load.
char *web_lint(const web_file *given, int32_t count, sinew_meshopt_decode decode);

// A fixed file.
typedef struct web_fixed {
    const uint8_t *glb; // [size]; NULL if the file can't be fixed
    size_t size;
    const char *error; // the reason, or NULL
} web_fixed;

// `sinew lint --fix` for one of the last web_lint's files, which must still be in memory. The result is valid until
// the next call. web_lint_fix_end frees it.
const web_fixed *web_lint_fix(const char *name, sinew_meshopt_decode decode);
void web_lint_fix_end(void);

// ---- Retargeting: sinew-retarget.wasm alone --------------------------------------------------------------------------

// A character to retarget: its files, asset and roles.
typedef struct web_character web_character;

// Loads the first of `count` files, as BVH if its name ends with .bvh, else as glTF. The others are its sidecar
// files. Also finds the roles. Takes ownership of the array, the names and the data, even on failure. `decode` is as
// for web_asset_load; web_retarget uses it again. Returns NULL on failure, with the reason in web_error.
web_character *web_character_load(web_file *files, int32_t count, sinew_meshopt_decode decode);
void web_character_destroy(web_character *character);

// The nodes in file order, the clips and the roles, as JSON. NULL if memory ran out. Free it with free.
char *web_character_describe(const web_character *character);

// The roles as the text of a map file. NULL if memory ran out. Free it with free.
char *web_character_map(const web_character *character);

// Replaces the roles by a map file's. If the text isn't a map of these nodes, returns false, with the reason in
// web_error, and changes nothing.
bool web_character_set_map(web_character *character, const char *text, size_t size);

// Why clips can't be retargeted by roles. NULL if they can, or if the map has chains. Two characters without roles
// can still be paired by chains and names.
const char *web_character_refusal(const web_character *character);

enum { WEB_RETARGET_ONLY = 1, WEB_RETARGET_FEET = 2, WEB_RETARGET_HANDS = 4, WEB_RETARGET_FIXED_LENGTHS = 8 };

// A character's reference pose: a clip at a time. With a clip of -1, the module chooses the pose.
typedef struct web_reference {
    int32_t clip;
    float time;
} web_reference;

typedef struct web_retarget_def {
    const web_character *source, *target;
    web_reference source_reference, target_reference;
    uint32_t flags;       // WEB_RETARGET_*
    float rate, scale;    // like in retargeting_def
    int32_t clip_count;   // clips of the source
    const int32_t *clips; // [clip_count]
} web_retarget_def;

// The target's file with the retargeted clips.
typedef struct web_retargeted {
    const uint8_t *glb; // [size]
    size_t size;
    const char *report; // JSON, like `sinew retarget --json`
} web_retargeted;

// Retargets clips. Returns NULL on failure, with the reason in web_error. The result is valid until the next call.
// web_retarget_end frees it.
const web_retargeted *web_retarget(const web_retarget_def *def);
void web_retarget_end(void);

// ---- Springs, chains and bodies: sinew-solvers.wasm alone ----------------------------------------------------------------

// A skeleton without names, with a pose and its model matrices.
typedef struct web_rig web_rig;

// Makes a rig from nodes in depth-first order. Returns NULL on failure, with the reason in web_error.
web_rig *web_rig_create(const sinew_node_def *nodes, int32_t count);
void web_rig_destroy(web_rig *rig);

// The pose, laid out like web_mixer_pose, and [node_count] model matrices. Write both before a solve, and read the
// pose after it. The addresses don't change.
float *web_rig_pose(web_rig *rig);
sinew_affine *web_rig_model(web_rig *rig);

// Write the default structs.
void web_spring_defaults(sinew_springs_def *springs, sinew_spring_chain *chain, sinew_spring_joint *joint,
                         sinew_spring_collider *collider);
void web_ik_limit_from_rest(const web_rig *rig, int32_t node, int32_t child, sinew_ik_limit *limit);
void web_ik_chain_from_rest(const web_rig *rig, int32_t root, int32_t tip, sinew_ik_chain *chain);
void web_ik_body_defaults(sinew_ik_body *body, sinew_ik_effector *effector);

// Makes springs. Sets the definition's skeleton; the definition may be freed afterwards. Returns NULL on failure,
// with the reason in web_error. Free them with sinew_springs_destroy, before the rig.
sinew_springs *web_springs_create(const web_rig *rig, sinew_springs_def *def);

// A VRM file's spring bones: the fields from sinew_vrm.
typedef struct web_vrm_springs {
    int32_t collider_count, group_count, spring_count;
    const sinew_vrm_collider *colliders;
    const sinew_vrm_collider_group *groups;
    const sinew_vrm_spring *springs;
} web_vrm_springs;

sinew_springs *web_springs_create_from_vrm(const web_rig *rig, const web_vrm_springs *def);

// sinew_springs_solve. `numbers` are the time step, the weight, the wind and the column-major world matrix.
void web_springs_solve(web_rig *rig, const sinew_springs *springs, sinew_spring_state *state, const float *numbers);

// sinew_ik_chain_solve and sinew_ik_body_solve.
void web_ik_chain_solve(web_rig *rig, const sinew_ik_chain *chain);
void web_ik_body_solve(web_rig *rig, const sinew_ik_body *body);

// ---- Optimizing: sinew-optimize.wasm alone ---------------------------------------------------------------------------

// The page's functions: indices into the module's function table, or 0. For progress, `stage` is 0 while a file is
// optimized and 1 while it's measured; `done` and `total` count clips. The result is ignored.
typedef struct web_optimize_host {
    sinew_meshopt_decode decode;
    sinew_draco_decode draco;
    int32_t (*progress)(int32_t stage, int32_t done, int32_t total);
} web_optimize_host;

// A smaller file.
typedef struct web_optimized {
    const uint8_t *glb; // [size]
    size_t size;
    const char *report; // JSON, like `sinew optimize --json`
} web_optimized;

// Optimizes the first of `count` files; the others are its sidecar files. `output` is the result's name in the
// report. `error` is in millimetres, for the model scaled to 1.8 m. `extension` is an optimize_extension. `meshes`
// also shrinks vertices and indices. Returns NULL on failure, with the reason in web_error. Use an instance of the
// module for one call: nothing is freed alone, its memory is freed as a whole.
const web_optimized *web_optimize(const web_file *files, int32_t count, const char *output, double error,
                                  int32_t extension, bool meshes, const web_optimize_host *given);

// Compares two files, each with its sidecar files. Returns the JSON of `sinew compare --json`, or NULL on failure,
// with the reason in web_error. Use an instance of the module for one call.
char *web_compare(const web_file *const files[2], const int32_t counts[2], const web_optimize_host *given);

#endif
