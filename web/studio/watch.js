// SPDX-License-Identifier: MIT
// Reloads the user's file when it changes on disk, if the browser gives the page a handle for a dropped file.

const INTERVAL = 1000; // milliseconds between two checks

/** The handles of dropped files. Call it before any await: the drop is only valid during its event. */
export async function handlesOf(transfer) {
    const asked = [...transfer.items].map((item) => item.getAsFileSystemHandle?.());
    const answers = await Promise.allSettled(asked);
    return answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : null)).filter((handle) => handle?.kind === 'file');
}

// A program may write a file in several steps. So a change counts when the next check finds the same time.
export class Watch {
    #timer = 0;

    stop() {
        clearInterval(this.#timer);
    }

    /** Calls changed(file) whenever a handle's file changes. Stops watching another file. */
    follow(handle, changed) {
        this.stop();
        let known = null, found = null; // modification times: the loaded file's, and the last check's
        const look = async () => {
            const file = await handle.getFile().catch(() => null); // it may be deleted and then written again
            if (!file || document.hidden) return;
            known ??= file.lastModified;
            const isStable = file.lastModified === found;
            found = file.lastModified;
            if (!isStable || found === known) return;
            known = found;
            changed(file);
        };
        look();
        this.#timer = setInterval(look, INTERVAL);
    }
}
