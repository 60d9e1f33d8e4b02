// SPDX-License-Identifier: MIT
/**
 * sinew-animation: loads glTF files, plays, blends and layers their clips, and computes skinning matrices.
 *
 * Units are metres, seconds and radians. Speeds are factors of real time. +Y is up, as in the file. Quaternions are
 * x, y, z, w. Indices start at 0; -1 means none.
 *
 * Most typed arrays here are views of the module's memory. Don't write to them. Loading or creating something can
 * grow the memory, and that empties earlier views. Reading the property again costs nothing, so don't keep views.
 *
 * Every call checks its arguments: a wrong type throws a TypeError, a number out of range a RangeError, anything else
 * an Error. Most calls on a disposed object throw. The comments below name only what isn't obvious.
 */

/** A glTF file that another library has parsed. */
export interface ParsedFile {
    /** The file's JSON, as an object. */
    json: any;
    /** The file's buffers, in its order. Buffer views must already be decompressed. */
    buffers: BufferSource[];
}

/** What the Sinew of every entry point has. */
export interface SinewCore {
    /** 'simd128', or 'scalar' for the module without SIMD. Both give the same results, to the last bit. */
    readonly simd: string;
    /** The library's version, such as '0.1.0'. */
    readonly version: string;
    /**
     * Makes an asset from a file that another library has parsed. It has nodes, skins, clips and bounds; meshes that
     * Draco compresses have no bounds. Its meshes have no primitives, and it has no materials, textures or images.
     * Throws for a file that is damaged.
     */
    makeAsset(file: ParsedFile): Asset;
}

/**
 * The library. A page needs one.
 *
 * @example
 * const sinew = await Sinew.load();
 * const hero = await sinew.fetchAsset('hero.glb');
 * const mixer = new Mixer(hero);
 * mixer.clipAction('Walk').play();
 */
export class Sinew implements SinewCore {
    /**
     * Compiles the WebAssembly module, which is part of the package's code. Rejects in browsers without WebAssembly
     * SIMD: import 'sinew-animation/fetch' there.
     *
     * @example
     * import { MeshoptDecoder } from 'meshoptimizer';
     * const sinew = await Sinew.load({ meshopt: MeshoptDecoder });
     */
    static load(options?: {
        /** Another module instead, such as the bytes of sinew-plain.wasm for browsers without SIMD. */
        wasm?: BufferSource | WebAssembly.Module;
        /** npm meshoptimizer's MeshoptDecoder, for files that meshopt compresses. */
        meshopt?: Meshopt;
        /** What npm draco3d's createDecoderModule() returns, for meshes that Draco compresses. */
        draco?: Draco | Promise<Draco>
    }): Promise<Sinew>;
    /** Call Sinew.load instead. */
    private constructor();
    /** 'simd128', or 'scalar' for the module without SIMD. */
    readonly simd: string;
    /** The library's version, such as '0.1.0'. */
    readonly version: string;
    /** Makes an asset from a file that another library has parsed: see SinewCore. */
    makeAsset(file: ParsedFile): Asset;

    /**
     * Loads the bytes of a .glb, a .gltf or a baked .sinew file; the content decides which. `files` are its sidecar
     * files, by the names that sidecarFiles returns. An image that is missing has `bytes` null. Throws for a damaged
     * file, and says where it is wrong.
     *
     * @example
     * const files = {};
     * for (const { name, kind } of sidecarFiles(bytes)) if (kind === 'buffer') files[name] = await read(name);
     * const hero = sinew.loadAsset(bytes, files);
     */
    loadAsset(bytes: BufferSource, files?: Record<string, BufferSource>, options?: {
        /** Markers and curves to add to the clips of a .glb or .gltf: an object, or a .markers.json file's content. */
        markers?: Markers | string | BufferSource | null;
        /** Default: the one that Sinew.load got. Await its `ready` first. */
        meshopt?: Meshopt;
        /** Default: the one that Sinew.load got. Without it, meshes that Draco compresses are empty. */
        draco?: Draco
    }): Asset;

    /**
     * Fetches and loads a file and its buffers, which must be in its folder or below. `url` is relative to the page. In
     * Node it must be absolute; file: URLs work. Rejects if a file can't be fetched or is damaged.
     *
     * @example
     * const hero = await sinew.fetchAsset(new URL('hero.glb', import.meta.url));
     */
    fetchAsset(url: string | URL, options?: {
        /** Default: the one that Sinew.load got. */
        meshopt?: Meshopt;
        /** Default: the one that Sinew.load got. */
        draco?: Draco | Promise<Draco>;
        /** Also fetches image files, for programs that draw the asset themselves; default false. */
        images?: boolean;
        /** As for loadAsset. `true` fetches hero.markers.json for hero.glb. */
        markers?: Markers | string | BufferSource | true | null
    }): Promise<Asset>;

    /**
     * Reads an animation graph: the text or bytes of its file, or the parsed object. Throws a GraphError, with the line
     * and column, if it isn't a graph. For an object they are those of JSON.stringify(object, null, 2).
     */
    loadGraph(source: string | BufferSource | object, options?: {
        /** The file's name in error messages; default 'graph'. */
        name?: string
    }): Graph;
    /** Fetches and reads an animation graph. `url` is as for fetchAsset. */
    fetchGraph(url: string | URL): Promise<Graph>;
}

/** An animated number with a name. */
export interface CurveDefinition {
    /** Key times in seconds, increasing. */
    times: number[];
    /** One value for each key. For CUBICSPLINE three: in-tangent, value, out-tangent. */
    values: number[];
    /** Default 'LINEAR'. */
    interpolation?: 'STEP' | 'LINEAR' | 'CUBICSPLINE';
}

/** Markers and curves by clip name: the content of a .markers.json file. */
export interface Markers {
    /** The clip's markers, or its markers and curves. */
    [clip: string]: Marker[] | {
        /** Named times. */
        markers?: Marker[];
        /** Curves by name. A curve replaces the file's own curve of that name. */
        curves?: Record<string, CurveDefinition>
    };
}

/** What loadGraph throws for a text that isn't a graph. The message is `name:line:column: what is wrong`. */
export interface GraphError extends Error {
    /** From 1. */
    line: number;
    /** From 1, in UTF-16 units, as editors count. */
    column: number;
}

/** A file that a glTF file refers to. */
export interface SidecarFile {
    /** The key for loadAsset's `files`: a path relative to the glTF file's folder. */
    name: string;
    /** The same path as the file has it, percent-encoded. */
    uri: string;
    /** Images are optional: see loadAsset. */
    kind: 'buffer' | 'image';
}

/**
 * Lists the buffers and images that a .glb or .gltf refers to, in its folder and below. For programs that read files
 * without fetchAsset, such as dropped ones. Empty for a file that can't be read.
 */
export function sidecarFiles(bytes: BufferSource): SidecarFile[];

/** Lists the extensions that a .glb or .gltf uses, to fetch a decoder only if a file needs it. */
export function extensionsUsed(bytes: BufferSource): string[];

/** The decoder module of npm's draco3d: what createDecoderModule() resolves to. */
export interface Draco {
    /** draco3d's class. */
    Decoder: new () => object;
    /** draco3d's class. */
    Mesh: new () => object;
    /** draco3d's function that frees an object. */
    destroy(object: object): void;
}

/** npm meshoptimizer's MeshoptDecoder. KHR_meshopt_compression needs version 1.0 or newer. */
export interface Meshopt {
    /** Resolves when the decoder can be used. */
    ready: Promise<void>;
    /** The decoder's function for glTF buffers. */
    decodeGltfBuffer(target: Uint8Array, count: number, size: number, source: Uint8Array, mode: string,
        filter?: string): void;
}

/** A named time in a clip, such as a footstep. A mixer reports it as an event. */
export interface Marker {
    /** Several markers may share a name. */
    name: string;
    /** Seconds, 0 to the clip's duration. */
    time: number;
}

/** A property of a node that a clip animates. */
export interface Channel {
    /** The node's index. */
    node: number;
    /** The animated property. */
    target: 'translation' | 'rotation' | 'scale' | 'weights';
}

/** An animation of an asset's nodes. */
export interface Clip {
    /** Its index in the asset's clips; -1 for a clip that a call such as subclip made. */
    index: number;
    /** Whether its poses are differences. Additive clips play only in layers of mode 'additive'. */
    additive: boolean;
    /** '' if the file has none. */
    name: string;
    /** Seconds. */
    duration: number;
    /** Sorted by time. */
    markers: Marker[];
    /** What it animates, without curves. */
    channels: Channel[];
}

/** A clip that bindClip has copied from another asset. */
export interface BoundClip extends Clip {
    /** Names of the other asset's nodes that found no node here. Nodes that the options leave out aren't listed. */
    unmatched: string[];
}

/** How bindClip matches nodes. */
export interface BindOptions {
    /** Maps the clip's node names to this asset's; null leaves a node out. Default: equal names. */
    names?: Record<string, string | null>;
    /** Ignores a prefix that most of a file's nodes have, such as 'mixamorig:'; default false. */
    ignorePrefixes?: boolean;
    /** Leaves out translations, scales and morph weights, for other proportions; default false. */
    rotationsOnly?: boolean;
    /** The fraction of channels that must match, 0 to 1; default 0.5. Channels that are left out don't count. */
    minMatch?: number;
}

/** A clip's object in another library: an AnimationClip of the file that drive was called with. */
export interface ClipAlias {
    /** The AnimationClip's name. */
    name: string;
    /** The AnimationClip's id. */
    uuid: string;
}

/** A clip, wherever one is needed: its name, the Clip, or its AnimationClip of three.js. */
export type ClipSource = string | Clip | ClipAlias;

/** A node of an asset. */
export interface Node {
    /** '' if the file has none. */
    name: string;
    /** Its parent's index, which is less than its own; -1 for a root. */
    parent: number;
    /** Its index in the file, which may order nodes differently. */
    source: number;
    /** The index of its first morph weight among all nodes' weights. */
    firstWeight: number;
    /** How many morph weights it has. */
    weightCount: number;
}

/** The joints that deform a mesh. */
export interface Skin {
    /** '' if the file has none. */
    name: string;
    /** The number of joints. */
    jointCount: number;
    /** Each joint's node. */
    readonly joints: Int32Array;
    /** 12 floats a joint: a row-major 3x4 inverse bind matrix. */
    readonly inverseBinds: Float32Array;
}

/** A morph target: differences to add to the vertices, 3 floats each; null where it changes nothing. */
export interface Target {
    /** Metres. */
    readonly positions: Float32Array | null;
    /** Added to the normals. */
    readonly normals: Float32Array | null;
    /** Added to x, y and z of the tangents. */
    readonly tangents: Float32Array | null;
}

/** Triangles with one material. Attributes that the file doesn't have are null. */
export interface Primitive {
    /** The number of vertices. */
    vertexCount: number;
    /** A multiple of 3. */
    indexCount: number;
    /** Joints a vertex: 0 (not skinned), 4 or 8. */
    influences: number;
    /** The material's index; -1 for none: white and opaque. */
    material: number;
    /** 3 floats a vertex, metres. */
    readonly positions: Float32Array | null;
    /** 3 floats a vertex. */
    readonly normals: Float32Array | null;
    /** 4 floats a vertex; the last is the handedness, 1 or -1. */
    readonly tangents: Float32Array | null;
    /** 2 floats a vertex; (0, 0) is the top left. */
    readonly uvs: Float32Array | null;
    /** 4 floats a vertex: linear colour with alpha. */
    readonly colors: Float32Array | null;
    /** `influences` a vertex: indices into the skin's joints. */
    readonly joints: Uint16Array | null;
    /** `influences` a vertex. They sum to 1. */
    readonly weights: Float32Array | null;
    /** Three for each triangle. */
    readonly indices: Uint32Array | null;
    /** The mesh's morph targets. */
    targets: Target[];
}

/** A mesh: one primitive or more. */
export interface Mesh {
    /** '' if the file has none. */
    name: string;
    /** Usually one for each material. Empty in assets of makeAsset. */
    primitives: Primitive[];
}

/** A mesh on a node. */
export interface MeshNode {
    /** The node's index. It doesn't move a skinned mesh: the palette does. */
    node: number;
    /** The mesh's index. */
    mesh: number;
    /** The skin's index; -1: the mesh moves with its node. */
    skin: number;
    /** Whether it is in the file's scene and visible. */
    drawn: boolean;
}

/** A material of the file. */
export interface Material {
    /** '' if the file has none. */
    name: string;
    /** Linear, with alpha. */
    baseColor: [number, number, number, number];
    /** The texture's index, or -1. */
    baseColorTexture: number;
    /** As in glTF. */
    alphaMode: 'OPAQUE' | 'MASK' | 'BLEND';
    /** For 'MASK': less alpha than this isn't drawn. */
    alphaCutoff: number;
    /** Back faces are visible. */
    doubleSided: boolean;
    /** Drawn without lighting. */
    unlit: boolean;
}

/** How an image is sampled. */
export interface Texture {
    /** The image's index, or -1. */
    image: number;
    /** Outside of 0 to 1 horizontally. */
    wrapU: 'repeat' | 'clamp' | 'mirror';
    /** Outside of 0 to 1 vertically. */
    wrapV: 'repeat' | 'clamp' | 'mirror';
    /** Magnified without filtering. */
    nearest: boolean;
}

/** An encoded image: PNG, JPEG or another format. */
export interface Image {
    /** '' if the file has none. */
    name: string;
    /** Such as 'image/png'. */
    mimeType: string;
    /** The encoded file; null for a sidecar file that wasn't passed. */
    readonly bytes: Uint8Array | null;
}

/** A clip's speed over the ground, from measureSpeed. */
export interface ClipSpeed {
    /** 'none' if it can't be measured: the planted feet disagree, or the clip isn't a loop. */
    gait: 'none' | 'stands' | 'moves';
    /** Metres a second in model space; 0 unless the gait is 'moves'. */
    velocity: [number, number, number];
    /** The velocity's length, metres a second. */
    speed: number;
    /** How much the planted feet disagree: a standard deviation, metres a second. 0 is certain. */
    spread: number;
    /** Radians a second about +Y. */
    yawRate: number;
    /** The mean fraction of the time that a foot is planted. */
    planted: number;
    /** When each foot is on the ground. */
    feet: {
        /** The foot's node. */
        node: number;
        /** The first 8 intervals at most. */
        plants: {
            /** Seconds. */
            start: number;
            /** Seconds. Past the clip's duration, it is in the next loop. */
            end: number
        }[]
    }[];
}

/** A file's content. Any number of mixers share it. */
export class Asset {
    /** Call loadAsset, fetchAsset or makeAsset of Sinew instead. */
    private constructor();
    /** Parents come before their children. */
    readonly nodes: Node[];
    /** The curves that clips animate. */
    readonly curves: {
        /** The curve's name. */
        name: string;
        /** Its value in clips that don't animate it. */
        rest: number
    }[];
    /** The file's clips. Clips that calls make aren't added. */
    readonly clips: Clip[];
    /** The file's skins. */
    readonly skins: Skin[];
    /** The file's meshes. */
    readonly meshes: Mesh[];
    /** Where the meshes are. */
    readonly meshNodes: MeshNode[];
    /** The file's materials. */
    readonly materials: Material[];
    /** The file's textures. */
    readonly textures: Texture[];
    /** The file's images, encoded. */
    readonly images: Image[];
    /** Its memory in bytes. */
    readonly memory: number;

    /** Returns the first clip with that name, or null. */
    findClip(name: string): Clip | null;
    /** Returns the first node with that name, or -1. */
    findNode(name: string): number;
    /** Returns the index of the curve with that name, or -1. */
    findCurve(name: string): number;

    /**
     * Makes an additive clip: the clip's difference from a reference pose. The same arguments return the same clip.
     * Throws if the clip is already additive.
     *
     * @example
     * mixer.layers[2].mode = 'additive';
     * mixer.clipAction(hero.makeAdditive('Breathe'), { layer: 2 }).play();
     */
    makeAdditive(clip: ClipSource, from?: {
        /** The clip that the reference pose is from; null is the rest pose. Default: the clip itself. */
        reference?: ClipSource | null;
        /** The reference pose's time in that clip, seconds; default 0. */
        time?: number
    }): Clip;
    /**
     * Measures how fast a clip's planted feet carry the character, with root motion or on the spot. It takes
     * milliseconds, so call it after loading. Throws if it can't find the feet.
     *
     * @example
     * const { speed } = hero.measureSpeed('Walk'); // metres a second
     */
    measureSpeed(clip: ClipSource, options?: {
        /** The feet's nodes, such as the ankles. Default: found by the rest pose's shape. */
        feet?: (number | string)[]
    }): ClipSpeed;
    /**
     * Copies a part of a clip, with its markers. Time 0 of the part is `start`. The same arguments return the same
     * part. Throws unless 0 <= start < end <= the clip's duration.
     *
     * @example
     * const air = hero.subclip('Jump', { start: 0.4, end: 0.7, name: 'Air' });
     */
    subclip(clip: ClipSource, part?: {
        /** Seconds; default 0. */
        start?: number;
        /** Seconds; default the clip's duration. */
        end?: number;
        /** Default: the clip's. Graphs play the part by it. */
        name?: string
    }): Clip;
    /**
     * Combines clips that move different nodes, so that all play at once; default all clips. Mixer.playAll plays them.
     * Clips of one duration become one.
     */
    combineClips(clips?: Iterable<ClipSource>): {
        /** The first is for the base layer. The others, one for each further duration, are additive. */
        clips: readonly Clip[];
        /** Additive clips, and clips that move what an earlier one moves. */
        leftOut: readonly Clip[]
    };
    /**
     * Copies a clip of another asset of the same Sinew to this one's nodes. The values don't change, so the
     * proportions should be similar; for others use 'sinew-animation/retarget'. The same arguments return the same
     * copy. Throws if fewer channels match than `minMatch`, and names the nearest nodes.
     *
     * @example
     * const wave = hero.bindClip(dances.findClip('Wave'), { ignorePrefixes: true });
     * mixer.clipAction(wave).play();
     */
    bindClip(clip: Clip, options?: BindOptions): BoundClip;

    /** Whether dispose was called. */
    readonly disposed: boolean;
    /** Frees its memory. Also disposes its mixers, masks, blend spaces, legs and warps. */
    dispose(): void;
}

/** Plays once and holds the last pose. The same value as in three.js. */
export const LoopOnce: 2200;
/** Starts again from the other end. The same value as in three.js. */
export const LoopRepeat: 2201;
/** Reverses at each end. The same value as in three.js. */
export const LoopPingPong: 2202;
/** What an action does at its clip's end. three.js's constants have the same values. */
export type Loop = typeof LoopOnce | typeof LoopRepeat | typeof LoopPingPong;

/** How to start an action. */
export interface PlayOptions {
    /** Starts an action from its beginning even if it already plays; default false. */
    restart?: boolean;
}

/**
 * A clip or a blend space in a layer of a mixer, from Mixer.clipAction. The same arguments return the same action, and
 * you can play it any number of times.
 */
export interface Action {
    /** The mixer that plays it. */
    readonly mixer: Mixer;
    /** Its layer's index; 0 is the base. */
    readonly layer: number;

    /**
     * Starts the action next to what already plays in its layer. If it plays already, it continues, also with a
     * fade-out: call fadeIn to bring it back. A finished one starts again. Throws if only one of clip and layer is
     * additive, or if no slot is free and none can be freed. To replace what plays, use Mixer.transitionTo.
     *
     * @example
     * mixer.clipAction('Idle').play();
     * mixer.clipAction('Attack').play({ restart: true });
     */
    play(options?: PlayOptions): this;
    /** Ends it at once, with a cut. The base holds its pose if nothing else plays there. */
    stop(): this;
    /** Sets its time to the start, enables and unpauses it, and cancels startAt and warp. Weight and fades stay. */
    reset(): this;

    /**
     * Fades to `weight` from the current weight, in seconds. The current weight is 0 if it started since the last
     * update. Before play, it sets the fade-in of the next play.
     */
    fadeIn(duration: number): this;
    /** Fades to 0 in `duration` seconds, then ends the action. */
    fadeOut(duration: number): this;
    /**
     * Fades this action out and another one in, and plays it if it isn't active. `duration` is in seconds. With `warp`
     * (default false), the playback rates meet during the fade, and all other actions of the layer fade out. Throws
     * with `warp` if the actions are in different layers.
     *
     * @example
     * const walk = mixer.clipAction('Walk').play();
     * // later, when the character runs:
     * walk.crossFadeTo(mixer.clipAction('Run'), 0.3);
     */
    crossFadeTo(action: Action, duration: number, warp?: boolean): this;
    /** Ends a fade. The weight is `weight` at once. */
    stopFading(): this;
    /** Fades the other action out and this one in: crossFadeTo of the other one. */
    crossFadeFrom(action: Action, duration: number, warp?: boolean): this;

    /**
     * The weight that a fade-in reaches, 0 or more; default 1. Setting it ends a fade. In the base only the proportions
     * of the weights matter: a single action of weight 0.1 plays in full.
     */
    weight: number;
    /** Sets `weight`, for code from three.js. */
    setEffectiveWeight(weight: number): this;
    /** Returns the current weight, also during a fade; 0 for an action that isn't active. */
    getEffectiveWeight(): number;

    /**
     * Whether it has an effect; default true. A disabled action has weight 0 and its time stands still. A transition
     * to it throws.
     */
    enabled: boolean;

    /** A factor of its speed; default 1. Negative plays backward. Setting it ends a warp. */
    timeScale: number;
    /** Sets `timeScale`, for code from three.js. */
    setEffectiveTimeScale(timeScale: number): this;
    /** Returns the current speed; 0 for an action that isn't active or waits for startAt. */
    getEffectiveTimeScale(): number;
    /** Takes the time and the time scale of another action of the mixer. */
    syncWith(action: Action): this;

    /**
     * Holds the action's time until the mixer's `time` is `time` seconds, exact within an update. Its weight and
     * fades don't wait. Throws for an action of a sync group.
     */
    startAt(time: number): this;
    /**
     * Changes the speed evenly from one factor to another, in `duration` seconds of the mixer's time. The last factor
     * becomes `timeScale`; if it is 0, the action pauses and keeps its time scale.
     */
    warp(startTimeScale: number, endTimeScale: number, duration: number): this;
    /** Ends a warp. The speed is `timeScale` at once. */
    stopWarping(): this;
    /** Slows down to a stop in `duration` seconds, then pauses. */
    halt(duration: number): this;

    /**
     * Seconds in the clip. A time outside of the clip is clamped. Before play it is the start time. For a blend space
     * it is that of the clip with the largest weight; set it only while the action is active.
     */
    time: number;
    /** Stops the time of an active action. Its fades continue. Default false. */
    paused: boolean;
    /**
     * Its sync group, 1 to 255; default 0: none. Repeating actions of a group stay in phase, in all layers: a walk and
     * a run put the same foot down together. It applies when the action starts next.
     */
    sync: number;

    /** Returns its clip. For a blend space, the clip with the largest weight, or null. */
    getClip(): Clip | null;
    /** Loops completed since it started or was reset; 0 for an action that isn't active. */
    readonly loopsDone: number;

    /** Returns whether it plays: from play until it is stopped or has faded out. Paused and finished ones count. */
    isActive(): boolean;
    /** Returns whether it has reached its last end. It holds that pose, like three.js's clampWhenFinished. */
    isFinished(): boolean;
    /** Returns whether it is active and its time advances. */
    isRunning(): boolean;
}

/** A clip in a layer of a mixer. */
export interface ClipAction extends Action {
    /** What it plays. */
    readonly clip: Clip;

    /** What it does at its clip's end; default LoopRepeat. Setting it sets `repetitions` to Infinity. */
    loop: Loop;
    /** Loops until it is finished; default Infinity. LoopOnce ignores it. */
    readonly repetitions: number;
    /** Sets `loop` and `repetitions`, 1 or more; default Infinity. */
    setLoop(loop: Loop, repetitions?: number): this;
    /** Sets the time scale at which the clip takes `duration` seconds, above 0. */
    setDuration(duration: number): this;
    /** Returns its clip. */
    getClip(): Clip;

    /**
     * Queues an action to follow this one, which must be active. A fade ends with this action; other transitions start
     * at its end. It has no effect if this action repeats forever, is stopped or fades out.
     *
     * @example
     * const attack = mixer.clipAction('Attack').setLoop(LoopOnce);
     * mixer.transitionTo(attack, { duration: 0.1 }).queue(mixer.clipAction('Idle'));
     */
    queue(action: ClipAction | BlendSpaceAction, transition?: Transition): this;
    /** Queues a fade-out of `duration` seconds that ends with the action; default 0.2. */
    queueFadeOut(duration?: number): this;
    /**
     * Queues what the layer played before the last transitionTo. Returns false if there was nothing. One-shots that
     * interrupt each other all return to what played before the first.
     *
     * @example
     * mixer.transitionTo(mixer.clipAction('Wave').setLoop(LoopOnce)).queuePrevious();
     */
    queuePrevious(transition?: Transition): boolean;
}

/** A blend space in a layer of a mixer. It repeats forever. */
export interface BlendSpaceAction extends Action {
    /** What it plays. */
    readonly space: BlendSpace;
    /** The clip with the largest weight at the start of the last update; null if the action isn't active. */
    readonly clip: Clip | null;

    /** Starts the action with the parameter at (x, y). If it plays already, the parameter moves there. */
    play(options?: PlayOptions & {
        /** Default: the last value that was set, at first 0. */
        x?: number;
        /** Default: the last value that was set, at first 0. */
        y?: number
    }): this;
    /** Moves the parameter to (x, y), with the blend space's damping. `y` is 0 by default. */
    setParameter(x: number, y?: number): this;
    /** The current parameter; 0 for an action that isn't active. */
    readonly x: number;
    /** The current parameter; 0 for an action that isn't active. */
    readonly y: number;
}

/** Something that an action did in an update. */
export interface MixerEvent {
    /** 'loop': it reached an end and continues. 'finished': it reached its last end. 'marker': it reached a marker. */
    type: 'loop' | 'finished' | 'marker';
    /** The action that did it. */
    action: Action;
    /** The action's clip. For a blend space, the clip with the largest weight. */
    clip: Clip;
    /** The marker of a 'marker' event; otherwise null. */
    marker: Marker | null;
    /** The mixer. */
    target: Mixer;
}

/**
 * How a transition gets to the new clip. 'fade' plays and blends both clips. 'inertialize' plays only the new clip, and
 * the difference from the old pose decays. 'deadBlend' fades the new clip in over the old pose, which moves on by
 * itself; above the base it is a fade.
 */
export type TransitionKind = 'fade' | 'inertialize' | 'deadBlend';

/** How an action replaces the others of its layer. */
export interface Transition {
    /** Default 'fade'. */
    kind?: TransitionKind;
    /** Seconds; default 0.2. 0 is a cut. */
    duration?: number;
    /** The easing of the weights; default 'auto': smoothstep for dead blending, otherwise linear. */
    easing?: 'auto' | 'linear' | 'smoothstep';
    /** For a fade: the playback rate moves from the old clip's to the new clip's. Default false. */
    matchRate?: boolean;
}

/**
 * A layer of a mixer. It overrides the layers below or adds to them, by its weight and mask.
 *
 * @example
 * const upper = mixer.layers[1];
 * upper.mask = new Mask(hero).setSubtree(hero.findNode('Spine'), 1);
 * mixer.clipAction('Wave', { layer: 1 }).play();
 * upper.fadeTo(0, 0.5); // later
 */
export interface Layer {
    /** The mixer that it belongs to. */
    readonly mixer: Mixer;
    /** 0 is the base. Setting the base's weight, mask or mode throws. */
    readonly index: number;

    /** 0 or more; default 1. Setting it acts at once. */
    weight: number;
    /** Fades to a weight from the current one, in seconds. Its actions continue, even at weight 0. */
    fadeTo(weight: number, duration: number): this;
    /** The nodes that it affects; default null: all. Later changes of the mask apply. */
    mask: Mask | null;
    /** Default 'override'. Setting it throws while an action is active in the layer. */
    mode: 'override' | 'additive';

    /** Its active actions, as a new array. */
    readonly actions: Action[];
    /** Smooths the next change of this layer: see Mixer.inertialize. Throws for the base. */
    inertialize(duration: number): this;
}

/**
 * How much a layer affects each node, 0 to 1. Any number of layers and mixers share a mask. A layer with a mask affects
 * no curves.
 *
 * @example
 * const upper = new Mask(hero).setSubtree(hero.findNode('Spine'), 1, 2); // rises along the spine
 * upper.setSubtree(hero.findNode('UpperArm_L'), 0);                      // without the left arm
 * mixer.layers[1].mask = upper;
 */
export class Mask {
    /** Makes a mask with one factor for all nodes; default 0. */
    constructor(asset: Asset, factor?: number);
    /** The asset whose nodes it has. */
    readonly asset: Asset;
    /** Each node's factor. Don't write to it. */
    readonly factors: Float32Array;

    /** Sets a node's factor, clamped to 0 to 1. */
    set(node: number, factor: number): this;
    /**
     * Sets the factor of a node and its descendants. With a feather of n (default 0), it changes in even steps over
     * n + 1 levels of the hierarchy, from the factor of the node's parent.
     */
    setSubtree(node: number, factor: number, feather?: number): this;

    /** Whether dispose was called. */
    readonly disposed: boolean;
    /** Removes it from its layers. Its memory is freed with the last mixer that used it. */
    dispose(): void;
}

/** A clip at a point of a blend space. */
export interface Sample {
    /** The clip; not an additive one. */
    clip: ClipSource;
    /**
     * The clip's point, in units of your choice. Default: measured from its planted feet, in metres a second. On a line
     * that is the speed, negative backward; otherwise the velocity to the character's right.
     */
    x?: number;
    /** The velocity forward if `x` is measured; otherwise default 0. Ignored on a line. */
    y?: number;
    /** A factor of the clip's playback rate, not 0; default 1. */
    speed?: number;
}

/**
 * Clips at points of a line or a plane, blended by a parameter. Any number of mixers share it.
 *
 * @example
 * const speeds = new BlendSpace(hero, {
 *     samples: [{ clip: 'Idle', x: 0 }, { clip: 'Walk', x: 1.2 }, { clip: 'Run', x: 3.5 }],
 *     syncNames: ['Foot_L', 'Foot_R'],
 * });
 * const moving = mixer.clipAction(speeds).play();
 * moving.setParameter(2);
 */
export class BlendSpace {
    /** Throws for samples at one point, and for a sample without a point whose clip has no speed. */
    constructor(asset: Asset, space: {
        /**
         * Default 'line': blends the two samples beside the parameter. 'triangles': the three around it. 'directional':
         * for velocities; blends direction and speed apart, and needs a sample at (0, 0).
         */
        kind?: 'line' | 'triangles' | 'directional';
        /** 1 to 64, or to 32 if directional. */
        samples: Sample[];
        /** The markers where strides start, in the order of a cycle. They keep the clips in step. Default none. */
        syncNames?: string[];
        /** How long the parameter takes for half of the way to its target, seconds; default 0.1. 0: at once. */
        damping?: number;
        /**
         * Plays faster or slower, so feet move at the parameter's speed. The points must be ground velocities. true
         * limits the playback rate to [0.8, 1.25]; an array sets the limits. Default false.
         */
        matchSpeed?: boolean | [number, number];
        /** The feet's nodes, to measure samples without a point. Default: found by the rest pose's shape. */
        feet?: (number | string)[];
    });
    /** The asset whose clips it has. */
    readonly asset: Asset;
    /** As given. */
    readonly kind: 'line' | 'triangles' | 'directional';
    /** As given, with the measured points. */
    readonly samples: readonly (Required<Sample> & {
        /** The sample's clip. */
        clip: Clip
    })[];
    /** As given. */
    readonly damping: number;
    /** As given. */
    readonly matchSpeed: boolean | [number, number];
    /** Three sample indices each. Empty unless the kind is 'triangles'. */
    readonly triangles: readonly [number, number, number][];

    /** Returns the samples that have a weight at a point. The weights sum to 1. */
    weights(x: number, y?: number): {
        /** The sample's index. */
        sample: number;
        /** Above 0, at most 1. */
        weight: number
    }[];
    /** Returns how the feet keep up at a point. The points must be ground velocities. */
    stride(x: number, y?: number): {
        /** The blend's speed at playback rate 1, metres a second. */
        speed: number;
        /** The playback rate from matchSpeed; 1 without it. */
        rate: number;
        /** The factor by which strides are still too short. */
        length: number
    };

    /** Whether dispose was called. */
    readonly disposed: boolean;
    /** Stops its actions. Its memory is freed with the last mixer that used it. */
    dispose(): void;
}

/** A leg's nodes, by index or name. Each is below the one before. */
export interface Leg {
    /** Rotates at the hip. */
    thigh: number | string;
    /** Rotates at the knee. */
    shin: number | string;
    /** Rotates at the ankle. */
    foot: number | string;
    /** Default null: the foot has no toes. */
    toes?: number | string | null;
}

/** When a foot is on the ground in a clip. */
export interface FootContact {
    /** The leg's index. */
    leg: number;
    /** Seconds. */
    start: number;
    /** Seconds. Before `start`, it is in the next loop. */
    end: number;
}

/** A character's legs, and when its feet are on the ground in each clip. Any number of mixers share it. */
export class Legs {
    /** Finds the contacts. Without markers that takes milliseconds a clip: call it after loading. */
    constructor(asset: Asset, options: {
        /** 1 to 8 legs. */
        legs: Leg[];
        /** The clips with contacts; default all of the asset. */
        clips?: ClipSource[];
        /** Default null: contacts are found from the soles' motion. Clips without the markers use it too. */
        markers?: {
            /** For each leg, the marker where its foot comes down. */
            down: string[];
            /** For each leg, the marker where its foot is lifted. */
            up: string[]
        } | null;
    });
    /** The asset whose nodes it has. */
    readonly asset: Asset;
    /** The number of legs. */
    readonly count: number;
    /** Returns a clip's contacts, sorted by leg. */
    contacts(clip: ClipSource): {
        /** Where they come from. */
        source: 'none' | 'markers' | 'motion';
        /** Sorted by leg, then start. */
        contacts: FootContact[]
    };
    /** Whether dispose was called. */
    readonly disposed: boolean;
    /** Disposes its foot locks. Its memory is freed with the last mixer that used it. */
    dispose(): void;
}

/** How a FootLock behaves. Contacts are 0 (in the air) to 1 (on the ground), blended like the clips. */
export interface FootLockSettings {
    /** A contact of at least this locks a foot; default 0.5. */
    contactOn?: number;
    /** A contact below this releases it; default 0.4. */
    contactOff?: number;
    /** The largest distance of a locked foot from the pose's foot, metres; default 0.5. */
    distance?: number;
    /** The same for its angle about +Y, radians; default 0.8. */
    turn?: number;
    /** How far a locked foot may extend its leg, as a fraction of the leg's length; default 0.99. */
    stretch?: number;
    /** The largest angle by which the heel rises, radians; default 0.6. */
    roll?: number;
    /** How high a foot is lifted when it has to step, as a fraction of the leg's length; default 0.1. 0: it slides. */
    liftHeight?: number;
    /** The time constant of released feet, seconds; default 0.08. */
    releaseTime?: number;
    /** From the pose (0) to locked feet (1); default 1. */
    weight?: number;
    /** A foot is locked only while its lowest sole point is at most this far above the ground, metres; default 0.02. */
    height?: number;
}

/**
 * Keeps planted feet in place while clips blend and the character turns or changes speed. A mixer has one at most; its
 * snapshots include it. Driven characters and scenes update it. Otherwise call `update` each frame, after the update of
 * the mixer or batch and after you move the character.
 *
 * @example
 * const legs = new Legs(hero, { legs: ['L', 'R'].map((side) => (
 *     { thigh: `UpperLeg_${side}`, shin: `LowerLeg_${side}`, foot: `Foot_${side}` })) });
 * const feet = new FootLock(mixer, legs);
 * feet.update(delta, object.matrixWorld.elements); // each frame, after mixer.update(delta)
 */
export class FootLock {
    /** Throws if the mixer already has one. */
    constructor(mixer: Mixer, legs: Legs, settings?: FootLockSettings);
    /** The mixer whose pose it edits. */
    readonly mixer: Mixer;
    /** As given. */
    readonly legs: Legs;
    /** From the pose (0) to locked feet (1). Fade it out for clips in which the feet don't stand. */
    weight: number;
    /**
     * Changes the mixer's pose, matrices and palettes. Pass the same `deltaTime` as to the mixer. `world` is the
     * character's world matrix in this frame, column-major, with uniform scale; default the identity.
     */
    update(deltaTime: number, world?: ArrayLike<number>): void;
    /** Returns whether a leg's foot is locked. */
    isLocked(leg: number): boolean;
    /** Releases all feet smoothly. Call it after a seek. */
    release(): void;
    /** Forgets all feet at once. Call it after a teleport. */
    reset(): void;
    /** Whether dispose was called. */
    readonly disposed: boolean;
    /** Removes it from its mixer. */
    dispose(): void;
}

/** Which motion to extract from the pose, so your program moves the character by it. */
export interface RootMotion {
    /** The node that carries the character: its hips, or a node above them. */
    node: number;
    /** The axes along which translation is extracted; default 'xz', the ground plane. */
    translation?: string;
    /** Whether the rotation about +Y is extracted; default true. */
    rotation?: boolean;
    /** Whether the motion that stays in the pose ends where it starts, in repeating clips; default false. */
    closeLoops?: boolean;
}

/** A character's motion in an update, in its own space before the update. */
export interface RootDelta {
    /** Metres. Rotate it by the character's facing, then add it to its position. */
    translation: Float32Array;
    /** About +Y. Multiply the character's facing by it. */
    rotation: Float32Array;
    /** The same rotation as an angle, radians. */
    yaw: number;
}

/** A character's position and facing in the world. */
export interface WarpTransform {
    /** Metres. */
    position: ArrayLike<number>;
    /** A unit quaternion; default [0, 0, 0, 1]. */
    facing?: ArrayLike<number>;
}

/** The window and the limits of a RootWarp. */
export interface RootWarpOptions {
    /** [start, end] in seconds of the clip. Or 'Vault', for the markers 'Vault' and, later, 'Vault.end'. */
    window: string | ArrayLike<number>;
    /** The root's largest speed as a factor of the clip's, 1 or more; default 2. */
    maxSpeed?: number;
    /** Metres a second on top, for clips that hardly move; default 0. */
    addedSpeed?: number;
    /** How much faster than in the clip the root may turn, radians a second; default 2π. */
    maxTurnRate?: number;
}

/**
 * Warps a clip's root motion, so the character is at a goal when a window of the clip ends: a vault, a jump, an attack.
 * The pose doesn't change. Times are seconds in the clip; for later loops of a repeating action add its duration.
 *
 * @example
 * const warp = new RootWarp(mixer, 'Vault', { window: 'Vault' }); // the mixer has rootMotion
 * warp.begin({ position: here }, { position: ledge });            // when the clip starts
 * mixer.update(delta);                                            // each frame
 * const { position, facing } = warp.at(action.time);              // instead of mixer.rootDelta()
 */
export class RootWarp {
    /**
     * Makes a warp that also works after the mixer is disposed. Throws if the mixer has no root motion or the clip
     * doesn't have the markers.
     */
    constructor(mixer: Mixer, clip: string | Clip, options: RootWarpOptions);
    /** The clip's asset. */
    readonly asset: Asset;
    /** The clip that is warped. */
    readonly clip: Clip;
    /** The window's start, seconds. */
    readonly start: number;
    /** The window's end, seconds. */
    readonly end: number;

    /**
     * Starts a warp for a character that is at `start` at a time in the clip; default 0. Call it again for the next
     * jump. Throws if the time isn't before the window's end, or the window or a limit is out of range. There is no
     * warp then: the root doesn't move.
     */
    begin(start: WarpTransform, goal: WarpTransform, time?: number): this;
    /** How far the limits make it miss the goal, metres; 0 if it gets there. */
    readonly missedDistance: number;
    /** By what angle about +Y they make it miss the goal's facing, radians. */
    readonly missedTurn: number;
    /**
     * Changes the goal at a time in the window, each frame if you like. The velocity doesn't jump. `now` is where the
     * character is then, for example after a collision; default: where the warp has it. No-op after the window.
     */
    retarget(time: number, goal: WarpTransform, now?: WarpTransform | null): this;
    /** Writes the character's transform at a time to `target`, and returns it. */
    at<T extends { position: Numbers; facing: Numbers }>(time: number, target: T): T;
    /** Returns the character's transform at a time. */
    at(time: number): {
        /** Metres. */
        position: Float32Array;
        /** A unit quaternion. */
        facing: Float32Array
    };
    /** Writes the root motion between two times to `target`, and returns it. */
    rootDelta<T extends { translation: Numbers; rotation: Numbers; yaw: number }>(from: number, to: number, target: T): T;
    /** Returns the root motion between two times. Use it instead of Mixer.rootDelta for characters that collide. */
    rootDelta(from: number, to: number): RootDelta;

    /** Copies its state, 150 numbers, into `saved` or a new array. Snapshots of the mixer don't include it. */
    save(saved?: Float32Array): Float32Array;
    /** Restores a state that save returned. */
    restore(saved: ArrayLike<number>): this;

    /** Whether dispose was called. */
    readonly disposed: boolean;
    /** Frees its memory. */
    dispose(): void;
}

/** A node's local transform. */
export interface Transform {
    /** Metres, in the parent's space. */
    translation: Float32Array;
    /** A unit quaternion. */
    rotation: Float32Array;
    /** A factor for each axis. */
    scale: Float32Array;
}

/** An array of numbers, of any type, to write results to. */
export interface Numbers {
    /** A number. */
    [index: number]: number;
}

/** How to make a mixer. */
export interface MixerOptions {
    /** How many actions can be active, 1 to 64; default 16. One more ends the one with the least weight. */
    maxActions?: number;
    /** The number of layers with the base, 1 to 8; default 4. */
    layers?: number;
    /** The markers that sync groups align, in the order of a cycle: ['Foot_L', 'Foot_R']. Default: whole loops. */
    syncNames?: string[];
    /** Default null: all motion stays in the pose. */
    rootMotion?: RootMotion | null;
}

/** The options of a character that drive makes. */
export interface CharacterOptions extends MixerOptions {
    /** A graph for an animator that drives the mixer; default null. It must be of the asset's Sinew. */
    graph?: Graph | null;
}

/**
 * Plays the actions of one character, and has its pose and matrices.
 *
 * @example
 * const mixer = new Mixer(hero);       // one for each character
 * mixer.clipAction('Walk').play();
 * mixer.update(delta);                 // each frame, seconds
 * draw(mixer.palette());               // 12 floats a joint
 */
export class Mixer {
    /** Makes a mixer that shows the rest pose. Throws if `rootMotion.node` can't carry root motion. */
    constructor(asset: Asset, options?: MixerOptions);
    /** As given. */
    readonly asset: Asset;
    /** The animator that drives it, or null. */
    readonly animator: Animator | null;
    /** The base, then the layers above it. */
    readonly layers: readonly Layer[];

    /**
     * Returns the action of a clip in a layer; default the base. The same arguments return the same action. Throws if
     * the asset doesn't have the clip, and lists those it has.
     *
     * @example
     * const walk = mixer.clipAction('Walk').play();
     * const wave = mixer.clipAction('Wave', { layer: 1 }).setLoop(LoopOnce).play();
     */
    clipAction(clip: ClipSource, options?: {
        /** The layer's index; default 0. */
        layer?: number
    }): ClipAction;
    /** Returns the action of a blend space in a layer. At most 4 are active at once, with those that fade out. */
    clipAction(space: BlendSpace, options?: {
        /** The layer's index; default 0. */
        layer?: number
    }): BlendSpaceAction;
    /** Returns the action that clipAction returned for a clip, or null. */
    existingAction(clip: ClipSource, options?: {
        /** The layer's index; default 0. */
        layer?: number
    }): ClipAction | null;
    /** Returns the action that clipAction returned for a blend space, or null. */
    existingAction(space: BlendSpace, options?: {
        /** The layer's index; default 0. */
        layer?: number
    }): BlendSpaceAction | null;
    /** Stops an action and forgets it: clipAction makes a new one. */
    uncacheAction(source: ClipSource | BlendSpace, options?: {
        /** The layer's index; default 0. */
        layer?: number
    }): void;
    /** Stops and forgets the actions of a clip or blend space in all layers. */
    uncacheClip(source: ClipSource | BlendSpace): void;
    /** Stops and forgets all actions. */
    uncacheRoot(): void;
    /**
     * Plays an action and ends all others of its layer. Call it when something changes, not every frame: each call
     * starts the transition again.
     *
     * @example
     * mixer.transitionTo(mixer.clipAction('Run'), { duration: 0.3 });
     * mixer.transitionTo(mixer.clipAction('Jump'), { kind: 'inertialize' });
     */
    transitionTo<A extends Action>(action: A, transition?: Transition, options?: PlayOptions): A;
    /**
     * Plays all clips of a file whose objects each have their own clip. Each loops at its own duration. Other actions
     * of the base end. Returns the new actions. Throws if they are more than `maxActions`.
     *
     * @example
     * mixer.playAll({ duration: 0.5 });
     */
    playAll(options?: {
        /** Default: all clips of the asset. They go through Asset.combineClips. */
        clips?: Iterable<ClipSource>;
        /** The layer for clips of further durations, which becomes additive; default the last. */
        layer?: number;
        /** The fade-in, seconds; default 0. */
        duration?: number
    }): ClipAction[];
    /** Ends all actions at once. The pose is held. */
    stopAllAction(): this;

    /** A factor of every update, 0 or more; default 1. */
    timeScale: number;
    /** The sum of all updates, with `timeScale`, seconds. */
    readonly time: number;
    /** Sets the time of the mixer and of all active actions to 0, then updates by `time` seconds. */
    setTime(time: number): boolean;

    /**
     * Smooths the next change of the pose, such as a seek, a stop or another mask: the difference decays in `duration`
     * seconds. Call it before the change, in the same frame.
     *
     * @example
     * mixer.inertialize(0.2);
     * walk.time = 0.7;
     */
    inertialize(duration: number): this;

    /**
     * Advances by `deltaTime` seconds and computes the pose, matrices and palettes. Negative steps count as 0. Returns
     * false if the pose hasn't changed, so you can skip the upload.
     */
    update(deltaTime: number): boolean;

    /**
     * Adds a listener. It is called at the end of an update for each event, in order of time. An update reports at most
     * 32 events.
     *
     * @example
     * mixer.addEventListener('marker', ({ marker }) => { if (marker.name === 'Foot_L') playStep(); });
     * mixer.addEventListener('finished', ({ action }) => console.log(action.getClip().name));
     */
    addEventListener(type: MixerEvent['type'], listener: (event: MixerEvent) => void): void;
    /** Removes a listener. */
    removeEventListener(type: MixerEvent['type'], listener: (event: MixerEvent) => void): void;

    /**
     * Saves the playback state, with the animator, foot lock and springs. Pass an earlier snapshot to overwrite it
     * without garbage.
     *
     * @example
     * const before = mixer.save();
     * mixer.update(1 / 60);
     * mixer.restore(before); // the next update gives the same bits again
     */
    save(snapshot?: Snapshot): Snapshot;
    /**
     * Restores a state that this mixer saved. The same calls then give the same bits. Disposed masks and blend spaces
     * don't come back, and changed masks keep their changes. Palettes and matrices follow at the next update.
     */
    restore(snapshot: Snapshot): this;
    /** A hash of the playback state. The same calls give the same hash, on every machine and in C. */
    readonly hash: bigint;

    /** Returns a skin's palette, by default the first's: 12 floats a joint, row-major 3x4, bind pose to model space. */
    palette(skin?: number): Float32Array;
    /** 12 floats a node: its row-major 3x4 model matrix. */
    readonly modelMatrices: Float32Array;
    /** Writes a node's model matrix to `target`, and returns it. */
    nodeMatrix<T extends Numbers>(node: number, target: T): T;
    /**
     * Returns a node's model matrix: column-major 4x4, 16 floats, like three.js's Matrix4.
     *
     * @example
     * const hand = mixer.nodeMatrix(hero.findNode('Hand_R')); // draw a sword there
     */
    nodeMatrix(node: number): Float32Array;
    /** Writes a node's local transform to `target`, and returns it. */
    nodeTransform<T extends Record<keyof Transform, Numbers>>(node: number, target: T): T;
    /** Returns a node's local transform. */
    nodeTransform(node: number): Transform;
    /** Writes the root motion of the last update to `target`, and returns it. */
    rootDelta<T extends { translation: Numbers; rotation: Numbers; yaw: number }>(target: T): T;
    /**
     * Returns the root motion of the last update. No motion without the option `rootMotion`.
     *
     * @example
     * const mixer = new Mixer(hero, { rootMotion: { node: hero.findNode('Hips') } });
     * mixer.update(delta);
     * const { translation, yaw } = mixer.rootDelta();
     */
    rootDelta(): RootDelta;
    /** Writes the bounding box to `target`, and returns it. */
    bounds<T extends Numbers>(target: T): T;
    /** Returns the bounding box of all drawn vertices in model space: minimum, then maximum. Empty: Infinity first. */
    bounds(): Float32Array;
    /** The current value of each curve, blended like the pose. Asset.findCurve gives the index. */
    readonly curves: Float32Array;
    /** Returns a node's morph weights. Empty for a node without any. */
    morphWeights(node: number): Float32Array;

    /** Whether dispose was called. */
    readonly disposed: boolean;
    /** Frees its memory. Also disposes its foot lock, solvers and batches. */
    dispose(): void;
}

/** A mixer's playback state, from its save. */
export interface Snapshot {
    /** The only mixer that can restore it. */
    readonly mixer: Mixer;
}

/** A parameter of a graph: what your program sets. */
export interface GraphParameter {
    /** Its index in the graph's parameters. */
    index: number;
    /** Its name in the file. */
    name: string;
    /** Which values it takes. */
    type: 'float' | 'int' | 'bool' | 'trigger' | 'vector2';
    /** The value at the start. */
    default: number | boolean | [number, number];
    /** The least value; -Infinity: no limit. */
    min: number;
    /** The largest value; Infinity: no limit. */
    max: number;
    /** How long the graph's value takes for half of the way to the one you set, seconds. */
    damping: number;
    /** How long a trigger waits for a transition, seconds. */
    hold: number;
    /** The line in the file, from 1. */
    line: number;
}

/** A layer of a graph. It has the mixer's layer of the same index. */
export interface GraphLayer {
    /** Its name in the file. */
    name: string;
    /** Its machine's index. */
    machine: number;
    /** How it combines with the layers below. */
    mode: 'override' | 'additive';
    /** Its weight, before parameter and curve. */
    weight: number;
    /** The parameter that multiplies the weight, or null. */
    weightParameter: string | null;
    /** The curve that multiplies the weight, or null. */
    weightCurve: string | null;
    /** The clip whose first frame is an additive layer's reference; null: the rest pose. */
    reference: string | null;
    /** The line in the file, from 1. */
    line: number;
}

/** A machine: states, one of them current. States and transitions with its index as `machine` belong to it. */
export interface GraphMachine {
    /** The index of the state that it enters first. */
    entry: number;
    /** The index of the state that contains it; -1 for a layer's machine. */
    state: number;
}

/** A state's blend space. */
export interface GraphBlend {
    /** As for BlendSpace. */
    kind: 'line' | 'triangles' | 'directional';
    /** A parameter's name. A vector2 is both coordinates. */
    x: string;
    /** A parameter's name, or null. */
    y: string | null;
    /** As for BlendSpace, seconds. */
    damping: number;
    /** The limits of the playback rate, or false. */
    matchSpeed: false | [number, number];
    /** The clips at their points. */
    samples: {
        /** The clip's name. */
        clip: string;
        /** The clip's point. */
        x: number;
        /** The clip's point. */
        y: number;
        /** A factor of the clip's playback rate. */
        speed: number
    }[];
}

/** A state of a graph. */
export interface GraphState {
    /** Its index in the graph's states. */
    index: number;
    /** Its name in the file. */
    name: string;
    /** The names of its layer, of the states around it, and its own, such as 'Base/Ground/Move'. */
    path: string;
    /** Its layer's index. */
    layer: number;
    /** The index of the machine that it belongs to. */
    machine: number;
    /** What it plays. 'machine': it contains other states. */
    kind: 'empty' | 'clip' | 'blend' | 'machine';
    /** Its clip's name, or null. */
    clip: string | null;
    /** Its blend space, or null. */
    blend: GraphBlend | null;
    /** The index of the machine that it contains, or -1. */
    submachine: number;
    /** The playback speed; negative is backward. */
    speed: number;
    /** The parameter that multiplies the speed, or null. */
    speedParameter: string | null;
    /** What its clip does at its end. */
    loop: 'once' | 'repeat' | 'pingPong';
    /** Loops until the clip has finished; Infinity: no limit. */
    loopCount: number;
    /** Its sync group's name, or null. */
    sync: string | null;
    /** Its tags, for Animator.hasTag and conditions. */
    tags: string[];
    /** The line in the file, from 1. */
    line: number;
}

/** A transition of a graph. One from several states in the file is several here. */
export interface GraphTransition {
    /** The index of the machine that it belongs to. */
    machine: number;
    /** The old state's index; -1: any state of the machine. */
    from: number;
    /** The new state's index. */
    to: number;
    /** Its condition; null: always true. */
    when: string | null;
    /** As for Transition. */
    kind: 'fade' | 'inertialize' | 'deadBlend';
    /** Seconds. */
    duration: number;
    /** As for Transition. */
    easing: 'auto' | 'linear' | 'smoothstep';
    /** As for Transition. */
    matchRate: boolean;
    /** Where the new state's clip starts, 0 to 1 of its duration. */
    offset: number;
    /** What may interrupt it. 'anyState': only transitions from any state. */
    interrupt: 'always' | 'anyState' | 'never';
    /** Whether a transition from any state is also taken when `to` is current. */
    toSelf: boolean;
    /** The line in the file, from 1. */
    line: number;
}

/** An animation graph: states, transitions and parameters as data. Any number of animators and assets share it. */
export class Graph {
    /** Call loadGraph or fetchGraph of Sinew instead. */
    private constructor();
    /** What your program sets. */
    readonly parameters: readonly GraphParameter[];
    /** The first is the base. */
    readonly layers: readonly GraphLayer[];
    /** The machines of all layers and states. */
    readonly machines: readonly GraphMachine[];
    /** The states of all machines. */
    readonly states: readonly GraphState[];
    /** In order of priority. */
    readonly transitions: readonly GraphTransition[];
    /** The tags of all states, each once. */
    readonly tags: readonly string[];
    /** Its memory in bytes. */
    readonly memory: number;
    /** Returns the state with that path, or null. */
    findState(path: string): GraphState | null;
    /** Returns the parameter with that name, or null. */
    findParameter(name: string): GraphParameter | null;
    /** Whether dispose was called. */
    readonly disposed: boolean;
    /** No new animators can be made from it. Its memory is freed with the last animator that plays it. */
    dispose(): void;
}

/** Something that a graph did. */
export interface AnimatorEvent {
    /** 'cycle': a layer took 8 transitions in one update and could take more. */
    type: 'stateEntered' | 'stateLeft' | 'transitionStarted' | 'transitionEnded' | 'cycle';
    /** The layer's index. */
    layer: number;
    /** The path of the state that was entered or left, or that the transition leads to. For a cycle, the current. */
    state: string;
    /** null for states, cycles and forced transitions. */
    transition: GraphTransition | null;
    /** The animator. */
    target: Animator;
}

/**
 * Plays a graph on one character. It drives a mixer: updating either, or a Batch, Scene or driven character, advances
 * both. Layers are given by name or index; default the base. A wrong name throws an Error that lists the right ones.
 *
 * @example
 * const graph = await sinew.fetchGraph('hero.graph.json');
 * const animator = new Animator(hero, graph);
 * animator.set('speed', 2).fire('jump');
 * animator.update(delta);
 * draw(animator.mixer.palette());
 */
export class Animator {
    /**
     * Binds the graph to the asset's clips and nodes by name; clips of bindClip and subclip count. The mixer has at
     * least the graph's layers, and its sync markers unless you pass some. Throws for a missing clip or node.
     */
    constructor(asset: Asset, graph: Graph, options?: MixerOptions);
    /** As given. */
    readonly asset: Asset;
    /** The graph that it plays. setGraph replaces it. */
    readonly graph: Graph;
    /** For its pose, matrices, events and root motion, and for layers that the graph doesn't have. */
    readonly mixer: Mixer;

    /** Takes transitions and updates the mixer: the same as the mixer's update. */
    update(deltaTime: number): boolean;

    /** Sets a parameter, clamped to its range: a number, a boolean, or a vector2's x and y. Throws for a trigger. */
    set(parameter: string, value: number | boolean, y?: number): this;
    /** Returns the value that the graph uses, after damping. For a trigger, whether it is set. */
    get<T extends number | boolean | Float32Array = number>(parameter: string): T;
    /** Writes a vector2 to `target`, and returns it. */
    get<T extends Numbers>(vector: string, target: T): T;
    /** Sets a trigger, until a transition takes it or its `hold` has passed. */
    fire(trigger: string): this;
    /** Ends a trigger that no transition has taken. */
    cancel(trigger: string): this;

    /** Returns the path of a layer's innermost current state. In a transition, that is the new state. */
    state(layer?: string | number): string;
    /** Returns whether a state is current or contains the current one. */
    isActive(path: string): boolean;
    /** Returns whether a state with that tag is active, in any layer. */
    hasTag(tag: string): boolean;
    /** Returns the seconds since an active state was entered; 0 for other states. */
    elapsed(path: string): number;
    /** Returns the transition that runs in a layer, or null. A forced one counts as null. */
    transition(layer?: string | number): GraphTransition | null;
    /** Returns how far a layer's transition is, 0 to 1; 1 if none runs. */
    progress(layer?: string | number): number;
    /** Returns the action of a layer's current state; null for an empty one. The next transition replaces it. */
    action(layer?: string | number): ClipAction | BlendSpaceAction | null;
    /** Enters a state at once, without a condition, and calls the listeners. Conditions may leave it again. */
    forceState(path: string, transition?: Transition): this;

    /**
     * Replaces the graph and continues, for tools that edit one. States and parameters of equal names carry over. A
     * layer whose state is gone starts at its entry. Actions of your program end, and earlier snapshots become invalid.
     * If the graph doesn't fit the asset, it throws and changes nothing. It doesn't dispose the old graph.
     */
    setGraph(graph: Graph, options?: {
        /** How long the pose takes to the new one, seconds; default 0.2. */
        duration?: number
    }): this;
    /** Continues where another animator of the same asset is. This one must be new. */
    adopt(other: Animator, options?: {
        /** How long the pose takes to the new one, seconds; default 0.2. */
        duration?: number
    }): this;

    /**
     * Adds a listener. It is called at the end of an update for each event, in order, before the mixer's listeners.
     *
     * @example
     * animator.addEventListener('stateEntered', ({ state }) => console.log(state)); // 'Base/Jump'
     */
    addEventListener(type: AnimatorEvent['type'], listener: (event: AnimatorEvent) => void): void;
    /** Removes a listener. */
    removeEventListener(type: AnimatorEvent['type'], listener: (event: AnimatorEvent) => void): void;

    /** Saves the state, mixer included: the same as the mixer's save. */
    save(snapshot?: Snapshot): Snapshot;
    /** Restores a state: the same as the mixer's restore. */
    restore(snapshot: Snapshot): this;
    /** A hash of parameters, states and mixer. The same calls give the same hash, on every machine and in C. */
    readonly hash: bigint;

    /** Whether it or its mixer was disposed. */
    readonly disposed: boolean;
    /** Disposes it and its mixer. */
    dispose(): void;
}

/**
 * Updates many characters in one call: the same results in less time. It is fastest if you read only palettes. Once you
 * read a mixer's model matrices or bounds, each update also writes its matrices.
 *
 * @example
 * const crowd = new Batch(mixers);
 * crowd.update(delta); // each frame
 */
export class Batch {
    /** Throws if there are no mixers, one occurs twice, or they aren't of one Sinew. */
    constructor(mixers: Iterable<Mixer>);
    /** As given. */
    readonly mixers: Mixer[];
    /** Updates all mixers by `deltaTime` seconds. Update their foot locks and solvers yourself, afterwards. */
    update(deltaTime: number): void;
    /** Whether it or one of its mixers was disposed. */
    readonly disposed: boolean;
    /** Ends the batch. Its mixers stay. */
    dispose(): void;
}

/** A local transform. What is left out is that of the identity. */
export interface TransformOptions {
    /** Metres; default [0, 0, 0]. */
    translation?: ArrayLike<number>;
    /** A quaternion; default [0, 0, 0, 1]. It need not be unit. */
    rotation?: ArrayLike<number>;
    /** Default [1, 1, 1]. */
    scale?: ArrayLike<number>;
}

/** The options of a new node in a scene. */
export interface NodeOptions extends TransformOptions {
    /** For Scene.find; default ''. */
    name?: string;
    /** Default null: the scene itself. */
    parent?: SceneNode | null;
}

/** A node of a scene: a character, an object or a joint. */
export interface SceneNode {
    /** null after the node was removed. */
    readonly scene: Scene | null;
    /** As given. For a joint, its node's name. */
    readonly name: string;

    /** Writes the world matrix to `target`, and returns it. */
    world<T extends Numbers>(target: T): T;
    /** Returns the world matrix as of the last update: column-major 4x4, 16 floats. */
    world(): Float32Array;
    /** Replaces the local transform. It shows at the next update. Throws for joints. */
    setTransform(transform?: TransformOptions): this;
    /** Moves it below another node or a joint; null: below the scene. Throws for joints. */
    setParent(parent: SceneNode | null, options?: {
        /** Keeps the world transform instead of the local one; default false. */
        keepWorld?: boolean
    }): this;
    /** Moves it below the scene: setParent(null). */
    detach(options?: {
        /** Keeps the world transform instead of the local one; default false. */
        keepWorld?: boolean
    }): this;
    /** Removes it and its descendants. Mixers of removed characters are disposed. Throws for joints. */
    remove(): void;
}

/** A character in a scene. */
export interface Instance extends SceneNode {
    /** As given. */
    readonly asset: Asset;
    /** Its own mixer. The scene updates it. */
    readonly mixer: Mixer;
    /** Its animator, or null. */
    readonly animator: Animator | null;
    /** Returns a joint by its node's name or index, to attach nodes to. */
    joint(name: string | number): SceneNode;
    /** Returns a palette of its mixer, in model space. Multiply by `world` when you draw. */
    palette(skin?: number): Float32Array;
    /**
     * Attaches a node of the scene to a joint, such as a sword to a hand. `offset` is its transform in the joint.
     *
     * @example
     * const sword = scene.addNode({ name: 'sword' });
     * guard.attach(sword, 'Hand_R', { translation: [0, 0.1, 0] });
     * scene.update(delta);
     * draw(sword.world());
     */
    attach(node: SceneNode, joint: string | number, offset?: TransformOptions): this;
}

/**
 * Characters, objects and attachments in a hierarchy, updated in one call a frame.
 *
 * @example
 * const scene = new Scene();
 * const guard = scene.addInstance(hero, { translation: [2, 0, 0] });
 * guard.mixer.clipAction('Walk').play();
 * scene.update(delta); // each frame
 */
export class Scene {
    /** Makes an empty scene. */
    constructor();
    /** Adds an object, or a group for others. */
    addNode(options?: NodeOptions): SceneNode;
    /** Adds a character with its own mixer. All assets must be of one Sinew. */
    addInstance(asset: Asset, options?: NodeOptions & {
        /** The mixer's options. */
        mixer?: MixerOptions;
        /** A graph for an animator that drives the mixer; default null. */
        graph?: Graph | null
    }): Instance;
    /** Returns the first node or joint with that name, or null. */
    find(name: string): SceneNode | null;
    /** The air's velocity in the world, for springs of 'sinew-animation/solvers', m/s; default [0, 0, 0]. */
    get wind(): Float32Array;
    set wind(wind: ArrayLike<number>);
    /** Updates all mixers, then foot locks, solvers, and world transforms. */
    update(deltaTime: number): void;
    /** Whether dispose was called. */
    readonly disposed: boolean;
    /** Removes all nodes and disposes the characters' mixers. Assets stay. */
    dispose(): void;
}
