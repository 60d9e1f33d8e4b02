#!/bin/sh
# SPDX-License-Identifier: MIT
# The demo models pass the Khronos glTF validator without errors or warnings. The conformance set passes without
# errors, except files that must be refused, and files documented to break the specification, which must have one:
# validator.sh MODELS_FOLDER SCRATCH_FOLDER npm fetches the validator once. The test is skipped if it can't (77).
set -u
export LC_ALL=C

validator=gltf-validator@2.0.0-dev.3.10
scratch=$2
if [ ! -d "$scratch/node_modules/gltf-validator" ]; then
    mkdir -p "$scratch"
    npm install --prefix "$scratch" --no-save --no-package-lock --no-audit --no-fund --silent \
        --fetch-retries 1 --fetch-retry-mintimeout 1000 --fetch-timeout 30000 "$validator" || {
        echo "SKIPPED: npm cannot fetch $validator"
        exit 77
    }
fi
node - "$scratch" "$1"/*.glb "$1"/*.vrm "$1"/*.gltf <<'EOT'
const { readFileSync } = require('node:fs');
const { dirname, join, resolve } = require('node:path');
const [, , scratch, ...files] = process.argv;
const { validateBytes } = require(resolve(scratch, 'node_modules/gltf-validator'));

async function issuesOf(file) {
  const bytesOf = (path) => new Uint8Array(readFileSync(path));
  const beside = async (uri) => bytesOf(join(dirname(file), decodeURIComponent(uri)));
  try {
    return (await validateBytes(bytesOf(file), { externalResourceFunction: beside })).issues;
  } catch (problem) { // it is no glTF at all
    return { numErrors: 1, numWarnings: 0, messages: [{ severity: 0, pointer: 'file', message: String(problem) }] };
  }
}

async function checkSet(folder) {
  const listed = JSON.parse(readFileSync(join(folder, 'index.json'))).filter((entry) => !entry.refused);
  let faults = listed.length < 50 ? 1 : 0;
  for (const { file, breaks } of listed) {
    const { numErrors, messages } = await issuesOf(join(folder, file));
    if ((numErrors > 0) === Boolean(breaks)) continue;
    faults += 1;
    console.log(`${file}: ${numErrors} errors`, messages);
  }
  console.log(`${listed.length} files of the conformance set`);
  return faults;
}

(async () => {
  let faults = await checkSet(join(dirname(files[0]), 'conformance'));
  for (const file of files) {
    const issues = await issuesOf(file);
    console.log(`${file}: ${issues.numErrors} errors, ${issues.numWarnings} warnings`);
    for (const { severity, pointer, message } of issues.messages) {
      console.log(`  ${['error', 'warning', 'remark', 'hint'][severity]}: ${pointer}: ${message}`);
    }
    faults += issues.numErrors + issues.numWarnings;
  }
  process.exit(faults ? 1 : 0);
})();
EOT
