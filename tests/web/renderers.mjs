// SPDX-License-Identifier: MIT
// The studio's renderers, except their pictures: node renderers.mjs NODE_MODULES PACKAGE MODELS OUT
import { openStudio } from './studio_page.mjs';

const { page, close } = await openStudio('renderers');
try {
    for (const kind of ['webgl', 'webgpu']) {
        for (const checks of ['checkPictures', 'checkRenderers']) {
            const faults = await page.evaluate(([name, by]) => globalThis[name](by), [checks, kind]);
            for (const [name, fault] of Object.entries(faults)) console.log(`${name}, ${kind}: ${fault ?? 'good'}`);
            if (Object.values(faults).some((fault) => fault !== null)) process.exitCode = 1;
        }
    }
} finally {
    await close();
}
