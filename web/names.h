// What the module's own files share.
#ifndef SINEW_WEB_NAMES_H
#define SINEW_WEB_NAMES_H

#include "web.h"

// Makes a message what web_error says.
void web_fail(const char *message);

// Where each of `count` names that lie one behind the other begins, to be freed; NULL where there is no memory.
const char **web_split(const char *names, int32_t count);

// The number of an action's slot from 1, and back; 0 is none.
uint32_t web_action_of(sinew_action handle);
sinew_action web_action_handle(const sinew_mixer *mixer, uint32_t action);

#endif
