// SPDX-License-Identifier: MIT
// Opens motion files for the character. The retargeting code is fetched for the first one.
import { explaining } from './files.js';
/** @import { Stage } from './stage.js' */

/** Whether a file only has motion, so it can't be a character. */
export const isMotionOnly = (name) => /\.(bvh|vrma)$/i.test(name);

/**
 * Retargets a file's motion { name, bytes, files } onto the character. `saved` is a stage state whose retargeting is
 * restored. Throws errors with advice.
 */
export async function openMotion(/** @type {Stage} */ stage, motion, saved = null) {
    const { Retargeting, baseOf } = await import('./retarget_driver.js');
    const base = baseOf(stage), retargeting = new Retargeting(stage, motion);
    try {
        await retargeting.open();
    } catch (error) {
        explaining(motion.name, () => { throw error; });
    }
    if (base !== baseOf(stage)) {
        retargeting.close(); // the character was replaced meanwhile
        return;
    }
    if (stage.retarget) stage.stopRetarget({ keepsClips: false });
    if (saved) retargeting.resume(saved);
    stage.startRetarget(retargeting);
    stage.setView({ tab: 'Retarget' });
    retargeting.run();
}
