/**
 * Sinew in JavaScript: glTF files in, skinned characters out.
 *
 * Lengths are metres, times seconds, speeds factors of real time. Axes are the file's: +Y is up. Arrays that this
 * interface gives lie in the module's memory, without a copy. They are to be read, and not to be kept over a call that
 * loads or makes something: memory may grow then, and arrays of before are empty. Ask for them again; that costs
 * nothing. All that goes wrong is thrown as an Error whose message says what, where and why.
 */

/** The library. One is enough for a page. */
export class Sinew {
    /**
     * Compiles the module: with vectors where the browser has them, else the one without, from the files beside the
     * package's. Where a bundler does not find those, hand the bytes of one of them over.
     */
    static load(options?: { wasm?: BufferSource | WebAssembly.Module }): Promise<Sinew>;
    private constructor();

    /** "simd128", or "scalar" for the module without vectors. Both come to the same bits. */
    readonly simd: string;
    /** Of the library, such as "0.1.0". */
    readonly version: string;

    /**
     * Loads a .glb or .gltf. `files` has the buffers that stand beside it, by their names as the file says them,
     * decoded. Files whose buffers are compressed by EXT_meshopt_compression are refused.
     */
    loadAsset(bytes: BufferSource, files?: Record<string, BufferSource>): Asset;

    /**
     * Fetches a file, and the buffers that it names in its own folder and below, and loads it. Relative to the page; in
     * Node, give a URL, which may be a file's.
     */
    fetchAsset(url: string | URL): Promise<Asset>;
}

/** A moment of a clip that its author marked. */
export interface Marker {
    name: string;
    time: number;
}

/** Something that a clip moves. */
export interface Channel {
    node: number;
    /** As glTF names them. */
    path: 'translation' | 'rotation' | 'scale' | 'weights';
}

export interface Clip {
    /** Its place in the asset's clips. */
    index: number;
    name: string;
    duration: number;
    /** By time. */
    markers: Marker[];
    channels: Channel[];
}

export interface Node {
    name: string;
    /** Its place in the asset's nodes, less than this node's own; -1 for a root. */
    parent: number;
    /** Its number in the file. */
    source: number;
    /** Where its morph weights begin among those of all nodes, and how many it has. */
    firstWeight: number;
    weightCount: number;
}

export interface Skin {
    name: string;
    jointCount: number;
    /** Nodes. */
    readonly joints: Int32Array;
    /** 12 floats a joint, three rows of a 3x4 matrix. */
    readonly inverseBinds: Float32Array;
}

/** Differences to add to the vertices, by morph weight: 3 floats a vertex, or null for none. */
export interface Target {
    readonly positions: Float32Array | null;
    readonly normals: Float32Array | null;
    readonly tangents: Float32Array | null;
}

/** Triangles. What the file has not is null. */
export interface Primitive {
    vertexCount: number;
    indexCount: number;
    /** Joints a vertex: 0, 4 or 8. */
    influences: number;
    /** Its place in the asset's materials, or -1. */
    material: number;
    readonly positions: Float32Array | null;
    readonly normals: Float32Array | null;
    /** 4 floats a vertex. */
    readonly tangents: Float32Array | null;
    readonly uvs: Float32Array | null;
    /** 4 floats a vertex, linear light. */
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

/** A mesh on a node. A mesh with a skin goes where its palette says, whatever its node does. */
export interface Instance {
    node: number;
    mesh: number;
    /** -1: the mesh moves with its node. */
    skin: number;
    /** Whether it belongs to the file's scene and is not hidden. */
    drawn: boolean;
}

export interface Material {
    name: string;
    /** Linear light, with alpha. */
    baseColor: [number, number, number, number];
    /** Its place in the asset's textures, or -1. */
    baseColorTexture: number;
    alphaMode: 'OPAQUE' | 'MASK' | 'BLEND';
    alphaCutoff: number;
    doubleSided: boolean;
    unlit: boolean;
}

export interface Texture {
    /** Its place in the asset's images, or -1. */
    image: number;
    wrapU: 'repeat' | 'clamp' | 'mirror';
    wrapV: 'repeat' | 'clamp' | 'mirror';
    nearest: boolean;
}

/** An image as it stands in the file: PNG, JPEG... */
export interface Image {
    name: string;
    mimeType: string;
    /** null for one that stands outside the file. */
    readonly bytes: Uint8Array | null;
}

/** What a file holds. Any number of mixers share it. */
export class Asset {
    private constructor();
    /** Parents before their children. */
    readonly nodes: Node[];
    readonly clips: Clip[];
    readonly skins: Skin[];
    readonly meshes: Mesh[];
    readonly instances: Instance[];
    readonly materials: Material[];
    readonly textures: Texture[];
    readonly images: Image[];
    /** Bytes that it takes. */
    readonly memory: number;

    /** The first clip of that name, or null. */
    findClip(name: string): Clip | null;
    /** The first node of that name, or -1. */
    findNode(name: string): number;

    readonly disposed: boolean;
    /** Gives its memory back, with all its mixers. */
    dispose(): void;
}

export const LoopOnce: 2200;
export const LoopRepeat: 2201;
export const LoopPingPong: 2202;
/** As in three.js, whose constants may be used as well. */
export type Loop = typeof LoopOnce | typeof LoopRepeat | typeof LoopPingPong;

/** A clip on a mixer, from clipAction. It can be played any number of times. */
export interface Action {
    readonly mixer: Mixer;
    readonly clip: Clip;

    /** Starts it; one that plays already goes on as it is, and one that has finished starts again. */
    play(): this;
    /** Ends it at once. Where others play, that is a cut; where none does, its pose is held. */
    stop(): this;
    /** Back to the start, and no longer paused. Its weight and fades stay as they are. */
    reset(): this;

    /**
     * Fades to `weight` from the weight that it has, which is 0 where it has been played since the last update only.
     * Before play it says how that is to begin.
     */
    fadeIn(duration: number): this;
    /** Fades to 0 from the weight that it has, and ends. */
    fadeOut(duration: number): this;
    /** Fades this one out and the other in; that is played where it is not. */
    crossFadeTo(action: Action, duration: number): this;
    /** The same the other way round. */
    crossFadeFrom(action: Action, duration: number): this;

    /** The weight to which it fades in; setting it is at once, and ends a fade. */
    weight: number;
    setEffectiveWeight(weight: number): this;
    /** The weight now, in the middle of a fade too; 0 where it does not play. */
    getEffectiveWeight(): number;

    /** Negative is backward. */
    timeScale: number;
    setEffectiveTimeScale(timeScale: number): this;
    /** 0 where it does not play. */
    getEffectiveTimeScale(): number;

    /** Where in the clip it is, or is to start; clamped to the clip. */
    time: number;
    /** Of one that plays: its time stands still, and its fades go on. */
    paused: boolean;

    /** LoopRepeat at first. Setting it is for ever. */
    loop: Loop;
    readonly repetitions: number;
    setLoop(loop: Loop, repetitions?: number): this;

    /** From play until it is stopped or has faded out. */
    isActive(): boolean;
    /** It has reached its last end, and holds that pose (as with three.js's clampWhenFinished). */
    isFinished(): boolean;
    /** It is active, and its time goes on. */
    isRunning(): boolean;
}

export interface MixerEvent {
    /** It went round; it reached its last end; it passed a marker. */
    type: 'loop' | 'finished' | 'marker';
    action: Action;
    /** null but for 'marker'. */
    marker: Marker | null;
    target: Mixer;
}

/**
 * How a transition goes: both clips play and are blended; the new clip plays alone and the difference dies away; or
 * the new clip fades in over the old pose, which goes on by its own velocities.
 */
export type TransitionKind = 'fade' | 'inertialize' | 'deadBlend';

/** What one character plays, and the matrices that come of it. */
export class Mixer {
    /** `maxActions` is how many may play at once, 1 to 64; 16 at first. */
    constructor(asset: Asset, options?: { maxActions?: number });
    readonly asset: Asset;

    /** The action of a clip, given by name or as one of the asset's clips: always the same object. */
    clipAction(clip: string | Clip): Action;
    /**
     * Plays an action, and fades out all others meanwhile. `warp` brings the speeds of the clips together while they
     * fade.
     */
    crossFadeTo(action: Action, duration: number, how?: { kind?: TransitionKind; warp?: boolean }): Action;
    /** Ends all of them at once; the pose is held. */
    stopAllAction(): this;

    /**
     * Moves on by that many seconds, 0 or more, and computes matrices and palettes. False where nothing has moved, so
     * that what was made of them may be kept.
     */
    update(deltaTime: number): boolean;

    /** Called at the end of an update, once for each event, in their order in time. */
    addEventListener(type: MixerEvent['type'], listener: (event: MixerEvent) => void): void;
    removeEventListener(type: MixerEvent['type'], listener: (event: MixerEvent) => void): void;

    /** 12 floats a joint: three rows of the 3x4 matrix that takes a vertex of the mesh to where it is. */
    palette(skin?: number): Float32Array;
    /** 12 floats a node: three rows of its 3x4 model matrix. */
    readonly modelMatrices: Float32Array;
    /** The same for one node as 16 floats, column after column, as three.js's Matrix4 and WebGL have them. */
    nodeMatrix<T extends { [index: number]: number }>(node: number, target: T): T;
    nodeMatrix(node: number): Float32Array;
    /** The morph weights of a node that carries a mesh. */
    morphWeights(node: number): Float32Array;

    readonly disposed: boolean;
    /** Gives its memory back, and ends the batches that it is in. */
    dispose(): void;
}

/** Many characters in one call: the same results, sooner. */
export class Batch {
    /** Each mixer once; all of one Sinew. */
    constructor(mixers: Iterable<Mixer>);
    readonly mixers: Mixer[];
    update(deltaTime: number): void;
    readonly disposed: boolean;
    /** The mixers stay. */
    dispose(): void;
}
