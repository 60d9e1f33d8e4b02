// SPDX-License-Identifier: MIT
// Opens files with motion for the character. The code of retargeting is fetched for the first one.
import { explaining } from './files.js';
/** @import { Stage } from './stage.js' */

/** Whether a file has motion only, and can be no character. */
export const isMotionOnly = (name) => /\.(bvh|vrma)$/i.test(name);

/**
 * Retargets the motion of a file { name, bytes, files } onto the character. `saved` is a state of the stage whose
 * retargeting is restored. Throws with advice.
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
