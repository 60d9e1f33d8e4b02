// SPDX-License-Identifier: MIT
/**
 * Makes the animations and meshes of glTF files smaller, within an error that you choose: no vertex, and no point near
 * a joint, moves by more at any time of any clip. The files and reports are those of the commands `sinew optimize` and
 * `sinew compare`.
 *
 * Lengths are millimetres with the model scaled to 1.8 m, unless a comment says otherwise.
 *
 * The first call fetches a module of its own, sinew-optimize.wasm. Calls run in the thread that makes them, for a
 * second or more for a large file. In a page, call them in a worker.
 */
import { Draco, Meshopt } from './index.js';

type Bytes = ArrayBuffer | ArrayBufferView;

/** How far a call is. */
export interface Progress {
    /** optimize does both, one after the other. */
    stage: 'optimizing' | 'comparing';
    /** Clips that are finished; while optimizing, two counts for each. */
    done: number;
    /** What `done` reaches. */
    total: number;
}

/** The options of both calls. */
export interface CommonOptions {
    /** npm's MeshoptDecoder, for the newer codecs of KHR_meshopt_compression. EXT_meshopt_compression needs none. */
    decoder?: Meshopt;
    /** What draco3d's createDecoderModule() returns. Meshes that Draco compresses need it. */
    draco?: Draco | Promise<Draco>;
    /** Called before each clip and after the last. An error that it throws ends the call and rejects its promise. */
    onProgress?(progress: Progress): void;
    /** The code of sinew-optimize.wasm, or its compiled module. Default: fetched from the package's folder. */
    wasm?: Bytes | WebAssembly.Module;
}

/** How to make a file smaller. */
export interface OptimizeOptions extends CommonOptions {
    /** The largest displacement, millimetres, above 0 and at most 1000; default 1. */
    error?: number;
    /** An error of 0.15 mm; default false. Throws together with `error`. */
    tight?: boolean;
    /**
     * Makes vertices and indices smaller too, and sorts them; default false: meshes stay as they are. A quarter of the
     * error is for them. Throws together with `plain`.
     */
    meshes?: boolean;
    /** Names the extension KHR_meshopt_compression instead of EXT_meshopt_compression; default false. */
    khr?: boolean;
    /** Writes no compression extension, for viewers that lack it; default false. The file is larger. */
    plain?: boolean;
    /** The file's name in the report and in errors; default 'character.glb'. */
    name?: string;
    /** The buffers of a .gltf file, by the names that sidecarFiles returns. Throws if one is missing. */
    sidecars?: Record<string, Bytes>;
}

/** How to compare two files. */
export interface CompareOptions extends CommonOptions {
    /** The files' names in the report and in errors; default ['a.glb', 'b.glb']. */
    names?: [string, string];
    /** The buffers of the files if they are .gltf, by the names that sidecarFiles returns. */
    sidecars?: [Record<string, Bytes>, Record<string, Bytes>];
}

/** The largest displacement of some points, and where it is. */
export interface Displacement {
    /** The largest displacement found. */
    millimetres: number;
    /** No displacement at any time is larger. null: unbounded. */
    bound: number | null;
    /** The same as `millimetres`, in the file's unit. */
    units: number;
    /** The clip's index. Absent in the rest pose. */
    clip?: number;
    /** Seconds. Absent in the rest pose. */
    time?: number;
    /** The node that moves the point most. */
    node?: number;
    /** The mesh of the vertex. */
    mesh?: number;
    /** The primitive of the vertex. */
    primitive?: number;
    /** The vertex. */
    vertex?: number;
    /** Instead of a vertex, a point of a node without a mesh: 0 is its origin, 1 to 3 are on its axes. */
    point?: number;
}

/** The difference of two files: the JSON of `sinew compare --json` (docs/json.md). */
export interface Comparison {
    /** The two files. */
    files: {
        /** The file's name. */
        path: string;
        /** Its size with its buffers. */
        bytes: number;
        /** Bytes of accessors that only animations use. */
        animationData: number;
        /** Bytes of JSON that only animations use. */
        animationJson: number
    }[];
    /** What counts as 1.8 m: the character's extent in the rest pose, in the file's unit. */
    size: number;
    /** What has that extent: 'the skinned vertices', 'the joints', ... */
    sizeOf: string;
    /** Vertices that were compared. */
    vertices: number;
    /** Of these, those that the second file has in another order. */
    sortedVertices: number;
    /** Vertices of the first file on the joints of the second, because its own don't correspond. */
    carriedVertices: number;
    /** Vertices that weren't compared: the second file lacks their joint or node. */
    unmatchedVertices: number;
    /** The largest displacement of all. */
    worst: Displacement;
    /** The largest displacement in each clip of the first file. */
    clips: (Displacement & {
        /** The clip's name. */
        name: string;
        /** Whether the second file has the clip. */
        matched: boolean
    })[];
    /** The largest displacement of the points that each node moves most. */
    joints: (Displacement & {
        /** The node's name. */
        name: string
    })[];
    /** What else differs: durations, markers, extras, names. */
    differences: string[];
}

/** The JSON of `sinew optimize --json` (docs/json.md). Its Comparison is with the original. */
export interface OptimizeReport extends Comparison {
    /** The largest displacement that was allowed. */
    error: number;
    /** Why the original was returned; null: the file is smaller. */
    kept: string | null;
    /** What happened to each clip. Empty if the original was returned. */
    tracks: {
        /** The clip's index. */
        clip: number;
        /** All its tracks. */
        all: number;
        /** Tracks that equal the rest pose. */
        dropped: number;
        /** Of the kept ones, those with one value. */
        constant: number;
        /** Of the kept ones, those with fewer keys. */
        reduced: number;
        /** The clip is as it was: an extension animates it, or its channels have extras. */
        untouched: boolean;
        /** The search ended early, with the best found so far. */
        limited: boolean
    }[];
    /** Only with the option `meshes`. */
    meshes?: OptimizedMeshes;
}

/** What happened to the meshes. All numbers are 0 if the original was returned. */
export interface OptimizedMeshes {
    /** Accessors that were compressed. */
    accessors: number;
    /** Their bytes in the original, and compressed. */
    bytes: [number, number];
    /** The smallest step of positions, in the mesh's unit; 0: exact. */
    step: number;
    /** Bits of a weight; 0: exact. */
    weightBits: number;
    /** Vertices in another order. */
    reordered: number;
    /** Vertices that were merged with equal ones. */
    merged: number;
    /** Attributes that no material needs. */
    dropped: number;
    /** How far the meshes alone displace a vertex at most. */
    bound: number;
    /** Why positions and weights are exact; null: they may be rounded. */
    exact: string | null;
    /** Accessors that stay as they are. */
    kept: {
        /** The accessor's index. */
        accessor: number;
        /** The reason. */
        why: string
    }[];
}

/**
 * Makes the animations of a .glb or .gltf smaller, and with `meshes` its meshes. Resolves to a .glb and a measurement
 * of it. A file that can't become smaller comes back as it is. Rejects for a file that can't be read.
 *
 * @example
 * const hero = await readFile('hero.glb');
 * const { bytes, report } = await optimize(hero, { error: 1 });
 * await writeFile('hero-small.glb', bytes);
 * console.log(report.worst.millimetres, 'mm');
 */
export function optimize(bytes: Bytes, options?: OptimizeOptions): Promise<{
    /** The new file. */
    bytes: Uint8Array;
    /** What was done, and the measured error. */
    report: OptimizeReport
}>;

/**
 * Measures how far `b`, another version of the file `a`, is from it. `b` may come from any optimiser. Rejects for files
 * that can't be read.
 *
 * @example
 * const { worst } = await compare(hero, bytes);
 */
export function compare(a: Bytes, b: Bytes, options?: CompareOptions): Promise<Comparison>;
