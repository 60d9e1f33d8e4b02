// SPDX-License-Identifier: MIT
/**
 * Smaller animations and meshes, with an error that is bounded in the body: no vertex, and no point that may be attached to a joint,
 * is displaced by more than the error at any time of any clip. The files and the reports are those of the commands
 * `sinew optimize` and `sinew compare`. A WebAssembly module of its own is fetched, `sinew-optimize.wasm`.
 *
 * Lengths are millimetres with the character scaled to 1.8 m: the largest extent of its vertices in the rest pose counts as
 * its size.
 *
 * The calls compute in the thread that makes them, for a second or more for a large file: in a page, call them in a worker.
 */
import { Draco, Meshopt } from './index.js';

type Bytes = ArrayBuffer | ArrayBufferView;

export interface Progress {
    stage: 'optimizing' | 'comparing';
    /** Clips; while optimizing, two steps for each. */
    done: number;
    total: number;
}

export interface CommonOptions {
    /**
     * npm's MeshoptDecoder, for files that need the newer codecs of KHR_meshopt_compression: version 1 of vertices, or the
     * COLOR filter. Files with EXT_meshopt_compression need none.
     */
    decoder?: Meshopt;
    /** What draco3d's createDecoderModule() returns, for files with meshes compressed by Draco. */
    draco?: Draco | Promise<Draco>;
    /** Called before each clip and after the last. An error that it throws ends the call, and is that of the promise. */
    onProgress?(progress: Progress): void;
    /** The code of sinew-optimize.wasm, or its compiled module. Default: fetched from the file next to this one. */
    wasm?: Bytes | WebAssembly.Module;
}

export interface OptimizeOptions extends CommonOptions {
    /** The largest displacement in millimetres, above 0 and at most 1000. Default 1. */
    error?: number;
    /** The same as an error of 0.15, which no player notices. */
    tight?: boolean;
    /**
     * Makes vertices and indices smaller, too, within the same error, of which a quarter is theirs. Vertices and triangles are
     * sorted. Without it meshes stay as they are. It needs the extension: not with `plain`.
     */
    meshes?: boolean;
    /** With KHR_meshopt_compression instead of EXT_meshopt_compression: the same bytes. */
    khr?: boolean;
    /** Without EXT_meshopt_compression, for viewers that lack it: larger. */
    plain?: boolean;
    /** The name of the file, for the report and for errors. Default 'character.glb'. */
    name?: string;
    /** The buffers of a .gltf file, by their decoded `uri`. sidecarFiles(bytes) lists them. */
    sidecars?: Record<string, Bytes>;
}

export interface CompareOptions extends CommonOptions {
    /** The names of the two files, for the report and for errors. */
    names?: [string, string];
    /** The buffers of the two files. */
    sidecars?: [Record<string, Bytes>, Record<string, Bytes>];
}

/** The largest displacement, and where it is. */
export interface Displacement {
    millimetres: number;
    /** No time has a larger displacement. null: unbounded. */
    bound: number | null;
    /** In the unit of the file. */
    units: number;
    /** Absent in the rest pose. */
    clip?: number;
    /** Seconds. */
    time?: number;
    /** The node that moves the point most. */
    node?: number;
    mesh?: number;
    primitive?: number;
    vertex?: number;
    /** Of a node without a mesh: 0 is its origin, 1 to 3 are points on its axes. */
    point?: number;
}

/** The JSON of `sinew compare --json` (docs/json.md). */
export interface Comparison {
    files: { path: string; bytes: number; animationData: number; animationJson: number }[];
    /** What counts as 1.8 m, in the unit of the file: the largest extent of the character. */
    size: number;
    /** What has that extent: "the skinned vertices", "the joints", ... */
    sizeOf: string;
    vertices: number;
    sortedVertices: number;
    carriedVertices: number;
    unmatchedVertices: number;
    worst: Displacement;
    clips: (Displacement & { name: string; matched: boolean })[];
    joints: (Displacement & { name: string })[];
    /** What else differs: durations, markers, extras, names. */
    differences: string[];
}

/** The JSON of `sinew optimize --json` (docs/json.md). */
export interface OptimizeReport extends Comparison {
    /** Millimetres. */
    error: number;
    /** Why the bytes are those of the original in one file; null: they are a smaller file. */
    kept: string | null;
    /** Tracks of each clip. Empty if the original is kept. */
    tracks: { clip: number; all: number; dropped: number; constant: number; reduced: number; untouched: boolean; limited: boolean }[];
    /** Present with the option `meshes`. */
    meshes?: OptimizedMeshes;
}

/** The accessors of meshes. All numbers are 0 if the original is kept. */
export interface OptimizedMeshes {
    /** The number of compressed accessors, and their bytes in the file and compressed. */
    accessors: number;
    bytes: [number, number];
    /** The smallest step of positions, in the unit of the mesh. 0: they are exact. */
    step: number;
    /** 0: weights are exact. */
    weightBits: number;
    /** Vertices in another order. */
    reordered: number;
    /** Vertices that became one with equal ones, and attributes that no material needs. */
    merged: number;
    dropped: number;
    /** Rounded vertices alone displace none by more, in millimetres. */
    bound: number;
    /** Why positions and weights are exact. null: they may be rounded. */
    exact: string | null;
    /** Accessors that stay as they are. */
    kept: { accessor: number; why: string }[];
}

/**
 * Makes the animations of a .glb or .gltf file smaller, and with `meshes` its meshes. Resolves to a .glb and the measurement
 * of it. Rejects for a file that cannot be read.
 */
export function optimize(bytes: Bytes, options?: OptimizeOptions): Promise<{ bytes: Uint8Array; report: OptimizeReport }>;

/** Measures how far the vertices and nodes of `b`, another version of the file `a`, are from those of `a`. */
export function compare(a: Bytes, b: Bytes, options?: CompareOptions): Promise<Comparison>;
