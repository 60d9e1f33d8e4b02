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
     * package's. Where a bundler does not find those, hand the bytes of one of them over. `meshopt` is npm
     * meshoptimizer's MeshoptDecoder, for files that are compressed by it; `draco` is what npm draco3d's
     * createDecoderModule() gives, or resolves to.
     */
    static load(options?: { wasm?: BufferSource | WebAssembly.Module; meshopt?: Meshopt;
        draco?: Draco | Promise<Draco> }): Promise<Sinew>;
    private constructor();

    /** "simd128", or "scalar" for the module without vectors. Both come to the same bits. */
    readonly simd: string;
    /** Of the library, such as "0.1.0". */
    readonly version: string;

    /**
     * Loads a .glb or .gltf. `files` has the buffers and images that stand beside it, by their names as filesBeside
     * gives them; an image that is not there has `bytes` null. A `meshopt` of its own must be ready: await its `ready`.
     * Meshes that Draco compressed are empty where there is no `draco`, unless the file has them uncompressed, too.
     */
    loadAsset(bytes: BufferSource, files?: Record<string, BufferSource>,
        options?: { meshopt?: Meshopt; draco?: Draco }): Asset;

    /**
     * Fetches a file, and the buffers that it names in its own folder and below, and loads it; with `images`, for who
     * draws by themselves, its images, too. Relative to the page; in Node, give a URL, which may be a file's.
     */
    fetchAsset(url: string | URL, options?: { meshopt?: Meshopt; draco?: Draco | Promise<Draco>;
        images?: boolean }): Promise<Asset>;
}

/** A file that a glTF file names. */
export interface FileBeside {
    /** As loadAsset wants it: a path from the file's own folder. */
    name: string;
    /** The same as it stands in the file, percent-encoded. */
    uri: string;
    kind: 'buffer' | 'image';
}

/**
 * What a .glb or .gltf needs that is not in it, in its own folder and below: for who reads files in other ways than
 * fetchAsset, dropped ones for example. Of a file that cannot be read it is nothing.
 */
export function filesBeside(bytes: BufferSource): FileBeside[];

/** The extensions that a .glb or .gltf uses: for who fetches a decoder only when a file needs it. */
export function extensionsUsed(bytes: BufferSource): string[];

/** What is asked of the decoder module of npm's draco3d. */
export interface Draco {
    Decoder: new () => object;
    Mesh: new () => object;
    destroy(object: object): void;
}

/** What is asked of npm meshoptimizer's MeshoptDecoder; 1.0 or newer for KHR_meshopt_compression. */
export interface Meshopt {
    ready: Promise<void>;
    decodeGltfBuffer(target: Uint8Array, count: number, size: number, source: Uint8Array, mode: string,
        filter?: string): void;
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
    /** Its place in the asset's clips; -1 for an additive one. */
    index: number;
    /** Made by makeAdditive: for layers of mode 'additive', and for no others. */
    additive: boolean;
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

    /**
     * What a clip does beyond a moment of another, or of itself, which is what it begins with where nothing is said;
     * beyond the rest pose where `reference` is null. It belongs to the asset, stands beside its clips, and is the same
     * one for the same arguments.
     */
    makeAdditive(clip: string | Clip, from?: { reference?: string | Clip | null; time?: number }): Clip;

    readonly disposed: boolean;
    /** Gives its memory back, with all its mixers, masks and blend spaces. */
    dispose(): void;
}

export const LoopOnce: 2200;
export const LoopRepeat: 2201;
export const LoopPingPong: 2202;
/** As in three.js, whose constants may be used as well. */
export type Loop = typeof LoopOnce | typeof LoopRepeat | typeof LoopPingPong;

/**
 * What a mixer plays: a clip or a blend space, in one of its layers. It can be played any number of times, and is
 * always the same object, whoever starts it.
 */
export interface Action {
    readonly mixer: Mixer;
    /** Its place in the mixer's layers; 0 is the base. */
    readonly layer: number;

    /** Starts it; one that plays already goes on as it is, and a clip that has finished starts again. */
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
    /**
     * Fades this one out and the other in; that is played where it is not. `warp` brings their speeds together
     * meanwhile, and fades out whatever else plays in their layer.
     */
    crossFadeTo(action: Action, duration: number, warp?: boolean): this;
    /** The same the other way round. */
    crossFadeFrom(action: Action, duration: number, warp?: boolean): this;

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

    /**
     * Where in the clip it is, or is to start; clamped to the clip. That of a blend space is the clip that has most
     * weight, and can be set while it plays.
     */
    time: number;
    /** Of one that plays: its time stands still, and its fades go on. */
    paused: boolean;
    /**
     * The group, 1 to 255, of those that keep step while they repeat, in whatever layers: they share one pace, and what
     * comes in comes in where the group is. 0, at first: none. It counts when the action is played.
     */
    sync: number;

    /** From play until it is stopped or has faded out. */
    isActive(): boolean;
    /** It has reached its last end, and holds that pose (as with three.js's clampWhenFinished). */
    isFinished(): boolean;
    /** It is active, and its time goes on. */
    isRunning(): boolean;
}

/** A clip on a mixer, from clipAction. */
export interface ClipAction extends Action {
    readonly clip: Clip;

    /** LoopRepeat at first. Setting it is for ever. */
    loop: Loop;
    readonly repetitions: number;
    setLoop(loop: Loop, repetitions?: number): this;

    /**
     * Once this one, which must be active, ends, another follows, without anyone waiting for it: a fade is over as it
     * ends, 0.2 seconds long where nothing is said, other kinds begin there. What is stopped or fades out is not
     * followed.
     */
    thenPlay(action: ClipAction | SpaceAction, duration?: number, how?: Transition): this;
    /** Fades out by itself over `duration` seconds, 0.2 where nothing is said, and is over at its end. */
    thenFadeOut(duration?: number): this;
    /**
     * The same as thenPlay with what its layer played before the mixer's last crossFadeTo; false where there was nothing.
     * One-shots that interrupt one another all return to what played before the first.
     */
    thenReturn(duration?: number, how?: Transition): boolean;
}

/** A blend space on a mixer, from spaceAction. It goes round for ever. */
export interface SpaceAction extends Action {
    readonly space: BlendSpace;
    /** Of the sample that had most weight as a step began, whose time is the action's; null where it does not play. */
    readonly clip: Clip | null;

    /** Starts with its parameter at (x, y), or where it was last set to; one that plays goes there. */
    play(x?: number, y?: number): this;
    /** Where its parameter is to go; it follows smoothly, by the space's damping. */
    setParameter(x: number, y?: number): this;
    /** Where the parameter is now; 0 where it does not play. */
    readonly x: number;
    readonly y: number;
}

export interface MixerEvent {
    /** It went round; it reached its last end; it passed a marker. */
    type: 'loop' | 'finished' | 'marker';
    action: Action;
    /** That of the action; of a blend space the one that had most weight. */
    clip: Clip;
    /** null but for 'marker'. */
    marker: Marker | null;
    target: Mixer;
}

/**
 * How a transition goes: both clips play and are blended; the new clip plays alone and the difference dies away; or
 * the new clip fades in over the old pose, which goes on by its own velocities.
 */
export type TransitionKind = 'fade' | 'inertialize' | 'deadBlend';

export interface Transition {
    /** 'fade' at first. */
    kind?: TransitionKind;
    /** Of a fade: brings the speeds of the clips together meanwhile. */
    warp?: boolean;
}

/** A layer of a mixer: it takes the place of what is below, or adds to it, as far as its weight and its mask go. */
export interface Layer {
    readonly mixer: Mixer;
    /** 0 is the base, of which the rest cannot be set. */
    readonly index: number;

    /** 1 at first. Setting it is at once. */
    weight: number;
    fadeTo(weight: number, duration: number): this;
    /** Which nodes it covers; null, at first: all. */
    mask: Mask | null;
    /** 'override' at first. It can be set while nothing plays in the layer. */
    mode: 'override' | 'additive';
}

/** How much of each node a layer covers, from 0 to 1. Any number of layers and mixers share it. */
export class Mask {
    /** Every node at first has that factor; 0 where nothing is said. */
    constructor(asset: Asset, factor?: number);
    readonly asset: Asset;
    /** One for each node, to be read. */
    readonly factors: Float32Array;

    set(node: number, factor: number): this;
    /**
     * A node and all below it. With a feather the factors go up to it in so many steps and one, a level of the
     * hierarchy each, from that of the node's parent.
     */
    setSubtree(node: number, factor: number, feather?: number): this;

    readonly disposed: boolean;
    /** Takes it off its layers. Its memory is given back with the last mixer that has had it. */
    dispose(): void;
}

export interface Sample {
    clip: string | Clip;
    /** Its point, in units of your own: speeds, velocities. */
    x: number;
    /** 0 where nothing is said; not looked at on a line. */
    y?: number;
    /** A factor of the clip's own pace; 1 where nothing is said. */
    speed?: number;
}

/** Clips at points of a line or a plane; a parameter says how much of each there is. Any number of mixers share it. */
export class BlendSpace {
    /**
     * 'line', at first: the two samples beside the parameter share it. 'triangles': the three around it.
     * 'directional': for velocities, direction and length apart, with one sample at (0, 0). `syncNames` are the markers
     * that begin the clips' steps, in their order, by which they keep step. `damping` is the time in which a parameter
     * does half of its way, 0.1 seconds at first.
     */
    constructor(asset: Asset, space: {
        kind?: 'line' | 'triangles' | 'directional';
        samples: Sample[];
        syncNames?: string[];
        damping?: number;
    });
    readonly asset: Asset;
    readonly kind: 'line' | 'triangles' | 'directional';
    readonly samples: readonly (Required<Sample> & { clip: Clip })[];
    readonly damping: number;
    /** Three samples each; none but for 'triangles'. */
    readonly triangles: readonly [number, number, number][];

    /** The samples that have a weight at a point; the weights sum to 1. */
    weights(x: number, y?: number): { sample: number; weight: number }[];

    readonly disposed: boolean;
    /** Stops its actions. Its memory is given back with the last mixer that has had it. */
    dispose(): void;
}

/** What is taken out of the base's pose, so that you move the character by it. */
export interface RootMotion {
    /** The node that carries the character: its hips, or what stands above them. */
    node: number;
    /** The axes of model space along which it is taken out; 'xz', the ground, where nothing is said. */
    translation?: string;
    /** Whether the turn about +Y is taken out; true where nothing is said. */
    rotation?: boolean;
    /** Whether what stays in the pose of clips that repeat is brought back to where it began; false at first. */
    closeLoops?: boolean;
}

/** How a character moved in an update, seen from where it stood and faced before it. */
export interface RootDelta {
    translation: Float32Array;
    rotation: Float32Array;
    /** The same turn in radians. */
    yaw: number;
}

/** Where a node is below its parent. The rotation is a quaternion, x, y, z, w. */
export interface Transform {
    translation: Float32Array;
    rotation: Float32Array;
    scale: Float32Array;
}

/** An array of any kind. */
export interface Numbers {
    [index: number]: number;
}

export interface MixerOptions {
    /** How many may play at once, 1 to 64; 16 at first. */
    maxActions?: number;
    /** How many layers there are with the base, 1 to 8; 4 at first. */
    layers?: number;
    /** The markers by which actions of a group keep step, in their order. Without them a loop is a step. */
    syncNames?: string[];
    /** null, at first: all motion stays in the pose. */
    rootMotion?: RootMotion | null;
}

/** What one character plays, and the matrices that come of it. */
export class Mixer {
    constructor(asset: Asset, options?: MixerOptions);
    readonly asset: Asset;
    /** The base, and what lies over it. */
    readonly layers: readonly Layer[];

    /** The action of a clip in a layer, given by name or as one of the asset's clips: always the same object. */
    clipAction(clip: string | Clip, options?: { layer?: number }): ClipAction;
    /** The same of a blend space. At most 4 of them play at once, those that fade out included. */
    spaceAction(space: BlendSpace, options?: { layer?: number }): SpaceAction;
    /** Plays an action, and all others of its layer make way for it. */
    crossFadeTo<A extends Action>(action: A, duration: number, how?: Transition): A;
    /** Ends all of them at once; the pose is held. */
    stopAllAction(): this;

    /** A factor of every step, 0 or more; 1 at first. */
    timeScale: number;

    /**
     * Moves on by that many seconds, 0 or more, and computes matrices and palettes. False where nothing has moved, so
     * that what was made of them may be kept.
     */
    update(deltaTime: number): boolean;

    /** Called at the end of an update, once for each event, in their order in time. */
    addEventListener(type: MixerEvent['type'], listener: (event: MixerEvent) => void): void;
    removeEventListener(type: MixerEvent['type'], listener: (event: MixerEvent) => void): void;

    /**
     * What plays now, so that it can be come back to; with a snapshot of before in that one, which makes no garbage.
     * Results, such as palettes, are not in it.
     */
    save(snapshot?: Snapshot): Snapshot;
    /**
     * Puts back what this mixer's save said: what is done from there on gives the same bits as the first time. Masks
     * and blend spaces that have been disposed of since stay gone, and masks are as they are now.
     */
    restore(snapshot: Snapshot): this;
    /** The same for mixers of which the same calls were made, on every machine, in JavaScript or not. */
    readonly hash: bigint;

    /** 12 floats a joint: three rows of the 3x4 matrix that takes a vertex of the mesh to where it is. */
    palette(skin?: number): Float32Array;
    /** 12 floats a node: three rows of its 3x4 model matrix. */
    readonly modelMatrices: Float32Array;
    /** The same for one node as 16 floats, column after column, as three.js's Matrix4 and WebGL have them. */
    nodeMatrix<T extends Numbers>(node: number, target: T): T;
    nodeMatrix(node: number): Float32Array;
    /** Where a node is below its parent; the same bits that its matrix was made of. */
    nodeTransform<T extends Record<keyof Transform, Numbers>>(node: number, target: T): T;
    nodeTransform(node: number): Transform;
    /** What root motion took out of the pose in the last update. */
    rootDelta<T extends { translation: Numbers; rotation: Numbers; yaw: number }>(target: T): T;
    rootDelta(): RootDelta;
    /** What holds all vertices in this pose: the least x, y, z, then the most. Infinity to -Infinity is nothing. */
    bounds<T extends Numbers>(target: T): T;
    bounds(): Float32Array;
    /** The morph weights of a node that carries a mesh. */
    morphWeights(node: number): Float32Array;

    readonly disposed: boolean;
    /** Gives its memory back, and ends the batches that it is in. */
    dispose(): void;
}

/** What a mixer played at a moment, from its save. */
export interface Snapshot {
    readonly mixer: Mixer;
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

/** Where something is in its parent's space; what is not said is none. The rotation is a quaternion, x, y, z, w. */
export interface Place {
    translation?: ArrayLike<number>;
    rotation?: ArrayLike<number>;
    scale?: ArrayLike<number>;
}

/** What something in a scene is made with. */
export interface NodePlace extends Place {
    name?: string;
    /** null, at first: the scene itself. */
    parent?: SceneNode | null;
}

/** Something in a scene: a character, what it carries, a joint. */
export interface SceneNode {
    /** null once it has been removed. */
    readonly scene: Scene | null;
    readonly name: string;

    /** The world matrix as of the last update, 16 floats, column after column. */
    world<T extends Numbers>(target: T): T;
    world(): Float32Array;
    /** Where it is in its parent's space, from the next update on. Joints refuse. */
    setTransform(place?: Place): this;
    /**
     * Hangs it on another node, or on a joint; null: on the scene. It moves along with that, or, with keepWorld, stays
     * where it is now. Joints refuse.
     */
    setParent(parent: SceneNode | null, how?: { keepWorld?: boolean }): this;
    /** Takes it off whatever it hangs on. */
    detach(how?: { keepWorld?: boolean }): this;
    /** Takes it out of the scene, with all that hangs on it. */
    remove(): void;
}

/** A character in a scene. */
export interface Instance extends SceneNode {
    readonly asset: Asset;
    /** Its own, which the scene updates: play with it as you like. */
    readonly mixer: Mixer;
    /** One of its nodes, by name or number, to hang something on or to ask where it is. */
    joint(name: string | number): SceneNode;
    /** Of its mixer, in model space: its world matrix goes in front. */
    palette(skin?: number): Float32Array;
    /** Hangs something on a joint: a sword in a hand. */
    attach(object: SceneNode, joint: string | number, offset?: Place): this;
}

/** Characters and things that hang on each other, brought up to date in one call a frame. */
export class Scene {
    constructor();
    add(place?: NodePlace): SceneNode;
    /** Places a character, with a mixer of its own, which is made with `mixer`. All assets are of one Sinew. */
    place(asset: Asset, place?: NodePlace & { mixer?: MixerOptions }): Instance;
    /** The first node or joint of that name, or null. */
    find(name: string): SceneNode | null;
    /** Moves all mixers on, and what hangs on them, joints and nodes. */
    update(deltaTime: number): void;
    readonly disposed: boolean;
    /** Gives the memory of its mixers back; assets stay. One that is disposed of takes its instances with it. */
    dispose(): void;
}
