// SPDX-License-Identifier: MIT
// The glTF files in folders and below, without the conformance set's files that must be refused.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export const listFiles = (...folders) => folders.flatMap((folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listFiles(path);
    return /\.(glb|gltf)$/.test(path) && !entry.name.startsWith('refused-') ? [path] : [];
  }));

// Those of our own folder and of other folders. Without `all`, every fifth of others and of the conformance set.
export const listShare = (all, ours, ...others) => {
  const isOurs = (path) => path.startsWith(ours) && !/conformance/.test(path);
  const own = listFiles(ours), rest = [...own.filter((path) => !isOurs(path)), ...listFiles(...others)];
  return [...own.filter(isOurs), ...rest.filter((_, i) => all || i % 5 === 0)];
};
