"""Writes what fromisoformat of the running CPython makes of strings of many shapes:

    python3 iso.py SEED COUNT > iso.tsv        one line for every shape (the table of the tests)
    python3 iso.py SEED COUNT all > FILE       one line for every string

and BOUNDPACK_ISO=FILE go test -run TestISO ./envelope holds the parser to FILE. A line is the
kind, the string as JSON, and the fields of the value, the UTC offset in microseconds last;
nothing for what is refused.
"""

import json
import random
import re
import sys
from datetime import date, datetime, time

r = random.Random(int(sys.argv[1]))


def digits(n):
    return "".join(r.choice("0123456789") for _ in range(n))


def number(low, high, width):
    """A number of width digits, out of range or of another width now and then."""
    x = r.random()
    if x < 0.9:
        return str(r.randint(low, high)).zfill(width)
    if x < 0.95:
        return str(r.choice([low, high, low - 1 if low else 99, high + 1])).zfill(width)
    return digits(r.choice([width - 1, width, width + 1]))


def a_date():
    year = r.choice([number(1, 9999, 4), r.choice("2020 2024 1900 2000 0001 9999 0000 2015 2021".split())])
    month, day = number(1, 12, 2), number(1, 31, 2)
    week, weekday = number(1, 53, 2), number(1, 7, 1)
    return r.choice(
        [f"{year}-{month}-{day}"] * 3
        + [year + month + day, f"{year}-W{week}", f"{year}W{week}", f"{year}-W{week}-{weekday}", f"{year}W{week}{weekday}"]
    )


def clock():
    separator = r.choice([":", ":", "", r.choice([":", "", "-", "."])])
    s, parts = number(0, 23, 2), r.randrange(4)
    if parts > 0:
        s += separator + number(0, 59, 2)
    if parts > 1:
        s += (separator if r.random() < 0.95 else r.choice([":", ""])) + number(0, 59, 2)
    if parts > 2:
        s += r.choice([".", ".", ",", "", ":"]) + digits(r.choice([0, 1, 2, 3, 4, 5, 6, 6, 6, 7, 9]))
    return s


def a_time():
    x = r.random()
    return clock() + ("" if x < 0.4 else "Z" if x < 0.5 else r.choice("+-") + clock())


def damaged(s):
    s = list(s)
    for _ in range(r.choice([1, 1, 2])):
        what, at = r.randrange(3), r.randrange(len(s) + 1)
        c = r.choice([*"0123456789-:+.,TWZ \x00", "é", "€", "😀"])
        if what == 0 and at < len(s):
            s[at] = c
        elif what == 1:
            s.insert(at, c)
        elif at < len(s):
            del s[at]
    return "".join(s)


def a_string(kind):
    if kind is date:
        s = a_date()
    elif kind is time:
        s = r.choice(["", "", "", "T"]) + a_time()
    else:
        s = a_date()
        if r.random() < 0.9:
            s += r.choice([*"TTT t-10W+", "é", "€", "😀", "\x00"]) + a_time()
    return damaged(s) if r.random() < 0.3 else s


def fields(v):
    if type(v) is date:
        return f"{v.year} {v.month} {v.day}"
    offset = v.utcoffset()
    zone = "naive" if offset is None else (offset.days * 86400 + offset.seconds) * 1000000 + offset.microseconds
    clock = f"{v.hour} {v.minute} {v.second} {v.microsecond} {zone}"
    return clock if type(v) is time else f"{v.year} {v.month} {v.day} {clock}"


shapes = set()
for _ in range(int(sys.argv[2])):
    kind = r.choice([datetime, datetime, date, time])
    s = a_string(kind)
    try:
        value = fields(kind.fromisoformat(s))
    except ValueError:
        value = ""
    shape = kind.__name__, re.sub("[0-9]", "0", s), bool(value)
    if "all" in sys.argv or shape not in shapes:
        shapes.add(shape)
        print(kind.__name__, json.dumps(s), value, sep="\t")
