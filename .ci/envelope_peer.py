#!/usr/bin/python3
"""Exchanges CacheKit envelopes with boundpack, both ways.

An independent writer and reader, on other people's MessagePack, LZ4 and XXH3:

    apt-get install -y python3-msgpack python3-lz4 python3-xxhash
    /usr/bin/python3 .ci/envelope_peer.py [BOUNDPACK]

BOUNDPACK is the command; without it, it is built. What this writes, `boundpack open` must
print again, in every layout and size; what it damages, must be refused with nothing
printed. What `boundpack seal` writes, this must read, byte for byte what was sealed and in
the layout that CacheKit writes. Exits with 1 at the first difference.
"""

import os
import random
import struct
import subprocess
import sys
import tempfile

import lz4.block
import msgpack
import xxhash

SIZES = [0, 1, 2, 14, 15, 16, 40, 64, 127, 128, 254, 255, 256, 300, 1000, 4096, 65535, 65536, 65537, 300000, 3 << 20]


def run(command, *args, stdin):
    done = subprocess.run([command, *args], input=stdin, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def payloads(r):
    for size in SIZES:
        yield "noise", r.randbytes(size)
        yield "zeros", bytes(size)
        yield "words", b"".join(r.choice([b"cache", b"kit ", b"envelope ", b"payload "]) for _ in range(size // 4 + 1))[:size]


def checksum(payload):
    return xxhash.xxh3_64(payload).digest()


def compress(payload, how):
    options = [{}, {"mode": "high_compression"}, {"mode": "fast", "acceleration": 8}][how % 3]
    return lz4.block.compress(payload, store_size=False, **options)


def ints(data):
    return [*data]


def bin32(data):
    return b"\xc6" + struct.pack(">I", len(data)) + data


def array32(items):
    return b"\xdd" + struct.pack(">I", len(items)) + b"".join(b"\xd1" + struct.pack(">h", i) for i in items)


NAMES = ["compressed_data", "checksum", "original_size", "format"]


def layouts(block, total, size, name):
    """Every layout that is read, with its name."""
    pack = msgpack.Packer(use_bin_type=True).pack
    values = [block, ints(total), size, name]
    yield "bin", pack(values)
    yield "ints", pack([ints(block), ints(total), size, name])
    yield "map", pack(dict(zip(NAMES, values)))
    yield "map of ints", pack({"compressed_data": ints(block), "checksum": ints(total), "original_size": size, "format": name})
    yield "map, reversed", pack(dict(reversed(list(zip(NAMES, values)))))
    yield "map, bin keys", pack({k.encode(): v for k, v in zip(NAMES, values)})
    yield "map by index", pack(dict(enumerate(values)))
    deep = None
    for _ in range(98):
        deep = [deep]
    yield "map, unknown keys", pack({"x": deep, b"y": {"a": [1, 2.5, None]}, **dict(zip(NAMES, values)), 7: True})
    yield "bin checksum", pack([block, total, size, name])
    yield "bin checksum, longer", pack([block, total + b"more", size, name])
    yield "bin format", pack([block, ints(total), size, name.encode()])
    yield "trailing bytes", pack(values) + b"\xc1\xff"
    yield "wide", b"\xdc\x00\x04" + bin32(block) + array32(total) + b"\xcf" + struct.pack(">Q", size) + b"\xdb" + struct.pack(">I", len(name)) + name.encode()
    if len(block) < 100000:
        yield "wide ints", b"\xdd\x00\x00\x00\x04" + array32(block) + array32(total) + b"\xd3" + struct.pack(">q", size) + pack(name)


def read(envelope):
    """Reads what CacheKit writes, and nothing else."""
    fields = msgpack.unpackb(envelope, raw=False)
    block, total, size, name = fields
    assert type(block) is bytes and type(total) is list and type(size) is int and type(name) is str
    assert envelope == msgpack.packb(fields, use_bin_type=True), "not the shortest encoding"
    payload = b"" if size == 0 and block == b"\x00" else lz4.block.decompress(block, uncompressed_size=size)
    assert len(payload) == size and bytes(total) == checksum(payload)
    return payload, name


def check(ok, *what):
    if not ok:
        sys.exit("FAILED: " + ", ".join(map(str, what)))


def exchange(boundpack):
    r = random.Random(1)
    opened = refused = sealed = 0
    for number, (kind, payload) in enumerate(payloads(r)):
        block = compress(payload, number)
        for layout, envelope in layouts(block, checksum(payload), len(payload), r.choice(["msgpack", "json", "", "é" * 20])):
            what = layout, kind, len(payload)
            code, out, err = run(boundpack, "open", stdin=envelope)
            check((code, out, err) == (0, payload, ""), *what, code, err)
            opened += 1
            if number % 7 == 0 and not layout.startswith("trailing"):
                cut = envelope[: r.randrange(len(envelope))]
                code, out, err = run(boundpack, "open", stdin=cut)
                check((code, out) == (1, b"") and err, "cut", *what, code, len(out))
                refused += 1
        for total, size in [(checksum(payload + b"x"), len(payload)), (checksum(payload), len(payload) + 1), (checksum(payload), len(payload) + (1 << 32))]:
            code, out, err = run(boundpack, "open", stdin=next(layouts(block, total, size, "msgpack"))[1])
            check((code, out) == (1, b"") and err, "wrong", kind, len(payload), code, len(out))
            refused += 1
        for name in ["msgpack", "json", "x" * 300]:
            code, out, err = run(boundpack, "seal", "--format", name, stdin=payload)
            check(code == 0 and err == "", "seal", kind, len(payload), code, err)
            try:
                check(read(out) == (payload, name), "read", kind, len(payload))
            except Exception as e:  # whatever the libraries raise is a difference
                check(False, "read", kind, len(payload), repr(e))
            sealed += 1
    print(f"ok: {opened} envelopes opened, {refused} refused, {sealed} sealed and read")


def main():
    if len(sys.argv) > 1:
        exchange(sys.argv[1])
        return
    with tempfile.TemporaryDirectory() as folder:
        command = os.path.join(folder, "boundpack")
        root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
        subprocess.run(["go", "build", "-o", command, "./cmd/boundpack"], cwd=root, check=True)
        exchange(command)


if __name__ == "__main__":
    main()
