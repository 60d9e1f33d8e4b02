// SPDX-License-Identifier: MIT
// glTF files for loaders in Node, which have neither an image decoder nor fetch.

const GLB = 0x46546c67, JSON_CHUNK = 0x4e4f534a, BINARY_CHUNK = 0x004e4942;
const ELEMENT_ARRAY_BUFFER = 34963;

function chunk(type, bytes, padding) {
    const head = Buffer.alloc(8), rest = Buffer.alloc(-bytes.length & 3, padding);
    head.writeUInt32LE(bytes.length + rest.length, 0);
    head.writeUInt32LE(type, 4);
    return [head, bytes, rest];
}

// The JSON and the binary chunk of a file.
export function parts(file) {
    if (file.readUInt32LE(0) !== GLB) {
        const json = JSON.parse(file.toString('utf8'));
        return [json, Buffer.from(json.buffers[0].uri.split(',')[1], 'base64')];
    }
    const length = file.readUInt32LE(12);
    return [JSON.parse(file.toString('utf8', 20, 20 + length)), file.subarray(28 + length)];
}

// A file of one buffer, inside it, as a .glb without materials: poses need none.
export function withoutMaterials(file) {
    const [json, binary] = parts(file);
    for (const part of ['materials', 'textures', 'images', 'samplers']) delete json[part];
    for (const mesh of json.meshes ?? []) for (const primitive of mesh.primitives) delete primitive.material;
    delete json.buffers[0].uri;
    return glbOf(json, binary);
}

// Makes a one-buffer file a .glb with unlit materials.
export function unlit(file) {
    const [json, binary] = parts(file);
    json.materials = [...json.materials ?? [], {}];
    for (const material of json.materials) material.extensions = { ...material.extensions, KHR_materials_unlit: {} };
    for (const { primitives } of json.meshes) {
        for (const primitive of primitives) primitive.material ??= json.materials.length - 1;
    }
    json.extensionsUsed = [...json.extensionsUsed ?? [], 'KHR_materials_unlit'];
    delete json.buffers[0].uri;
    return glbOf(json, binary);
}

// Makes a .glb where npm's MeshoptEncoder compresses all buffer views, without loss.
export function compressed(file, encoder) {
    const [json, binary] = parts(file);
    const extension = 'EXT_meshopt_compression', coded = [];
    let byteOffset = 0;
    json.bufferViews.forEach((view, index) => {
        const { count: indices } = json.accessors.find(({ bufferView }) => bufferView === index);
        const isIndices = view.target === ELEMENT_ARRAY_BUFFER, mode = isIndices ? 'INDICES' : 'ATTRIBUTES';
        const byteStride = view.byteStride ?? (isIndices ? view.byteLength / indices : 4);
        const count = view.byteLength / byteStride;
        const plain = binary.subarray(view.byteOffset, view.byteOffset + view.byteLength);
        const bytes = encoder.encodeGltfBuffer(new Uint8Array(plain), count, byteStride, mode);
        const { length: byteLength } = bytes;
        view.buffer = 1; // of nothing but what comes out
        view.extensions = { [extension]: { buffer: 0, byteOffset, byteLength, byteStride, count, mode } };
        coded.push(bytes, Buffer.alloc(-byteLength & 3));
        byteOffset += byteLength + (-byteLength & 3);
    });
    json.buffers = [{ byteLength: byteOffset },
        { byteLength: json.buffers[0].byteLength, extensions: { [extension]: { fallback: true } } }];
    json.extensionsUsed = json.extensionsRequired = [extension];
    return glbOf(json, Buffer.concat(coded));
}

// Makes a .glb where npm's draco3d compresses all meshes, without loss. `asset` is the loaded file. The data keeps
// the order of triangles, but not of vertices.
export function dracoCompressed(file, asset, draco) {
    const [json, binary] = parts(file);
    const EXTENSION = 'KHR_draco_mesh_compression', FLOAT = 5126, U16 = 5123, U32 = 5125, bytes = [binary];
    let length = binary.length;
    const accessor = (componentType, type, count) => json.accessors.push({ componentType, type, count }) - 1;
    json.meshes.forEach((mesh, m) => mesh.primitives.forEach((primitive, p) => {
        const from = asset.meshes[m].primitives[p], builder = new draco.MeshBuilder(), made = new draco.Mesh();
        const encoder = new draco.Encoder(), data = new draco.DracoInt8Array(), attributes = {}, ids = {};
        builder.AddFacesToMesh(made, from.indexCount / 3, from.indices);
        const add = (name, kind, array, width, type, method = 'AddFloatAttributeToMesh') => {
            if (!array) return;
            ids[name] = builder[method](made, draco[kind], from.vertexCount, width, array);
            attributes[name] = { type, width };
        };
        add('POSITION', 'POSITION', from.positions, 3, FLOAT);
        add('NORMAL', 'NORMAL', from.normals, 3, FLOAT);
        add('JOINTS_0', 'GENERIC', from.joints, 4, U16, 'AddUInt16Attribute');
        add('WEIGHTS_0', 'GENERIC', from.weights, 4, FLOAT);
        encoder.SetEncodingMethod(draco.MESH_SEQUENTIAL_ENCODING);
        encoder.SetTrackEncodedProperties(true);
        const size = encoder.EncodeMeshToDracoBuffer(made, data), coded = Buffer.alloc(size + (-size & 3));
        if (size === 0) throw new Error('draco3d does not encode it');
        for (let i = 0; i < size; i++) coded[i] = data.GetValue(i);
        const bufferView = json.bufferViews.push({ buffer: 0, byteOffset: length, byteLength: size }) - 1;
        bytes.push(coded);
        length += coded.length;
        primitive.attributes = Object.fromEntries(Object.entries(attributes).map(([name, { type, width }]) => (
            [name, accessor(type, `VEC${width}`, encoder.GetNumberOfEncodedPoints())])));
        primitive.indices = accessor(U32, 'SCALAR', from.indexCount);
        primitive.extensions = { [EXTENSION]: { bufferView, attributes: ids } };
        for (const object of [data, encoder, made, builder]) draco.destroy(object);
    }));
    json.buffers = [{ byteLength: length }];
    json.extensionsUsed = json.extensionsRequired = [EXTENSION];
    return glbOf(json, Buffer.concat(bytes));
}

export function glbOf(json, binary = Buffer.alloc(0)) {
    const chunks = [...chunk(JSON_CHUNK, Buffer.from(JSON.stringify(json)), ' '), ...chunk(BINARY_CHUNK, binary, 0)];
    const head = Buffer.alloc(12);
    head.writeUInt32LE(GLB, 0);
    head.writeUInt32LE(2, 4);
    head.writeUInt32LE(12 + chunks.reduce((sum, { length }) => sum + length, 0), 8);
    return new Uint8Array(Buffer.concat([head, ...chunks]));
}
