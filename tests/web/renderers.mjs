// The studio's renderers but for the pictures themselves: node renderers.mjs NODE_MODULES PACKAGE MODELS OUT
import { openStudio } from './studio_page.mjs';

const { page, close } = await openStudio('renderers');
try {
    const names = await page.evaluate(() => Object.keys(globalThis.checks));
    for (const kind of ['webgl', 'webgpu']) {
        for (const name of names) {
            const fault = await page.evaluate(([check, by]) => (
                globalThis.checks[check](by).then(() => null, (error) => error.message)), [name, kind]);
            console.log(`${name}, ${kind}: ${fault ?? 'good'}`);
            if (fault !== null) process.exitCode = 1;
        }
    }
} finally {
    await close();
}
