// SPDX-License-Identifier: MIT
// A build without libdraco.
#include "cli/draco.h"

#include <stddef.h>

sinew_draco_decode cli_draco_decoder(void) {
    return NULL;
}
