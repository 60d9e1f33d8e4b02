// SPDX-License-Identifier: MIT
// The rules for all JavaScript of the project. `make tidy` and the test web_eslint run ESLint.
import js from '@eslint/js';
import globals from 'globals';

// Members of others that start with an underscore: of Emscripten, WASI, three.js, three-vrm and Babylon.js.
const FOREIGN = ['_malloc', '_free', '_initialize', '__indirect_function_table', '_x', '_y', '_z', '_w', '_internalMetadata',
    '_quant', '_calcWorldSpaceBoneLength', '_worldSpaceBoneLength', '_initialLocalChildPosition'];

// Functions and variables of the pages of the tests.
const PAGES = ['studio', 'live', 'updateStage'];

const rules = {
    'no-control-regex': 'off',
    eqeqeq: 'error',
    'no-else-return': 'error',
    'no-underscore-dangle': ['error', { allow: FOREIGN, enforceInMethodNames: true, enforceInClassFields: true }],
    'no-unused-expressions': 'error',
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
    'no-useless-rename': 'error',
    'no-useless-return': 'error',
    'no-var': 'error',
    'object-shorthand': 'error',
    'prefer-const': 'error',
};

export default [
    { ignores: ['build/'] },
    js.configs.recommended,
    { rules, linterOptions: { reportUnusedDisableDirectives: 'error' } },
    { languageOptions: { globals: globals.browser } },
    { files: ['**/*.mjs'], languageOptions: { globals: globals.node } },
    { files: ['tests/web/*', 'tools/bench/compare/*'], languageOptions: { globals: Object.fromEntries(PAGES.map((name) => [name, 'readonly'])) } },
];
