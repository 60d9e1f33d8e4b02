// What the WebAssembly module says to JavaScript, beside the public functions of exports.txt: those cannot be called
// from there as they are, since they take or give structs. Everything is numbers: pointers are addresses in the
// module's memory, strings end with 0, and what the page hands over lies in memory that it took with malloc.
// An action is 1 + its slot, and 0 is none: a handle would be a BigInt there. JavaScript finds it anew for each call.
//
// The page's own code (package/index.js) sees to it that arguments are what they should be: nothing here looks twice.
#ifndef SINEW_WEB_H
#define SINEW_WEB_H

#include <sinew/sinew.h>

// One character: a mixer, and the palettes of all skins of its asset.
typedef struct web_mixer web_mixer;

// Characters that are updated in one call.
typedef struct web_batch web_batch;

// A file that stands beside the one to be loaded.
typedef struct web_file {
    const char *name; // as the file's `uri` says it, decoded
    uint8_t *data;    // [size]
    size_t size;
} web_file;

// [16] floats: where functions that answer more than one number leave them.
float *web_numbers(void);

// Why the last call that failed did, one line.
const char *web_error(void);

// ---- Assets --------------------------------------------------------------------------------------------------

// Loads a .glb or .gltf from memory, which may be given back afterwards, as may the files and their names. `decode` is
// the place in the module's table of a function for what meshopt compressed, `draco` of one for what Draco did; 0: there
// is none. NULL where it cannot; web_error then says why. To be freed with sinew_asset_destroy.
sinew_asset *web_asset_load(const uint8_t *data, size_t size, const web_file *files, int32_t file_count,
                            sinew_meshopt_decode decode, sinew_draco_decode draco);

// What an asset holds, as JSON: names, numbers, and the addresses of arrays. To be given back with free; NULL where
// there is no memory for it.
char *web_asset_describe(const sinew_asset *asset);

// What a clip does beyond a moment of another, or of itself; beyond the rest pose where `reference` is NULL. NULL, and
// web_error says why, where it cannot. To be freed with sinew_clip_destroy.
sinew_clip *web_clip_make_additive(const sinew_clip *clip, const sinew_clip *reference, float time);

// ---- Masks and blend spaces ----------------------------------------------------------------------------------

// NULL, and web_error says why, where there is no memory. To be freed with sinew_mask_destroy, once no mixer has it.
sinew_mask *web_mask_create(const sinew_asset *asset, float factor);

// [node_count] factors.
const float *web_mask_factors(const sinew_mask *mask);

// `samples` and `names`, the names of `name_count` markers one behind the other, may be given back afterwards. NULL,
// and web_error says why, where it cannot. To be freed with sinew_blend_space_destroy, once no mixer has it.
sinew_blend_space *web_space_create(const sinew_asset *asset, sinew_blend_space_kind kind,
                                    const sinew_blend_sample *samples, int32_t sample_count, const char *names,
                                    int32_t name_count, float damping);

// [web_space_triangle_count] triples of samples.
const sinew_blend_triangle *web_space_triangles(const sinew_blend_space *space);
int32_t web_space_triangle_count(const sinew_blend_space *space);

// The samples that have a weight at (x, y), [*count] pairs of an index and a float, until the next call.
const sinew_blend_weight *web_space_weights(const sinew_blend_space *space, float x, float y);
int32_t web_space_weight_count(void);

// ---- Mixers --------------------------------------------------------------------------------------------------

// Root motion as one number: the axes that are taken out, and the rest of sinew_root_motion_def.
enum { WEB_ROOT_X = 1, WEB_ROOT_Y = 2, WEB_ROOT_Z = 4, WEB_ROOT_YAW = 8, WEB_ROOT_CLOSE_LOOPS = 16 };

// Makes a character with room for that many actions, 1 to 64, and layers, 1 to 8, in the rest pose. Actions keep step
// by markers of `names`, `name_count` of them one behind the other, which the character takes: it frees them, also where
// it comes to nothing. Root motion is that of a node, or of none where `root` is SINEW_NO_NODE. NULL, and web_error says
// why, where there is no memory or the node's motion cannot be taken out. `asset` must outlive it. To be freed with
// web_mixer_destroy.
web_mixer *web_mixer_create(const sinew_asset *asset, int32_t max_actions, int32_t layer_count, char *names,
                            int32_t name_count, int32_t root, uint32_t root_parts);
void web_mixer_destroy(web_mixer *character);

// The mixer, for the public functions.
sinew_mixer *web_mixer_mixer(web_mixer *character);

// [joint_count] matrices for each skin, all skins of the asset one behind the other, always at the same address.
const sinew_affine *web_mixer_palettes(const web_mixer *character);

// To be called before the model matrices are looked at: until the first time a batch need not keep them.
void web_mixer_keep_model(web_mixer *character);

// All nodes' local transforms: ten planes of `web_mixer_stride` floats, one behind the other, of translation x, y, z,
// rotation x, y, z, w and scale x, y, z. They are always at the same address, and current when this has been called.
const float *web_mixer_pose(web_mixer *character);
int32_t web_mixer_stride(const web_mixer *character);

// A factor of every step, 0 or more; 1 at first.
void web_mixer_set_time_scale(web_mixer *character, float scale);

// sinew_mixer_update, and the palettes where something has moved.
bool web_mixer_update(web_mixer *character, float dt);

// ---- Playing -------------------------------------------------------------------------------------------------

// How what is started next is to be played, as in sinew_play_def.
void web_play_def(float time, float speed, float weight, float fade, int32_t layer, int32_t sync, sinew_loop loop,
                  int32_t loop_count);

// How the next transition is to go, as in sinew_transition.
void web_transition(sinew_transition_kind kind, float duration, bool warp);

// sinew_mixer_play and sinew_mixer_transition_to.
uint32_t web_mixer_play(web_mixer *character, const sinew_clip *clip);
uint32_t web_mixer_transition_to(web_mixer *character, const sinew_clip *clip);

// sinew_mixer_play_space, by a transition where `changes` says so.
uint32_t web_mixer_play_space(web_mixer *character, const sinew_blend_space *space, float x, float y, bool changes);

// sinew_action_then_play, sinew_action_then_play_space and sinew_action_queue_previous.
void web_action_then_play(web_mixer *character, uint32_t action, const sinew_clip *clip);
void web_action_then_play_space(web_mixer *character, uint32_t action, const sinew_blend_space *space, float x,
                                float y);
bool web_action_then_return(web_mixer *character, uint32_t action);

// ---- One action ----------------------------------------------------------------------------------------------

// sinew_mixer_find_in.
uint32_t web_action_find(const sinew_mixer *mixer, int32_t layer, const sinew_clip *clip,
                         const sinew_blend_space *space);

// The public functions of the same names.
void web_action_stop(sinew_mixer *mixer, uint32_t action);
void web_action_pause(sinew_mixer *mixer, uint32_t action);
void web_action_resume(sinew_mixer *mixer, uint32_t action);
void web_action_reset(sinew_mixer *mixer, uint32_t action);
void web_action_fade_to(sinew_mixer *mixer, uint32_t action, float weight, float duration);
void web_action_fade_out(sinew_mixer *mixer, uint32_t action, float duration);
void web_action_then_fade_out(sinew_mixer *mixer, uint32_t action, float duration);
bool web_action_is_paused(const sinew_mixer *mixer, uint32_t action);
bool web_action_is_finished(const sinew_mixer *mixer, uint32_t action);
const sinew_clip *web_action_clip(const sinew_mixer *mixer, uint32_t action);
float web_action_time(const sinew_mixer *mixer, uint32_t action);
void web_action_set_time(sinew_mixer *mixer, uint32_t action, float time);
float web_action_speed(const sinew_mixer *mixer, uint32_t action);
void web_action_set_speed(sinew_mixer *mixer, uint32_t action, float speed);
float web_action_weight(const sinew_mixer *mixer, uint32_t action);
void web_action_set_weight(sinew_mixer *mixer, uint32_t action, float weight);
void web_action_set_loop(sinew_mixer *mixer, uint32_t action, sinew_loop loop, int32_t loop_count);
void web_action_set_parameter(sinew_mixer *mixer, uint32_t action, float x, float y);

// Leaves the parameter of an action's blend space in web_numbers: x and y.
void web_action_parameter(const sinew_mixer *mixer, uint32_t action);

// ---- What comes out ------------------------------------------------------------------------------------------

// Leaves numbers in web_numbers: what sinew_mixer_root_delta says, in its order; the box of the pose, least and most.
void web_mixer_root_delta(const web_mixer *character);
void web_mixer_bounds(web_mixer *character);

// How many events the last update had, and each of them: its type, and what it is about by addresses, of the marker by
// its place among those of the clip, or -1.
int32_t web_mixer_event_count(const web_mixer *character);
sinew_event_type web_event_type(const web_mixer *character, int32_t event);
int32_t web_event_layer(const web_mixer *character, int32_t event);
const sinew_clip *web_event_clip(const web_mixer *character, int32_t event);
const sinew_blend_space *web_event_space(const web_mixer *character, int32_t event);
int32_t web_event_marker(const web_mixer *character, int32_t event);

// ---- Batches -------------------------------------------------------------------------------------------------

// Makes a batch of [count] characters, each in it once, who must outlive it. NULL, and web_error says why, where there
// is no memory. `characters` may be given back afterwards. To be freed with web_batch_destroy.
web_batch *web_batch_create(web_mixer *const *characters, int32_t count);
void web_batch_destroy(web_batch *batch);

// web_mixer_update of all of them, faster.
void web_batch_update(web_batch *batch, float dt);

// ---- Lint: sinew-lint.wasm alone -----------------------------------------------------------------------------------

// The lint report of the first file; the others stand beside it. JSON, as `sinew lint --json` has it and with what its
// rules say, or {"error": ...} where the file cannot be looked into. `decode` is as for web_asset_load. To be given back
// with free; NULL where there is no memory for it.
char *web_lint(const web_file *given, int32_t count, sinew_meshopt_decode decode);

#endif
