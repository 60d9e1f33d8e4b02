// SPDX-License-Identifier: MIT
// A user's project: the package that npm installs from its tarball, and its README's examples.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Makes `folder` a project that has the package in node_modules, and hero.glb next to it.
export function makeProject(folder, packageFolder, models) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const npm = (...words) => execFileSync('npm', [...words, '--offline', '--silent'], { cwd: folder, encoding: 'utf8',
        env: { ...process.env, npm_config_cache: join(folder, 'cache'), npm_config_update_notifier: 'false' } });
    writeFileSync(join(folder, 'package.json'), '{ "name": "project", "private": true, "type": "module" }');
    const tarball = npm('pack', packageFolder).trim();
    npm('install', '--no-audit', '--no-fund', join(folder, tarball));
    copyFileSync(join(models, 'hero.glb'), join(folder, 'hero.glb'));
}

// The README's first example in a fence such as "js" or "js three".
export function exampleOf(folder, fence = 'js') {
    const readme = readFileSync(join(folder, 'node_modules/sinew-animation/README.md'), 'utf8');
    const [, lines] = readme.split(`\`\`\`${fence}\n`);
    if (!lines) throw new Error(`the README has no example of \`\`\`${fence}`);
    return lines.split('```')[0];
}
