#!/bin/sh
# SPDX-License-Identifier: MIT
# For the Khronos glTF validator, files from `sinew lint --fix` have no new errors or warnings, and files from `sinew
# bake` no new kinds of errors: lint_fix.sh SINEW MODELS_FOLDER SCRATCH_FOLDER VALIDATOR_FOLDER Also checks other
# people's files, if SINEW_ASSETS names their folder. validator.sh must run first and put the validator into
# VALIDATOR_FOLDER. If it can't be had, the test is skipped (77).
set -u
export LC_ALL=C

sinew=$1 models=$2 scratch=$3 validator=$4
"$(dirname "$0")/validator.sh" "$models" "$validator" >/dev/null || exit $?
[ -n "${SINEW_ASSETS:-}" ] || echo "SINEW_ASSETS is not set: no files of other people's are fixed"
mkdir -p "$scratch"
node - "$(dirname "$0")" "$validator" "$sinew" "$scratch" "$models" ${SINEW_ASSETS:+"$SINEW_ASSETS"} <<'EOT'
const { readFileSync } = require('node:fs');
const { spawnSync } = require('node:child_process');
const { dirname, join, resolve } = require('node:path');
const [, , here, validator, sinew, scratch, ...folders] = process.argv;
const { validateBytes } = require(resolve(validator, 'node_modules/gltf-validator'));

// How many errors, and warnings, of each code.
async function countIssues(path, folder, mostSeverity = 1) {
  const options = {
    maxIssues: 0,
    externalResourceFunction: async (uri) => new Uint8Array(readFileSync(join(folder, decodeURIComponent(uri)))),
  };
  const { issues } = await validateBytes(new Uint8Array(readFileSync(path)), options);
  const counts = new Map();
  for (const { severity, code } of issues.messages) {
    if (severity <= mostSeverity) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return counts;
}

// A clip, and the same reversed. A copy may have the errors of its original again.
async function checkBaked(file) {
  const out = join(scratch, 'baked.glb'), clip = ['--clip', '#0'];
  const { status, stderr } = spawnSync(sinew, ['bake', file, ...clip, ...clip, '--reverse', '--as', 'Reversed', '-o', out]);
  if (status !== 0) {
    if (/the file has none|has no channels|meshopt|no bytes/.test(stderr)) return 0;
    console.log(`${file}: ${stderr}`);
    return 1;
  }
  baked++;
  const before = await countIssues(file, dirname(file), 0), after = await countIssues(out, dirname(file), 0);
  const added = [...after.keys()].filter((code) => !before.has(code));
  if (added.length > 0) console.log(`${file}: ${added} when baked`);
  return added.length;
}

let baked = 0;
(async () => {
  const { listFiles } = await import(resolve(here, 'gltf_files.mjs'));
  let faults = 0, files = 0;
  for (const file of listFiles(...folders)) {
    const out = join(scratch, 'fixed.glb');
    const { status, stderr } = spawnSync(sinew, ['lint', file, '--fix', out]);
    if (status !== 0 && stderr.length > 0) {
      console.log(`${file}: ${stderr}`);
      faults++;
      continue;
    }
    const before = await countIssues(file, dirname(file)), after = await countIssues(out, dirname(file));
    for (const [code, count] of after) {
      if (count <= (before.get(code) ?? 0)) continue;
      // The validator takes a weight that is not finite for one that is not 0.
      if (code === 'ACCESSOR_JOINTS_USED_ZERO_WEIGHT' && before.has('ACCESSOR_INVALID_FLOAT')) continue;
      console.log(`${file}: ${code}: ${before.get(code) ?? 0} before, ${count} when fixed`);
      faults++;
    }
    files++;
    faults += await checkBaked(file);
  }
  console.log(`${files} files fixed, ${baked} baked, ${faults} faults`);
  process.exit(faults || !files || !baked ? 1 : 0);
})();
EOT
