// SPDX-License-Identifier: MIT
// die.c - ends the program with a message.
#include "plots/die.h"

#include <stdio.h>
#include <stdlib.h>

void die(const char *message) {
    fprintf(stderr, "plots: %s\n", message);
    exit(1);
}
