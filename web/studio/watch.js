// SPDX-License-Identifier: MIT
// Loads the user's file again when it changes on disk, where the browser gives the page a handle of a dropped file.

const INTERVAL = 1000; // milliseconds between two checks of the file

/** The handles of dropped files. It must be called before an await: the drop is valid only during its event. */
export async function handlesOf(transfer) {
    const asked = [...transfer.items].map((item) => item.getAsFileSystemHandle?.());
    const answers = await Promise.allSettled(asked);
    return answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : null)).filter((handle) => handle?.kind === 'file');
}

// A program may write a file in several steps: a change counts when the next check finds the same time.
export class Watch {
    #timer = 0;

    stop() {
        clearInterval(this.#timer);
    }

    /** Calls changed(file) whenever the file of a handle has changed. It ends the watch of another. */
    follow(handle, changed) {
        this.stop();
        let known = null, found = null; // times of the last change: of the loaded file, and of the last check
        const look = async () => {
            const file = await handle.getFile().catch(() => null); // it may be deleted and written anew
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
