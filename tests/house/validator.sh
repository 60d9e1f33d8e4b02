#!/bin/sh
# The demo models pass the Khronos glTF validator without an error or a warning:
# validator.sh MODELS_FOLDER SCRATCH_FOLDER
# npm fetches the validator once; where it cannot, the test is skipped (77).
set -u

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
node - "$scratch" "$1"/*.glb <<'EOT'
const { readFileSync } = require('node:fs');
const [, , scratch, ...files] = process.argv;
const { validateBytes } = require(require('node:path').resolve(scratch, 'node_modules/gltf-validator'));

(async () => {
  let faults = files.length ? 0 : 1;
  for (const file of files) {
    let issues;
    try {
      ({ issues } = await validateBytes(new Uint8Array(readFileSync(file))));
    } catch (problem) { // it is no glTF at all
      issues = { numErrors: 1, numWarnings: 0, messages: [{ severity: 0, pointer: 'file', message: String(problem) }] };
    }
    console.log(`${file}: ${issues.numErrors} errors, ${issues.numWarnings} warnings`);
    for (const { severity, pointer, message } of issues.messages) {
      console.log(`  ${['error', 'warning', 'remark', 'hint'][severity]}: ${pointer}: ${message}`);
    }
    faults += issues.numErrors + issues.numWarnings;
  }
  process.exit(faults ? 1 : 0);
})();
EOT
