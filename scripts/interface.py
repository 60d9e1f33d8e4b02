#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Describes the interface as JSON, for makers of bindings: scripts/interface.py OUTPUT.json

Parses the headers of include/sinew. The object has: `version`; `headers`; `constants`; `enums`, with their values; `structs`, with
their fields in order; `opaque` types, used only by pointer; `callbacks`, function pointer types; `functions`. Each entry
has its name, its header and its comment (`doc`). A field or parameter has its C `type`; an array also has its lengths,
`array`; a function pointer has a `callback` instead of a type. Fields of an anonymous union have its number in the struct,
`union`, and start at the same offset. A struct's last field `cookie` is private: bindings call
the default function that its comment names.
"""

import json
import math
import re
import sys
from pathlib import Path

PUBLIC = Path(__file__).resolve().parent.parent / 'include' / 'sinew'
EXTERN_C = re.compile(r'#ifdef __cplusplus\n(?:extern "C" \{|\})\n#endif\n?')
TOKEN = re.compile(r'///<?[^\n]*|//[^\n]*|#(?:\\\n|[^\n])*|\n\s*\n|[{}();,]|[^{}();,/#\n]+|.', re.S)


def split(text, separator):
    """The pieces between separators, each with its comment: (doc, code). A preprocessor line is a piece."""
    items, doc, code, depth = [], [], '', 0
    for token in TOKEN.findall(text) + [separator]:
        depth += (token in '{(') - (token in '})')
        if depth > 0 or token in '})':
            code += token
        elif token.startswith('///<'):  # after its code
            line = token[4:].strip()
            if code.strip():
                doc.append(line)
            elif items:
                items[-1][0].append(line)
        elif token.startswith('///'):  # before its code
            doc.append(token[3:].removeprefix(' '))
        elif token.startswith('#'):
            line, _, behind = token.partition('///<')
            items.append((doc + [behind.strip()], line.split('//')[0].strip()))
            doc = []
        elif token == separator:
            if code.strip():
                items.append((doc, ' '.join(code.split()) if '{' not in code else code.strip()))
                doc, code = [], ''
        elif not token.strip():
            code += ' '
            if token.count('\n') > 1 and not code.strip():
                doc = []  # a comment before an empty line belongs to no code
        elif not token.startswith('//'):
            code += token
    return [('\n'.join(doc).strip(), code) for doc, code in items]


class Interface:
    def __init__(self):
        self.headers, self.constants, self.enums, self.structs = [], [], [], []
        self.opaque, self.callbacks, self.functions = [], [], []
        self.values = {}  # of constants and enums, by name

    def number(self, text):
        plain = text.strip('() ').rstrip('f')
        if plain in self.values:
            return self.values[plain]
        if '*' in plain:  # a product of constants
            return math.prod(self.number(factor) for factor in plain.split('*'))
        return float(plain) if '.' in plain else int(plain, 0)

    def typed(self, base, declarator):
        """The name and type of a declarator such as `*const *names[4]`."""
        stars, name, dimensions = re.fullmatch(r'((?:\*|const\b|\s)*)(\w+)?((?:\[[^\]]*\])*)', declarator.strip()).groups()
        result = {'name': name} if name else {}
        result['type'] = f'{base.strip()} {" ".join(stars.split())}'.strip()
        if dimensions:
            result['array'] = [self.number(length) for length in re.findall(r'\[([^\]]*)\]', dimensions)]
        return result

    def declared(self, code):
        """The names and types of a declaration such as `float *tx, *ty`, or of a callback."""
        callback = re.fullmatch(r'(.*?)\(\*(\w+)\)\((.*)\)', code, re.S)
        if callback:
            signature = {'result': ' '.join(callback[1].split()), 'parameters': self.parameters(callback[3])}
            return [{'name': callback[2], 'callback': signature}]
        base, rest = re.fullmatch(r'((?:const )?(?:struct )?\w+)\b(.*)', code, re.S).groups()
        return [self.typed(base, declarator) for _, declarator in split(rest, ',')]

    def parameters(self, code):
        return [] if code.strip() == 'void' else [one for _, part in split(code, ',') for one in self.declared(part)]

    def add_enum(self, entry, body):
        entry['values'], following = [], 0
        for doc, code in split(body, ','):
            name, _, value = code.partition('=')
            following = self.number(value) if value else following
            self.values[name.strip()] = following
            entry['values'].append({'name': name.strip(), 'value': following, 'doc': doc})
            following += 1
        self.enums.append(entry)

    def add_struct(self, entry, body):
        entry['fields'], unions = [], 0
        for doc, code in split(body, ';'):
            union = re.fullmatch(r'union\s*\{(.*)\}', code, re.S)
            if union:
                unions += 1
                entry['fields'] += [{**field, 'doc': doc, 'union': unions}
                                    for doc, code in split(union[1], ';') for field in self.declared(code)]
            else:
                entry['fields'] += [{**field, 'doc': doc} for field in self.declared(code)]
        self.structs.append(entry)

    def add(self, header, doc, code):
        define = re.fullmatch(r'#define (SINEW_\w+) (.+)', code)
        compound = re.fullmatch(r'typedef (struct|enum) \w+\s*\{(.*)\}\s*(\w+)', code, re.S)
        opaque = re.fullmatch(r'typedef struct (\w+) \1', code)
        callback = re.fullmatch(r'typedef (.*\(\*\w+\)\(.*\))', code)
        function = re.fullmatch(r'SINEW_API (.*?)(\w+)\((.*)\)', code)
        entry = {'name': '', 'header': header, 'doc': doc}
        if define and define[1] != 'SINEW_API':
            entry['name'] = define[1]
            is_text = define[2].startswith('"')
            entry['value'] = self.values[define[1]] = json.loads(define[2]) if is_text else self.number(define[2])
            self.constants.append(entry)
        elif compound:
            entry['name'] = compound[3]
            (self.add_enum if compound[1] == 'enum' else self.add_struct)(entry, compound[2])
        elif opaque:
            self.opaque.append({**entry, 'name': opaque[1]})
        elif callback:
            declared = self.declared(callback[1])[0]
            self.callbacks.append({**entry, 'name': declared['name'], **declared['callback']})
        elif function:
            self.functions.append({**entry, 'name': function[2], 'result': ' '.join(function[1].split()),
                                   'parameters': self.parameters(function[3])})
        elif not code.startswith('#'):
            sys.exit(f'{header}: cannot parse: {code}')

    def add_header(self, path):
        text = path.read_text()
        text = text.removeprefix('// SPDX-License-Identifier: MIT\n')
        about = re.match(r'(?:///[^\n]*\n)*', text)[0]
        name = str(path.relative_to(PUBLIC)) if PUBLIC in path.parents else path.name
        self.headers.append({'name': name, 'doc': re.sub(r'^/// ?', '', about, flags=re.M).strip()})
        for doc, code in split(EXTERN_C.sub('\n', text[len(about):]), ';'):
            self.add(name, doc, code)


def read_public():
    interface = Interface()
    for umbrella in ('sinew.h', 'all.h'):
        for name in re.findall(r'#include "([\w/]+\.h)"', (PUBLIC / umbrella).read_text()):
            if name != 'sinew.h':
                interface.add_header(PUBLIC / name)
    interface.add_header(PUBLIC / 'gpu/gl.h')
    return interface


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    interface = read_public()
    values = interface.__dict__.pop('values')
    version = '.'.join(str(values[f'SINEW_VERSION_{part}']) for part in ('MAJOR', 'MINOR', 'PATCH'))
    text = json.dumps({'name': 'sinew', 'version': version, **interface.__dict__}, indent=1, ensure_ascii=False)
    Path(sys.argv[1]).write_text(text + '\n', encoding='utf-8')


if __name__ == '__main__':
    main()
