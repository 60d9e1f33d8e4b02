// SPDX-License-Identifier: MIT
/**
 * sinew-animation loads glTF files, plays, blends and layers their clips, and computes skinning matrices.
 *
 * Units are meters, seconds and radians. A speed of 1 is real time. +Y is up, like in the file. Quaternions are stored
 * as x, y, z, w. Indices start at 0, and -1 means none.
 *
 * Most typed arrays are views of the module's memory. Don't write to them, and don't keep them around. When you load or
 * create something, the memory can grow, and this empties all earlier views. Just read the property again, because
 * that's free.
 *
 * All calls check their arguments. They throw a TypeError if an argument has the wrong type, a RangeError if a number
 * is out of range, and an Error for anything else. Most calls also throw if the object is disposed. The comments below
 * only mention the cases that aren't obvious.
 */

/** A glTF file that was parsed by a different library. */
export interface ParsedFile {
    /** The file's JSON as an object. */
    json: any;
    /** The file's buffers, in the same order as in the file. Compressed buffer views must already be decompressed. */
    buffers: BufferSource[];
}

/** The part of Sinew that all entry points have. */
export interface SinewCore {
    /** Either 'simd128', or 'scalar' for the module without SIMD. Results are bit-identical in both cases. */
    readonly simd: string;
    /** The library version, such as '0.1.0'. */
    readonly version: string;
    /**
     * Creates an asset from a file that you have already parsed with a different library. The asset has nodes, skins,
     * clips and bounds, but no materials, textures or images. Its meshes have no primitives. Meshes compressed with
     * Draco have no bounds. Throws if the file is damaged.
     */
    makeAsset(file: ParsedFile): Asset;
}

/**
 * The library. You need one per page.
 *
 * @example
 * const sinew = await Sinew.load();
 * const hero = await sinew.fetchAsset('hero.glb');
 * const mixer = new Mixer(hero);
 * mixer.clipAction('Walk').play();
 */
export class Sinew implements SinewCore {
    /**
     * Compiles the WebAssembly module, which is embedded in the package's code. This rejects in browsers without
     * WebAssembly SIMD. If you need to support them, import 'sinew-animation/fetch' instead.
     *
     * @example
     * import { MeshoptDecoder } from 'meshoptimizer';
     * const sinew = await Sinew.load({ meshopt: MeshoptDecoder });
     */
    static load(options?: {
        /**
         * Use this module instead of the embedded one. For example, pass the bytes of sinew-plain.wasm in browsers
         * without SIMD.
         */
        wasm?: BufferSource | WebAssembly.Module;
        /** MeshoptDecoder from npm's meshoptimizer, for files with meshopt compression. */
        meshopt?: Meshopt;
        /** The result of createDecoderModule() from npm's draco3d, for meshes with Draco compression. */
        draco?: Draco | Promise<Draco>
    }): Promise<Sinew>;
    /** Use Sinew.load instead. */
    private constructor();
    /** Either 'simd128', or 'scalar' for the module without SIMD. */
    readonly simd: string;
    /** The library version, such as '0.1.0'. */
    readonly version: string;
    /** Creates an asset from a file that was parsed by a different library. See SinewCore. */
    makeAsset(file: ParsedFile): Asset;

    /**
     * Loads a .glb, .gltf or baked .sinew file from memory. The format is detected from the content. `files` contains
     * the sidecar files, using the names from sidecarFiles. If you leave out an image, its `bytes` are null. Throws if
     * the file is damaged. The message tells you where.
     *
     * @example
     * const files = {};
     * for (const { name, kind } of sidecarFiles(bytes)) if (kind === 'buffer') files[name] = await read(name);
     * const hero = sinew.loadAsset(bytes, files);
     */
    loadAsset(bytes: BufferSource, files?: Record<string, BufferSource>, options?: {
        /**
         * Markers and curves to add to the clips in a .glb or .gltf. Can be an object or the content of a .markers.json
         * file.
         */
        markers?: Markers | string | BufferSource | null;
        /** Defaults to the decoder you passed to Sinew.load. Await its `ready` first. */
        meshopt?: Meshopt;
        /**
         * Defaults to the decoder you passed to Sinew.load. If there is no decoder, meshes with Draco compression are
         * empty.
         */
        draco?: Draco
    }): Asset;

    /**
     * Fetches and loads a file and its buffers. The buffers must be in the same folder or a subfolder. `url` is
     * relative to the page. In Node it must be absolute, and file: URLs work. Rejects if a file can't be fetched or is
     * damaged.
     *
     * @example
     * const hero = await sinew.fetchAsset(new URL('hero.glb', import.meta.url));
     */
    fetchAsset(url: string | URL, options?: {
        /** Defaults to the decoder you passed to Sinew.load. */
        meshopt?: Meshopt;
        /** Defaults to the decoder you passed to Sinew.load. */
        draco?: Draco | Promise<Draco>;
        /** Also fetch image files. You need this if you draw the asset yourself. Default false. */
        images?: boolean;
        /** Same as for loadAsset. Pass `true` to fetch hero.markers.json for hero.glb. */
        markers?: Markers | string | BufferSource | true | null
    }): Promise<Asset>;

    /**
     * Loads an animation graph. You can pass the text or bytes of its file, or a parsed object. If it isn't a valid
     * graph, this throws a GraphError with the line and column. For an object, these refer to the output of
     * JSON.stringify(object, null, 2).
     */
    loadGraph(source: string | BufferSource | object, options?: {
        /** The file name to use in error messages. Default 'graph'. */
        name?: string
    }): Graph;
    /** Fetches and loads an animation graph. `url` works the same as for fetchAsset. */
    fetchGraph(url: string | URL): Promise<Graph>;
}

/** An animated number with a name. */
export interface CurveDefinition {
    /** Key times in seconds, in increasing order. */
    times: number[];
    /** One value per key. CUBICSPLINE has three per key: in-tangent, value and out-tangent. */
    values: number[];
    /** Default 'LINEAR'. */
    interpolation?: 'STEP' | 'LINEAR' | 'CUBICSPLINE';
}

/** Markers and curves by clip name. This is the content of a .markers.json file. */
export interface Markers {
    /** Either just the clip's markers, or an object with markers and curves. */
    [clip: string]: Marker[] | {
        /** Named times. */
        markers?: Marker[];
        /** Curves by name. If the file already has a curve with the same name, this one replaces it. */
        curves?: Record<string, CurveDefinition>
    };
}

/** Thrown by loadGraph if the text isn't a valid graph. The message has the form `name:line:column: what is wrong`. */
export interface GraphError extends Error {
    /** Starts at 1. */
    line: number;
    /** Starts at 1, and counts UTF-16 units like editors do. */
    column: number;
}

/** A file that is referenced by a glTF file. */
export interface SidecarFile {
    /** The key to use in loadAsset's `files`. This is a path relative to the folder of the glTF file. */
    name: string;
    /** The same path as it is written in the file, percent-encoded. */
    uri: string;
    /** Images are optional. See loadAsset. */
    kind: 'buffer' | 'image';
}

/**
 * Lists the buffers and images used by a .glb or .gltf file. These are in the same folder or in subfolders. Use this if
 * you read files without fetchAsset, for example when the user drops them on the page. Returns an empty array if the
 * file can't be read.
 */
export function sidecarFiles(bytes: BufferSource): SidecarFile[];

/** Lists the extensions used by a .glb or .gltf file. This lets you fetch a decoder only if you need it. */
export function extensionsUsed(bytes: BufferSource): string[];

/** The decoder module from npm's draco3d. You get it from createDecoderModule(). */
export interface Draco {
    /** The class from draco3d. */
    Decoder: new () => object;
    /** The class from draco3d. */
    Mesh: new () => object;
    /** The function from draco3d that frees an object. */
    destroy(object: object): void;
}

/** MeshoptDecoder from npm's meshoptimizer. You need version 1.0 or newer for KHR_meshopt_compression. */
export interface Meshopt {
    /** Resolves when the decoder is ready to use. */
    ready: Promise<void>;
    /** Decodes a glTF buffer. */
    decodeGltfBuffer(target: Uint8Array, count: number, size: number, source: Uint8Array, mode: string,
        filter?: string): void;
}

/** A named time in a clip, such as a footstep. Mixers report markers as events. */
export interface Marker {
    /** Several markers can have the same name. */
    name: string;
    /** In seconds, from 0 to the clip's duration. */
    time: number;
}

/** A property of a node that a clip animates. */
export interface Channel {
    /** The node's index. */
    node: number;
    /** The property that is animated. */
    target: 'translation' | 'rotation' | 'scale' | 'weights';
}

/** An animation for the nodes in an asset. */
export interface Clip {
    /** The index in the asset's clips. -1 for clips that you create with calls such as subclip. */
    index: number;
    /** True if the poses are differences. Additive clips can only play in layers with mode 'additive'. */
    additive: boolean;
    /** '' if the file doesn't have one. */
    name: string;
    /** In seconds. */
    readonly duration: number;
    /** Sorted by time. */
    markers: Marker[];
    /** The node properties that it animates. Curves aren't listed. */
    channels: Channel[];
}

/** A clip that bindClip copied from a different asset. */
export interface BoundClip extends Clip {
    /**
     * Names of nodes in the original asset that don't have a match in this one. Nodes that you left out with options
     * aren't listed.
     */
    unmatched: string[];
}

/** Options for how bindClip matches nodes. */
export interface BindOptions {
    /**
     * Maps node names in the clip to node names in this asset. Use null to leave out a node. By default, names must be
     * equal.
     */
    names?: Record<string, string | null>;
    /** Ignore a prefix that most nodes in a file have, such as 'mixamorig:'. Default false. */
    ignorePrefixes?: boolean;
    /**
     * Leave out translations, scales and morph weights. Useful for characters with different proportions. Default
     * false.
     */
    rotationsOnly?: boolean;
    /** The fraction of channels that must match, from 0 to 1. Channels that are left out are ignored. Default 0.5. */
    minMatch?: number;
}

/** A clip as an object from a different library. This is an AnimationClip from the file that you passed to drive. */
export interface ClipAlias {
    /** The AnimationClip's name. */
    name: string;
    /** The AnimationClip's id. */
    uuid: string;
}

/** An Object3D. */
export interface ThreeObject {
    /** Every Object3D has it. */
    readonly isObject3D: true;
}

/**
 * You can use this type wherever a clip is needed. It can be a name, a Clip, or an AnimationClip from three.js. Throws
 * if it's an AnimationClip that you have made or changed.
 */
export type ClipSource = string | Clip | ClipAlias;

/** A node in an asset. */
export interface Node {
    /** '' if the file doesn't have one. */
    name: string;
    /** The parent's index, or -1 for a root. Parents always have smaller indices than their children. */
    parent: number;
    /** The index of this node in the file, where the order can be different. */
    source: number;
    /** The index of its first morph weight in the list of all morph weights. */
    firstWeight: number;
    /** The number of morph weights. */
    weightCount: number;
}

/** The joints that deform a mesh. */
export interface Skin {
    /** '' if the file doesn't have one. */
    name: string;
    /** The number of joints. */
    jointCount: number;
    /** The node of each joint. */
    readonly joints: Int32Array;
    /** 12 floats per joint: a row-major 3x4 inverse bind matrix. */
    readonly inverseBinds: Float32Array;
}

/**
 * A morph target. The arrays contain differences to add to the vertices, with 3 floats per vertex. An array is null if
 * there are no differences.
 */
export interface Target {
    /** In meters. */
    readonly positions: Float32Array | null;
    /** Added to the normals. */
    readonly normals: Float32Array | null;
    /** Added to x, y and z of the tangents. */
    readonly tangents: Float32Array | null;
}

/** Triangles that share a material. Attributes are null if the file doesn't have them. */
export interface Primitive {
    /** The number of vertices. */
    vertexCount: number;
    /** A multiple of 3. */
    indexCount: number;
    /** The number of joints per vertex: 0 (not skinned), 4 or 8. */
    influences: number;
    /** The index of the material. -1 means no material, which is white and opaque. */
    material: number;
    /** 3 floats per vertex, in meters. */
    readonly positions: Float32Array | null;
    /** 3 floats per vertex. */
    readonly normals: Float32Array | null;
    /** 4 floats per vertex. The last one is the handedness, 1 or -1. */
    readonly tangents: Float32Array | null;
    /** 2 floats per vertex. (0, 0) is the top left corner. */
    readonly uvs: Float32Array | null;
    /** 4 floats per vertex: linear color with alpha. */
    readonly colors: Float32Array | null;
    /** `influences` numbers per vertex: indices into the skin's joints. */
    readonly joints: Uint16Array | null;
    /** `influences` numbers per vertex. They add up to 1. */
    readonly weights: Float32Array | null;
    /** 3 per triangle. */
    readonly indices: Uint32Array | null;
    /** The mesh's morph targets. */
    targets: Target[];
}

/** A mesh with one or more primitives. */
export interface Mesh {
    /** '' if the file doesn't have one. */
    name: string;
    /** Usually one per material. Empty for assets from makeAsset. */
    primitives: Primitive[];
}

/** A mesh that is attached to a node. */
export interface MeshNode {
    /** The index of the node. Skinned meshes aren't moved by the node, but by the palette. */
    node: number;
    /** The mesh's index. */
    mesh: number;
    /** The index of the skin, or -1 if the mesh moves with its node. */
    skin: number;
    /** True if the mesh is in the file's scene and visible. */
    drawn: boolean;
}

/** A material in the file. */
export interface Material {
    /** '' if the file doesn't have one. */
    name: string;
    /** Linear color with alpha. */
    baseColor: [number, number, number, number];
    /** The index of the texture, or -1. */
    baseColorTexture: number;
    /** Same as in glTF. */
    alphaMode: 'OPAQUE' | 'MASK' | 'BLEND';
    /** For 'MASK', pixels with less alpha than this aren't drawn. */
    alphaCutoff: number;
    /** True if back faces are visible. */
    doubleSided: boolean;
    /** True if the material is drawn without lighting. */
    unlit: boolean;
}

/** How an image is sampled. */
export interface Texture {
    /** The index of the image, or -1. */
    image: number;
    /** What happens outside of 0 to 1 horizontally. */
    wrapU: 'repeat' | 'clamp' | 'mirror';
    /** What happens outside of 0 to 1 vertically. */
    wrapV: 'repeat' | 'clamp' | 'mirror';
    /** True if the texture is magnified without filtering. */
    nearest: boolean;
}

/** An encoded image, usually PNG or JPEG. */
export interface Image {
    /** '' if the file doesn't have one. */
    name: string;
    /** For example 'image/png'. */
    mimeType: string;
    /** The encoded file, or null for a sidecar file that you didn't pass. */
    readonly bytes: Uint8Array | null;
}

/** A clip's speed over the ground, from measureSpeed. */
export interface ClipSpeed {
    /** This is 'none' if the speed can't be measured because the planted feet disagree or the clip isn't a loop. */
    gait: 'none' | 'stands' | 'moves';
    /** In model space, in meters per second. 0 unless the gait is 'moves'. */
    velocity: [number, number, number];
    /** The length of the velocity, in meters per second. */
    speed: number;
    /**
     * How much the planted feet disagree, as a standard deviation in meters per second. 0 means that the result is
     * reliable.
     */
    spread: number;
    /** In radians per second about +Y. */
    yawRate: number;
    /** The fraction of the time that a foot is planted, averaged over the feet. */
    planted: number;
    /** When each foot is on the ground. */
    feet: {
        /** The foot's node. */
        node: number;
        /** Up to 8 time intervals, starting with the first. */
        plants: {
            /** In seconds. */
            start: number;
            /** In seconds. If this is past the clip's duration, it is in the next loop. */
            end: number
        }[]
    }[];
}

/** The content of a file. Any number of mixers can share an asset. */
export class Asset {
    /** Use loadAsset, fetchAsset or makeAsset in Sinew instead. */
    private constructor();
    /** Parents come before their children. */
    readonly nodes: Node[];
    /** The curves that clips animate. */
    readonly curves: {
        /** The curve's name. */
        name: string;
        /** The value for clips that don't animate it. */
        rest: number
    }[];
    /** The file's clips. Clips that you create later aren't added. */
    readonly clips: Clip[];
    /** The file's skins. */
    readonly skins: Skin[];
    /** The file's meshes. */
    readonly meshes: Mesh[];
    /** The nodes that meshes are attached to. */
    readonly meshNodes: MeshNode[];
    /** The file's materials. */
    readonly materials: Material[];
    /** The file's textures. */
    readonly textures: Texture[];
    /** The file's images. They aren't decoded. */
    readonly images: Image[];
    /** The memory it uses, in bytes. */
    readonly memory: number;

    /** Returns the first clip with this name, or null. */
    findClip(name: string): Clip | null;
    /** Returns the index of the first node with this name, or -1. */
    findNode(name: string): number;
    /** Returns the index of the curve with this name, or -1. */
    findCurve(name: string): number;

    /**
     * Creates an additive clip, which contains the clip's difference from a reference pose. If you call this again with
     * the same arguments, you get the same clip. Throws if the clip is already additive.
     *
     * @example
     * mixer.layers[2].mode = 'additive';
     * mixer.clipAction(hero.makeAdditive('Breathe'), { layer: 2 }).play();
     */
    makeAdditive(clip: ClipSource, from?: {
        /** The clip to take the reference pose from. null means the rest pose. Defaults to the clip itself. */
        reference?: ClipSource | null;
        /** The time of the reference pose in that clip, in seconds. Default 0. */
        time?: number
    }): Clip;
    /**
     * Measures how fast a clip's planted feet carry the character. This works with root motion and for clips that walk
     * in place. It takes a few milliseconds, so you should call it after loading. Throws if it can't find the feet.
     *
     * @example
     * const { speed } = hero.measureSpeed('Walk'); // meters per second
     */
    measureSpeed(clip: ClipSource, options?: {
        /** The nodes of the feet, such as the ankles. By default, they are found from the shape of the rest pose. */
        feet?: (number | string)[]
    }): ClipSpeed;
    /**
     * Copies a part of a clip, including its markers. Time 0 in the new clip is `start` in the original. If you call
     * this again with the same arguments, you get the same clip. Throws unless 0 <= start < end <= the clip's duration.
     *
     * @example
     * const air = hero.subclip('Jump', { start: 0.4, end: 0.7, name: 'Air' });
     */
    subclip(clip: ClipSource, part?: {
        /** In seconds. Default 0. */
        start?: number;
        /** In seconds. Defaults to the clip's duration. */
        end?: number;
        /** Graphs use this name to find the new clip. Defaults to the clip's name. */
        name?: string
    }): Clip;
    /**
     * Combines clips that move different nodes, so you can play them all at the same time. Defaults to all clips. Clips
     * with the same duration become a single clip. Use Mixer.playAll to play the result.
     */
    combineClips(clips?: Iterable<ClipSource>): {
        /**
         * The first clip is for the base layer. There is another clip for each additional duration, and these are
         * additive.
         */
        clips: readonly Clip[];
        /** Additive clips, and clips that move something that is already moved by an earlier clip. */
        leftOut: readonly Clip[]
    };
    /**
     * Copies a clip from a different asset to the nodes of this one. Both assets must come from the same Sinew. The
     * values don't change, so the characters should have similar proportions. If they don't, use
     * 'sinew-animation/retarget' instead. If you call this again with the same arguments, you get the same copy. Throws
     * if less than `minMatch` of the channels match. The message lists the closest node names.
     *
     * @example
     * const wave = hero.bindClip(dances.findClip('Wave'), { ignorePrefixes: true });
     * mixer.clipAction(wave).play();
     */
    bindClip(clip: Clip, options?: BindOptions): BoundClip;

    /** True after you call dispose. */
    readonly disposed: boolean;
    /** Frees the memory. This also disposes all mixers, masks, blend spaces, legs and warps that use the asset. */
    dispose(): void;
}

/** Plays once and holds the last pose. Same value as in three.js. */
export const LoopOnce: 2200;
/** Starts over from the other end. Same value as in three.js. */
export const LoopRepeat: 2201;
/** Reverses at each end. Same value as in three.js. */
export const LoopPingPong: 2202;
/** Plays a clip as it is. Same value as in three.js. */
export const NormalAnimationBlendMode: 2500;
/** Adds a clip to the layers below. Same value as in three.js. */
export const AdditiveAnimationBlendMode: 2501;
/** What an action does at the end of its clip. These are the same values as in three.js. */
export type Loop = typeof LoopOnce | typeof LoopRepeat | typeof LoopPingPong;

/** Options for starting an action. */
export interface PlayOptions {
    /** Start the action from the beginning even if it is already playing. Default false. */
    restart?: boolean;
}

/**
 * A clip or a blend space in a layer of a mixer. You get actions from Mixer.clipAction. The same arguments always
 * return the same action, and you can play it as often as you like.
 */
export interface Action {
    /** The mixer that plays it. */
    readonly mixer: Mixer;
    /** The index of its layer. 0 is the base layer. */
    readonly layer: number;

    /**
     * Starts the action in addition to the actions that are already playing in its layer. Use Mixer.transitionTo if you
     * want to replace them. If this action is already playing, it just continues, even if it is fading out. Use fadeIn
     * to bring it back. A finished action starts over. Throws if only one of clip and layer is additive, or if all
     * action slots are in use and none can be freed.
     *
     * @example
     * mixer.clipAction('Idle').play();
     * mixer.clipAction('Attack').play({ restart: true });
     */
    play(options?: PlayOptions): this;
    /**
     * Ends the action immediately with a cut, and also enables and unpauses it. If nothing else is playing in the base
     * layer, the base holds its pose.
     */
    stop(): this;
    /**
     * Sets the time to the start, enables and unpauses the action, and cancels startAt and warp. Weight and fades don't
     * change.
     */
    reset(): this;

    /**
     * Fades from the current weight to `weight` in `duration` seconds. The current weight is 0 if the action was
     * started after the last update. If you call this before play, the next play uses this fade-in.
     */
    fadeIn(duration: number): this;
    /** Fades to 0 in `duration` seconds, and then ends the action. */
    fadeOut(duration: number): this;
    /**
     * Fades out this action and fades in another one, in `duration` seconds. The other action is started if it isn't
     * active. If `warp` is true (default false), the playback rates match during the fade, and all other actions in the
     * layer also fade out. In this case, both actions must be in the same layer, or the call throws. Returns the other
     * action.
     *
     * @example
     * const walk = mixer.clipAction('Walk').play();
     * // later, when the character runs:
     * walk.crossFadeTo(mixer.clipAction('Run'), 0.3);
     */
    crossFadeTo<A extends Action>(action: A, duration: number, warp?: boolean): A;
    /** Ends a fade immediately, and sets the current weight to `weight`. */
    stopFading(): this;
    /** Fades out the other action and fades in this one. Same as calling crossFadeTo on the other action. */
    crossFadeFrom(action: Action, duration: number, warp?: boolean): this;

    /**
     * The weight at the end of a fade-in, 0 or more. Default 1. Setting it ends the current fade. In the base layer
     * only the ratio of the weights matters, so a single action with a weight of 0.1 plays at full weight.
     */
    weight: number;
    /** Sets `weight`. This exists for compatibility with three.js. */
    setEffectiveWeight(weight: number): this;
    /** Returns the current weight, even during a fade. 0 if the action isn't active. */
    getEffectiveWeight(): number;

    /**
     * Set this to false to disable the action. A disabled action has a weight of 0, and its time doesn't advance. You
     * can't make a transition to a disabled action. Default true.
     */
    enabled: boolean;

    /** The playback speed. Default 1. Use a negative value to play backward. Setting it ends the current warp. */
    timeScale: number;
    /** Sets `timeScale`. This exists for compatibility with three.js. */
    setEffectiveTimeScale(timeScale: number): this;
    /** Returns the current speed. 0 if the action isn't active, is paused or is waiting because of startAt. */
    getEffectiveTimeScale(): number;
    /** Copies the time and the time scale from another action in the same mixer. */
    syncWith(action: Action): this;

    /**
     * Delays the action until the mixer's `time` reaches `time` seconds. This is exact, even if the start is in the
     * middle of an update. Weight and fades aren't delayed. Throws if the action is in a sync group.
     */
    startAt(time: number): this;
    /**
     * Changes the speed linearly from `startTimeScale` to `endTimeScale` in `duration` seconds of the mixer's time.
     * After that, `timeScale` is `endTimeScale`. If `endTimeScale` is 0, the action pauses and keeps its time scale.
     */
    warp(startTimeScale: number, endTimeScale: number, duration: number): this;
    /** Ends a warp immediately, and sets the current speed to `timeScale`. */
    stopWarping(): this;
    /** Slows down to a stop in `duration` seconds, and then pauses. */
    halt(duration: number): this;

    /**
     * The time in the clip, in seconds. It is clamped to the clip. If you set it before play, the action starts at this
     * time. A blend space uses the time of the clip with the largest weight. You can only set it while the action is
     * active.
     */
    time: number;
    /** Set this to true to pause the action. If you set it before play, it starts paused. Fades continue. Default false. */
    paused: boolean;
    /**
     * The sync group, from 1 to 255. 0 (default) means no group. Repeating actions in a group stay in phase, even in
     * different layers. This lets a walk and a run put the same foot down at the same time. If you change it, the new
     * value is used the next time the action starts.
     */
    sync: number;

    /** Returns the clip. For a blend space, returns the clip with the largest weight, or null. */
    getClip(): Clip | null;
    /** Returns `mixer`. This exists for compatibility with three.js. */
    getMixer(): Mixer;
    /** Returns the scene that the mixer moves. See Mixer.getRoot. */
    getRoot(): object | null;
    /** The number of loops completed since the action was started or reset. 0 if the action isn't active. */
    readonly loopsDone: number;

    /**
     * Returns true from the time you play the action until it is stopped or has faded out. This includes paused and
     * finished actions.
     */
    isActive(): boolean;
    /** Same as isActive. This exists for compatibility with three.js. */
    isScheduled(): boolean;
    /**
     * Returns true if the action has reached its end for the last time. It holds the last pose, like clampWhenFinished
     * in three.js.
     */
    isFinished(): boolean;
    /** Returns true if the action is active and its time advances. */
    isRunning(): boolean;
}

/** An action that plays a clip in a layer of a mixer. */
export interface ClipAction extends Action {
    /** What it plays. */
    readonly clip: Clip;

    /** What happens at the end of the clip. Default LoopRepeat. */
    loop: Loop;
    /**
     * The number of loops until the action is finished, 1 or more. Fractions are rounded up. Default Infinity. LoopOnce
     * ignores this.
     */
    repetitions: number;
    /** Sets `loop` and `repetitions`, which defaults to Infinity. */
    setLoop(loop: Loop, repetitions?: number): this;
    /** Sets the time scale so the clip takes `duration` seconds, which must be above 0. */
    setDuration(duration: number): this;
    /** Returns the clip. */
    getClip(): Clip;

    /** AdditiveAnimationBlendMode if the clip is additive, else NormalAnimationBlendMode. Throws if you set another value. */
    blendMode: typeof NormalAnimationBlendMode | typeof AdditiveAnimationBlendMode;
    /** Always true: finished actions hold their last pose. Setting it to false throws. */
    clampWhenFinished: boolean;
    /** Always true. Setting it to false throws. It has no effect on clips from glTF files, also in three.js. */
    zeroSlopeAtStart: boolean;
    /** Always true. Setting it to false throws. It has no effect on clips from glTF files, also in three.js. */
    zeroSlopeAtEnd: boolean;

    /**
     * Queues an action that plays after this one. This action must be active. Fades finish when this action ends, and
     * other transitions start when it ends. This has no effect if this action repeats forever, is stopped or fades out.
     *
     * @example
     * const attack = mixer.clipAction('Attack').setLoop(LoopOnce);
     * mixer.transitionTo(attack, { duration: 0.1 }).queue(mixer.clipAction('Idle'));
     */
    queue(action: ClipAction | BlendSpaceAction, transition?: Transition): this;
    /** Queues a fade-out that finishes when the action ends. It takes `duration` seconds. Default 0.2. */
    queueFadeOut(duration?: number): this;
    /**
     * Queues whatever the layer was playing before the last transitionTo. Returns false if nothing was playing. If
     * one-shot actions interrupt each other, all of them return to what was playing before the first one.
     *
     * @example
     * mixer.transitionTo(mixer.clipAction('Wave').setLoop(LoopOnce)).queuePrevious();
     */
    queuePrevious(transition?: Transition): boolean;
}

/** An action that plays a blend space in a layer of a mixer. It repeats forever. */
export interface BlendSpaceAction extends Action {
    /** What it plays. */
    readonly space: BlendSpace;
    /** The clip with the largest weight at the start of the last update. null if the action isn't active. */
    readonly clip: Clip | null;

    /** Starts the action with its parameter at (x, y). If the action is already playing, the parameter moves there. */
    play(options?: PlayOptions & {
        /** Defaults to the last value you set, which is 0 initially. */
        x?: number;
        /** Defaults to the last value you set, which is 0 initially. */
        y?: number
    }): this;
    /** Moves the parameter to (x, y), using the damping of the blend space. `y` defaults to 0. */
    setParameter(x: number, y?: number): this;
    /** The current value of the parameter. 0 if the action isn't active. */
    readonly x: number;
    /** The current value of the parameter. 0 if the action isn't active. */
    readonly y: number;
}

/** An event that happened to an action during an update. */
export interface MixerEvent {
    /**
     * 'loop' means that the action reached an end and continues. 'finished' means that it reached an end for the last
     * time. 'marker' means that it reached a marker.
     */
    type: 'loop' | 'finished' | 'marker';
    /** The action. */
    action: Action;
    /** The action's clip. For a blend space, the clip with the largest weight. */
    clip: Clip;
    /** The marker for a 'marker' event, otherwise null. */
    marker: Marker | null;
    /** 1 if the action plays forward, -1 if it plays backward. */
    direction: number;
    /** `direction` for a 'loop' event, otherwise 0. There is one event for each loop. */
    loopDelta: number;
    /** The mixer. */
    target: Mixer;
}

/**
 * How a transition gets to the new clip. 'fade' plays both clips and blends them. 'inertialize' only plays the new
 * clip, while the difference from the old pose decays. 'deadBlend' fades in the new clip over the old pose, which is
 * extrapolated. In layers above the base, 'deadBlend' is the same as 'fade'.
 */
export type TransitionKind = 'fade' | 'inertialize' | 'deadBlend';

/** How an action replaces the other actions in its layer. */
export interface Transition {
    /** Default 'fade'. */
    kind?: TransitionKind;
    /** In seconds. Use 0 for a cut. Default 0.2. */
    duration?: number;
    /** The easing for the weights. 'auto' (default) uses smoothstep for dead blending, and linear otherwise. */
    easing?: 'auto' | 'linear' | 'smoothstep';
    /**
     * For a fade: change the playback rate gradually from the rate of the old clip to the rate of the new one. Default
     * false.
     */
    matchRate?: boolean;
}

/**
 * A layer in a mixer. It overrides the layers below or adds to them, depending on its mode. Its weight and mask control
 * how much.
 *
 * @example
 * const upper = mixer.layers[1];
 * upper.mask = new Mask(hero).setSubtree(hero.findNode('Spine'), 1);
 * mixer.clipAction('Wave', { layer: 1 }).play();
 * upper.fadeTo(0, 0.5); // later
 */
export interface Layer {
    /** The mixer it belongs to. */
    readonly mixer: Mixer;
    /** The index of the layer. 0 is the base. You can't set the weight, mask or mode of the base. */
    readonly index: number;

    /** The weight of the layer, 0 or more. Default 1. Changes apply immediately. */
    weight: number;
    /**
     * Fades from the current weight to `weight` in `duration` seconds. Actions in the layer keep playing, even if its
     * weight is 0.
     */
    fadeTo(weight: number, duration: number): this;
    /**
     * The nodes that the layer affects. null (default) means all nodes. If you change the mask later, the layer uses
     * the new values.
     */
    mask: Mask | null;
    /** Default 'override'. You can't set it while an action is active in the layer. */
    mode: 'override' | 'additive';

    /** The active actions in this layer. Returns a new array. */
    readonly actions: Action[];
    /** Smooths the next change in this layer. See Mixer.inertialize. Throws for the base. */
    inertialize(duration: number): this;
}

/**
 * How much a layer affects each node, from 0 to 1. Any number of layers and mixers can share a mask. A layer that has a
 * mask doesn't affect curves.
 *
 * @example
 * const upper = new Mask(hero).setSubtree(hero.findNode('Spine'), 1, 2); // rises along the spine
 * upper.setSubtree(hero.findNode('UpperArm_L'), 0);                      // without the left arm
 * mixer.layers[1].mask = upper;
 */
export class Mask {
    /** Creates a mask with the same factor for all nodes. Default 0. */
    constructor(asset: Asset, factor?: number);
    /** The asset that the nodes belong to. */
    readonly asset: Asset;
    /** The factor of each node. Don't write to this array. */
    readonly factors: Float32Array;

    /** Sets the factor of a node. It is clamped to [0, 1]. */
    set(node: number, factor: number): this;
    /**
     * Sets the factor of a node and all its descendants. `feather` makes the edge of the mask soft. If it is n, the
     * factor changes in even steps over n + 1 levels of the hierarchy, starting from the factor of the node's parent.
     * Default 0.
     */
    setSubtree(node: number, factor: number, feather?: number): this;

    /** True after you call dispose. */
    readonly disposed: boolean;
    /** Removes the mask from all layers. The memory is freed with the last mixer that used it. */
    dispose(): void;
}

/** A clip at a point in a blend space. */
export interface Sample {
    /** The clip. It can't be additive. */
    clip: ClipSource;
    /**
     * The position of the clip in the blend space, in any units you like. If you leave it out, it is measured from the
     * planted feet, in meters per second. On a line, this is the speed, which is negative for backward motion.
     * Otherwise, it is the velocity to the character's right.
     */
    x?: number;
    /** If `x` is measured, this is the forward velocity. Otherwise, the default is 0. Ignored on a line. */
    y?: number;
    /** Multiplies the clip's playback rate. Can't be 0. Default 1. */
    speed?: number;
}

/**
 * Clips at points on a line or a plane that are blended by a parameter. Any number of mixers can share a blend space.
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
    /**
     * Throws if two samples have the same point, or if a sample has no point and the speed of its clip can't be
     * measured.
     */
    constructor(asset: Asset, space: {
        /**
         * 'line' (default) blends the two samples next to the parameter. 'triangles' blends the three samples around
         * it. 'directional' is for velocities. It blends direction and speed separately, and needs a sample at (0, 0).
         */
        kind?: 'line' | 'triangles' | 'directional';
        /** 1 to 64 samples. 'directional' supports up to 32. */
        samples: Sample[];
        /**
         * The names of markers where strides start, in cycle order. They are used to keep the clips in step. Default
         * none.
         */
        syncNames?: string[];
        /**
         * The time it takes the parameter to get halfway to its target, in seconds. Use 0 to change it instantly.
         * Default 0.1.
         */
        damping?: number;
        /**
         * Change the playback rate to make the feet move at the speed of the parameter. The points must be ground
         * velocities. If you pass true, the playback rate is limited to [0.8, 1.25]. Pass an array to set different
         * limits. Default false.
         */
        matchSpeed?: boolean | [number, number];
        /**
         * The nodes of the feet, which are used to measure samples without a point. By default, they are found from the
         * shape of the rest pose.
         */
        feet?: (number | string)[];
    });
    /** The asset that the clips belong to. */
    readonly asset: Asset;
    /** As passed in. */
    readonly kind: 'line' | 'triangles' | 'directional';
    /** As passed in, including the measured points. */
    readonly samples: readonly (Required<Sample> & {
        /** The sample's clip. */
        clip: Clip
    })[];
    /** As passed in. */
    readonly damping: number;
    /** As passed in. */
    readonly matchSpeed: boolean | [number, number];
    /** Three sample indices per triangle. Empty unless the kind is 'triangles'. */
    readonly triangles: readonly [number, number, number][];

    /** Returns all samples that have a weight at a point. The weights add up to 1. */
    weights(x: number, y?: number): {
        /** The index of the sample. */
        sample: number;
        /** Above 0, and at most 1. */
        weight: number
    }[];
    /** Returns how well the feet keep up at a point. The points must be ground velocities. */
    stride(x: number, y?: number): {
        /** The speed of the blend at a playback rate of 1, in meters per second. */
        speed: number;
        /** The playback rate from matchSpeed. 1 if you don't use matchSpeed. */
        rate: number;
        /** How much the strides are still too short, as a factor. */
        length: number
    };

    /** True after you call dispose. */
    readonly disposed: boolean;
    /** Stops all actions that play it. The memory is freed with the last mixer that used it. */
    dispose(): void;
}

/** The nodes of a leg, by index or name. Each must be a descendant of the one before. */
export interface Leg {
    /** The node that rotates at the hip. */
    thigh: number | string;
    /** The node that rotates at the knee. */
    shin: number | string;
    /** The node that rotates at the ankle. */
    foot: number | string;
    /** null (default) means that the foot has no toes. */
    toes?: number | string | null;
}

/** A time interval in a clip when a foot is on the ground. */
export interface FootContact {
    /** The index of the leg. */
    leg: number;
    /** In seconds. */
    start: number;
    /** In seconds. If this is before `start`, it is in the next loop. */
    end: number;
}

/** The legs of a character, and when its feet are on the ground in each clip. Any number of mixers can share this. */
export class Legs {
    /**
     * Finds the contacts. If a clip doesn't have markers, this takes a few milliseconds, so you should do it after
     * loading.
     */
    constructor(asset: Asset, options: {
        /** 1 to 8 legs. */
        legs: Leg[];
        /** The clips to find contacts in. Defaults to all clips in the asset. */
        clips?: ClipSource[];
        /**
         * Markers in the clips. If this is null (default), contacts are detected from the motion of the soles. This is
         * also used for clips that don't have the markers.
         */
        markers?: {
            /** For each leg, the name of the marker where the foot comes down. */
            down: string[];
            /** For each leg, the name of the marker where the foot lifts off. */
            up: string[]
        } | null;
    });
    /** The asset that the nodes belong to. */
    readonly asset: Asset;
    /** The number of legs. */
    readonly count: number;
    /** Returns the contacts in a clip. */
    contacts(clip: ClipSource): {
        /** Where they come from. */
        source: 'none' | 'markers' | 'motion';
        /** Sorted by leg, then by start time. */
        contacts: FootContact[]
    };
    /** True after you call dispose. */
    readonly disposed: boolean;
    /** Disposes all foot locks that use it. The memory is freed with the last mixer that used it. */
    dispose(): void;
}

/** Settings for FootLock. Contacts range from 0 (in the air) to 1 (on the ground), and are blended like the clips. */
export interface FootLockSettings {
    /** A contact of at least this value locks a foot. Default 0.5. */
    contactOn?: number;
    /** A contact below this value releases the foot. Default 0.4. */
    contactOff?: number;
    /** The maximum distance between a locked foot and the foot in the pose, in meters. Default 0.5. */
    distance?: number;
    /** Like `distance`, but for the angle about +Y. In radians. Default 0.8. */
    turn?: number;
    /** How far a locked foot can extend its leg, as a fraction of the leg's length. Default 0.99. */
    stretch?: number;
    /** How far the heel can rise, in radians. Default 0.6. */
    roll?: number;
    /**
     * How high a foot is lifted when it has to step, as a fraction of the leg's length. A value of 0 makes the foot
     * slide. Default 0.1.
     */
    liftHeight?: number;
    /** The time constant for released feet, in seconds. Default 0.08. */
    releaseTime?: number;
    /** Blends from the pose (0) to locked feet (1). Default 1. */
    weight?: number;
    /**
     * A foot is only locked while its lowest sole point is at most this far above the ground, in meters. Default 0.02.
     */
    height?: number;
}

/**
 * Keeps planted feet in place while clips blend and the character turns or changes speed. A mixer can only have one
 * foot lock, and the mixer's snapshots include it. Driven characters and scenes update it for you. Otherwise, call
 * `update` each frame after you update the mixer or batch and move the character.
 *
 * @example
 * const legs = new Legs(hero, { legs: ['L', 'R'].map((side) => (
 *     { thigh: `UpperLeg_${side}`, shin: `LowerLeg_${side}`, foot: `Foot_${side}` })) });
 * const feet = new FootLock(mixer, legs);
 * feet.update(delta, object.matrixWorld.elements); // each frame, after mixer.update(delta)
 */
export class FootLock {
    /** Throws if the mixer already has a foot lock. */
    constructor(mixer: Mixer, legs: Legs, settings?: FootLockSettings);
    /** The mixer whose pose it edits. */
    readonly mixer: Mixer;
    /** As passed in. */
    readonly legs: Legs;
    /** Blends from the pose (0) to locked feet (1). Fade it out for clips where the feet don't stand on the ground. */
    weight: number;
    /**
     * Changes the mixer's pose, matrices and palettes. Pass the same `deltaTime` that you passed to the mixer. `world`
     * is the character's world matrix for this frame. It is column-major and must have uniform scale. Defaults to the
     * identity.
     */
    update(deltaTime: number, world?: ArrayLike<number>): void;
    /** Returns true if the foot of a leg is locked. */
    isLocked(leg: number): boolean;
    /** Releases all feet smoothly. Call this after a seek. */
    release(): void;
    /** Resets all feet immediately. Call this after a teleport. */
    reset(): void;
    /** True after you call dispose. */
    readonly disposed: boolean;
    /** Removes the foot lock from its mixer. */
    dispose(): void;
}

/** The motion to extract from the pose. You can then use it to move the character. */
export interface RootMotion {
    /** The node that carries the character. This is usually the hips or a node above them. */
    node: number;
    /** Extract translation along these axes. Default 'xz', the ground plane. */
    translation?: string;
    /** Extract the rotation about +Y. Default true. */
    rotation?: boolean;
    /** For repeating clips, make the motion that stays in the pose end where it started. Default false. */
    closeLoops?: boolean;
}

/** How a character moved in an update, relative to its transform before the update. */
export interface RootDelta {
    /** In meters. Rotate it by the character's facing, and then add it to the character's position. */
    translation: Float32Array;
    /** The rotation about +Y. Multiply the character's facing by it. */
    rotation: Float32Array;
    /** The same rotation as an angle, in radians. */
    yaw: number;
}

/** A character's position and facing in the world. */
export interface WarpTransform {
    /** In meters. */
    position: ArrayLike<number>;
    /** A unit quaternion. Default [0, 0, 0, 1]. */
    facing?: ArrayLike<number>;
}

/** The window and the limits for a RootWarp. */
export interface RootWarpOptions {
    /**
     * Either [start, end], which are times in the clip in seconds, or the name of a marker. For example, 'Vault' uses
     * the marker 'Vault' and the next marker 'Vault.end'.
     */
    window: string | ArrayLike<number>;
    /** The maximum root speed as a factor of the clip's speed, 1 or more. Default 2. */
    maxSpeed?: number;
    /** Additional speed in meters per second. Use it for clips that hardly move. Default 0. */
    addedSpeed?: number;
    /** How much faster the root can turn than in the clip, in radians per second. Default 2π. */
    maxTurnRate?: number;
}

/**
 * Warps a clip's root motion to get the character to a goal by the end of a window in the clip. Use it for vaults,
 * jumps and attacks. The pose doesn't change. Times are in seconds in the clip. If the action repeats, add the duration
 * for each completed loop.
 *
 * @example
 * const warp = new RootWarp(mixer, 'Vault', { window: 'Vault' }); // the mixer has rootMotion
 * warp.begin({ position: here }, { position: ledge });            // when the clip starts
 * mixer.update(delta);                                            // each frame
 * const { position, facing } = warp.at(action.time);              // instead of mixer.rootDelta()
 */
export class RootWarp {
    /**
     * Creates a warp. It keeps working after the mixer is disposed. Throws if the mixer has no root motion or the clip
     * doesn't have the markers.
     */
    constructor(mixer: Mixer, clip: string | Clip, options: RootWarpOptions);
    /** The clip's asset. */
    readonly asset: Asset;
    /** The clip to warp. */
    readonly clip: Clip;
    /** The start of the window, in seconds. */
    readonly start: number;
    /** The end of the window, in seconds. */
    readonly end: number;

    /**
     * Starts a warp. The character is at `start` when the clip is at `time`. Default 0. Call this again for the next
     * jump. Throws if the time isn't before the end of the window, or if the window or a limit is out of range. In that
     * case there is no warp, and the root doesn't move.
     */
    begin(start: WarpTransform, goal: WarpTransform, time?: number): this;
    /** How far the character misses the goal because of the limits, in meters. 0 if it gets there. */
    readonly missedDistance: number;
    /** How far it misses the goal's facing because of the limits, in radians about +Y. */
    readonly missedTurn: number;
    /**
     * Changes the goal at a time in the window. You can do this each frame. The velocity doesn't jump. Use `now` to
     * pass the actual transform of the character at that time, for example after a collision. Defaults to the transform
     * from the warp. This is a no-op after the window.
     */
    retarget(time: number, goal: WarpTransform, now?: WarpTransform | null): this;
    /** Writes the character's transform at a time to `target` and returns it. */
    at<T extends { position: Numbers; facing: Numbers }>(time: number, target: T): T;
    /** Returns the character's transform at a time. */
    at(time: number): {
        /** In meters. */
        position: Float32Array;
        /** A unit quaternion. */
        facing: Float32Array
    };
    /** Writes the root motion between two times to `target` and returns it. */
    rootDelta<T extends { translation: Numbers; rotation: Numbers; yaw: number }>(from: number, to: number, target: T): T;
    /** Returns the root motion between two times. Use this instead of Mixer.rootDelta for characters that collide. */
    rootDelta(from: number, to: number): RootDelta;

    /**
     * Copies the state of the warp to `saved` or to a new array. The state has 150 numbers. Snapshots of the mixer
     * don't include it.
     */
    save(saved?: Float32Array): Float32Array;
    /** Restores a state from save. */
    restore(saved: ArrayLike<number>): this;

    /** True after you call dispose. */
    readonly disposed: boolean;
    /** Frees the memory. */
    dispose(): void;
}

/** The local transform of a node. */
export interface Transform {
    /** In meters, in the parent's space. */
    translation: Float32Array;
    /** A unit quaternion. */
    rotation: Float32Array;
    /** A scale factor per axis. */
    scale: Float32Array;
}

/** Any array of numbers that results can be written to. */
export interface Numbers {
    /** A number. */
    [index: number]: number;
}

/** Options for creating a mixer. */
export interface MixerOptions {
    /**
     * How many actions can be active at the same time, from 1 to 64. If you start more, the action with the least
     * weight ends. Default 16.
     */
    maxActions?: number;
    /** The number of layers including the base, from 1 to 8. Default 4. */
    layers?: number;
    /**
     * The names of markers that sync groups align, in cycle order. For example ['Foot_L', 'Foot_R']. By default, sync
     * groups align whole loops.
     */
    syncNames?: string[];
    /** null (default) means that all motion stays in the pose. */
    rootMotion?: RootMotion | null;
}

/** Options for a character created by drive. */
export interface CharacterOptions extends MixerOptions {
    /** A graph for an animator that drives the mixer. It must come from the same Sinew as the asset. Default null. */
    graph?: Graph | null;
    /**
     * A Character of 'sinew-animation/character' and of the same asset, whose rig may move all nodes. All other
     * options are ignored. With three.js, the scene moves to where the character is. Disposing one disposes the other.
     * Default null.
     */
    character?: import('./character.js').Character | null;
}

/**
 * Plays the actions of one character. The mixer owns the character's pose and matrices.
 *
 * @example
 * const mixer = new Mixer(hero);       // one for each character
 * mixer.clipAction('Walk').play();
 * mixer.update(delta);                 // each frame, seconds
 * draw(mixer.palette());               // 12 floats a joint
 */
export class Mixer {
    /** Creates a mixer that shows the rest pose. Throws if `rootMotion.node` can't carry root motion. */
    constructor(asset: Asset, options?: MixerOptions);
    /** As passed in. */
    readonly asset: Asset;
    /** The animator that drives the mixer, or null. */
    readonly animator: Animator | null;
    /** All layers, starting with the base. */
    readonly layers: readonly Layer[];

    /**
     * Returns the action for a clip in a layer. Defaults to the base layer. The same arguments always return the same
     * action. Throws if the asset doesn't have the clip. The message lists the clips it has.
     *
     * @example
     * const walk = mixer.clipAction('Walk').play();
     * const wave = mixer.clipAction('Wave', { layer: 1 }).setLoop(LoopOnce).play();
     */
    clipAction(clip: ClipSource, options?: {
        /** The index of the layer. Default 0. */
        layer?: number
    }): ClipAction;
    /**
     * Returns an action like AnimationMixer in three.js. `root` must be the driven scene, or nothing.
     * AdditiveAnimationBlendMode makes the clip additive with makeAdditive, and uses the last layer, which becomes
     * additive. To choose another layer, pass `{ layer }` instead of a root.
     */
    clipAction(clip: ClipSource, root: ThreeObject | {
        /** The index of the layer. */
        layer: number
    } | null | undefined,
        blendMode?: typeof NormalAnimationBlendMode | typeof AdditiveAnimationBlendMode): ClipAction;
    /**
     * Returns the action for a blend space in a layer. At most 4 blend spaces can be active at the same time, including
     * the ones that are fading out.
     */
    clipAction(space: BlendSpace, options?: {
        /** The index of the layer. Default 0. */
        layer?: number
    }): BlendSpaceAction;
    /** Returns the existing action for a clip, or null if you haven't called clipAction for it. */
    existingAction(clip: ClipSource, options?: {
        /** The index of the layer. Default 0. */
        layer?: number
    } | ThreeObject | null): ClipAction | null;
    /** Returns the existing action for a blend space, or null if you haven't called clipAction for it. */
    existingAction(space: BlendSpace, options?: {
        /** The index of the layer. Default 0. */
        layer?: number
    }): BlendSpaceAction | null;
    /** Stops an action and removes it from the cache, so the next clipAction creates a new one. */
    uncacheAction(source: ClipSource | BlendSpace, options?: {
        /** The index of the layer. Default 0. */
        layer?: number
    } | ThreeObject | null): void;
    /** Stops the actions for a clip or blend space in all layers, and removes them from the cache. */
    uncacheClip(source: ClipSource | BlendSpace): void;
    /** Stops all actions and removes them from the cache. Throws if `root` isn't the driven scene. */
    uncacheRoot(root?: ThreeObject | null): void;
    /**
     * Plays an action and ends all other actions in its layer. Each call starts the transition over, so only call this
     * when something changes, and not every frame.
     *
     * @example
     * mixer.transitionTo(mixer.clipAction('Run'), { duration: 0.3 });
     * mixer.transitionTo(mixer.clipAction('Jump'), { kind: 'inertialize' });
     */
    transitionTo<A extends Action>(action: A, transition?: Transition, options?: PlayOptions): A;
    /**
     * Plays all clips in a file. Use this for files that have a separate clip for each object. Each clip loops with its
     * own duration. All other actions in the base layer end. Returns the new actions. Throws if there are more than
     * `maxActions`.
     *
     * @example
     * mixer.playAll({ duration: 0.5 });
     */
    playAll(options?: {
        /** Defaults to all clips in the asset. The clips are combined with Asset.combineClips. */
        clips?: Iterable<ClipSource>;
        /**
         * The layer for clips with a different duration than the first. It becomes an additive layer. Defaults to the
         * last layer.
         */
        layer?: number;
        /** The duration of the fade-in, in seconds. Default 0. */
        duration?: number
    }): ClipAction[];
    /** Stops all actions. The mixer holds the pose. */
    stopAllAction(): this;
    /** Returns the scene that you passed to drive, or null without one. */
    getRoot(): object | null;

    /** Scales the time of every update. 0 or more. Default 1. */
    timeScale: number;
    /** The total time of all updates, including `timeScale`. In seconds. */
    readonly time: number;
    /** Sets the time of the mixer and of all actions to 0, and then updates by `time` seconds. */
    setTime(time: number): boolean;

    /**
     * Smooths the next change in the pose, such as a seek, a stop or a new mask. The difference decays in `duration`
     * seconds. Call this before the change and in the same frame.
     *
     * @example
     * mixer.inertialize(0.2);
     * walk.time = 0.7;
     */
    inertialize(duration: number): this;

    /**
     * Advances by `deltaTime` seconds and computes the pose, matrices and palettes. Negative values are treated as 0.
     * Returns false if the pose didn't change, which lets you skip the upload.
     */
    update(deltaTime: number): boolean;

    /**
     * Adds a listener. At the end of each update, it is called for every event in time order. An update reports at most
     * 32 events.
     *
     * @example
     * mixer.addEventListener('marker', ({ marker }) => { if (marker.name === 'Foot_L') playStep(); });
     * mixer.addEventListener('finished', ({ action }) => console.log(action.getClip().name));
     */
    addEventListener(type: MixerEvent['type'], listener: (event: MixerEvent) => void): void;
    /** Returns true if the listener was added. */
    hasEventListener(type: MixerEvent['type'], listener: (event: MixerEvent) => void): boolean;
    /** Removes a listener. */
    removeEventListener(type: MixerEvent['type'], listener: (event: MixerEvent) => void): void;

    /**
     * Saves the playback state, including the animator, foot lock and springs. Pass an earlier snapshot to reuse it,
     * which avoids garbage.
     *
     * @example
     * const before = mixer.save();
     * mixer.update(1 / 60);
     * mixer.restore(before); // the next update gives the same bits again
     */
    save(snapshot?: Snapshot): Snapshot;
    /**
     * Restores a state that was saved by this mixer. If you repeat the same calls, you get bit-identical results.
     * Disposed masks and blend spaces don't come back, and masks that you changed stay changed. Palettes and matrices
     * change in the next update.
     */
    restore(snapshot: Snapshot): this;
    /** A hash of the playback state. The same calls give the same hash on every machine, and also in C. */
    readonly hash: bigint;

    /**
     * Returns the palette for a skin. Defaults to the first skin. There are 12 floats per joint: a row-major 3x4 matrix
     * from the bind pose to model space.
     */
    palette(skin?: number): Float32Array;
    /** 12 floats per node: a row-major 3x4 model matrix. */
    readonly modelMatrices: Float32Array;
    /** Writes the model matrix of a node to `target` and returns it. */
    nodeMatrix<T extends Numbers>(node: number, target: T): T;
    /**
     * Returns the model matrix of a node. This is a column-major 4x4 matrix with 16 floats, like Matrix4 in three.js.
     *
     * @example
     * const hand = mixer.nodeMatrix(hero.findNode('Hand_R')); // draw a sword there
     */
    nodeMatrix(node: number): Float32Array;
    /** Writes the local transform of a node to `target` and returns it. */
    nodeTransform<T extends Record<keyof Transform, Numbers>>(node: number, target: T): T;
    /** Returns the local transform of a node. */
    nodeTransform(node: number): Transform;
    /** Writes the root motion of the last update to `target` and returns it. */
    rootDelta<T extends { translation: Numbers; rotation: Numbers; yaw: number }>(target: T): T;
    /**
     * Returns the root motion of the last update. There is no root motion unless you set the `rootMotion` option.
     *
     * @example
     * const mixer = new Mixer(hero, { rootMotion: { node: hero.findNode('Hips') } });
     * mixer.update(delta);
     * const { translation, yaw } = mixer.rootDelta();
     */
    rootDelta(): RootDelta;
    /** Writes the bounding box to `target` and returns it. */
    bounds<T extends Numbers>(target: T): T;
    /**
     * Returns the model-space bounding box of all drawn vertices, first the minimum and then the maximum. An empty box
     * starts with Infinity.
     */
    bounds(): Float32Array;
    /** The current value of each curve. Curves are blended like the pose. Use Asset.findCurve to get the index. */
    readonly curves: Float32Array;
    /** Returns the morph weights of a node. Empty if the node doesn't have any. */
    morphWeights(node: number): Float32Array;

    /** True after you call dispose. */
    readonly disposed: boolean;
    /** Frees the memory. This also disposes the mixer's foot lock, solvers and batches. */
    dispose(): void;
}

/** The playback state of a mixer. You get one from Mixer.save. */
export interface Snapshot {
    /** The mixer it was saved from. Only this mixer can restore it. */
    readonly mixer: Mixer;
}

/** A graph parameter. Your program sets parameters to control the graph. */
export interface GraphParameter {
    /** The index in the graph's parameters. */
    index: number;
    /** The name in the file. */
    name: string;
    /** The type of its value. */
    type: 'float' | 'int' | 'bool' | 'trigger' | 'vector2' | 'vector3' | 'transform';
    /** The initial value. */
    default: number | boolean | [number, number] | [number, number, number]
        | { position: [number, number, number], rotation: [number, number, number, number] };
    /** The minimum value. -Infinity means no limit. */
    min: number;
    /** The maximum value. Infinity means no limit. */
    max: number;
    /** The time it takes the value in the graph to get halfway to the value you set, in seconds. */
    damping: number;
    /** How long a trigger waits for a transition, in seconds. */
    hold: number;
    /** The space in which you set a vector3 or transform. */
    space: 'world' | 'model';
    /** The line in the file, starting at 1. */
    line: number;
}

/** The value of a transform parameter. */
export interface TransformValue<T = ArrayLike<number>> {
    /** x, y, z. */
    position: T;
    /** A quaternion x, y, z, w. It doesn't have to be normalized when you set it. */
    rotation: T;
}

/** A layer in a graph. It controls the mixer layer with the same index. */
export interface GraphLayer {
    /** The name in the file. */
    name: string;
    /** The index of its state machine. */
    machine: number;
    /** How it is combined with the layers below. */
    mode: 'override' | 'additive';
    /** The weight before the parameter and the curve are applied. */
    weight: number;
    /** A parameter that multiplies the weight, or null. */
    weightParameter: string | null;
    /** A curve that multiplies the weight, or null. */
    weightCurve: string | null;
    /** The clip whose first frame is the reference for an additive layer. null means the rest pose. */
    reference: string | null;
    /** The line in the file, starting at 1. */
    line: number;
}

/**
 * A state machine. One of its states is current. States and transitions belong to the machine if its index is their
 * `machine`.
 */
export interface GraphMachine {
    /** The index of the state where it starts. */
    entry: number;
    /** The index of the state that contains it, or -1 for the machine of a layer. */
    state: number;
}

/** The blend space in a state. */
export interface GraphBlend {
    /** Same as in BlendSpace. */
    kind: 'line' | 'triangles' | 'directional';
    /** The name of a parameter. A vector2 is used for both coordinates. */
    x: string;
    /** The name of a parameter, or null. */
    y: string | null;
    /** Same as in BlendSpace, in seconds. */
    damping: number;
    /** The limits for the playback rate, or false. */
    matchSpeed: false | [number, number];
    /** The clips and their points. */
    samples: {
        /** The clip's name. */
        clip: string;
        /** The position of the clip. */
        x: number;
        /** The position of the clip. */
        y: number;
        /** Multiplies the clip's playback rate. */
        speed: number
    }[];
}

/** A state in a graph. */
export interface GraphState {
    /** The index in the graph's states. */
    index: number;
    /** The name in the file. */
    name: string;
    /**
     * The path consists of the name of the layer, the names of the states around this one, and its own name. For
     * example 'Base/Ground/Move'.
     */
    path: string;
    /** The index of its layer. */
    layer: number;
    /** The index of the state machine it belongs to. */
    machine: number;
    /** What it plays. 'machine' means that it contains other states. */
    kind: 'empty' | 'clip' | 'blend' | 'machine';
    /** The name of its clip, or null. */
    clip: string | null;
    /** Its blend space, or null. */
    blend: GraphBlend | null;
    /** The index of the state machine it contains, or -1. */
    submachine: number;
    /** The playback speed. Negative values play backward. */
    speed: number;
    /** A parameter that multiplies the speed, or null. */
    speedParameter: string | null;
    /** What happens at the end of the clip. */
    loop: 'once' | 'repeat' | 'pingPong';
    /** The number of loops until the clip is finished. Infinity means no limit. */
    loopCount: number;
    /** The name of its sync group, or null. */
    sync: string | null;
    /** Tags that you can use in Animator.hasTag and in conditions. */
    tags: string[];
    /** The line in the file, starting at 1. */
    line: number;
}

/** A transition in a graph. If a transition in the file starts from several states, it is listed once per state. */
export interface GraphTransition {
    /** The index of the state machine it belongs to. */
    machine: number;
    /** The index of the old state. -1 means any state in the machine. */
    from: number;
    /** The index of the new state. */
    to: number;
    /** The condition. null means always true. */
    when: string | null;
    /** Same as in Transition. */
    kind: 'fade' | 'inertialize' | 'deadBlend';
    /** In seconds. */
    duration: number;
    /** Same as in Transition. */
    easing: 'auto' | 'linear' | 'smoothstep';
    /** Same as in Transition. */
    matchRate: boolean;
    /** Where the clip in the new state starts, as a fraction of its duration from 0 to 1. */
    offset: number;
    /** What can interrupt the transition. 'anyState' means that only transitions from any state can. */
    interrupt: 'always' | 'anyState' | 'never';
    /** If this is true, a transition from any state is also taken when `to` is already the current state. */
    toSelf: boolean;
    /** The line in the file, starting at 1. */
    line: number;
}

/** A step of a graph's rig. Characters of 'sinew-animation/character' run them. */
export interface GraphStep {
    /** The name in the file, or a made one. */
    name: string;
    /** What it does. */
    kind:
        | 'rootWarp' | 'aimOffset' | 'orientationWarp' | 'strideWarp' | 'footLock' | 'footPlacement' | 'limb' | 'chain'
        | 'body' | 'aim' | 'springs' | 'callback';
    /** The condition. null means always true. */
    when: string | null;
    /** The weight before the parameter and the curve are applied. */
    weight: number;
    /** A parameter that multiplies the weight, or null. */
    weightParameter: string | null;
    /** A curve that multiplies the weight, or null. */
    weightCurve: string | null;
    /** The time it takes the weight to get halfway to a new value, in seconds. */
    damping: number;
    /** The step is off for characters with less significance. */
    significance: number;
    /** The line in the file, starting at 1. */
    line: number;
}

/**
 * An animation graph. It contains states, transitions and parameters as data. Any number of animators and assets can
 * share a graph.
 */
export class Graph {
    /** Use loadGraph or fetchGraph in Sinew instead. */
    private constructor();
    /** The parameters that your program can set. */
    readonly parameters: readonly GraphParameter[];
    /** The first one is the base layer. */
    readonly layers: readonly GraphLayer[];
    /** The state machines of all layers and states. */
    readonly machines: readonly GraphMachine[];
    /** The states of all state machines. */
    readonly states: readonly GraphState[];
    /** The transitions, sorted by priority. */
    readonly transitions: readonly GraphTransition[];
    /** The steps of the graph's rig. Only characters of 'sinew-animation/character' run them. */
    readonly steps: readonly GraphStep[];
    /** All tags that are used by states. Each tag is listed once. */
    readonly tags: readonly string[];
    /** The memory it uses, in bytes. */
    readonly memory: number;
    /** Returns the state with this path, or null. */
    findState(path: string): GraphState | null;
    /** Returns the parameter with this name, or null. */
    findParameter(name: string): GraphParameter | null;
    /** True after you call dispose. */
    readonly disposed: boolean;
    /**
     * After this, you can't create new animators from the graph. The memory is freed with the last animator that plays
     * it.
     */
    dispose(): void;
}

/** An event that happened in a graph. */
export interface AnimatorEvent {
    /** 'cycle' means that a layer made 8 transitions in one update and could still make more. */
    type: 'stateEntered' | 'stateLeft' | 'transitionStarted' | 'transitionEnded' | 'cycle';
    /** The layer's index. */
    layer: number;
    /**
     * The path of the state that was entered or left, or of the transition's new state. For a cycle, this is the
     * current state.
     */
    state: string;
    /** The transition. This is null for states, cycles and forced transitions. */
    transition: GraphTransition | null;
    /** The animator. */
    target: Animator;
}

/**
 * Plays a graph on one character. It drives a mixer, and updating either of them advances both. This includes updates
 * from a Batch, a Scene or a driven character. You can refer to layers by name or by index. The default is the base
 * layer. If you use a wrong name, this throws an Error that lists the valid names.
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
     * Binds the graph to the clips and nodes in the asset by name. This includes clips from bindClip and subclip. The
     * mixer has at least as many layers as the graph. It uses the sync markers in the graph unless you pass your own.
     * Throws if a clip or node is missing.
     */
    constructor(asset: Asset, graph: Graph, options?: MixerOptions);
    /** As passed in. */
    readonly asset: Asset;
    /** The graph it plays. Use setGraph to replace it. */
    readonly graph: Graph;
    /**
     * The mixer. Use it to get the pose, matrices, events and root motion, and to play on layers that the graph doesn't
     * have.
     */
    readonly mixer: Mixer;

    /** Makes transitions and updates the mixer. This is the same as calling the mixer's update. */
    update(deltaTime: number): boolean;

    /**
     * Sets a parameter to a number, a boolean, the x and y of a vector2, the [x, y, z] of a vector3, or the position and
     * rotation of a transform. The value is clamped to the parameter's range. Throws for a trigger.
     */
    set(parameter: string, value: number | boolean | ArrayLike<number> | TransformValue, y?: number): this;
    /**
     * Returns the value that the graph uses, after damping. For a trigger, returns true if it is set. For a transform,
     * returns its position and rotation as Float32Arrays.
     */
    get<T extends number | boolean | Float32Array | TransformValue<Float32Array> = number>(parameter: string): T;
    /** Writes the value of a vector2, vector3 or transform to `target` and returns it. */
    get<T extends Numbers | TransformValue<Numbers>>(vector: string, target: T): T;
    /** Sets a trigger. It stays set until a transition uses it or its `hold` time is over. */
    fire(trigger: string): this;
    /** Resets a trigger if it wasn't used by a transition yet. */
    cancel(trigger: string): this;

    /** Returns the path of the innermost current state in a layer. During a transition, this is the new state. */
    state(layer?: string | number): string;
    /** Returns true if a state is current or contains the current state. */
    isActive(path: string): boolean;
    /** Returns true if a state with this tag is active in any layer. */
    hasTag(tag: string): boolean;
    /** Returns how long ago an active state was entered, in seconds. 0 if the state isn't active. */
    elapsed(path: string): number;
    /** Returns the transition that is running in a layer, or null. Forced transitions also return null. */
    transition(layer?: string | number): GraphTransition | null;
    /** Returns the progress of a layer's transition, from 0 to 1. Returns 1 if there isn't one. */
    progress(layer?: string | number): number;
    /**
     * Returns the action of the current state in a layer, or null if the state is empty. The next transition replaces
     * the action.
     */
    action(layer?: string | number): ClipAction | BlendSpaceAction | null;
    /**
     * Enters a state immediately, regardless of conditions, and calls the listeners. Transitions can leave the state
     * again as usual.
     */
    forceState(path: string, transition?: Transition): this;

    /**
     * Replaces the graph and continues playing. This is useful for graph editors. States and parameters with the same
     * name are carried over. If the state of a layer doesn't exist any more, the layer starts at its entry state.
     * Actions that you started yourself end, and earlier snapshots become invalid. If the graph doesn't fit the asset,
     * this throws and nothing changes. The old graph isn't disposed.
     */
    setGraph(graph: Graph, options?: {
        /** How long it takes to blend to the new pose, in seconds. Default 0.2. */
        duration?: number
    }): this;
    /** Continues where a different animator of the same asset left off. This animator must be new. */
    adopt(other: Animator, options?: {
        /** How long it takes to blend to the new pose, in seconds. Default 0.2. */
        duration?: number
    }): this;

    /**
     * Adds a listener. At the end of each update, it is called for every event in order. It is called before the
     * mixer's listeners.
     *
     * @example
     * animator.addEventListener('stateEntered', ({ state }) => console.log(state)); // 'Base/Jump'
     */
    addEventListener(type: AnimatorEvent['type'], listener: (event: AnimatorEvent) => void): void;
    /** Removes a listener. */
    removeEventListener(type: AnimatorEvent['type'], listener: (event: AnimatorEvent) => void): void;

    /** Saves the state, including the mixer. This is the same as calling the mixer's save. */
    save(snapshot?: Snapshot): Snapshot;
    /** Restores a state. This is the same as calling the mixer's restore. */
    restore(snapshot: Snapshot): this;
    /**
     * A hash of the parameters, the states and the mixer. The same calls give the same hash on every machine, and also
     * in C.
     */
    readonly hash: bigint;

    /** True if the animator or its mixer was disposed. */
    readonly disposed: boolean;
    /** Disposes the animator and its mixer. */
    dispose(): void;
}

/**
 * Updates many characters in one call. You get the same results in less time. This is fastest if you only read
 * palettes. Once you read the model matrices or bounds of a mixer, all later updates also write its matrices.
 *
 * @example
 * const crowd = new Batch(mixers);
 * crowd.update(delta); // each frame
 */
export class Batch {
    /** Throws if there are no mixers, if a mixer is listed twice, or if they don't come from the same Sinew. */
    constructor(mixers: Iterable<Mixer>);
    /** As passed in. */
    readonly mixers: Mixer[];
    /**
     * Updates all mixers by `deltaTime` seconds. This doesn't update their foot locks and solvers. Do that yourself
     * afterwards.
     */
    update(deltaTime: number): void;
    /** True if the batch or one of its mixers was disposed. */
    readonly disposed: boolean;
    /** Disposes the batch, but not its mixers. */
    dispose(): void;
}

/** A local transform. Anything you leave out defaults to the identity. */
export interface TransformOptions {
    /** In meters. Default [0, 0, 0]. */
    translation?: ArrayLike<number>;
    /** A quaternion. It doesn't have to be normalized. Default [0, 0, 0, 1]. */
    rotation?: ArrayLike<number>;
    /** Default [1, 1, 1]. */
    scale?: ArrayLike<number>;
}

/** Options for a new node in a scene. */
export interface NodeOptions extends TransformOptions {
    /** The name to use with Scene.find. Default ''. */
    name?: string;
    /** null (default) means the scene itself. */
    parent?: SceneNode | null;
}

/** A node in a scene. It can be a character, an object or a joint. */
export interface SceneNode {
    /** The scene, or null after the node was removed. */
    readonly scene: Scene | null;
    /** As passed in. The name of a joint is the name of its node. */
    readonly name: string;

    /** Writes the world matrix to `target` and returns it. */
    world<T extends Numbers>(target: T): T;
    /** Returns the world matrix from the last update. This is a column-major 4x4 matrix with 16 floats. */
    world(): Float32Array;
    /** Replaces the local transform. It takes effect in the next update. Throws for joints. */
    setTransform(transform?: TransformOptions): this;
    /** Attaches this node to a different node or joint. Use null to attach it to the scene. Throws for joints. */
    setParent(parent: SceneNode | null, options?: {
        /** Keep the world transform instead of the local transform. Default false. */
        keepWorld?: boolean
    }): this;
    /** Attaches this node to the scene. Same as setParent(null). */
    detach(options?: {
        /** Keep the world transform instead of the local transform. Default false. */
        keepWorld?: boolean
    }): this;
    /** Removes this node and its descendants. The mixers of removed characters are disposed. Throws for joints. */
    remove(): void;
}

/** A character in a scene. */
export interface Instance extends SceneNode {
    /** As passed in. */
    readonly asset: Asset;
    /** The character's own mixer. It is updated by the scene. */
    readonly mixer: Mixer;
    /** The character's animator, or null. */
    readonly animator: Animator | null;
    /** Returns a joint by the name or index of its node. You can attach nodes to it. */
    joint(name: string | number): SceneNode;
    /** Returns a palette from the mixer. It is in model space, so multiply it by `world` when you draw. */
    palette(skin?: number): Float32Array;
    /**
     * Attaches a scene node to a joint, for example a sword to a hand. `offset` is the node's transform relative to the
     * joint.
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
 * A hierarchy of characters, objects and attachments. You update all of them with one call per frame.
 *
 * @example
 * const scene = new Scene();
 * const guard = scene.addInstance(hero, { translation: [2, 0, 0] });
 * guard.mixer.clipAction('Walk').play();
 * scene.update(delta); // each frame
 */
export class Scene {
    /** Creates an empty scene. */
    constructor();
    /** Adds an object, or a group for other objects. */
    addNode(options?: NodeOptions): SceneNode;
    /** Adds a character with its own mixer. All assets must come from the same Sinew. */
    addInstance(asset: Asset, options?: NodeOptions & {
        /** Options for the mixer. */
        mixer?: MixerOptions;
        /** A graph for an animator that drives the mixer. Default null. */
        graph?: Graph | null
        /**
         * A Character of 'sinew-animation/character' and of the same asset. The instance is where the character is in
         * the world, so it can't have a parent or a transform. The scene updates the character, or ends an update that
         * you have begun. All other options but `name` are ignored. Removing the instance disposes the character.
         * Default null.
         */
        character?: import('./character.js').Character | null
    }): Instance;
    /** Returns the first node or joint with this name, or null. */
    find(name: string): SceneNode | null;
    /**
     * The velocity of the air in the world, in m/s. This is used by springs from 'sinew-animation/solvers'. Default [0,
     * 0, 0].
     */
    get wind(): Float32Array;
    set wind(wind: ArrayLike<number>);
    /** Updates all mixers, and then foot locks, solvers and world transforms. */
    update(deltaTime: number): void;
    /** True after you call dispose. */
    readonly disposed: boolean;
    /** Removes all nodes and disposes the mixers of all characters. This doesn't dispose assets. */
    dispose(): void;
}
