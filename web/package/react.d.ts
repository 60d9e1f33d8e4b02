// SPDX-License-Identifier: MIT
import { SinewCore } from './index.js';
import { Character, DriveOptions, Gltf } from './three.js';

export interface UseSinewOptions<Scene = object> extends DriveOptions<Scene> {
    /**
     * A Sinew, such as that of 'sinew-animation/core'. By default the hook imports 'sinew-animation', once for all
     * components.
     */
    sinew?: SinewCore | Promise<SinewCore>;
}

/**
 * Drives the scene of a glTF file that GLTFLoader has loaded, by useLoader or drei's useGLTF: updates it in each frame, and
 * disposes it with the component. Returns null until the character is ready. Errors are thrown to the error boundary.
 * The mixer's options are those of the first render; another gltf, scene, sinew, graph or `direct` makes another character. A
 * graph needs the `sinew` that has read it.
 */
export function useSinew<Scene extends object>(gltf: Gltf<Scene>, options?: UseSinewOptions<Scene>): Character | null;
