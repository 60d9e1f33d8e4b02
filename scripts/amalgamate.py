#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes two pairs of files, to be dropped into somebody's own build: sinew.h and sinew.c are the core, sinew_all.h and
sinew_all.c everything except OpenGL.

    scripts/amalgamate.py OUTPUT_FOLDER

A pair needs nothing else, and no flags: `cc -c sinew.c`, as C11 and later or as C++17. Names of one file that another
file has, too, get the file's name in front of them; what this misses, or does too often, does not compile.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PUBLIC = ROOT / 'include' / 'sinew'
SOURCES = ROOT / 'src'
CMAKE = (SOURCES / 'CMakeLists.txt').read_text()

# Comments, strings and characters, so that nothing inside them is taken for code.
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)

# What a file defines for itself begins in the first column: clang-format sees to that.
DEFINITIONS = [re.compile(pattern, re.M) for pattern in (
    r'^(?:static|SINEWI_INLINE|SINEWI_MAY_INLINE|SIMD_INLINE|SINEWI_NOINLINE) [^(=;{]*?(\w+)\(',  # a function
    r'^static [^(=;{]*?(\w+)(?:\[[^\]]*\])*(?: =|;)',  # a variable
    r'^(?:typedef )?(?:struct|union|enum) (\w+) \{',  # a tag
    r'^\} (\w+)(?:\[\w*\])?;',                        # what a struct is typedefed to
    r'^typedef [^{;]*?(\w+)(?:\[\w*\])?;',            # what anything else is
)]
ENUM = re.compile(r'^(?:typedef )?enum\b[^{;]*\{([^}]*)\}(?: (\w+);)?', re.M)


def code_of(text):
    return NO_CODE.sub(' ', text)


def own_names(text):
    """The names at file scope that are nobody else's business."""
    code = code_of(text)
    names = {name for pattern in DEFINITIONS for name in pattern.findall(code)}
    for constants, name in ENUM.findall(code):
        names.update(re.findall(r'(?:^|,)\s*(\w+)', constants), [name] if name else [])
    return {name for name in names if not name.lower().startswith(('sinew_', 'sinewi_'))}


def own_macros(text):
    defined = re.findall(r'^#\s*define (\w+)', text, re.M)
    return [name for name in dict.fromkeys(defined) if not re.match(r'sinewi?_|_', name, re.I)]


def rename(text, names, prefix):
    """Puts a prefix in front of some names, outside of comments and strings."""
    words = re.compile(NO_CODE.pattern + r'|\b(?P<name>%s)\b' % '|'.join(sorted(names)), re.S)
    return words.sub(lambda m: prefix + m[0] if m['name'] else m[0], text) if names else text


def without_guard(text):
    lines = text.strip().split('\n')
    at = next(i for i, line in enumerate(lines) if line.startswith('#ifndef ') and line.endswith('_H'))
    assert lines[at + 1].startswith('#define ') and lines[-1] == '#endif', 'a header without a guard'
    return '\n'.join(lines[:at] + lines[at + 2:-1]).strip()


def read(path):
    """The text of a source file, without its licence identifier: the licence is at the top of both files."""
    return path.read_text().removeprefix('// SPDX-License-Identifier: MIT\n')


def is_kernel(path):
    """Whether a header is compiled anew for each instruction set: it is written with the vectors or matrices of that set,
    or chooses the set."""
    if path.suffix != '.h':
        return False
    text = read(path)
    uses_set = re.search(r'\b(SIMD_WIDTH|affine_multiply|vec_mul)\b', code_of(text))
    return uses_set is not None or '#include "base/simd_plain.h"' in text


class Includes:
    """Takes the #include lines out of files: ours are pasted where they first stand, the system's gathered. Kernels
    are part of each file that includes them."""

    def __init__(self, pasted=()):
        self.system = {}           # in the order in which they were met
        self.pasted = set(pasted)  # headers that have had their turn
        self.headers = []          # (path, text)

    def take_from(self, path, text, depth=0):
        lines = []
        for line in text.split('\n'):
            depth += bool(re.match(r'#\s*if', line)) - bool(re.match(r'#\s*endif', line))
            system, own = re.match(r'#include <([^>]+)>', line), re.match(r'#include "([^"]+)"', line)
            if own:
                beside, rooted = path.parent / own[1], SOURCES / own[1]
                header = (beside if beside.exists() else rooted).resolve()
                if is_kernel(header):
                    lines += ['', self.take_from(header, without_guard(read(header)), depth), '']
                else:
                    self.paste(header)
            elif system and system[1].startswith('sinew/'):
                self.paste(ROOT / 'include' / system[1])
            elif system and depth == 0:
                self.system[system[1]] = True
            else:
                lines.append(line)  # one that hangs on a condition stays there
        return '\n'.join(lines)

    def paste(self, path):
        if path in self.pasted:
            return
        self.pasted.add(path)
        text = self.take_from(path, without_guard(read(path)))
        self.headers.append((path, text))

    def taken_headers(self):
        headers, self.headers = self.headers, []
        return headers

    def lines(self):
        return '\n'.join(f'#include <{name}>' for name in sorted(self.system))


def tidy(text):
    return re.sub(r'\n{3,}', '\n\n', text).strip() + '\n'


def banner(path):
    name = str(path.relative_to(ROOT))
    return f'\n\n// ==== {name} {"=" * (111 - len(name))}\n\n'


def licence_comment(text):
    return ''.join(f'// {line}'.rstrip() + '\n' for line in text.strip().split('\n'))


def version():
    text = (PUBLIC / 'base.h').read_text()
    return '.'.join(re.search(rf'SINEW_VERSION_{part} (\d+)', text)[1] for part in ('MAJOR', 'MINOR', 'PATCH'))


def tier_of(path):
    """The tier of a file; None for the core and what is below it."""
    tiers = re.findall(r'^add_tier\((\w+)', CMAKE, re.M)
    return path.parent.name if path.parent.name in tiers else None


def conditional(path, text):
    """The text, inside the conditions of the switches that leave the file out."""
    name = str(path.relative_to(SOURCES)) if SOURCES in path.parents else ''
    switches = [switch for switch, pattern in left_out_by().items() if pattern.search(name)]
    if tier_of(path):
        switches.append(f'SINEW_NO_{tier_of(path).upper()}')
    for switch in switches:
        text = f'#ifndef {switch}\n\n{text}\n#endif // {switch}\n'
    return text


def make_header(name, whole):
    includes = Includes()
    includes.paste(PUBLIC / name)
    extern_c = re.compile(r'#ifdef __cplusplus\n(?:extern "C" \{|\})\n#endif\n?')
    parts = [banner(path) + conditional(path, extern_c.sub('', text)) for path, text in includes.headers
             if path.name not in ('sinew.h', 'all.h')]
    # Which tiers need one another.
    checks = re.findall(r'^#if .*\n#error .*\n#endif\n', (PUBLIC / name).read_text(), re.M)
    guard = name.upper().replace('.', '_') if name == 'sinew.h' else 'SINEW_ALL_H'
    text = f'''// SPDX-License-Identifier: MIT
// Sinew {version()}: skeletal animation at run time. {whole}
// Made by scripts/amalgamate.py from the headers that are named below.
//
{licence_comment((ROOT / 'LICENSE').read_text())}
#ifndef {guard}
#define {guard}

{includes.lines()}

{''.join(checks)}
#ifdef __cplusplus
extern "C" {{
#endif
{''.join(parts)}

#ifdef __cplusplus
}}
#endif
#endif
'''
    return tidy(text), includes.pasted


def listed(pattern):
    return [SOURCES / name for name in re.search(pattern, CMAKE, re.S)[1].split()]


def source_list(name):
    """The files in the order of src/CMakeLists.txt, where a file stands behind those that it uses."""
    files = listed(r'set\(SINEW_CORE_SOURCES\n(.*?)\)')
    if name == 'all.h':
        for tier in re.findall(r'^add_tier\((\w+)', CMAKE, re.M):
            files += listed(rf'add_tier\({tier}[^)]*? FILES\n(.*?)\)')
    return files


def left_out_by():
    """The switches that leave files out, each with a pattern of their paths."""
    return {switch: re.compile(pattern) for switch, pattern in re.findall(r'set\((SINEW_NO_\w+)_FILES "(.*)"\)', CMAKE)}


def shader_list():
    """The texts that src/CMakeLists.txt makes part of the library."""
    names = re.search(r'foreach\(shader (.*?)\)', CMAKE, re.S)[1].split()
    return [SOURCES / 'gpu' / 'shaders' / name for name in names]


def shader_array(path):
    data = path.read_bytes() + b'\0'
    rows = (', '.join(f'{byte:3d}' for byte in data[i:i + 20]) for i in range(0, len(data), 20))
    return f'const char sinewi_{path.name.replace(".", "_")}[] = {{\n    ' + ',\n    '.join(rows) + '};\n'


def make_source(umbrella, own_header, public_headers):
    includes = Includes(public_headers)
    first_of_all, bodies, headers, owners = '', {}, {}, {}
    for path in source_list(umbrella):
        text = read(path)
        # What stands before a file's first #include is said to the system's headers: it must come before them all.
        before = re.match(r'(?:(?://[^\n]*|#(?!include)[^\n]*)\n)*', text)[0]
        if '#' in before:
            first_of_all += before[before.index('#'):]
            text = text[len(before):]
        bodies[path] = includes.take_from(path, text)
        headers[path] = includes.taken_headers()
        for name in own_names(bodies[path]):
            owners.setdefault(name, []).append(path)

    parts = []
    for path, text in bodies.items():
        text = rename(text, {name for name in own_names(text) if len(owners[name]) > 1}, path.stem + '_')
        text = text.strip() + '\n\n' + ''.join(f'#undef {name}\n' for name in own_macros(text))
        parts += [banner(header) + conditional(header, body) for header, body in headers[path]]
        parts += [banner(path) + conditional(path, text)]
    if umbrella == 'all.h':
        arrays = [f'#ifndef SINEW_NO_GPU\n\n{shader_array(path)}\n#endif\n' for path in shader_list()]
        parts += [banner(path) + array for path, array in zip(shader_list(), arrays)]

    return tidy(f'''// SPDX-License-Identifier: MIT
// Sinew {version()}: skeletal animation at run time. See {own_header}.
// Made by scripts/amalgamate.py from the files that are named below. Compile it as C11, as a later C, or as C++17.
// It turns contraction of a*b+c off, so that poses have the same bits everywhere, and refuses -ffast-math and x87.
//
{licence_comment((ROOT / 'LICENSE').read_text())}
{first_of_all}
#include "{own_header}"

{includes.lines()}

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif
{''.join(parts)}''')


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith('-'):
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, stem, whole in (('sinew.h', 'sinew', 'The core: this header and sinew.c.'),
                              ('all.h', 'sinew_all', 'Everything except OpenGL: this header and sinew_all.c.')):
        header, public_headers = make_header(name, whole)
        (folder / f'{stem}.h').write_text(header)
        (folder / f'{stem}.c').write_text(make_source(name, f'{stem}.h', public_headers))


main()
