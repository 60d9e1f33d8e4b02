// SPDX-License-Identifier: MIT
// Checks a scene's invariants, which must hold between any two calls.
#ifndef SCENE_ORDER_H
#define SCENE_ORDER_H

#include "support/check.h"
#include "scene/scene_state.h"

// Each node comes after its parent, slots and nodes agree, all lists are intact, and nothing else is dirty.
void check_order(const sinew_scene *scene);

#endif
