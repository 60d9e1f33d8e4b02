// SPDX-License-Identifier: MIT
import { Character as RiggedCharacter } from './character.js';
import { Asset, SinewCore } from './index.js';
import { Character, DriveOptions, Gltf } from './three.js';

/** Options for useSinew. All options of drive also work, but `character` is a function. */
export interface UseSinewOptions<Scene = object> extends Omit<DriveOptions<Scene>, 'character'> {
    /** A Sinew or a promise of one. By default, the hook imports 'sinew-animation' once for all components. */
    sinew?: SinewCore | Promise<SinewCore>;
    /**
     * Creates a Character of 'sinew-animation/character' for the gltf's asset, and can be async. `sinew` must come
     * from there. The hook calls this each time it drives a scene, and disposes the character. So share the Rig
     * between calls. Default null.
     */
    character?: ((asset: Asset) => RiggedCharacter | Promise<RiggedCharacter>) | null;
}

/**
 * Drives a scene from GLTFLoader. The hook updates the scene each frame, and disposes the character when the component
 * unmounts. Returns null until the character is ready. Errors go to the error boundary. If you change the gltf,
 * `sinew`, `scene`, `graph` or `direct`, you get a new character. Changes to other options only apply when this
 * happens, such as to `character`. If you use a graph, you also need to pass the `sinew` that loaded it.
 *
 * @example
 * const gltf = useLoader(GLTFLoader, 'hero.glb');
 * const hero = useSinew(gltf);
 * useEffect(() => { hero?.mixer.transitionTo(hero.mixer.clipAction(clip)); }, [hero, clip]);
 */
export function useSinew<Scene extends object>(
    gltf: Gltf<Scene>, options: UseSinewOptions<Scene> & { character: NonNullable<UseSinewOptions<Scene>['character']> },
): (Character & { readonly animator: RiggedCharacter }) | null;
export function useSinew<Scene extends object>(gltf: Gltf<Scene>, options?: UseSinewOptions<Scene>): Character | null;
