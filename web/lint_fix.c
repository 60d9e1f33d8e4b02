// SPDX-License-Identifier: MIT
// `sinew lint --fix` for JavaScript, in the lint report's module.
#include "web.h"

#include "lint/lint.h"

static lint_fixed fixed;
static web_fixed result;

const web_fixed *web_lint_fix(const char *name, sinew_meshopt_decode decode) {
    web_lint_fix_end();
    if (!lint_fix(&fixed, name, decode, NULL)) {
        result.error = fixed.error;
        return &result;
    }
    result = (web_fixed){fixed.glb, fixed.size, NULL};
    return &result;
}

void web_lint_fix_end(void) {
    lint_fixed_end(&fixed);
    fixed = (lint_fixed){0};
    result = (web_fixed){0};
}
