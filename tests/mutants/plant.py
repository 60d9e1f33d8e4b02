#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads mutants.txt, whose first lines describe the format.

plant.py check [NAME...]      each pattern matches exactly once in its file, and each named test exists
plant.py tests [NAME...]      prints the tests that the entries name
plant.py names                prints the names of all entries
plant.py plant TREE NAME      plants one mutant in a copy of the tree; prints "FILE TEST..."
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
FOLDERS = ['cmake', 'include', 'src', 'tools', 'web']


def read_entries():
    entries = {}
    entry = None
    with open(os.path.join(HERE, 'mutants.txt'), encoding='utf-8') as file:
        for line in file.read().split('\n'):
            if line.startswith('= '):
                name = line.split()[1]
                if name in entries:
                    sys.exit(f'{name}: is the name of two entries')
                entry = entries[name] = {'name': name, 'file': '', 'tests': [], 'pattern': '', 'replacement': []}
            elif entry is None or line == '' or line.startswith('#'):
                continue
            elif line.startswith('- '):
                entry['pattern'] = line[2:]
            elif line.startswith('+'):
                entry['replacement'].append(line[2:])
            else:
                entry['file'], _, tests = line.partition(':')
                entry['tests'] = tests.split()
    return entries


def find_file(tree, end):
    """The path of the one file that ends with these folders and name."""
    paths = [os.path.relpath(os.path.join(folder, name), tree)
             for top in FOLDERS for folder, _, names in os.walk(os.path.join(tree, top)) for name in names]
    found = [path for path in paths if ('/' + path).endswith('/' + end)]
    if len(found) != 1:
        raise ValueError(f'{len(found)} files are {end}: {" ".join(found)}')
    return found[0]


def plant(tree, entry):
    """The path of the entry's file and its text with the fault."""
    path = find_file(tree, entry['file'])
    with open(os.path.join(tree, path), encoding='utf-8') as file:
        text = file.read()
    pattern = re.compile(re.sub(' +', r'\\s*', entry['pattern']), re.DOTALL)
    found = list(pattern.finditer(text))
    if len(found) != 1:
        raise ValueError(f'{path}: the pattern matches {len(found)} times: {entry["pattern"]}')
    new = '\n'.join(entry['replacement'])
    new = re.sub(r'\\([1-9])', lambda group: found[0][int(group[1])], new)
    changed = text[:found[0].start()] + new + text[found[0].end():]
    if changed == text:
        raise ValueError(f'{path}: changes nothing')
    return path, changed


def known_tests():
    """Those with a source file: a build may leave some out for want of a library."""
    sources = [name for _, _, names in os.walk(os.path.join(ROOT, 'tests')) for name in names]
    return {name[5:-2] for name in sources if re.fullmatch(r'test_\w+\.c', name)}


def check(entries):
    tests = known_tests()
    faults = 0
    for entry in entries:
        try:
            plant(ROOT, entry)
            unknown = [t for t in entry['tests'] if t not in tests and not t.startswith(('shaders_', 'structure_'))]
            if unknown or not entry['tests']:
                raise ValueError(f'there is no test {" ".join(unknown)}')
        except (ValueError, re.error) as fault:
            print(f'{entry["name"]}: {fault}')
            faults += 1
    print(f'{len(entries)} mutants, {faults} faults')
    return faults == 0


def main():
    entries = read_entries()
    what, *arguments = sys.argv[1:]
    tree = arguments.pop(0) if what == 'plant' else ROOT
    unknown = [name for name in arguments if name not in entries]
    if unknown:
        sys.exit(f'{" ".join(unknown)}: not in mutants.txt')
    chosen = [entries[name] for name in arguments] or list(entries.values())
    if what == 'check':
        sys.exit(not check(chosen))
    if what == 'names':
        print('\n'.join(entries))
    if what == 'tests':
        print('\n'.join(sorted({test for entry in chosen for test in entry['tests']})))
    if what == 'plant':
        try:
            path, text = plant(tree, chosen[0])
        except (ValueError, re.error) as fault:
            sys.exit(f'{chosen[0]["name"]}: {fault}')
        with open(os.path.join(tree, path), 'w', encoding='utf-8') as file:
            file.write(text)
        print(path, *chosen[0]['tests'])


main()
