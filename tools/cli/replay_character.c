// SPDX-License-Identifier: MIT
// sinew replay for a character's recording: prints its updates or compares two recordings.
#include "cli/replay_character.h"

#include "cli/recorded_character.h"

#include <inttypes.h>
#include <string.h>

// ---- Replaying -----------------------------------------------------------------------------------------------

static int report_mismatch(const cli_take *take) {
    return cli_fail("%s: first mismatch: after update %" PRId64 " the character does not match the recording",
                    take->path, take->replay->first_mismatch);
}

static int replay_one(cli_take *take) {
    const sinew_character_replay *replay = take->replay;
    while (!cli_take_is_at_end(take)) {
        const double seconds = replay->seconds;
        const int64_t number = replay->updates_made;
        if (!cli_take_step(take)) return replay->first_mismatch < 0 ? CLI_BAD_INPUT : report_mismatch(take);
        printf("%8" PRId64 " %10.4f  %s\n", number, seconds, cli_text(take->text));
    }
    printf("%" PRId64 " updates over %.4f s, hash %016" PRIx64 "%s\n", replay->update_count, replay->seconds,
           sinew_character_hash(replay->character), replay->complete ? "" : "; the recording is truncated");
    if (!cli_flush_stdout()) return CLI_BAD_INPUT;
    return replay->first_mismatch < 0 ? CLI_GOOD : report_mismatch(take);
}

static int compare(cli_take *one, cli_take *two) {
    double seconds = 0.0;
    bool is_same = true;
    while (is_same && !cli_take_is_at_end(one) && !cli_take_is_at_end(two)) {
        seconds = one->replay->seconds;
        if (!cli_take_step(one) || !cli_take_step(two)) return CLI_BAD_INPUT;
        is_same = strcmp(one->text, two->text) == 0 &&
                  sinew_character_hash(one->replay->character) == sinew_character_hash(two->replay->character);
    }
    const int64_t number = one->replay->updates_made;
    if (!is_same)
        return cli_fail("update %" PRId64 " at %.4f s: %s has '%s', %s has '%s'", number - 1, seconds, one->path,
                        one->text, two->path, two->text);
    if (!cli_take_is_at_end(one) || !cli_take_is_at_end(two))
        return cli_fail("%s: has more updates after %" PRId64 " identical ones",
                        cli_take_is_at_end(one) ? two->path : one->path, number);
    printf("identical: %" PRId64 " updates over %.4f s\n", number, one->replay->seconds);
    return cli_flush_stdout() ? CLI_GOOD : CLI_BAD_INPUT;
}

int cli_replay_character(const cli_character_job *job) {
    cli_cast cast = {0};
    cli_take one = {0}, two = {0};
    int status = CLI_BAD_INPUT;
    if (cli_cast_load(job->graph, job->clips->asset, job->clips->clips, job->clips->count, &cast) &&
        cli_take_open(&cast, job->recording, &one)) {
        if (!job->other) {
            status = replay_one(&one);
        } else if (cli_take_open(&cast, job->other, &two)) {
            status = compare(&one, &two);
        }
    }
    cli_take_close(&one);
    cli_take_close(&two);
    cli_cast_free(&cast);
    return status;
}
