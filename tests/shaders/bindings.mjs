// SPDX-License-Identifier: MIT
// A variant's bindings, derived from its name: what the documentation says, not what the shader's text says.
export const group = 3;

const palettes = {
  block: { buffer: { type: 'uniform' } },
  texture: { texture: { sampleType: 'unfilterable-float' } },
  storage: { buffer: { type: 'read-only-storage' } },
};
const texture = palettes.texture;
const uniform = palettes.block;

export function readName(name) {
  const [source, layout, influences, ...rest] = name.split('_');
  const placed = rest.includes('placed');
  const morph = rest.includes('morph');
  return { source, layout, influences: Number(influences), placed, morph };
}

// [binding, what it is] of the skin's group.
export function bindingsOf(name, compute) {
  const { source, layout, influences, placed, morph } = readName(name);
  const bindings = [];
  if (influences > 0 || placed || morph) bindings.push([0, palettes[source]]);
  if (morph) bindings.push([1, texture]);
  if (placed || morph) bindings.push([2, uniform]);
  if (layout === 'baked' && influences > 0) bindings.push([3, texture]);
  if (!compute) return bindings;
  bindings.push([4, palettes.storage], [5, palettes.storage], [6, { buffer: { type: 'storage' } }], [7, uniform]);
  return bindings;
}

// A layout of just those, in the group that is the default; the groups before it are empty.
export function pipelineLayout(device, bindings, visibility) {
  const entries = bindings.map(([binding, what]) => ({ binding, visibility, ...what }));
  const empty = device.createBindGroupLayout({ entries: [] });
  const bindGroupLayouts = Array(group).fill(empty);
  bindGroupLayouts.push(device.createBindGroupLayout({ entries }));
  return device.createPipelineLayout({ bindGroupLayouts });
}
