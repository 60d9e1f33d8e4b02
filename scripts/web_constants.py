#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes what the npm package takes from the C headers: scripts/web_constants.py FOLDER

FOLDER/constants.js has numbers, and names of enum values in the order of their numbers. FOLDER/layouts.js has the fields of
the structs that JavaScript writes, in the layout of wasm32. With - instead of a folder, writes C code to standard output
that compiles only if the compiler for wasm32 has the same layouts.
"""

import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # of the import
from interface import Interface, read_public

WEB = Path(__file__).resolve().parent.parent / 'web' / 'web.h'
HEAD = '// SPDX-License-Identifier: MIT\n// Generated from the C headers by scripts/web_constants.py.\n'

# Constants of the headers that have the same name in JavaScript, without SINEW_ or WEB_.
CONSTANTS = ('NO_NODE LANES MAX_ACTIONS MAX_FEET MAX_GROUND_PLACES MAX_CHAIN_NODES MAX_EFFECTORS FOREVER TIME_AUTO '
             'ALL_LAYERS TEXTURE_WIDTH MAX_GRAPH_EVENTS ROOT_X ROOT_Y ROOT_Z ROOT_YAW ROOT_CLOSE_LOOPS RETARGET_ONLY RETARGET_FEET '
             'RETARGET_HANDS RETARGET_FIXED_LENGTHS EASING_AUTO EASING_LINEAR EASING_SMOOTHSTEP LOOP_REPEAT').split()

# Names of enum values, by their names in JavaScript: in camel case, or as said.
NAMES = {
    'BLEND_SPACE_KINDS': 'sinew_blend_space_kind',
    'CHAIN_METHODS': ('sinew_ik_chain_method', 'kebab'),
    'CHANNEL_TARGETS': 'sinew_channel_target',
    'CONTACT_SOURCES': 'sinew_foot_contact_source',
    'GAITS': 'sinew_gait',
    'GRAPH_EVENTS': 'sinew_graph_event_type',
    'INTERPOLATIONS': ('sinew_interpolation', 'upper'),
    'LIMIT_KINDS': 'sinew_ik_limit_kind',
    'LAYER_MODES': 'sinew_layer_mode',
    'LOOP_KINDS': 'sinew_loop',
    'MESHOPT_FILTERS': ('sinew_meshopt_filter', 'upper'),
    'MESHOPT_MODES': ('sinew_meshopt_mode', 'upper'),
    'MIXER_EVENTS': ('sinew_event_type', 'camel', {'looped': 'loop'}),  # as in three.js
    'SPRING_SHAPES': 'sinew_spring_shape',
    'TRANSITION_KINDS': 'sinew_transition_kind',
}

# Structs that JavaScript writes.
LAYOUTS = {
    'BODY': 'sinew_ik_body',
    'CHAIN': 'sinew_ik_chain',
    'COLLIDER': 'sinew_spring_collider',
    'EFFECTOR': 'sinew_ik_effector',
    'IK_LIMIT': 'sinew_ik_limit',
    'NODE': 'sinew_node_def',
    'SPRINGS': 'sinew_springs_def',
    'SPRING_CHAIN': 'sinew_spring_chain',
    'SPRING_JOINT': 'sinew_spring_joint',
    'VRM_COLLIDER': 'sinew_vrm_collider',
    'VRM_GROUP': 'sinew_vrm_collider_group',
    'VRM_JOINT': 'sinew_vrm_spring_joint',
    'VRM_SPRING': 'sinew_vrm_spring',
    'VRM_SPRINGS': 'web_vrm_springs',
}

# Structs that JavaScript reads or writes field by field: the offsets of these fields in bytes, and the size.
OFFSETS = {
    'BIND': ('web_bind', 'name_count names ignore_prefixes rotations_only min_match bound_nodes'),
    'BLEND_SAMPLE': ('sinew_blend_sample', 'clip x y speed'),
    'BLEND_WEIGHT': ('sinew_blend_weight', 'sample weight'),
    'CLIP_SPEED': ('sinew_clip_speed', 'gait velocity speed spread yaw_rate planted contact_count contacts'),
    'FOOT_CONTACT': ('sinew_foot_contact', 'foot start end'),
    'FOOT_LOCK_STATE': ('sinew_foot_lock_state', ''),
    'RETARGET': ('web_retarget_def', 'source target source_reference_clip source_reference_time target_reference_clip '
                 'target_reference_time flags rate scale clip_count clips'),
    'SKELETON': ('sinew_skeleton', 'rest shear_count shear_nodes shears'),
    'WARP': ('sinew_root_warp', 'missed_distance missed_turn'),
}

# Fields that JavaScript sets by name, from the first to the last of them.
SETTINGS = {
    'FOOT_LOCK_SETTINGS': ('sinew_foot_lock', 'contact_on', 'height'),
}

PRIMITIVES = {'bool': 1, 'char': 1, 'uint8_t': 1, 'uint16_t': 2, 'float': 4, 'int32_t': 4, 'uint32_t': 4, 'size_t': 4}
VECTORS = {'sinew_vec3': 'vec3', 'sinew_quat': 'quat'}


def camel(name):
    first, *others = name.lower().split('_')
    return first + ''.join(word.capitalize() for word in others)


CASES = {'camel': camel, 'kebab': lambda name: name.lower().replace('_', '-'), 'upper': str}


class WebInterface(Interface):
    """The interface of web.h: its enums without a name are constants, and its functions are left out."""

    def add(self, header, doc, code):
        constants = re.fullmatch(r'enum \{(.*)\}', code, re.S)
        if constants:
            self.add_enum({'name': '', 'header': header, 'doc': doc}, constants[1])
        elif code.startswith('typedef'):
            super().add(header, doc, code)


class Layouts:
    def __init__(self, *interfaces):
        self.values, self.enums, self.structs, self.callbacks = {}, {}, {}, set()
        for interface in interfaces:
            self.values |= interface.values
            self.enums |= {enum['name']: enum for enum in interface.enums}
            self.structs |= {struct['name']: struct for struct in interface.structs}
            self.callbacks |= {callback['name'] for callback in interface.callbacks}

    def constant(self, name):
        return next(self.values[prefix + name] for prefix in ('SINEW_', 'WEB_') if prefix + name in self.values)

    def names(self, enum, case='camel', others=None):
        """The names of an enum's values, which count from 0, without what all start with."""
        values = self.enums[enum]['values']
        assert [value['value'] for value in values] == list(range(len(values))), enum
        words = [value['name'].split('_') for value in values]
        shared = next(i for i, column in enumerate(zip(*words)) if len(set(column)) > 1)
        names = [CASES[case]('_'.join(name[shared:])) for name in words]
        return [(others or {}).get(name, name) for name in names]

    def measure(self, field):
        """The size and the alignment of a field."""
        kind = field.get('type', '*').removeprefix('const ')
        if kind.endswith('*') or kind in self.callbacks or kind in self.enums:
            size = align = 4
        elif kind in PRIMITIVES:
            size = align = PRIMITIVES[kind]
        else:
            *_, (size, align) = self.walk(kind)
        for length in field.get('array', []):
            size *= length
        return size, align

    def walk(self, struct):
        """Each field with its offset; at the end the size and the alignment."""
        offset, largest = 0, 1
        for field in self.structs[struct]['fields']:
            assert 'union' not in field, struct
            size, align = self.measure(field)
            offset += -offset % align
            yield field, offset
            offset += size
            largest = max(largest, align)
        yield offset + -offset % largest, largest

    def fields(self, struct, prefix='', start=0):
        """The fields with those of structs in it: name, type, offset."""
        for field, offset in list(self.walk(struct))[:-1]:
            name, kind = prefix + field['name'], field.get('type', '*')
            if kind in self.structs and kind not in VECTORS and 'array' not in field:
                yield from self.fields(kind, name + '_', start + offset)
            else:
                yield name, VECTORS.get(kind, kind if kind in ('bool', 'float') else 'int'), start + offset

    def size(self, struct):
        return list(self.walk(struct))[-1][0]


def write_constants(layouts):
    text = HEAD
    for name in CONSTANTS:
        text += f'export const {name} = {layouts.constant(name):g};\n'
    for name, enum in NAMES.items():
        names = layouts.names(*([enum] if isinstance(enum, str) else enum))
        text += f'export const {name} = /** @type {{const}} */ ({names});\n'
    for name, (struct, used) in OFFSETS.items():
        offsets = {field: offset for field, _, offset in layouts.fields(struct)}
        fields = [f'{camel(field)}: {offsets[field]}, ' for field in used.split()]
        text += f'export const {name} = {{ {"".join(fields)}size: {layouts.size(struct)} }};\n'
    for name, (struct, first, last) in SETTINGS.items():
        fields = [field for field, _, _ in layouts.fields(struct)]
        text += f'export const {name} = {[camel(field) for field in fields[fields.index(first):fields.index(last) + 1]]};\n'
    return text


def write_layouts(layouts):
    text = HEAD
    for name, struct in LAYOUTS.items():
        fields = ' '.join(f'{camel(field)}:{kind}' for field, kind, _ in layouts.fields(struct))
        text += f"export const {name} = '{fields}';\n"
    return text


def write_checks(layouts):
    """C code that compiles only where the structs have these layouts."""
    text = '#include <stddef.h>\n#include "web.h"\n'
    for struct in sorted({*LAYOUTS.values(), *(struct for struct, _ in OFFSETS.values())}):
        text += f'_Static_assert(sizeof({struct}) == {layouts.size(struct)}, "{struct}");\n'
        for field, offset in list(layouts.walk(struct))[:-1]:
            text += f'_Static_assert(offsetof({struct}, {field["name"]}) == {offset}, "{struct}.{field["name"]}");\n'
    return text


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    public, web = read_public(), WebInterface()
    web.add_header(WEB)
    layouts = Layouts(public, web)
    if sys.argv[1] == '-':
        print(write_checks(layouts))
        return
    folder = Path(sys.argv[1])
    (folder / 'constants.js').write_text(write_constants(layouts))
    (folder / 'layouts.js').write_text(write_layouts(layouts))


main()
