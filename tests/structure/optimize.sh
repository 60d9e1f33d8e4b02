#!/bin/sh
# SPDX-License-Identifier: MIT
# What `sinew optimize` writes is within its promise for `sinew compare`, has no error of the Khronos glTF validator that
# the file had not before, and optimizing it again gives the same bytes: optimize.sh SINEW MODELS_FOLDER SCRATCH_FOLDER
# VALIDATOR_FOLDER
# Also for other people's files, where SINEW_ASSETS names a folder of them. Large ones are optimized once, small ones with
# three errors and without extensions. VALIDATOR_FOLDER is where validator.sh puts the validator; where it cannot be had,
# the test is skipped (77).
set -u
export LC_ALL=C

sinew=$1 models=$2 scratch=$3 validator=$4
"$(dirname "$0")/validator.sh" "$models" "$validator" >/dev/null || exit $?
[ -n "${SINEW_ASSETS:-}" ] || echo "SINEW_ASSETS is not set: no files of other people's are optimized"
mkdir -p "$scratch"
node - "$validator" "$sinew" "$scratch" "$models" ${SINEW_ASSETS:+"$SINEW_ASSETS"} <<'EOT'
const { readFileSync, readdirSync, statSync } = require('node:fs');
const { spawnSync } = require('node:child_process');
const { dirname, join, resolve } = require('node:path');
const [, , validator, sinew, scratch, ...folders] = process.argv;
const { validateBytes } = require(resolve(validator, 'node_modules/gltf-validator'));

const walk = (folder) => readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
  const path = join(folder, entry.name);
  const refused = entry.name.startsWith('refused-'); // of the conformance set
  return entry.isDirectory() ? walk(path) : /\.(glb|gltf)$/.test(path) && !refused ? [path] : [];
});
const run = (...args) => spawnSync(sinew, args, { encoding: 'utf8' });

async function countErrors(path, folder) {
  const { issues } = await validateBytes(new Uint8Array(readFileSync(path)), {
    maxIssues: 0,
    externalResourceFunction: async (uri) => new Uint8Array(readFileSync(join(folder, decodeURIComponent(uri)))),
  });
  return issues.numErrors;
}

let faults = 0, written = 0, smaller = 0;
const fault = (text) => { console.log(text); faults++; };

async function check(file, ...options) {
  const out = join(scratch, 'optimized.glb'), again = join(scratch, 'again.glb'), what = `${file} ${options.join(' ')}`;
  const { status, stdout, stderr } = run('optimize', file, '-o', out, ...options, '--json');
  if (status !== 0) {
    // A file that the library refuses is refused.
    if (run('info', file).status === 0) fault(`${what}: ${stderr}`);
    return;
  }
  const { kept, error, worst, files } = JSON.parse(stdout);
  written++;
  smaller += kept === null;
  if (kept === null && files[1].bytes >= files[0].bytes) fault(`${what}: ${files[1].bytes} bytes, not fewer than ${files[0].bytes}`);
  if (!(worst.bound <= error)) fault(`${what}: ${worst.bound} mm`);
  const compared = run('compare', file, out, '--error', `${error}mm`);
  if (compared.status !== 0) fault(`${what}: ${compared.stderr}`);
  if (await countErrors(out, dirname(file)) > await countErrors(file, dirname(file))) fault(`${what}: new errors of the validator`);
  if (run('optimize', out, '-o', again, ...options).status !== 0 || !readFileSync(again).equals(readFileSync(out)))
    fault(`${what}: optimizing it again gives other bytes`);
}

(async () => {
  for (const file of folders.flatMap(walk)) {
    await check(file, '--error', '1mm');
    if (statSync(file).size > 400000) continue;
    await check(file, '--error', '0.1mm');
    await check(file, '--error', '5mm');
    await check(file, '--plain');
  }
  console.log(`${written} files written, ${smaller} smaller, ${faults} faults`);
  process.exit(faults || !smaller ? 1 : 0);
})();
EOT
