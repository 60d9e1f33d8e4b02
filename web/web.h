// What the WebAssembly module says to JavaScript, beside the public functions of exports.txt: those cannot be called
// from there as they are, since they take or give structs. Everything is numbers: pointers are addresses in the
// module's memory, strings end with 0, and what the page hands over lies in memory that it took with malloc.
// Clang passes a struct of one number, such as sinew_action, as that number; an action of 0 is none.
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

// ---- Assets --------------------------------------------------------------------------------------------------

// Loads a .glb or .gltf from memory, which may be given back afterwards, as may the files and their names. NULL where
// it cannot; web_error then says why. To be freed with sinew_asset_destroy.
sinew_asset *web_asset_load(const uint8_t *data, size_t size, const web_file *files, int32_t file_count);

// Why the last call that failed did, one line.
const char *web_error(void);

// What an asset holds, as JSON: names, numbers, and the addresses of arrays. To be given back with free; NULL where
// there is no memory for it.
char *web_asset_describe(const sinew_asset *asset);

// ---- Mixers --------------------------------------------------------------------------------------------------

// Makes a character with room for that many actions, 1 to 64, in the rest pose. NULL, and web_error says why, where
// there is no memory. `asset` must outlive it. To be freed with web_mixer_destroy.
web_mixer *web_mixer_create(const sinew_asset *asset, int32_t max_actions);
void web_mixer_destroy(web_mixer *character);

// The mixer, for the public functions.
sinew_mixer *web_mixer_mixer(web_mixer *character);

// [joint_count] matrices for each skin, all skins of the asset one behind the other, always at the same address.
const sinew_affine *web_mixer_palettes(const web_mixer *character);

// A component of all nodes' local transforms: translation x, y, z, rotation x, y, z, w, scale x, y, z; 0 to 9.
const float *web_mixer_plane(web_mixer *character, int32_t component);

// sinew_mixer_update, and the palettes where something has moved.
bool web_mixer_update(web_mixer *character, float dt);

// Plays a clip of the asset, by its number; all other arguments are as in sinew_play_def.
sinew_action web_mixer_play(web_mixer *character, int32_t clip, float time, float speed, float weight, float fade,
                            sinew_loop loop, int32_t loop_count);

// The same, and everything else fades out meanwhile; `kind`, `duration` and `warp` are as in sinew_transition.
sinew_action web_mixer_transition_to(web_mixer *character, int32_t clip, sinew_transition_kind kind, float duration,
                                     bool warp, float speed, float weight, sinew_loop loop, int32_t loop_count);

// How many events the last update had, and what each was: its type, its action, and the index of its marker among
// those of its clip, or -1.
int32_t web_mixer_event_count(const web_mixer *character);
sinew_event_type web_mixer_event_type(const web_mixer *character, int32_t event);
sinew_action web_mixer_event_action(const web_mixer *character, int32_t event);
int32_t web_mixer_event_clip(const web_mixer *character, int32_t event);
int32_t web_mixer_event_marker(const web_mixer *character, int32_t event);

// ---- Batches -------------------------------------------------------------------------------------------------

// Makes a batch of [count] characters, each in it once, who must outlive it. NULL, and web_error says why, where there
// is no memory. `characters` may be given back afterwards. To be freed with web_batch_destroy.
web_batch *web_batch_create(web_mixer *const *characters, int32_t count);
void web_batch_destroy(web_batch *batch);

// web_mixer_update of all of them, faster.
void web_batch_update(web_batch *batch, float dt);

#endif
