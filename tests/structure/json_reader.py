# SPDX-License-Identifier: MIT
"""Compares the JSON reader of src/json with Python's json module: json_reader.py DUMP SCRATCH_FOLDER SHARE FOLDER...

DUMP is tests/support/json_dump. Structure, strings and the 64 bits of every number must be equal, for the JSON text of
every .gltf, .glb and .json file below the folders, and for generated texts: numbers at rounding boundaries, escapes,
surrogates, depth, duplicate keys, and texts that are damaged in one byte. SHARE, up to 1, is the part of the random
texts, and of the files but for the first folder's.
"""
import json
import os
import random
import re
import struct
import subprocess
import sys
from fractions import Fraction

MAX_DEPTH = 256  # SINEWI_JSON_MAX_DEPTH
SHARE = float(sys.argv[3])


# ---- The other reader ----------------------------------------------------------------------------------------------


def refuse(word):
    raise ValueError(word)  # NaN and Infinity, which Python accepts


def number_token(text):
    # float() rounds correctly; integers and fractions alike become doubles, and overflow becomes an infinity.
    return "d%016x " % struct.unpack("<Q", struct.pack("<d", float(text)))[0]


def string_token(text):
    # The reader replaces U+0000 and unpaired surrogates by U+FFFD.
    text = re.sub("[\x00\ud800-\udfff]", "\ufffd", text)
    return "s" + text.encode().hex() + " "


class Number(str):
    pass


def tokens(value, out):
    if isinstance(value, Number):
        out.append(number_token(value))
    elif isinstance(value, str):
        out.append(string_token(value))
    elif value is None or value is True or value is False:
        out.append({None: "n ", True: "t ", False: "f "}[value])
    elif isinstance(value, Pairs):
        out.append("{")
        for key, member in value.pairs:
            out.append(string_token(key))
            tokens(member, out)
        out.append("}")
    else:
        out.append("[")
        for element in value:
            tokens(element, out)
        out.append("]")


class Pairs:  # members in order, duplicate keys included
    def __init__(self, pairs):
        self.pairs = pairs


def depth_of(value):
    if isinstance(value, Pairs):
        children = [member for _, member in value.pairs]
    elif isinstance(value, list):
        children = value
    else:
        return 0
    return 1 + max(map(depth_of, children)) if children else 0  # an empty container needs no level


def expected(text):
    try:
        value = json.loads(text.decode("utf-8", "surrogateescape"), parse_float=Number, parse_int=Number,
                           parse_constant=refuse, object_pairs_hook=Pairs)
    except (ValueError, RecursionError):
        return "invalid"
    if not isinstance(value, (list, Pairs)) or depth_of(value) > MAX_DEPTH:
        return "invalid"  # the reader takes arrays and objects only
    out = []
    tokens(value, out)
    return "".join(out)


# ---- Texts ---------------------------------------------------------------------------------------------------------


def text_of_file(path):
    data = open(path, "rb").read()
    if data[:4] == b"glTF" and len(data) >= 20:
        return data[20:20 + struct.unpack("<I", data[12:16])[0]]
    return data


def decimal(fraction):
    """The exact decimal digits of a binary fraction."""
    exponent = fraction.denominator.bit_length() - 1
    digits = str(fraction.numerator * 5 ** exponent)
    sign, digits = ("-", digits[1:]) if digits[0] == "-" else ("", digits)
    return f"{sign}{digits}e{-exponent}"


def double(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def numbers(rng):
    yield from ["0", "-0", "0.0", "-0.0e5", "1", "1e0", "1E+00", "9007199254740993", "9007199254740992.9999999",
                "1e22", "1e23", "123456789012345", "1234567890123456", "0.1", "0.30000000000000004", "1e308",
                "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "1e309", "-1e400",
                "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "1e-400", "2.2250738585072014e-308",
                "2.2250738585072011e-308", "1e99999999999999999999", "-1e-99999999999999999999", "0e99999999999",
                "0." + "0" * 400 + "1", "1" + "0" * 400, "1" + "0" * 300 + ".5e-300", "9" * 800, "0." + "9" * 800]
    for _ in range(int(3000 * SHARE)):
        bits = rng.getrandbits(63)
        if bits >= 0x7fefffffffffffff:
            continue
        low, high = Fraction(double(bits)), Fraction(double(bits + 1))
        middle = (low + high) / 2  # the boundary between two doubles, exactly, and numbers just above and below it
        digits, exponent = decimal(middle).split("e")
        yield f"{digits}e{exponent}"
        yield f"{digits}.{'0' * rng.randrange(40)}1e{exponent}"
        yield f"{int(digits) - 1}.{'9' * rng.randrange(1, 40)}e{exponent}"
        yield repr(double(bits))
        yield "%.17g" % -double(bits)
    for _ in range(int(3000 * SHARE)):  # as exporters write them
        yield "%.*g" % (rng.randrange(1, 20), rng.uniform(-1, 1) * 10.0 ** rng.randrange(-12, 12))
        yield "%.*f" % (rng.randrange(0, 25), rng.uniform(-1000, 1000))
        yield str(rng.getrandbits(rng.randrange(1, 70)))


def strings(rng):
    pieces = ["a", "\\u0000", "\\ud800", "\\udc00", "\\ud83d\\ude00", "\\udbff\\udfff", "\\uD800\\u0041", "\\ud800\\ud800\\udc00",
              "\\\\", "\\\"", "\\/", "\\b\\f\\n\\r\\t", "\\u00e9", "\\uFFFF", "\\u007f", "é", "\u07ff", "\u0800",
              "\uffff", "\U0001f600", "\U0010ffff", "\x7f", "{", "]", ",", ":", " "]
    for _ in range(int(2000 * SHARE)):
        yield '"' + "".join(rng.choice(pieces) for _ in range(rng.randrange(12))) + '"'


def generated(rng):
    yield from (f"[{number}]" for number in numbers(rng))
    yield from (f"[{string}]" for string in strings(rng))
    yield from (f"{{{string}:1,{string}:{string}}}" for string in strings(rng))
    yield '{"a":1,"a":2,"b":{"a":[],"a":{}}}'
    for depth in range(MAX_DEPTH - 3, MAX_DEPTH + 4):
        yield "[" * depth + "]" * depth
        yield "[" * depth + "1" + "]" * depth
        yield '{"a":' * depth + "{}" + "}" * depth
        yield '[{"a":' * (depth // 2) + "[]" + "}]" * (depth // 2)


def damaged(rng, texts):
    marks = b'{}[]",:\\0123456789eE+-.ntfu \t\r\n\x00\x1f/\'a'
    for text in texts:
        for _ in range(max(1, int(60 * SHARE))):
            at = rng.randrange(len(text) + 1)
            kind = rng.randrange(3)
            put = bytes([marks[rng.randrange(len(marks))]]) if kind < 2 else b""
            yield text[:at] + put + text[at + (kind > 0):]


# ---- The comparison ------------------------------------------------------------------------------------------------


def is_utf8(text):
    try:
        text.decode()
        return True
    except UnicodeDecodeError:
        return False


def compare(dump, names, texts):
    out = subprocess.run([dump, *names], capture_output=True, check=True).stdout.decode().split("\n")[:-1]
    if len(out) != len(names):
        sys.exit(f"json_dump printed {len(out)} lines for {len(names)} texts")
    faults = 0
    for name, text, line in zip(names, texts, out):
        if expected(text) == line:
            continue
        faults += 1
        print(f"{name}: {text[:120]!r}: src/json reads {line[:200]}, Python {expected(text)[:200]}")
    return faults


def json_files(top):
    return sorted(os.path.join(folder, name) for folder, _, names in os.walk(top) for name in names
                  if name.endswith((".gltf", ".glb", ".json")))


def main():
    dump, scratch, _, own, *others = sys.argv[1:]
    sys.setrecursionlimit(5000)
    rng = random.Random(7)
    files = json_files(own)
    for folder in others:
        files += json_files(folder)[::round(1 / SHARE)]
    # The callers of the reader skip a byte order mark. Other texts than UTF-8 are tested below.
    file_texts = [(path, text_of_file(path)) for path in files]
    file_texts = [(path, text) for path, text in file_texts if is_utf8(text) and text[:3] != b"\xef\xbb\xbf"]
    faults = 0
    for i in range(0, len(file_texts), 200):
        part = file_texts[i:i + 200]
        faults += compare(dump, [path for path, _ in part], [text for _, text in part])

    made = [text.encode() for text in generated(rng)]
    small = [text for _, text in file_texts if 0 < len(text) < 4000]
    made += damaged(rng, small + made[-200:])
    os.makedirs(scratch, exist_ok=True)
    for i in range(0, len(made), 500):
        part = made[i:i + 500]
        names = [os.path.join(scratch, f"{k}.json") for k in range(len(part))]
        for name, text in zip(names, part):
            with open(name, "wb") as file:
                file.write(text)
        faults += compare(dump, names, part)
    print(f"{len(file_texts)} files and {len(made)} generated texts, {faults} differences")
    if len(file_texts) < 20 or len(made) < 10000 * SHARE:
        sys.exit("too few texts: this test reads the wrong folders")
    sys.exit(faults > 0)


main()
