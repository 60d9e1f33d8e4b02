// picture_file.h - the main function of a program that draws one picture.
#ifndef PLOTS_PICTURE_FILE_H
#define PLOTS_PICTURE_FILE_H

#include "render/picture.h"

#include <sinew/asset.h>

/// Loads the hero from argv[1], draws it and writes a WebP to argv[2]; returns the exit status. The program ends with the
/// reason if that fails, and with `usage` for other arguments.
int picture_file_main(int argc, char **argv, const char *usage, draw_picture draw(const sinew_asset *hero));

#endif
