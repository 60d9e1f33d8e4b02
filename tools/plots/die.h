// die.h - how the program ends where it cannot go on.
#ifndef PLOTS_DIE_H
#define PLOTS_DIE_H

/// Prints the message to standard error and ends the program with status 1.
_Noreturn void die(const char *message);

#endif
