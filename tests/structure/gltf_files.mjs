// SPDX-License-Identifier: MIT
// The glTF files of folders and of those below, without the files of the conformance set that are to be refused.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export const listFiles = (...folders) => folders.flatMap((folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listFiles(path);
    return /\.(glb|gltf)$/.test(path) && !entry.name.startsWith('refused-') ? [path] : [];
  }));

// Those of the first folder, ours, and of the others' all or every fifth.
export const listShare = (all, ours, ...others) =>
  [...listFiles(ours), ...listFiles(...others).filter((_, i) => all || i % 5 === 0)];
