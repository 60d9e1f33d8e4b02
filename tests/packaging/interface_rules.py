#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the rules of base.h in the JSON that scripts/interface.py writes: interface_rules.py JSON

Default functions and cookies, private fields, names of enum constants, types of counts and sizes, and what is passed by
value. Each fault is one line; the exit status is 1 if there are any.
"""

import json
import re
import sys

# Enums with a different constant prefix, and why.
PREFIXES = {
    'sinew_result': ['SINEW_OK', 'SINEW_ERROR_'],        # the two kinds of result
    'sinew_channel_target': ['SINEW_TARGET_'],           # glTF: channel.target
    'sinew_key_format': ['SINEW_KEYS_'],                 # the format of keys, joints, weights
    'sinew_joint_format': ['SINEW_JOINTS_'],
    'sinew_weight_format': ['SINEW_WEIGHTS_'],
}
# The last word of an enum's name that its constants may leave out.
SORT_WORDS = {'kind', 'type', 'mode', 'format', 'layout', 'target', 'language', 'range', 'op', 'role'}
# Numbers of elements that are a size_t, because they are a product of counts or come from the caller's memory.
LARGE_COUNTS = {'float_count', 'vertex_count'}
# Signatures that are another library's.
FOREIGN = {'sinew_meshopt_decode'}
# Names of a size_t: numbers of bytes.
SIZE = re.compile(r'(.*_)?(size|stride|capacity|memory|length|limit|alignment|bytes|offset)$')
BY_VALUE = {'sinew_vec3', 'sinew_quat', 'sinew_transform'}

faults = []


def check_defaults(interface):
    functions = {function['name']: function for function in interface['functions']}
    for name, function in functions.items():
        if re.search(r'default', name) and not name.endswith('_default'):
            faults.append(f'{name}: a default function is sinew_x_default')
        if name.endswith('_default') and function['parameters']:
            faults.append(f'{name}: a default function has no parameters')
    with_cookie = {}
    for struct in interface['structs']:
        cookies = [field for field in struct['fields'] if field['name'] == 'cookie']
        if not cookies:
            continue
        last = struct['fields'][-1]
        maker = re.fullmatch(r'private: set by (\w+)', last['doc'])
        if last is not cookies[0] or last['type'] != 'uint32_t' or not maker:
            faults.append(f'{struct["name"]}: its last field is not `uint32_t cookie; ///< private: set by ...`')
        elif functions.get(maker[1], {}).get('result') != struct['name']:
            faults.append(f'{struct["name"]}: {maker[1]} does not return it')
        elif not maker[1].endswith(('_default', '_from_rest', '_of_kind')):
            faults.append(f'{struct["name"]}: {maker[1]} is no default function')
        with_cookie[struct['name']] = maker and maker[1]
    for name, function in functions.items():
        if name.endswith('_default') and with_cookie.get(function['result']) != name:
            faults.append(f'{name}: {function["result"]} has no cookie that it sets')
    return with_cookie


def check_enums(interface):
    for enum in interface['enums']:
        words = enum['name'].split('_')[1:]
        prefixes = ['SINEW_' + '_'.join(words).upper() + '_']
        if words[-1] in SORT_WORDS and len(words) > 1:
            prefixes.append('SINEW_' + '_'.join(words[:-1]).upper() + '_')
        prefixes = PREFIXES.get(enum['name'], prefixes)
        for value in enum['values']:
            if not value['name'].startswith(tuple(prefixes)):
                faults.append(f'{value["name"]} of {enum["name"]}: does not begin with {" or ".join(prefixes)}')


def check_number(owner, entry):
    name, kind = entry['name'], entry.get('type', '')
    if name == 'count' or name.endswith('_count'):
        large = kind == 'size_t' and name in LARGE_COUNTS
        if not large and kind not in ('int32_t', 'int32_t *', 'int64_t', 'const int32_t *'):
            faults.append(f'{owner}: {name} is {kind}; a number of elements is an int32_t')
    elif kind == 'size_t' and not SIZE.fullmatch(name):
        faults.append(f'{owner}: {name} is a size_t, which is for bytes; name it ..._size, or make it an int32_t')


# No struct is the library's own as a whole, and the fields that are come last.
def check_private(struct):
    if re.match(r'private', struct['doc'], re.I):
        faults.append(f'{struct["name"]}: a private struct has no place in a public header; make it opaque')
    is_private = [field['doc'].startswith('private') for field in struct['fields']]
    if is_private != sorted(is_private):
        faults.append(f'{struct["name"]}: private fields come after the others')


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        interface = json.load(file)
    with_cookie = check_defaults(interface)
    check_enums(interface)
    for struct in interface['structs']:
        check_private(struct)
        for field in struct['fields']:
            check_number(struct['name'], field)
    for function in interface['functions'] + interface['callbacks']:
        for parameter in function['parameters']:
            if function['name'] not in FOREIGN:
                check_number(function['name'], parameter)
            kind = parameter.get('type', '')
            bare = kind.removeprefix('const ').split(' ')[0]
            if bare in with_cookie and '*' not in kind:
                faults.append(f'{function["name"]}: {bare} is passed by const pointer')
            if bare in BY_VALUE and kind == f'const {bare} *' and not re.search(r'\[', function['doc']):
                faults.append(f'{function["name"]}: {bare} is passed by value')
    for fault in faults:
        print(fault)
    print(f'{len(with_cookie)} structs with a cookie, {len(interface["enums"])} enums, {len(faults)} faults')
    sys.exit(1 if faults else 0)


main()
