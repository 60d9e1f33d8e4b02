#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a C program that compiles only if the interface's JSON agrees with the headers: interface.py JSON OUTPUT.c

As a binding would do, it computes the sizes of structs and the offsets of fields from the JSON alone (with pointers and
size_t of 8 bytes), and declares each function with the types in the JSON.
"""

import itertools
import json
import sys

SIZES = {'bool': 1, 'char': 1, 'uint8_t': 1, 'uint16_t': 2, 'int': 4, 'int32_t': 4, 'uint32_t': 4, 'float': 4,
         'double': 8, 'size_t': 8, 'int64_t': 8, 'uint64_t': 8}


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        interface = json.load(file)
    callbacks = {callback['name'] for callback in interface['callbacks']}
    layouts = {name: (size, size) for name, size in SIZES.items()}  # of each type: size, alignment
    layouts.update({enum['name']: (4, 4) for enum in interface['enums']})
    layouts.update({name: (8, 8) for name in callbacks})
    lines = ['#include <sinew/all.h>', '#include <sinew/gpu/gl.h>', '#include <string.h>', '']

    def expect(condition):
        lines.append(f'_Static_assert({condition}, "");')

    def layout_of(field):
        if 'callback' in field or field['type'].endswith(('*', '*const')):
            size, alignment = 8, 8
        else:
            size, alignment = layouts[field['type'].removeprefix('const ')]
        for length in field.get('array', []):
            size *= length
        return size, alignment

    def declared(entry, name):
        if 'callback' in entry:
            return function(entry['callback'], f'(*{name})')
        return entry['type'] + ' ' + name + ''.join(f'[{length}]' for length in entry.get('array', []))

    def function(signature, name):
        parameters = ', '.join(declared(parameter, parameter['name']) for parameter in signature['parameters'])
        return f'{signature["result"]} {name}({parameters or "void"})'

    whole = [constant for constant in interface['constants'] if isinstance(constant['value'], int)]
    for constant in whole:
        expect(f'{constant["name"]} == {constant["value"]}')
    for enum in interface['enums']:
        expect(f'sizeof({enum["name"]}) == 4')
        for value in enum['values']:
            expect(f'{value["name"]} == {value["value"]}')
    for struct in interface['structs']:
        end, widest = 0, 1
        for _, group in itertools.groupby(enumerate(struct['fields']), lambda entry: entry[1].get('union', -entry[0])):
            members = [(field, *layout_of(field)) for _, field in group]
            alignment = max(alignment for _, _, alignment in members)
            start = (end + alignment - 1) // alignment * alignment
            size = max(size for _, size, _ in members)  # of a union, a multiple of its alignment
            end, widest = start + (size + alignment - 1) // alignment * alignment, max(widest, alignment)
            for field, _, _ in members:
                expect(f'offsetof({struct["name"]}, {field["name"]}) == {start}')
        layouts[struct['name']] = ((end + widest - 1) // widest * widest, widest)
        expect(f'sizeof({struct["name"]}) == {layouts[struct["name"]][0]}')
        # Assigning a pointer to another type does not compile.
        lines.append(f'static void check_{struct["name"]}({struct["name"]} *it) {{')
        for field in struct['fields']:
            lines.append(f'    {declared(field, "(*" + field["name"] + "_)")} = &it->{field["name"]}; (void){field["name"]}_;')
        lines.append('}')
    for opaque in interface['opaque']:
        lines.append(f'extern {opaque["name"]} *one_{opaque["name"]};')
    # A second declaration, from the JSON, must agree with the first.
    for entry in interface['functions']:
        lines.append(function(entry, entry['name']) + ';')
    for entry in interface['callbacks']:
        lines.append('typedef ' + function(entry, f'(*{entry["name"]})') + ';')
    texts = [constant for constant in interface['constants'] if isinstance(constant['value'], str)]
    others = [constant for constant in interface['constants'] if constant not in whole and constant not in texts]
    agree = ' && '.join([f'{constant["name"]} == {constant["value"]}' for constant in others] +
                        [f'strcmp({constant["name"]}, {json.dumps(constant["value"])}) == 0' for constant in texts])
    lines.append(f'int main(void) {{ return {agree or 1} ? 0 : 1; }}')
    with open(sys.argv[2], 'w', encoding='utf-8') as file:
        file.write('\n'.join(lines) + '\n')

    for entry in interface['functions']:
        print(entry['name'])


main()
