// SPDX-License-Identifier: MIT
// die.h - ends the program with a message.
#ifndef PLOTS_DIE_H
#define PLOTS_DIE_H

/// Prints the message to standard error and ends the program with status 1.
_Noreturn void die(const char *message);

#endif
