// SPDX-License-Identifier: MIT
/**
 * Makes animations and meshes in glTF files smaller, within an error that you choose. No vertex and no point near a
 * joint moves by more than this error at any time in any clip. You get the same files and reports as from the commands
 * `sinew optimize` and `sinew compare`.
 *
 * Unless noted otherwise, lengths are in millimeters for a model scaled to 1.8 m.
 *
 * The first call fetches a separate module, sinew-optimize.wasm. Calls run on the calling thread and can take a second
 * or more for a large file. On a web page, you should call them from a worker.
 */
import { Draco, Meshopt } from './index.js';

type Bytes = ArrayBuffer | ArrayBufferView;

/** The progress of a call. */
export interface Progress {
    /** optimize goes through both stages. */
    stage: 'optimizing' | 'comparing';
    /** The number of clips that are finished. While optimizing, each clip is counted twice. */
    done: number;
    /** The value of `done` at the end. */
    total: number;
}

/** Options for both calls. */
export interface CommonOptions {
    /**
     * MeshoptDecoder from npm, for the newer codecs in KHR_meshopt_compression. You don't need it for
     * EXT_meshopt_compression.
     */
    decoder?: Meshopt;
    /** The result of createDecoderModule() from draco3d. You need this for meshes with Draco compression. */
    draco?: Draco | Promise<Draco>;
    /**
     * Called before each clip and after the last one. You can throw an error here to stop the call and reject its
     * promise.
     */
    onProgress?(progress: Progress): void;
    /** The code of sinew-optimize.wasm or the compiled module. By default, it is fetched from the package's folder. */
    wasm?: Bytes | WebAssembly.Module;
}

/** Options for optimize. */
export interface OptimizeOptions extends CommonOptions {
    /** The maximum displacement in millimeters, above 0 and at most 1000. Default 1. */
    error?: number;
    /** Use an error of 0.15 mm. You can't combine this with `error`. Default false. */
    tight?: boolean;
    /**
     * Also make vertices and indices smaller, and sort them. This uses half of the error, or all of it if there are
     * no animations. You can't combine this with `plain`. Default false, which leaves meshes unchanged.
     */
    meshes?: boolean;
    /** Write the extension KHR_meshopt_compression instead of EXT_meshopt_compression. Default false. */
    khr?: boolean;
    /**
     * Don't use a compression extension. Use this for viewers that don't support one. The file gets larger. Default
     * false.
     */
    plain?: boolean;
    /** The file name for the report and for errors. Default 'character.glb'. */
    name?: string;
    /** The buffers of a .gltf file, using the names from sidecarFiles. Throws if one is missing. */
    sidecars?: Record<string, Bytes>;
}

/** Options for compare. */
export interface CompareOptions extends CommonOptions {
    /** The file names for the report and for errors. Default ['a.glb', 'b.glb']. */
    names?: [string, string];
    /** The buffers of .gltf files, using the names from sidecarFiles. */
    sidecars?: [Record<string, Bytes>, Record<string, Bytes>];
}

/** The largest displacement in a set of points, and where it occurs. */
export interface Displacement {
    /** The largest displacement that was found. */
    millimetres: number;
    /** An upper bound for the displacement at any time. null means unbounded. */
    bound: number | null;
    /** The same as `millimetres`, but in the file's unit. */
    units: number;
    /** The index of the clip. Not set for the rest pose. */
    clip?: number;
    /** The time in seconds. Not set for the rest pose. */
    time?: number;
    /** The node that moves the point the most. */
    node?: number;
    /** The vertex's mesh. */
    mesh?: number;
    /** The vertex's primitive. */
    primitive?: number;
    /** The vertex. */
    vertex?: number;
    /** Used instead of a vertex for nodes without a mesh. 0 is the node's origin, and 1 to 3 are points on its axes. */
    point?: number;
}

/** The difference between two files. This is the JSON from `sinew compare --json` (docs/json.md). */
export interface Comparison {
    /** The two files. */
    files: {
        /** The file's name. */
        path: string;
        /** The file size, including buffers. */
        bytes: number;
        /** The size in bytes of accessors that are only used by animations. */
        animationData: number;
        /** The size in bytes of JSON that is only used by animations. */
        animationJson: number
    }[];
    /** The length that is scaled to 1.8 m. This is the character's extent in the rest pose, in the file's unit. */
    size: number;
    /** What was measured to get the extent: 'the skinned vertices', 'the joints', ... */
    sizeOf: string;
    /** The number of vertices that were compared. */
    vertices: number;
    /** How many of these are in a different order in the second file. */
    sortedVertices: number;
    /**
     * The number of vertices from the first file that were moved by the joints of the second file, because there were
     * no corresponding vertices in the second file.
     */
    carriedVertices: number;
    /** The number of vertices that weren't compared, because the second file doesn't have their joint or node. */
    unmatchedVertices: number;
    /** The largest displacement overall. */
    worst: Displacement;
    /** The largest displacement for each clip in the first file. */
    clips: (Displacement & {
        /** The clip's name. */
        name: string;
        /** True if the second file has the clip. */
        matched: boolean
    })[];
    /** For each node, the largest displacement of the points that it moves the most. */
    joints: (Displacement & {
        /** The node's name. */
        name: string
    })[];
    /** Other differences: durations, markers, extras, names. */
    differences: string[];
}

/** The JSON from `sinew optimize --json` (docs/json.md). It includes a comparison with the original. */
export interface OptimizeReport extends Comparison {
    /** The maximum displacement that was allowed. */
    error: number;
    /** The reason why the original was returned. null if the file got smaller. */
    kept: string | null;
    /** The result for each clip. Empty if the original was returned. */
    tracks: {
        /** The index of the clip. */
        clip: number;
        /** The total number of tracks. */
        all: number;
        /** The number of tracks that were dropped because they equal the rest pose. */
        dropped: number;
        /** How many of the remaining tracks have a single value. */
        constant: number;
        /** How many of the remaining tracks have fewer keys. */
        reduced: number;
        /** True if the clip wasn't changed, because it is animated by an extension or its channels have extras. */
        untouched: boolean;
        /** True if the search stopped early and used the best result so far. */
        limited: boolean
    }[];
    /** Only set if you use the `meshes` option. */
    meshes?: OptimizedMeshes;
}

/** The result for the meshes. All numbers are 0 if the original was returned. */
export interface OptimizedMeshes {
    /** The number of accessors that were compressed. */
    accessors: number;
    /** Their size in bytes, first in the original and then compressed. */
    bytes: [number, number];
    /** The smallest step for positions, in the mesh's unit. 0 means exact. */
    step: number;
    /** The number of bits per weight. 0 means exact. */
    weightBits: number;
    /** The number of vertices that were reordered. */
    reordered: number;
    /** The number of vertices that were merged with an equal vertex. */
    merged: number;
    /** The number of attributes that were dropped because no material needs them. */
    dropped: number;
    /** The maximum displacement of a vertex that is caused by the meshes alone. */
    bound: number;
    /** The reason why positions and weights are exact. null if they can be rounded. */
    exact: string | null;
    /** Accessors that weren't changed. */
    kept: {
        /** The index of the accessor. */
        accessor: number;
        /** The reason. */
        why: string
    }[];
}

/**
 * Makes the animations in a .glb or .gltf file smaller. If you set `meshes`, the meshes also get smaller. Resolves to a
 * .glb and a report with the measured error. If the file can't get any smaller, you get the original back. Rejects if
 * the file can't be read.
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
    /** What was changed, and the measured error. */
    report: OptimizeReport
}>;

/**
 * Measures how much `b` differs from `a`. `b` must be a different version of the same file, but it can come from any
 * optimizer. Rejects if a file can't be read.
 *
 * @example
 * const { worst } = await compare(hero, bytes);
 */
export function compare(a: Bytes, b: Bytes, options?: CompareOptions): Promise<Comparison>;
