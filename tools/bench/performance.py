#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the results of `sinew bench` into the tables of a page: performance.py BENCH_JSON PAGE [COMPARISON [WEB]]

A table of the page is between <!-- NAME --> and <!-- end of NAME -->. COMPARISON is the output of `make bench-compare`,
and WEB that of `make bench-web`. If BENCH_JSON is from `sinew bench --gpu`, `--budget` or `--filter '60 all'`, only that table is written.
All numbers come from the JSON. The picture of the page, images/performance.svg, is written, too.
"""

import json
import re
import sys
from pathlib import Path


def load(path):
    with open(path, encoding='utf-8') as file:
        return json.load(file)


class Bench:
    def __init__(self, report):
        self.machine = report['machine']
        self.rows = report['rows']
        self.memory = report['memory']
        self.missing = report.get('missing', [])
        self.budget = report.get('budget')
        self.levels = {level['name']: level for level in self.machine.get('levels', [])}

    def row(self, stage, joints, data, characters, implementation='sinew'):
        for row in self.rows:
            if (row['stage'], row['joints'], row['data'], row['characters'], row['implementation']) == (
                    stage, joints, data, characters, implementation):
                return row
        return None

    def nanoseconds(self, *names, **more):
        row = self.row(*names, **more)
        return row['medianNs'] if row else None


def number(value):
    if value is None:
        return ''
    return f'{value:.2f}' if value < 9.95 else f'{value:.1f}' if value < 99.5 else f'{value:,.0f}'


def ratio(textbook, sinew):
    return f'{textbook / sinew:.1f}' if textbook and sinew else ''


def table(head, lines):
    rows = [head, ['---' if i == 0 else '---:' for i in range(len(head))], *lines]
    return '\n'.join('| ' + ' | '.join(str(cell) for cell in row) + ' |' for row in rows)


def machine_table(bench):
    m = bench.machine
    text = (f"{m['cpu']}, {m['ghz']:.2f} GHz, one core; {m['compiler']}; kernels: {m['simd']}. "
            f"At most {m['gflops']:.0f} GFLOP/s, by vectors of {m['vectorBytes']} bytes, and\n\n")
    return text + table(['', 'read GB/s', 'write GB/s'], [
        [name, f"{level['readGbs']:.0f}", f"{level['writeGbs']:.0f}"] for name, level in bench.levels.items()])


def crowd_lines(bench, stages):
    lines = []
    for row in bench.rows:
        if row['implementation'] != 'sinew' or row['unit'] != 'joint' or row['stage'] not in stages:
            continue
        names = (row['stage'], row['joints'], row['data'], row['characters'])
        if any(line[0] == names[:3] for line in lines):
            continue
        cells = [names[:3], row['stage'], row['joints'], row['data']]
        for characters in (1, 1000, 10000):
            sinew = bench.nanoseconds(*names[:3], characters)
            textbook = bench.nanoseconds(*names[:3], characters, implementation='textbook')
            cells += [number(sinew), ratio(textbook, sinew)]
        lines.append(cells)
    return [line[1:] for line in lines]


# What a newcomer wants to know: a whole frame of a character, by the data that it has.
SUMMARY = [('all', 60, 'every property of every joint moves'), ('game', 60, 'rotations move, as in most games'),
           ('sparse', 60, 'every channel has key times of its own'), ('hero', 72, 'models/hero.glb')]


def summary_times(bench, data, joints, characters):
    """Of Sinew and the textbook, µs for a character; None without a row."""
    times = [bench.nanoseconds('everything', joints, data, characters, implementation=side)
             for side in ('sinew', 'textbook')]
    return [time and time * joints / 1000 for time in times]


def summary_table(bench):
    lines = []
    for data, joints, meaning in SUMMARY:
        cells = [f'{joints} joints: {meaning}']
        for characters in (1, 1000, 10000):
            sinew, textbook = summary_times(bench, data, joints, characters)
            cells += [number(sinew), ratio(textbook, sinew)]
        lines.append(cells)
    return table(['µs for a character', 'alone', '×', 'of 1,000', '×', 'of 10,000', '×'], lines)


def bar(x, y, width, colour, label):
    return (f'<rect x="{x}" y="{y}" width="{max(width, 1):.1f}" height="18" fill="{colour}"/>'
            f'<text x="{x + width + 6:.1f}" y="{y + 14}">{label}</text>')


def picture(bench):
    """A bar for Sinew and one for the textbook, for each kind of data: the same bars as in the table, for 1,000."""
    rows = [(meaning, summary_times(bench, data, joints, 1000)) for data, joints, meaning in SUMMARY]
    rows = [(meaning, times) for meaning, times in rows if None not in times]
    scale = 420 / max(max(sides) for _, sides in rows)
    parts = []
    for i, (meaning, sides) in enumerate(rows):
        y = 44 + 56 * i
        parts += [f'<text x="290" y="{y + 24}" text-anchor="end">{meaning}</text>',
                  bar(300, y, sides[0] * scale, '#2f81f7', f'{number(sides[0])} µs'),
                  bar(300, y + 20, sides[1] * scale, '#8b949e', f'{number(sides[1])} µs')]
    height = 52 + 56 * len(rows)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 {height}" width="800" height="{height}" '
            'font-family="sans-serif" font-size="14" fill="#57606a">\n'
            f'<rect width="800" height="{height}" fill="#ffffff"/>\n'
            '<text x="300" y="26" fill="#2f81f7" font-weight="bold">Sinew</text>'
            '<text x="352" y="26">textbook: a frame of one character of 1,000</text>\n'
            + '\n'.join(parts) + '\n</svg>\n')


def joints_table(bench):
    return table(['stage', 'joints', 'data', '1 character', '×', '1,000', '×', '10,000', '×'],
                 crowd_lines(bench, ['everything', 'palettes', 'streamed', 'sample', 'blend', 'model', 'palette', 'upload', 'seek',
                                     'paused', 'backward']))


# The key formats of one clip: data, and its name in the table.
FORMATS = [('all', 'floats'), ('all-16', '16 bits'), ('all-compressed', 'compressed')]


def formats_table(bench):
    """Bytes of a clip, and ns a joint; × is the time divided by that of floats in the same run."""
    sizes = {size['data']: size['clipBytes'] for size in bench.memory
             if size['joints'] == 60 and size['implementation'] == 'sinew'}
    lines = []
    for stage in ('sample', 'blend', 'everything'):
        for data, name in FORMATS:
            cells = [stage, name, f'{sizes[data]:,}', f"{sizes['all'] / sizes[data]:.1f}"]
            for characters in (1, 1000, 10000):
                time = bench.nanoseconds(stage, 60, data, characters)
                floats = bench.nanoseconds(stage, 60, 'all', characters)
                cells += [number(time), f'{time / floats:.2f}' if time and floats else '']
            if any(cells[4:]):
                lines.append(cells)
    return table(['stage', 'keys', 'bytes of a clip', 'smaller, ×', '1 character', '×', '1,000', '×', '10,000', '×'],
                 lines)


def is_of_formats(bench):
    return all(row['data'] in [data for data, _ in FORMATS] for row in bench.rows)


def vertices_table(bench):
    lines = []
    for row in bench.rows:
        if row['implementation'] != 'sinew' or row['unit'] != 'vertex':
            continue
        textbook = bench.nanoseconds(row['stage'], row['joints'], row['data'], 1, implementation='textbook')
        lines.append([row['stage'], row['data'], number(row['medianNs']), ratio(textbook, row['medianNs'])])
    return table(['stage', 'vertices', 'ns', '×'], lines)


def floors_table(bench):
    lines = []
    for row in bench.rows:
        if 'floor' not in row:
            continue
        floor = row['floor']
        name = row['stage']
        if row['unit'] == 'vertex':
            name += f", {row['data']}"
        elif row['joints'] != 60:
            name += f", {row['joints']} joints"
        lines.append([name, f"{row['characters']:,}", f"{floor['operations']:g}", f"{floor['readBytes']:.0f}",
                      f"{floor['writtenBytes']:.0f}", number(floor['ns']), f"{floor['limit']} {floor['level']}".strip(),
                      number(row['medianNs']), ratio(row['medianNs'], floor['ns'])])
    return table(['stage', 'characters', 'operations', 'bytes read', 'written', 'floor, ns', 'set by', 'measured', '×'],
                 lines)


def five_table(bench):
    rows = [('sample one clip of 60 joints', 'sample', 60, 'all'),
            ('cross-fade two clips', 'blend', 60, 'all'),
            ('joint matrices (model and palette)', ('model', 'palette'), 60, 'all'),
            ('upload them', 'upload', 60, 'all')]
    lines = []
    for name, stages, joints, data in rows:
        stages = stages if isinstance(stages, tuple) else (stages,)
        times = [[bench.nanoseconds(stage, joints, data, 1, implementation=side) for stage in stages]
                 for side in ('sinew', 'textbook')]
        if any(None in side for side in times):
            continue
        sinew, textbook = (joints * sum(side) / 1000 for side in times)
        lines.append([name, number(sinew), number(textbook), ratio(textbook, sinew)])
    sides = [bench.nanoseconds('skin-normal', 60, '4-u16-float', 1, implementation=side)
             for side in ('sinew', 'textbook')]
    if None not in sides:
        lines.append(['skin 10,000 vertices on the CPU, with normals', *(number(10 * side) for side in sides),
                      ratio(sides[1], sides[0])])
    return table(['µs', 'Sinew', 'textbook', '×'], lines)


def memory_table(bench):
    return table(['joints', 'data', '', 'a clip', "a character's outputs", 'its state', 'of that an action'], [
        [size['joints'], size['data'], size['implementation'], f"{size['clipBytes']:,}", f"{size['outputBytes']:,}",
         f"{size['stateBytes']:,}", f"{size['actionBytes']:,}"] for size in bench.memory])


def files_table(bench):
    lines = []
    for row in bench.rows:
        if row['unit'] != 'MB' or row['stage'] != 'load':
            continue
        cold = bench.nanoseconds('read', row['joints'], row['data'], 1, implementation='system')
        speeds = [f'{1e9 / time:,.0f}' if time else '' for time in (row['medianNs'], cold)]
        lines.append([row['data'].replace('-', ' '), *speeds])
    return table(['file', 'load, MB/s', 'read from a cold disk, MB/s'], lines)


def budget_table(bench):
    m, budget = bench.machine, bench.budget
    text = (f"{m['cpu']}, {m['ghz']:.2f} GHz: {budget['ms']:g} ms are kept in {budget['kept']:,} of {budget['frames']:,} "
            f"frames ({100 * budget['kept'] / budget['frames']:.2f} %); a frame takes {budget['medianMs']:.2f} ms, the "
            f"median, and {budget['percentile99Ms']:.2f} ms in 99 % of\nthe frames; {budget['poses']:,.0f} characters are "
            'posed in a frame.\n\n')
    lines = []
    for i, distance in enumerate(budget['distances']):
        end = budget['distances'][i + 1]['nearest'] if i + 1 < len(budget['distances']) else None
        lines.append([f"{distance['nearest']:g} to {end:g}" if end else f"{distance['nearest']:g} and more",
                      f"{distance['framesPerPose']:.1f}", f"{100 * distance['meanErrorMetres']:.2f}",
                      f"{100 * distance['errorMetres']:.1f}", f"{distance['errorPixels']:.1f}"])
    return text + table(['distance, m', 'frames from pose to pose', 'mean error, cm', 'largest, cm', 'largest, pixels'],
                        lines)


def gpu_lines(bench):
    lines = {}
    for row in bench.rows:
        if 'draws' not in row:
            continue
        line = lines.setdefault(row['data'], {'bytes': row['bytes'], 'draws': row['draws'],
                                              'characters': row['characters']})
        line[row['stage']] = row['medianNs'] / 1000  # of one, in nanoseconds; of a thousand, in milliseconds
    return [[name, number(line.get('gpu-frame')), number(line.get('gpu-send')),
             f"{line['bytes'] * 1000 // line['characters']:,}", f"{line['draws'] * 1000 // line['characters']:,}"]
            for name, line in lines.items()]


def gpu_table(bench):
    m, gpu = bench.machine, bench.machine['gpu']
    text = (f"{gpu['renderer']}, OpenGL {gpu['version']}: {'software' if gpu['software'] else 'hardware'}; "
            f"{m['cpu']}, {m['ghz']:.2f} GHz.")
    pose = bench.nanoseconds('gpu-pose', 60, 'palettes', 1000)
    if pose:
        text += f' Posing 1,000 characters on one thread takes {number(pose / 1000)} ms.'
    text += ' For 1,000 characters:\n\n'
    text += table(['', 'a frame, ms', 'of that sending, ms', 'bytes', 'draws'], gpu_lines(bench))
    for missing in bench.missing:
        text += f"\n\nNot available, {missing['data']}: {missing['why']}"
    return text


def replace(page, name, text):
    pattern = re.compile(rf'(<!-- {name} -->\n).*?(<!-- end of {name} -->)', re.S)
    if not pattern.search(page):
        sys.exit(f'performance.py: the page has no table {name}')
    return pattern.sub(lambda found: f'{found[1]}\n{text}\n\n{found[2]}', page)


def main():
    if len(sys.argv) not in (3, 4, 5):
        sys.exit('usage: performance.py BENCH_JSON PAGE [COMPARISON [WEB]]')
    bench = Bench(load(sys.argv[1]))
    with open(sys.argv[2], encoding='utf-8') as file:
        page = file.read()
    tables = [('summary', summary_table), ('machine', machine_table), ('joints', joints_table),
              ('formats', formats_table), ('vertices', vertices_table), ('five', five_table),
              ('floors', floors_table), ('memory', memory_table), ('files', files_table)]
    if 'gpu' in bench.machine:
        tables = [('gpu', gpu_table)]
    elif is_of_formats(bench):
        tables = [('formats', formats_table)]
    elif bench.budget:
        tables = [('budget', budget_table)] if len(bench.rows) == 1 else [*tables, ('budget', budget_table)]
    for name, make in tables:
        page = replace(page, name, make(bench))
    for name, path in zip(('comparison', 'web'), sys.argv[3:]):
        with open(path, encoding='utf-8') as file:
            page = replace(page, name, '```text\n' + file.read().rstrip('\n') + '\n```')
    with open(sys.argv[2], 'w', encoding='utf-8') as file:
        file.write(page)
    if tables[0][0] == 'summary':
        Path(sys.argv[2]).parent.joinpath('images', 'performance.svg').write_text(picture(bench), encoding='utf-8')


if __name__ == '__main__':
    main()
