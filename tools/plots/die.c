// die.c - how the program ends where it cannot go on.
#include "plots/die.h"

#include <stdio.h>
#include <stdlib.h>

void die(const char *message) {
    fprintf(stderr, "plots: %s\n", message);
    exit(1);
}
