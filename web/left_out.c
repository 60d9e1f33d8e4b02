// Stands in for what of the library JavaScript cannot ask for: recordings of mixers, and rows of 16 bits.
#include <sinew/recording.h>

#include "clip/clip_build.h"
#include "record/mixer_call.h"
#include "mixer/mixer_state.h"
#include "core/fail.h"

void sinew_note(const sinew_mixer *mixer, mixer_call call) {
    (void)mixer;
    (void)call;
}

void sinew_note_save(const sinew_mixer *mixer) {
    (void)mixer;
}

void sinew_note_restore(const sinew_mixer *mixer, const mixer_stamp *stamp) {
    (void)mixer;
    (void)stamp;
}

sinew_result sinew_clip_measure_rows(const sinew_clip_def *def, const sinew_clip *source, sinew_clip *clip,
                                     sinew_error *error) {
    (void)def;
    (void)source;
    (void)clip;
    return sinew_fail(error, SINEW_ERROR_UNSUPPORTED, "no rows of 16 bits in this build");
}

sinew_result sinew_mixer_record(sinew_mixer *mixer, void (*write)(const void *bytes, size_t size, void *user),
                                void *user, sinew_error *error) {
    (void)mixer;
    (void)user;
    return write ? sinew_fail(error, SINEW_ERROR_UNSUPPORTED, "no recordings in this build") : SINEW_OK;
}
