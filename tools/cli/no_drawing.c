// SPDX-License-Identifier: MIT
// Stubs for the sub-commands that need SINEW_BUILD_DRAWING.
#include "cli/cli.h"
#include "cli/render_args.h"

static int refuse(const char *command) {
    return cli_fail("%s: this build of the command has no %s; it was built without OpenGL (SINEW_BUILD_DRAWING)",
                    command, command);
}

int cli_render(int argc, char **argv) {
    (void)argc;
    return refuse(argv[0]);
}

// Draws the picture for `sinew compare`.
int cli_render_draw(const cli_render_args *args) {
    (void)args;
    return refuse("render");
}

int cli_view(int argc, char **argv) {
    (void)argc;
    return refuse(argv[0]);
}

int cli_bench(int argc, char **argv) {
    (void)argc;
    return refuse(argv[0]);
}
