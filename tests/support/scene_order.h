// SPDX-License-Identifier: MIT
// Checks the invariants of a scene, which hold between any two calls.
#ifndef SCENE_ORDER_H
#define SCENE_ORDER_H

#include "support/check.h"
#include "scene/scene_state.h"

// Every node stands behind its parent, places and nodes agree, all lists are whole and nothing else is dirty.
void check_order(const sinew_scene *scene);

#endif
