// SPDX-License-Identifier: MIT
// The JSON Schema for animation graphs, which editors use, agrees with the loader: graph_schema.mjs NODE_MODULES
// SOURCE_FOLDER It accepts the sound graphs in the repository and in docs/graph.md, and refuses every fault in
// tests/graph/samples/faults.txt that a schema can find. tests/unit/test_graph_file.c loads the same files.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [modules, source] = process.argv.slice(2).map(folder => resolve(folder));
const Ajv = createRequire(`${modules}/`)('ajv').default;
const read = path => readFileSync(`${source}/${path}`, 'utf8');

const schema = JSON.parse(read('web/package/graph.schema.json'));
const validate = new Ajv({ allErrors: false, strict: 'log', strictTypes: false, strictRequired: false, strictTuples: false }).compile(schema);

// ---- Sound graphs

const folder = 'tests/graph/samples';
const sound = ['models/hero.graph.json', ...readdirSync(`${source}/${folder}`).filter(name => name.endsWith('.graph.json')).map(name => `${folder}/${name}`)];
assert.ok(sound.length >= 3);
for (const path of sound) assert.ok(validate(JSON.parse(read(path))), `${path}: ${JSON.stringify(validate.errors)}`);

const examples = [...read('docs/graph.md').matchAll(/```json\n(.*?)```/gs)].map(match => JSON.parse(match[1]));
assert.ok(examples.length > 0);
for (const example of examples) assert.ok(validate(example), JSON.stringify(validate.errors));

// ---- Faults

// The entries of faults.txt: lines "key value", separated by empty lines.
const faults = read(`${folder}/faults.txt`).split('\n\n')
  .map(entry => Object.fromEntries(entry.split('\n').filter(line => line && !line.startsWith('#')).map(line => {
    const space = line.indexOf(' ');
    return space < 0 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)];
  })))
  .filter(entry => 'find' in entry);
assert.ok(faults.length > 100);

const base = read(`${folder}/every_key.graph.json`);
let refused = 0;
for (const fault of faults) {
  assert.ok(base.includes(fault.find), fault.find);
  const text = base.replace(fault.find, () => fault.at ? fault.put : fault.put.replace('@', ''));
  const accepted = validate(JSON.parse(text));
  if (fault.only === 'loader') assert.ok(accepted, `refused by the schema, too; remove "only loader": ${fault.put}`);
  else assert.ok(!accepted, `accepted: ${fault.put}`);
  refused += !accepted;
}
console.log(`${sound.length + examples.length} sound graphs accepted, ${refused} of ${faults.length} faults refused`);
