// SPDX-License-Identifier: MIT
/**
 * Sinew in JavaScript: loads glTF files, plays, blends and layers their clips, and computes poses and skinning
 * matrices.
 *
 * Units are metres, seconds and radians. Speeds are factors of real time. Axes are the file's: +Y is up.
 * The arrays of this interface are views of the module's memory, without a copy, and are to be read only. Calls that
 * load or create something may grow the memory, which empties all earlier views: read the property again after such a
 * call, which costs nothing. Every failure throws an Error whose message says what is wrong, where and why.
 */

/** The JSON and the buffers of a glTF file that another library has parsed. */
export interface ParsedFile {
    json: any;
    /** The buffers of the file, in its order. Buffer views that are compressed by meshopt must be replaced. */
    buffers: BufferSource[];
}

/** What the Sinew of every entry point has. */
export interface SinewCore {
    /** "simd128", or "scalar" for the module without SIMD. Both compute the same bits. */
    readonly simd: string;
    /** The version of the library, such as "0.1.0". */
    readonly version: string;
    /**
     * Makes an asset of a file that another library has parsed. It has nodes, skins, clips, and bounds, except of
     * meshes compressed by Draco. Its meshes have no primitives, and it has no materials, textures and images: the other
     * library draws them.
     */
    makeAsset(file: ParsedFile): Asset;
}

/** The library. A page needs one. */
export class Sinew implements SinewCore {
    /**
     * Compiles the WebAssembly module, which has SIMD and is part of the package's code. `wasm` is another one, such as
     * sinew-plain.wasm for browsers without SIMD; 'sinew-animation/fetch' fetches the right one. `meshopt` is npm
     * meshoptimizer's MeshoptDecoder, for meshopt-compressed files. `draco` is what npm draco3d's
     * createDecoderModule() returns, or a promise of it.
     */
    static load(options?: { wasm?: BufferSource | WebAssembly.Module; meshopt?: Meshopt;
        draco?: Draco | Promise<Draco> }): Promise<Sinew>;
    private constructor();
    readonly simd: string;
    readonly version: string;
    makeAsset(file: ParsedFile): Asset;

    /**
     * Loads a .glb, a .gltf or a baked asset (.sinew), which it recognizes by its first bytes. `files` are its sidecar files, by the names that sidecarFiles returns. An image that is
     * missing has `bytes` null. A `meshopt` that is passed here must be ready: await its `ready`. Without `draco`,
     * Draco-compressed meshes are empty, unless the file also has them uncompressed. `markers` adds markers and curves to the
     * clips of a .glb or .gltf: an object, or the text or the bytes of a .markers.json file.
     */
    loadAsset(bytes: BufferSource, files?: Record<string, BufferSource>,
        options?: { markers?: Markers | string | BufferSource | null; meshopt?: Meshopt; draco?: Draco }): Asset;

    /**
     * Fetches and loads a file and the buffers that it refers to in its own folder and below. `images` also fetches
     * its images, for programs with a renderer of their own. `url` is relative to the page. In Node it is a URL,
     * which may be a file: URL. `markers` is that of loadAsset, or true: Fox.markers.json is fetched for Fox.glb.
     */
    fetchAsset(url: string | URL, options?: { meshopt?: Meshopt; draco?: Draco | Promise<Draco>;
        images?: boolean; markers?: Markers | string | BufferSource | true | null }): Promise<Asset>;

    /**
     * Reads an animation graph: the text or the bytes of its file, or the object that JSON.parse returns for it. Throws a
     * GraphError for a text that is not a graph. `name` precedes its message; default 'graph'. The lines and columns of an
     * object are those of JSON.stringify(object, null, 2).
     */
    loadGraph(source: string | BufferSource | object, options?: { name?: string }): Graph;
    /** Fetches and reads an animation graph. `url` is as for fetchAsset. */
    fetchGraph(url: string | URL): Promise<Graph>;
}

/** A curve of a clip. Keys of CUBICSPLINE are in-tangent, value and out-tangent. */
export interface CurveDefinition {
    times: number[];
    values: number[];
    /** Default 'LINEAR'. */
    interpolation?: 'STEP' | 'LINEAR' | 'CUBICSPLINE';
}

/** Markers and curves of clips, by the name of the clip: the content of a .markers.json file, which docs/howto/curves.md describes. */
export interface Markers {
    [clip: string]: Marker[] | { markers?: Marker[]; curves?: Record<string, CurveDefinition> };
}

/** The error of loadGraph for a text that is not a graph: `name:line:column: what is wrong`. */
export interface GraphError extends Error {
    /** From 1. */
    line: number;
    /** From 1, in UTF-16 units, as editors count. */
    column: number;
}

/** A file that a glTF file refers to. */
export interface SidecarFile {
    /** The name for loadAsset: a path relative to the file's own folder. */
    name: string;
    /** The same as written in the file, percent-encoded. */
    uri: string;
    kind: 'buffer' | 'image';
}

/**
 * The buffers and images that a .glb or .gltf refers to, in its own folder and below. It is for programs that read
 * files without fetchAsset, such as dropped ones. Empty for a file that cannot be read.
 */
export function sidecarFiles(bytes: BufferSource): SidecarFile[];

/** The extensions that a .glb or .gltf uses. It is for programs that fetch a decoder only when a file needs it. */
export function extensionsUsed(bytes: BufferSource): string[];

/** The decoder module of npm's draco3d. */
export interface Draco {
    Decoder: new () => object;
    Mesh: new () => object;
    destroy(object: object): void;
}

/** npm meshoptimizer's MeshoptDecoder. KHR_meshopt_compression needs version 1.0 or newer. */
export interface Meshopt {
    ready: Promise<void>;
    decodeGltfBuffer(target: Uint8Array, count: number, size: number, source: Uint8Array, mode: string,
        filter?: string): void;
}

/** A named time in a clip, set by its author. */
export interface Marker {
    name: string;
    time: number;
}

/** An animated property of a node. */
export interface Channel {
    node: number;
    target: 'translation' | 'rotation' | 'scale' | 'weights';
}

export interface Clip {
    /** Its index in the asset's clips; -1 for one that was made, such as by makeAdditive or subclip. */
    index: number;
    /** Whether it is a difference, of makeAdditive or combineClips. Additive clips play in layers of mode 'additive', and in no others. */
    additive: boolean;
    name: string;
    duration: number;
    /** Sorted by time. */
    markers: Marker[];
    channels: Channel[];
}

/** A clip of another file, copied to the nodes of an asset. */
export interface BoundClip extends Clip {
    /** The names of nodes of the other file with a channel that no node of this asset has. */
    unmatched: string[];
}

/** How bindClip matches nodes. */
export interface BindOptions {
    /** For names of nodes of the clip those of this asset; null leaves their channels out. Other nodes are matched by equal names, and among equal names by their parents, then by their order. */
    names?: Record<string, string | null>;
    /** Ignore a prefix that more than half of a file's named nodes have, such as "mixamorig:"; default false. */
    ignorePrefixes?: boolean;
    /** Leave out translations, scales and weights, for other proportions; default false. */
    rotationsOnly?: boolean;
    /** The fraction of channels that must match, 0 to 1; default 0.5. Channels that are left out are not counted. */
    minMatch?: number;
}

/** The object of a clip in another library: an AnimationClip of the file that a scene was driven with. */
export interface ClipAlias {
    name: string;
    uuid: string;
}

/** Where a clip is needed: its name, the clip, or its AnimationClip of three.js. */
export type ClipSource = string | Clip | ClipAlias;

export interface Node {
    name: string;
    /** The index of its parent, which is less than its own; -1 for a root. */
    parent: number;
    /** Its index in the file. */
    source: number;
    /** The index of its first morph weight among those of all nodes, and the count of its morph weights. */
    firstWeight: number;
    weightCount: number;
}

export interface Skin {
    name: string;
    jointCount: number;
    /** Indices of nodes. */
    readonly joints: Int32Array;
    /** 12 floats a joint: a row-major 3x4 matrix. */
    readonly inverseBinds: Float32Array;
}

/** A morph target: differences to the vertices, 3 floats each; null for none. */
export interface Target {
    readonly positions: Float32Array | null;
    readonly normals: Float32Array | null;
    readonly tangents: Float32Array | null;
}

/** Triangles. Attributes that the file does not have are null. */
export interface Primitive {
    vertexCount: number;
    indexCount: number;
    /** Joints a vertex: 0, 4 or 8. */
    influences: number;
    /** The index of its material, or -1. */
    material: number;
    readonly positions: Float32Array | null;
    readonly normals: Float32Array | null;
    /** 4 floats a vertex. */
    readonly tangents: Float32Array | null;
    readonly uvs: Float32Array | null;
    /** 4 floats a vertex, linear. */
    readonly colors: Float32Array | null;
    /** Indices into the skin's joints. */
    readonly joints: Uint16Array | null;
    /** They sum to 1 for each vertex. */
    readonly weights: Float32Array | null;
    readonly indices: Uint32Array | null;
    targets: Target[];
}

export interface Mesh {
    name: string;
    primitives: Primitive[];
}

/** A mesh of a node. A skinned mesh ignores the node's transform: its palette moves it. */
export interface MeshNode {
    node: number;
    mesh: number;
    /** The index of its skin; -1: the mesh moves with its node. */
    skin: number;
    /** Whether it belongs to the file's scene and is visible. */
    drawn: boolean;
}

export interface Material {
    name: string;
    /** Linear, with alpha. */
    baseColor: [number, number, number, number];
    /** The index of its texture, or -1. */
    baseColorTexture: number;
    alphaMode: 'OPAQUE' | 'MASK' | 'BLEND';
    alphaCutoff: number;
    doubleSided: boolean;
    unlit: boolean;
}

export interface Texture {
    /** The index of its image, or -1. */
    image: number;
    wrapU: 'repeat' | 'clamp' | 'mirror';
    wrapV: 'repeat' | 'clamp' | 'mirror';
    nearest: boolean;
}

/** An encoded image: PNG, JPEG... */
export interface Image {
    name: string;
    mimeType: string;
    /** null for an image in a sidecar file that was not passed. */
    readonly bytes: Uint8Array | null;
}

/** The ground speed of a clip. */
export interface ClipSpeed {
    /** 'none': the clip has no speed, because planted feet disagree. 'stands' and 'none' have velocity 0. */
    gait: 'none' | 'stands' | 'moves';
    /** Metres a second in model space. */
    velocity: [number, number, number];
    /** The length of the velocity. */
    speed: number;
    /** The standard deviation of the velocities of the planted feet; 0 is certain. */
    spread: number;
    /** Radians a second about +Y. */
    yawRate: number;
    /** The mean fraction of the time that a foot is planted. */
    planted: number;
    /** When each foot is planted, in seconds: at most 8 intervals. An `end` beyond the duration is in the next loop. */
    feet: { node: number; plants: { start: number; end: number }[] }[];
}

/** The content of a file. Any number of mixers share it. */
export class Asset {
    private constructor();
    /** Parents before their children. */
    readonly nodes: Node[];
    /** The curves that clips animate, with their values without an animation. */
    readonly curves: { name: string; rest: number }[];
    readonly clips: Clip[];
    readonly skins: Skin[];
    readonly meshes: Mesh[];
    readonly meshNodes: MeshNode[];
    readonly materials: Material[];
    readonly textures: Texture[];
    readonly images: Image[];
    /** Its memory in bytes. */
    readonly memory: number;

    /** The first clip with that name, or null. */
    findClip(name: string): Clip | null;
    /** The first node with that name, or -1. */
    findNode(name: string): number;
    /** The index of the curve with that name; -1 if there is none. */
    findCurve(name: string): number;

    /**
     * Makes an additive clip: the difference of a clip to the pose of `reference` at `time`. `reference` is the clip
     * itself by default, and null for the rest pose; `time` is 0 by default. The additive clip belongs to the asset
     * and is not in `clips`. The same arguments return the same clip.
     */
    makeAdditive(clip: ClipSource, from?: { reference?: ClipSource | null; time?: number }): Clip;
    /**
     * Measures the speed of a clip over the ground from its planted feet, with root motion or on the spot. It takes some
     * milliseconds: call it after loading. `feet` are nodes, such as the ankles, by index or name; by default the feet are
     * found by the shape of the rest pose.
     */
    measureSpeed(clip: ClipSource, options?: { feet?: (number | string)[] }): ClipSpeed;
    /**
     * Copies the part of a clip from `start` to `end` seconds, by default from its start or to its end. Time 0 of the part is
     * `start`; a cut between two keys is exact, and markers inside are kept, also those at both ends. `name` is the clip's by
     * default; graphs play the part by it. The part belongs to the asset and is not in `clips`. The same arguments return the
     * same part. Throws unless 0 <= start < end <= the clip's duration.
     */
    subclip(clip: ClipSource, part?: { start?: number; end?: number; name?: string }): Clip;
    /**
     * Combines clips that move different nodes, by default all of the asset, to play them at once: see playAll of the mixer.
     * Of `clips` the first is for the base, and the others, one for each further duration, are additive. They belong to the
     * asset. A clip that moves what an earlier one moves is in `leftOut`, and so is an additive clip.
     */
    combineClips(clips?: Iterable<ClipSource>): { clips: readonly Clip[]; leftOut: readonly Clip[] };
    /**
     * Copies a clip of another asset of the same Sinew to this one: each channel is bound to the first node of the same
     * name, or as the options say. Values are not changed, so the characters should have similar proportions. The copy
     * belongs to this asset and is not in `clips`; the other asset may be disposed. The same arguments return the same
     * copy. Throws if fewer channels match than `minMatch` requires; the message names nodes that nearly match.
     */
    bindClip(clip: Clip, options?: BindOptions): BoundClip;

    readonly disposed: boolean;
    /** Frees its memory, and disposes its mixers, masks and blend spaces. */
    dispose(): void;
}

export const LoopOnce: 2200;
export const LoopRepeat: 2201;
export const LoopPingPong: 2202;
/** The values of three.js's constants, which may be used as well. */
export type Loop = typeof LoopOnce | typeof LoopRepeat | typeof LoopPingPong;

export interface PlayOptions {
    /** Starts an action that is active again from its start; default false. */
    restart?: boolean;
}

/**
 * A clip or a blend space in a layer of a mixer. Mixer.action returns the same object for the same arguments, whether
 * it was started by the page, a queue or a snapshot. It can be played any number of times.
 */
export interface Action {
    readonly mixer: Mixer;
    /** The index of its layer; 0 is the base. */
    readonly layer: number;

    /**
     * Starts the action. An active action goes on, unless it has finished or `restart` is set: then it starts again.
     */
    play(options?: PlayOptions): this;
    /** Ends it at once: the pose cuts to the other actions of its layer. Without others the pose is held. */
    stop(): this;
    /**
     * Sets its time to the start, enables and resumes it, and cancels a delayed start and a warp. Its weight and fades do
     * not change.
     */
    reset(): this;

    /**
     * Fades to `weight` from the current weight, which is 0 for an action that was started since the last update.
     * Before play it sets the fade-in of the next play.
     */
    fadeIn(duration: number): this;
    /** Fades to 0 from the current weight, and ends. */
    fadeOut(duration: number): this;
    /**
     * Fades this action out and another one in, which is played if it is not active. `warp` brings their playback
     * rates together during the fade, and fades out all other actions of the layer.
     */
    crossFadeTo(action: Action, duration: number, warp?: boolean): this;
    /** Ends a fade. The weight is then `weight`, at once. */
    stopFading(): this;
    /** Fades the other action out and this one in. */
    crossFadeFrom(action: Action, duration: number, warp?: boolean): this;

    /** The target weight of a fade-in; default 1. Setting it ends a fade. */
    weight: number;
    setEffectiveWeight(weight: number): this;
    /**
     * The current weight, also during a fade; 0 for an action that is not active. A fade moves the proportions of the
     * actions evenly, from the current ones to those of the weights after it.
     */
    getEffectiveWeight(): number;

    /**
     * Whether it has an effect; default true. A disabled action has no weight, and its time is stopped. Enabled again, it
     * has its weight at once and continues from its time. It cannot be the target of a transition.
     */
    enabled: boolean;

    /** The speed; default 1. Negative plays backward. Setting it ends a warp. */
    timeScale: number;
    setEffectiveTimeScale(timeScale: number): this;
    /** The current speed; 0 for an action that is not active, or that waits for startAt. */
    getEffectiveTimeScale(): number;
    /** Takes the time and the time scale of another action of the mixer. */
    syncWith(action: Action): this;

    /**
     * Stops the action until the mixer's `time` is `time`, to the exact moment within a step. Its weight and fades do not
     * wait. Throws for an action of a sync group.
     */
    startAt(time: number): this;
    /**
     * Changes the speed evenly from one value to another over `duration` seconds of the mixer's time, from now. Then the
     * time scale is the latter; if that is 0, the action is paused instead and keeps its time scale. The distance does
     * not depend on the frame rate.
     */
    warp(startTimeScale: number, endTimeScale: number, duration: number): this;
    /** Ends a warp. The speed is then the time scale. */
    stopWarping(): this;
    /** Slows down to a stop over `duration` seconds, and pauses. */
    halt(duration: number): this;

    /**
     * The time in the clip, clamped to the clip; before play the start time. For a blend space it is the time of the
     * clip with the largest weight, and can be set only while the action is active.
     */
    time: number;
    /** Whether the time of an active action is stopped. Its fades go on. */
    paused: boolean;
    /**
     * The sync group, 1 to 255; default 0, none. Repeating actions of one group, in any layers, have the same phase
     * and a common playback rate. An action that joins starts at the phase of the group, by any kind of transition. One
     * that is resumed reaches it in 0.2 seconds. It takes effect at the next play.
     */
    sync: number;

    /** Its clip; of a blend space the one with the largest weight, or null. */
    getClip(): Clip | null;
    /** The loops completed since it was started or reset; 0 for an action that is not active. */
    readonly loopsDone: number;

    /** Whether it plays: from play until it is stopped or has faded out. */
    isActive(): boolean;
    /** Whether it has reached its last end. It holds that pose (three.js's clampWhenFinished). */
    isFinished(): boolean;
    /** Whether it is active and its time advances. */
    isRunning(): boolean;
}

/** A clip in a layer of a mixer. */
export interface ClipAction extends Action {
    readonly clip: Clip;

    /** Default LoopRepeat. Setting it sets `repetitions` to Infinity. */
    loop: Loop;
    readonly repetitions: number;
    setLoop(loop: Loop, repetitions?: number): this;
    /** Sets the time scale at which the clip takes `duration` seconds. */
    setDuration(duration: number): this;
    getClip(): Clip;

    /**
     * Queues an action to follow this one, which must be active. A fade ends with this action; transitions of other
     * kinds start at its end. An action that is stopped or faded out is not followed.
     */
    queue(action: ClipAction | BlendSpaceAction, transition?: Transition): this;
    /** Queues a fade-out of `duration` seconds that ends with the action; default 0.2. */
    queueFadeOut(duration?: number): this;
    /**
     * Queues what the layer played before the last transitionTo. Returns false if there was nothing. If one-shots
     * interrupt each other, all of them return to what played before the first.
     */
    queuePrevious(transition?: Transition): boolean;
}

/** A blend space in a layer of a mixer. It repeats forever. */
export interface BlendSpaceAction extends Action {
    readonly space: BlendSpace;
    /**
     * The clip of the sample with the largest weight at the start of the last step, whose time is the action's. null
     * for an action that is not active.
     */
    readonly clip: Clip | null;

    /**
     * Starts the action with the parameter (x, y), by default the one that was set last. For an active action it is
     * the same as setParameter.
     */
    play(options?: PlayOptions & { x?: number; y?: number }): this;
    /** Sets the target of the parameter, which follows with the damping of the blend space. */
    setParameter(x: number, y?: number): this;
    /** The current parameter; 0 for an action that is not active. */
    readonly x: number;
    readonly y: number;
}

export interface MixerEvent {
    /** 'loop': it repeats. 'finished': it has reached its last end. 'marker': it has reached a marker. */
    type: 'loop' | 'finished' | 'marker';
    action: Action;
    /** The clip of the action; of a blend space the one with the largest weight. */
    clip: Clip;
    /** The marker of a 'marker' event, otherwise null. */
    marker: Marker | null;
    target: Mixer;
}

/**
 * 'fade' plays and blends both clips. 'inertialize' plays only the new clip; the difference to the old pose and its
 * velocity decays. 'deadBlend' fades the new clip in over the old pose, which is extrapolated by its velocities.
 */
export type TransitionKind = 'fade' | 'inertialize' | 'deadBlend';

/** A transition between actions. */
export interface Transition {
    /** Default 'fade'. */
    kind?: TransitionKind;
    /** Seconds; default 0.2. 0 is a cut. */
    duration?: number;
    /** The easing of the weights; default 'auto': smoothstep for dead blending, otherwise linear. */
    easing?: 'auto' | 'linear' | 'smoothstep';
    /** For 'fade': brings the playback rates of the clips together during the fade; default false. */
    matchRate?: boolean;
}

/** A layer of a mixer. It overrides the layers below or adds to them, by its weight and mask. */
export interface Layer {
    readonly mixer: Mixer;
    /** 0 is the base, whose weight, mask and mode cannot be set. */
    readonly index: number;

    /** Default 1. */
    weight: number;
    /** Fades to a weight from the current one. */
    fadeTo(weight: number, duration: number): this;
    /** The nodes that it affects; default null, all nodes. */
    mask: Mask | null;
    /** Default 'override'. It can be set while no action of the layer is active. */
    mode: 'override' | 'additive';

    /** Its active actions. */
    readonly actions: Action[];
    /** The same as inertialize of the mixer, for the nodes of its mask. Throws for the base. */
    inertialize(duration: number): this;
}

/** A factor from 0 to 1 for each node, by which a layer affects it. Any number of layers and mixers share it. */
export class Mask {
    /** Makes a mask with the same factor for all nodes; default 0. */
    constructor(asset: Asset, factor?: number);
    readonly asset: Asset;
    /** The factor of each node. Read only. */
    readonly factors: Float32Array;

    set(node: number, factor: number): this;
    /**
     * Sets the factor of a node and its descendants. With a `feather` the factor rises from that of the node's parent
     * in feather + 1 equal steps, one a hierarchy level; default 0.
     */
    setSubtree(node: number, factor: number, feather?: number): this;

    readonly disposed: boolean;
    /** Removes it from its layers. Its memory is freed with the last mixer that has used it. */
    dispose(): void;
}

export interface Sample {
    clip: ClipSource;
    /**
     * The point of the clip, in units of the program: speeds, velocities. By default it is measured from the planted feet:
     * on a line the speed, negative backward; otherwise the velocity to the character's right and, as y, forward.
     */
    x?: number;
    /** Default 0; ignored on a line. */
    y?: number;
    /** A factor of the clip's playback rate; default 1. */
    speed?: number;
}

/** Clips at points of a line or a plane, blended by a parameter. Any number of mixers share it. */
export class BlendSpace {
    /**
     * `kind` is 'line' (default): blends the two samples next to the parameter. 'triangles': blends the three samples
     * around it. 'directional': for velocities, blends direction and speed separately, with one sample at (0, 0).
     * `syncNames` are the markers at which steps of the clips start, in order; the clips are synchronized by them.
     * `damping` is the half-life of the distance from the parameter to its target: default 0.1 seconds. `matchSpeed`
     * plays faster or slower, so that the feet move at the speed of the parameter: true, or the limits of the playback
     * rate, [0.8, 1.25] by default; the points are then ground velocities. `feet` are those of measureSpeed, for samples
     * without a point.
     */
    constructor(asset: Asset, space: {
        kind?: 'line' | 'triangles' | 'directional';
        samples: Sample[];
        syncNames?: string[];
        damping?: number;
        matchSpeed?: boolean | [number, number];
        feet?: (number | string)[];
    });
    readonly asset: Asset;
    readonly kind: 'line' | 'triangles' | 'directional';
    readonly samples: readonly (Required<Sample> & { clip: Clip })[];
    readonly damping: number;
    readonly matchSpeed: boolean | [number, number];
    /** Indices of three samples each. Empty unless the kind is 'triangles'. */
    readonly triangles: readonly [number, number, number][];

    /** The samples with a weight at a point. The weights sum to 1. */
    weights(x: number, y?: number): { sample: number; weight: number }[];
    /**
     * How the feet keep up with the speed of the parameter, if the points are ground velocities: the speed of the blend
     * in metres a second, the playback rate by matchSpeed, and the factor by which the strides would still be too short.
     */
    stride(x: number, y?: number): { speed: number; rate: number; length: number };

    readonly disposed: boolean;
    /** Stops its actions. Its memory is freed with the last mixer that has used it. */
    dispose(): void;
}

/** A leg: its nodes, by index or name, each below the one before. */
export interface Leg {
    thigh: number | string;
    shin: number | string;
    foot: number | string;
    /** Default null: the foot has no toes. */
    toes?: number | string | null;
}

/** When a foot is on the ground in a clip, in seconds. An `end` before the `start` is in the next loop. */
export interface FootContact {
    /** The index of the leg. */
    leg: number;
    start: number;
    end: number;
}

/** The legs of a character, and when they are on the ground in its clips. Any number of mixers share it. */
export class Legs {
    /**
     * `clips` are the clips with contacts, by default all clips of the asset. `markers` are the names of the markers at which
     * each foot comes down and is lifted. In clips without them contacts are found from the motion of the soles, which takes
     * some milliseconds a clip. The ground is the plane through model space's origin.
     */
    constructor(asset: Asset, options: {
        legs: Leg[];
        clips?: ClipSource[];
        markers?: { down: string[]; up: string[] } | null;
    });
    readonly asset: Asset;
    readonly count: number;
    /** The contacts of a clip, sorted by leg. */
    contacts(clip: ClipSource): { source: 'none' | 'markers' | 'motion'; contacts: FootContact[] };
    readonly disposed: boolean;
    /** Disposes its foot locks. Its memory is freed with the last mixer that has used it. */
    dispose(): void;
}

/** The settings of a foot lock. */
export interface FootLockSettings {
    /** A contact of at least this locks a foot; default 0.5. */
    contactOn?: number;
    /** A contact below this releases it; default 0.4. */
    contactOff?: number;
    /** The largest distance, in metres, of a locked foot from the foot in the pose; default 0.5. */
    distance?: number;
    /** The same for the angle about +Y in radians; default 0.8. */
    turn?: number;
    /** The fraction of the leg's length to which a locked foot extends it; default 0.99. */
    stretch?: number;
    /** The largest angle by which a heel rises, in radians; default 0.6. */
    roll?: number;
    /** The largest height of a stepping foot, as a fraction of the leg's length; default 0.1. 0: feet slide instead. */
    liftHeight?: number;
    /** The time constant of released feet in seconds; default 0.08. */
    releaseTime?: number;
    /** The weight of the effect; default 1. */
    weight?: number;
    /** A foot is locked only while its lowest sole point is at most this far above the ground, in metres; default 0.02. */
    height?: number;
}

/**
 * Keeps the planted feet of a character where they are in the world, while clips are blended and the character turns or
 * changes its speed. A mixer has one at most. A character that is driven by drive or is in a scene needs no call in each
 * frame: its update locks the feet, where the character is then. Other programs call `update` after that of the mixer or
 * of its batch, and after they have moved the character. A snapshot of the mixer contains its state.
 */
export class FootLock {
    constructor(mixer: Mixer, legs: Legs, settings?: FootLockSettings);
    readonly mixer: Mixer;
    readonly legs: Legs;
    /** Of the whole effect, to be faded out for clips in which the feet do not stand. */
    weight: number;
    /**
     * Changes the pose, the matrices and the palettes of the mixer. `deltaTime` is that of its update. `world` is the
     * world matrix of the character in this frame, column-major: a rotation, a translation and a uniform scale; default the
     * identity.
     */
    update(deltaTime: number, world?: ArrayLike<number>): void;
    isLocked(leg: number): boolean;
    /** Releases all locked feet smoothly: after a seek, and before clips in which the feet do not stand. */
    release(): void;
    /** Forgets all feet at once: after a teleport. */
    reset(): void;
    readonly disposed: boolean;
    dispose(): void;
}

/** Root motion: the motion of the base that is extracted from the pose. The program moves the character by it. */
export interface RootMotion {
    /** The node that moves the character: its hips, or a node above them. */
    node: number;
    /** The axes of model space whose translation is extracted; default 'xz', the ground plane. */
    translation?: string;
    /** Whether the rotation about +Y is extracted; default true. */
    rotation?: boolean;
    /** Whether repeating clips return to their start in the motion that stays in the pose; default false. */
    closeLoops?: boolean;
}

/** The motion of a character in an update, relative to its position and heading before the update. */
export interface RootDelta {
    translation: Float32Array;
    rotation: Float32Array;
    /** The rotation about +Y in radians. */
    yaw: number;
}

/** The position of a character in metres, and its facing as a unit quaternion x, y, z, w, in the world. */
export interface WarpTransform {
    position: ArrayLike<number>;
    /** Default [0, 0, 0, 1]. */
    facing?: ArrayLike<number>;
}

export interface RootWarpOptions {
    /**
     * The window of the clip: its start and its end in seconds, or 'Vault' for the markers 'Vault' and, later, 'Vault.end'.
     */
    window: string | ArrayLike<number>;
    /** At least 1; default 2: the root's speed is between 0 and twice that of the clip. */
    maxSpeed?: number;
    /** Metres a second in addition, default 0: for clips that hardly move. */
    addedSpeed?: number;
    /** How much faster than in the clip the root turns at most, in radians a second; default 2 pi. */
    maxTurnRate?: number;
}

/**
 * Root motion warping: changes the root motion of a clip within a window so that at its end the character is at a goal. The
 * pose does not change. The results are those of the C library (root_warp.h), bit for bit. Times are those of the clip, in seconds:
 * for an action that repeats, add the duration of its loops.
 */
export class RootWarp {
    /**
     * Of a clip of the mixer's asset, with the root motion of the mixer. It stays valid without the mixer, until the asset is
     * disposed. Throws for a mixer without root motion and for markers that the clip does not have.
     */
    constructor(mixer: Mixer, clip: string | Clip, options: RootWarpOptions);
    readonly asset: Asset;
    readonly clip: Clip;
    /** Of the window, in seconds. */
    readonly start: number;
    readonly end: number;

    /**
     * Starts a warp for a character that is at `start` at a time of the clip, default 0, before the window's end. It may be
     * called again for the next jump. Throws for options that sinew_root_warp_begin refuses, and there is no warp then: the root
     * does not move.
     */
    begin(start: WarpTransform, goal: WarpTransform, time?: number): this;
    /** The distance by which the limits make the character miss the goal, in metres; 0 if it reaches it. */
    readonly missedDistance: number;
    /** The angle about +Y by which they make it miss the goal's facing, in radians. */
    readonly missedTurn: number;
    /**
     * Changes the goal at a time in the window, also in each frame. The velocity does not jump. `now` is the character's
     * transform at that time, such as after a collision; default that of the warp. No-op from the window's end on.
     */
    retarget(time: number, goal: WarpTransform, now?: WarpTransform | null): this;
    /** The transform of the character at a time. */
    at<T extends { position: Numbers; facing: Numbers }>(time: number, target: T): T;
    at(time: number): { position: Float32Array; facing: Float32Array };
    /** The root motion from one time to another, to be used instead of rootDelta of the mixer. */
    rootDelta<T extends { translation: Numbers; rotation: Numbers; yaw: number }>(from: number, to: number, target: T): T;
    rootDelta(from: number, to: number): RootDelta;

    /** Copies the state of the warp, 150 numbers: snapshots of the mixer do not contain it. */
    save(saved?: Float32Array): Float32Array;
    restore(saved: ArrayLike<number>): this;

    readonly disposed: boolean;
    dispose(): void;
}

/** The local transform of a node. The rotation is a quaternion x, y, z, w. */
export interface Transform {
    translation: Float32Array;
    rotation: Float32Array;
    scale: Float32Array;
}

/** An array of any type. */
export interface Numbers {
    [index: number]: number;
}

export interface MixerOptions {
    /** The limit of active actions, 1 to 64; default 16. */
    maxActions?: number;
    /** The count of layers with the base, 1 to 8; default 4. */
    layers?: number;
    /** The markers by which actions of a sync group are synchronized, in order. Without them whole cycles are. */
    syncNames?: string[];
    /** Default null: all motion stays in the pose. */
    rootMotion?: RootMotion | null;
}

/** The options of a character that drive makes. */
export interface CharacterOptions extends MixerOptions {
    /** The graph of an animator that drives the mixer; default null. It is of the Sinew of the asset. */
    graph?: Graph | null;
}

/** The mixer of one character: plays actions, and has the resulting matrices. */
export class Mixer {
    constructor(asset: Asset, options?: MixerOptions);
    readonly asset: Asset;
    /** The animator that drives it, or null. */
    readonly animator: Animator | null;
    /** The base, and the layers above it. */
    readonly layers: readonly Layer[];

    /**
     * The action of a source in a layer: of a clip, given by name, as a Clip of the asset or as its AnimationClip of
     * three.js, or of a blend space. The same arguments return the same object. At most 4 blend spaces are active at
     * once, with those that fade out.
     */
    clipAction(clip: ClipSource, options?: { layer?: number }): ClipAction;
    clipAction(space: BlendSpace, options?: { layer?: number }): BlendSpaceAction;
    /** The action that clipAction has returned for the same arguments, or null. */
    existingAction(clip: ClipSource, options?: { layer?: number }): ClipAction | null;
    existingAction(space: BlendSpace, options?: { layer?: number }): BlendSpaceAction | null;
    /** Stops an action and forgets it: clipAction makes a new one. */
    uncacheAction(source: ClipSource | BlendSpace, options?: { layer?: number }): void;
    /** The same for the actions of a source in all layers. */
    uncacheClip(source: ClipSource | BlendSpace): void;
    /** The same for all actions. */
    uncacheRoot(): void;
    /** Plays an action. All other actions of its layer end by the transition. */
    transitionTo<A extends Action>(action: A, transition?: Transition, options?: PlayOptions): A;
    /**
     * Plays the clips of a file whose objects each have their own clip, by default all, each at its own duration: combineClips
     * in the base, where other actions end, and in `layer`, which becomes additive; it is the last by default. They fade in
     * over `duration` seconds, 0 by default. Returns their actions. clipAction alone would show an nth of each of n clips.
     */
    playAll(options?: { clips?: Iterable<ClipSource>; layer?: number; duration?: number }): ClipAction[];
    /** Ends all actions at once. The pose is held. */
    stopAllAction(): this;

    /** The factor of every step: 0 or more, default 1. */
    timeScale: number;
    /** The sum of all steps, scaled, in seconds. */
    readonly time: number;
    /** Sets the times of all active actions and of the mixer to 0, and updates by `time` seconds, which timeScale scales. */
    setTime(time: number): boolean;

    /**
     * Makes the next change of the pose smooth: a seek, a weight, a stop, another mask or mode. Call it before the change,
     * in the same frame. The difference between the poses before and after, with its velocity, decays over `duration`
     * seconds. 0 does nothing.
     */
    inertialize(duration: number): this;

    /**
     * Advances by `deltaTime` seconds and computes matrices and palettes. Steps below 0, which
     * timers of browsers may start with, count as 0. Returns false if the pose has not changed, so that results of the
     * last frame may be kept.
     */
    update(deltaTime: number): boolean;

    /** Adds a listener, called at the end of an update for each event, in the order of time. */
    addEventListener(type: MixerEvent['type'], listener: (event: MixerEvent) => void): void;
    removeEventListener(type: MixerEvent['type'], listener: (event: MixerEvent) => void): void;

    /**
     * Saves the playback state, with that of an animator, and without results such as palettes. `snapshot` is an earlier one to overwrite, which
     * makes no garbage.
     */
    save(snapshot?: Snapshot): Snapshot;
    /**
     * Restores a state that this mixer saved. The same calls from there give the same bits as the first time. Masks
     * and blend spaces that have been disposed since are not restored; the factors of masks are the current ones.
     */
    restore(snapshot: Snapshot): this;
    /** A hash of the state. Mixers with the same calls have the same hash, on every machine and in every language. */
    readonly hash: bigint;

    /** 12 floats a joint: the row-major 3x4 matrix from the bind pose to model space. */
    palette(skin?: number): Float32Array;
    /** 12 floats a node: its row-major 3x4 model matrix. */
    readonly modelMatrices: Float32Array;
    /** The model matrix of a node as a column-major 4x4 matrix, 16 floats, as in three.js's Matrix4 and WebGL. */
    nodeMatrix<T extends Numbers>(node: number, target: T): T;
    nodeMatrix(node: number): Float32Array;
    /** The local transform of a node: the same bits that its matrix was computed from. */
    nodeTransform<T extends Record<keyof Transform, Numbers>>(node: number, target: T): T;
    nodeTransform(node: number): Transform;
    /** The root motion of the last update. */
    rootDelta<T extends { translation: Numbers; rotation: Numbers; yaw: number }>(target: T): T;
    rootDelta(): RootDelta;
    /**
     * The bounding box of all vertices in the current pose, in model space: the minimum, then the maximum. Infinity to
     * -Infinity is empty.
     */
    bounds<T extends Numbers>(target: T): T;
    bounds(): Float32Array;
    /** The current value of each curve of the asset, blended like the pose. */
    readonly curves: Float32Array;
    /** The morph weights of a node with a mesh. */
    morphWeights(node: number): Float32Array;

    readonly disposed: boolean;
    /** Frees its memory, and disposes the batches that it is in. */
    dispose(): void;
}

/** The playback state of a mixer, from its save. */
export interface Snapshot {
    readonly mixer: Mixer;
}

/** A parameter of a graph: what the program sets. */
export interface GraphParameter {
    index: number;
    name: string;
    type: 'float' | 'int' | 'bool' | 'trigger' | 'vector2';
    /** The value at the start. */
    default: number | boolean | [number, number];
    /** Values are clamped to this range; -Infinity and Infinity: no limit. */
    min: number;
    max: number;
    /** Seconds in which the value of the graph covers half of the distance to the one that is set. */
    damping: number;
    /** Seconds for which a trigger waits for a transition. */
    hold: number;
    /** The line in the file, from 1. */
    line: number;
}

/** A layer of a graph. Its index is that of the mixer's layer. */
export interface GraphLayer {
    name: string;
    /** The index of its machine. */
    machine: number;
    mode: 'override' | 'additive';
    weight: number;
    /** The name of the parameter that is multiplied with the weight, or null. */
    weightParameter: string | null;
    /** The name of the curve that is multiplied with the weight, or null. */
    weightCurve: string | null;
    /** The clip whose first frame is the reference of an additive layer; null: the rest pose. */
    reference: string | null;
    line: number;
}

/** A machine: states of which one is current. Its states and transitions are those that have its index as `machine`. */
export interface GraphMachine {
    /** The index of the state that is entered first. */
    entry: number;
    /** The index of the state that contains it; -1 for the machine of a layer. */
    state: number;
}

/** A blend space of a state. */
export interface GraphBlend {
    kind: 'line' | 'triangles' | 'directional';
    /** Names of parameters. A vector2 is both coordinates. */
    x: string;
    y: string | null;
    damping: number;
    /** The least and largest playback rate, where the rate follows the speed. */
    matchSpeed: false | [number, number];
    samples: { clip: string; x: number; y: number; speed: number }[];
}

/** A state of a graph. */
export interface GraphState {
    index: number;
    name: string;
    /** The names of its layer, of the states that contain it, and its own: 'Base/Ground/Move'. */
    path: string;
    layer: number;
    machine: number;
    kind: 'empty' | 'clip' | 'blend' | 'machine';
    /** The name of its clip, or null. */
    clip: string | null;
    blend: GraphBlend | null;
    /** The index of the machine that it contains, or -1. */
    submachine: number;
    speed: number;
    /** The name of the parameter that is multiplied with the speed, or null. */
    speedParameter: string | null;
    loop: 'once' | 'repeat' | 'pingPong';
    /** Infinity: no limit. */
    loopCount: number;
    /** The name of its sync group, or null. */
    sync: string | null;
    tags: string[];
    line: number;
}

/** A transition of a graph, in order of priority. One of the file from several states is several here. */
export interface GraphTransition {
    machine: number;
    /** The index of a state; -1: from any state of the machine. */
    from: number;
    /** The index of a state. */
    to: number;
    /** The condition; null: always true. */
    when: string | null;
    kind: 'fade' | 'inertialize' | 'deadBlend';
    /** Seconds. */
    duration: number;
    easing: 'auto' | 'linear' | 'smoothstep';
    matchRate: boolean;
    /** Where the clip of the new state starts, 0 to 1 of its duration. */
    offset: number;
    interrupt: 'always' | 'anyState' | 'never';
    toSelf: boolean;
    line: number;
}

/** An animation graph: states, transitions and parameters as data. Any number of animators of any assets share it. */
export class Graph {
    private constructor();
    readonly parameters: readonly GraphParameter[];
    readonly layers: readonly GraphLayer[];
    readonly machines: readonly GraphMachine[];
    readonly states: readonly GraphState[];
    readonly transitions: readonly GraphTransition[];
    /** The tags of all states, each once. */
    readonly tags: readonly string[];
    /** Its memory in bytes. */
    readonly memory: number;
    /** The state of that path, or null. */
    findState(path: string): GraphState | null;
    /** The parameter of that name, or null. */
    findParameter(name: string): GraphParameter | null;
    readonly disposed: boolean;
    /** Ends the making of animators. Its memory is freed with the last animator that plays it. */
    dispose(): void;
}

/**
 * An event of an animator. `state` is a path: the state that was entered or left, or to which the transition leads; for a
 * cycle, the current state of a layer that could take more transitions than a frame allows.
 */
export interface AnimatorEvent {
    type: 'stateEntered' | 'stateLeft' | 'transitionStarted' | 'transitionEnded' | 'cycle';
    /** The index of the layer. */
    layer: number;
    state: string;
    /** null for states and cycles, and for a forced transition. */
    transition: GraphTransition | null;
    target: Animator;
}

/**
 * The playback of a graph by one character. It drives a mixer: update, Batch, Scene and drive advance both by updating the
 * mixer, and snapshots of either contain both. Layers are given by name or index; default is the base. Wrong names throw
 * an Error that lists the right ones.
 */
export class Animator {
    /**
     * Binds the graph to the asset's clips and nodes by their names, once for all animators of both; clips that the asset's
     * file does not have are those of bindClip and subclip. Throws for a clip or node that does not exist. The options are those of the
     * mixer, which has at least the layers of the graph, and its sync markers.
     */
    constructor(asset: Asset, graph: Graph, options?: MixerOptions);
    readonly asset: Asset;
    /** Another one after setGraph. */
    readonly graph: Graph;
    /** For its pose, matrices, events, root motion, time scale, and layers that the graph does not have. */
    readonly mixer: Mixer;

    /** Takes transitions, and updates the mixer: the same as its update. */
    update(deltaTime: number): boolean;

    /** Sets a parameter: an integer for an int, true or false for a bool, x and y for a vector2. It is clamped to its range. */
    set(parameter: string, value: number | boolean, y?: number): this;
    /** The value that the graph uses, after damping; of a trigger whether it is set; of a vector2 both in `target`. */
    get<T extends number | boolean | Float32Array = number>(parameter: string): T;
    get<T extends Numbers>(vector: string, target: T): T;
    /** Sets a trigger, until a transition takes it or its `hold` has passed. */
    fire(trigger: string): this;
    /** Ends a trigger that no transition has taken. */
    cancel(trigger: string): this;

    /** The path of the layer's innermost current state; during a transition the one that it leads to. */
    state(layer?: string | number): string;
    /** Whether a state is current, or contains the current one. */
    isActive(path: string): boolean;
    /** Whether a state with that tag is active in any layer. */
    hasTag(tag: string): boolean;
    /** Seconds since an active state was entered; 0 for other states. */
    elapsed(path: string): number;
    /** The layer's transition that runs, or null, also for a forced one. */
    transition(layer?: string | number): GraphTransition | null;
    /** How much of the duration of the layer's transition has passed, 0 to 1; 1 if none runs. */
    progress(layer?: string | number): number;
    /** The action of the layer's current state; null for an empty state. The next transition replaces it. */
    action(layer?: string | number): ClipAction | BlendSpaceAction | null;
    /** Enters a state at once, whether or not a transition leads to it, and calls the listeners. Conditions may leave it again. */
    forceState(path: string, transition?: Transition): this;

    /**
     * Replaces the graph by another version of it, and continues: in the states and with the parameters of the same names,
     * at the times of their clips, from the current pose, which is inertialized over `duration` seconds, default 0.2. States
     * that are not found start at their entry. The animator, its mixer, and their listeners, batches, scenes and foot locks
     * stay. Actions of the program end, and earlier snapshots are refused. If the graph cannot be bound, it throws and changes
     * nothing. It is for tools that reload a graph, and they dispose the old one.
     */
    setGraph(graph: Graph, options?: { duration?: number }): this;
    /** Continues from where another animator of the same asset is, in the same manner. This one must be new. */
    adopt(other: Animator, options?: { duration?: number }): this;

    /** Adds a listener, called at the end of an update for each event, in order, before the mixer's listeners. */
    addEventListener(type: AnimatorEvent['type'], listener: (event: AnimatorEvent) => void): void;
    removeEventListener(type: AnimatorEvent['type'], listener: (event: AnimatorEvent) => void): void;

    /** The same as save and restore of the mixer. */
    save(snapshot?: Snapshot): Snapshot;
    restore(snapshot: Snapshot): this;
    /** A hash of parameters, states and the mixer. The same calls give the same hash, on every machine and in every language. */
    readonly hash: bigint;

    readonly disposed: boolean;
    /** Disposes the mixer, too, as disposing the mixer does. */
    dispose(): void;
}

/** Updates many characters in one call, with the same results in less time. */
export class Batch {
    /** `mixers` are different mixers of one Sinew. */
    constructor(mixers: Iterable<Mixer>);
    readonly mixers: Mixer[];
    update(deltaTime: number): void;
    readonly disposed: boolean;
    /** Ends the batch. Its mixers stay. */
    dispose(): void;
}

/** A local transform; default the identity. The rotation is a quaternion x, y, z, w. */
export interface TransformOptions {
    translation?: ArrayLike<number>;
    rotation?: ArrayLike<number>;
    scale?: ArrayLike<number>;
}

/** The options of a new node in a scene. */
export interface NodeOptions extends TransformOptions {
    name?: string;
    /** Default null: the scene itself. */
    parent?: SceneNode | null;
}

/** A node of a scene: a character, an attached object or a joint. */
export interface SceneNode {
    /** null after the node has been removed. */
    readonly scene: Scene | null;
    readonly name: string;

    /** The world transform as of the last update: a column-major 4x4 matrix, 16 floats. */
    world<T extends Numbers>(target: T): T;
    world(): Float32Array;
    /** Sets the local transform, from the next update on. Throws for joints. */
    setTransform(transform?: TransformOptions): this;
    /**
     * Makes it a child of another node or of a joint; null: of the scene. It keeps its local transform, or with
     * keepWorld its current world transform. Throws for joints.
     */
    setParent(parent: SceneNode | null, options?: { keepWorld?: boolean }): this;
    /** Makes it a child of the scene: the same as setParent(null). */
    detach(options?: { keepWorld?: boolean }): this;
    /** Removes it and its descendants from the scene. */
    remove(): void;
}

/** A character in a scene. */
export interface Instance extends SceneNode {
    readonly asset: Asset;
    /** The mixer of this instance. The scene updates it. */
    readonly mixer: Mixer;
    /** The animator of this instance, or null. */
    readonly animator: Animator | null;
    /** A joint by the name or index of its node, as a parent for attachments. */
    joint(name: string | number): SceneNode;
    /** The palette of its mixer, in model space. A renderer also applies the world transform of the instance. */
    palette(skin?: number): Float32Array;
    /** Attaches a node to a joint, with a local transform: a sword in a hand. */
    attach(node: SceneNode, joint: string | number, offset?: TransformOptions): this;
}

/** A hierarchy of nodes, characters and attachments, updated in one call a frame. */
export class Scene {
    constructor();
    addNode(options?: NodeOptions): SceneNode;
    /**
     * Adds a character with a mixer of its own, made with the options `mixer`; with a graph, an animator drives it. All
     * assets must be of one Sinew.
     */
    addInstance(asset: Asset, options?: NodeOptions & { mixer?: MixerOptions; graph?: Graph | null }): Instance;
    /** The first node or joint with that name, or null. */
    find(name: string): SceneNode | null;
    /** The wind of the springs of all instances (sinew-animation/solvers): the velocity of the air, m/s; default zeros. */
    get wind(): Float32Array;
    set wind(wind: ArrayLike<number>);
    /** Updates all mixers, then feet and solvers of each instance, and then the world transforms. */
    update(deltaTime: number): void;
    readonly disposed: boolean;
    /** Disposes its mixers. Assets stay. Disposing an asset removes its instances. */
    dispose(): void;
}
