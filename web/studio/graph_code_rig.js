// SPDX-License-Identifier: MIT
// The parts of a graph's code that a rig changes: what it loads, makes, updates and destroys.

const hasKind = ({ steps }, kind) => steps.some((step) => step.kind === kind);

// ---- JavaScript -------------------------------------------------------------------------------------------------

// A Character's options. `root` is the name of the node that root warps move.
function optionsInJavaScript(graph, root) {
    return [
        hasKind(graph, 'footPlacement') ? '    ground(place, { position }) { position[1] = 0; }, // cast a ray here' : '',
        hasKind(graph, 'callback') ? '    step({ name, weight }) { console.log(name, weight); }, // change the pose here' : '',
        hasKind(graph, 'rootWarp') ? `    rootMotion: { node: asset.findNode(${JSON.stringify(root)}) },` : '',
    ].filter(Boolean).map((line) => `${line}\n`).join('');
}

/** The package's `imports`, the lines before the scene loads, and the lines that make `animator` and `character`. */
export function setUpInJavaScript({ file, graph, root }) {
    if (graph.steps.length === 0) {
        return { imports: "import { Sinew } from 'sinew-animation';", load: '',
            drive: 'const character = await drive(loaded, sinew, { graph });\nconst { animator } = character;\n' };
    }
    const options = optionsInJavaScript(graph, root), given = options ? `, {\n${options}}` : '';
    return { imports: "import { Character, Rig, Sinew } from 'sinew-animation/character';",
        load: `const asset = await sinew.fetchAsset(${JSON.stringify(file)});
const rig = new Rig(asset, graph); // one for all characters\n`,
        drive: `const animator = new Character(rig${given});\nconst character = drive(loaded, asset, { character: animator });\n` };
}

// ---- C ----------------------------------------------------------------------------------------------------------

const FIND_GROUND = `// The ground of the example is flat. Cast a ray here.
static bool find_ground(sinew_vec3 place, sinew_ground *ground, void *user) {
    (void)user;
    place.y = 0.0f;
    *ground = (sinew_ground){place, {0.0f, 1.0f, 0.0f}};
    return true;
}

`;

const RUN_STEP = `// Change the pose here.
static void run_step(sinew_character *character, int32_t step, float weight, float dt, sinew_pose *pose,
                     sinew_affine *model, void *user) {
    (void)character, (void)step, (void)weight, (void)dt, (void)pose, (void)model, (void)user;
}

`;

const BINDING = `    // One for all characters of this file.
    sinew_graph_binding_def binding_def = sinew_graph_binding_default();
    binding_def.graph = graph;
    binding_def.skeleton = asset->skeleton;
    binding_def.clips = asset->clips;
    binding_def.clip_count = asset->clip_count;
    sinew_graph_binding *binding;
    check(sinew_graph_bind(&binding_def, &binding, &error), &error);

    // One for each character.
    sinew_animator_def def = sinew_animator_default();
    def.binding = binding;
    sinew_animator *animator;
    check(sinew_animator_create(&def, &animator, &error), &error);
`;

const rootMotionInC = (root) => `    sinew_root_motion_def root_motion = sinew_root_motion_default();
    root_motion.skeleton = asset->skeleton;
    root_motion.node = sinew_skeleton_find(asset->skeleton, ${root});
    sinew_mixer_def mixer = sinew_mixer_default();
    mixer.root_motion = &root_motion;
    def.mixer = &mixer;
`;

const rigInC = (graph, root) => `    // One for all characters of this file.
    sinew_rig_def rig_def = sinew_rig_default();
    rig_def.graph = graph;
    rig_def.asset = asset;
    sinew_rig *rig;
    check(sinew_rig_create(&rig_def, &rig, &error), &error);

    // One for each character.
    sinew_character_def def = sinew_character_default();
    def.rig = rig;
${hasKind(graph, 'footPlacement') ? '    def.ground = find_ground;\n' : ''}${hasKind(graph, 'callback') ? '    def.step = run_step;\n' : ''}${
    hasKind(graph, 'rootWarp') ? rootMotionInC(root) : ''}    sinew_character *character;
    check(sinew_character_create(&def, &character, &error), &error);
${graph.parameters.length + graph.layers.length > 0 ? '    sinew_animator *animator = sinew_character_animator(character);\n' : ''}`;

/** `root` is the name, as a literal, of the node that root warps move. */
export function setUpInC(graph, root) {
    if (graph.steps.length === 0) {
        return { functions: '', options: '', given: 'NULL', make: BINDING, update: 'sinew_animator_update(animator, 1.0f / 60.0f);',
            destroy: '    sinew_animator_destroy(animator);\n    sinew_graph_binding_destroy(binding);\n' };
    }
    return { functions: `${hasKind(graph, 'footPlacement') ? FIND_GROUND : ''}${hasKind(graph, 'callback') ? RUN_STEP : ''}`,
        options: '    sinew_gltf_options options = sinew_gltf_default();\n    options.extension = sinew_vrm_extension(); // roles and springs of avatars\n',
        given: '&options', make: rigInC(graph, root), update: 'sinew_character_update(character, 1.0f / 60.0f);',
        destroy: '    sinew_character_destroy(character);\n    sinew_rig_destroy(rig);\n' };
}
