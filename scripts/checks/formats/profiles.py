# Hostile names in profiles: writes a benchmark whose functions have them, and reads back what gauge has made of its
# stacks. profiles.py write NAMES FOLDER; profiles.py read NAMES FOLDER, with the files that
# scripts/checks/check-formats has made; profiles.py page NAMES FILE,
# with the flame graph's page as a browser has made it.

import gzip
import json
import pathlib
import re
import struct
import sys

import hostile

BASE = 0x400000
TEXT_PLACE, SIZE = 4096, 16


def functions_of(names):
    """Names that a symbol can have, as they are shown: without what stands behind an at sign, which is a version."""
    found = []
    for name in names:
        shown = name.split("@")[0]
        if shown and "\0" not in name and shown not in found:
            found.append(shown)
    return found


def title_of(names):
    """The benchmark: a name that a list of benchmarks can have."""
    return names[0] + "!"


def program(functions):
    """An executable in ELF's form that has nothing but symbols."""
    strings, symbols = b"\0", bytes(24)
    for number, name in enumerate(functions):
        symbols += struct.pack("<IBBHQQ", len(strings), 0x12, 0, 1, BASE + TEXT_PLACE + SIZE * number, SIZE)
        strings += name.encode() + b"\0"
    code = bytes(SIZE * len(functions))
    names = b"\0.text\0.strtab\0.symtab\0.shstrtab\0"
    parts = [(1, 1, code, 0), (7, 3, strings, 0), (15, 2, symbols, 2), (23, 3, names, 0)]
    body, headers = bytes(TEXT_PLACE - 120), bytes(64)
    for name, kind, content, link in parts:
        body += bytes(-len(body) % 8)
        offset = 120 + len(body)
        headers += struct.pack("<IIQQQQIIQQ", name, kind, 2, BASE + offset, offset, len(content), link, 0, 8, 0)
        body += content
    body += bytes(-len(body) % 8)
    head = b"\x7fELF\x02\x01\x01" + bytes(9)
    head += struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, 120 + len(body), 0, 64, 56, 1, 64, len(parts) + 1, 4)
    segment = struct.pack("<IIQQQQQQ", 1, 5, 0, BASE, BASE, 120 + len(body), 120 + len(body), 4096)
    return head + segment + body + headers


def stacks(functions, path):
    """A file of samples, one in each function."""
    def text(content):
        return content + bytes(-len(content) % 8)

    records = []
    for number in range(len(functions)):
        registers = [0] * 16 + [BASE + TEXT_PLACE + SIZE * number]
        record = [7, 0, 1, 1_000_000, 17, *registers, 16, 0, 0]
        records += [len(record) + 1, *record]
    mapped = f"{BASE:x}-{BASE + 0x100000:x} r-xp 00000000 08:01 12    {path}".encode()
    head = [0x504D415345475547, 1, 62, 1, 1_000_000, 0, 0, 0, 0, 0, 0, 0, len(mapped), 0, 0, 0]
    return struct.pack("<16Q", *head) + text(mapped) + struct.pack(f"<{len(records) + 1}Q", len(records), *records)


SCRIPT = """#!/bin/sh
if [ "$1" = list ]; then cat "${0%/*}/list"; exit; fi
while [ $# -gt 1 ]; do if [ "$1" = --file ]; then cp "${0%/*}/stacks" "$2"; fi; shift; done
printf 'gauge-launch\\t1\\nmetric\\tprofiled_operations\\t1\\tneither\\tsampled\\t10\\t1\\t1\\ndone\\n' >&3
"""


def write(names, folder):
    folder.mkdir(parents=True)
    functions = functions_of(names)
    (folder / "program").write_bytes(program(functions))
    (folder / "stacks").write_bytes(stacks(functions, folder / "program"))
    (folder / "list").write_text(f"benchmark\t{title_of(names)}\t\ttime\n", encoding="utf-8")
    (folder / "benchmarks").write_text(SCRIPT)
    (folder / "benchmarks").chmod(0o755)


def file_of(folder, ending):
    files = list(folder.glob("*.cpu." + ending))
    hostile.expect(len(files) == 1, f"{len(files)} profiles end with {ending}")
    return files[0]


def compare(found, wanted):
    missing, added = set(wanted) - set(found), set(found) - set(wanted)
    hostile.expect(not missing and not added, f"missing: {sorted(missing)[:3]}, added: {sorted(added)[:3]}")
    hostile.expect(len(found) == len(set(found)), "a name is there twice")


def inert(name):
    """A name as a file of text has it: no service that reads a log takes it for a command."""
    name = re.sub(r"^(\s*:)(?=:)", "\\1\u200b", name)
    return re.sub(r"#(?=#[A-Za-z]*\[)", "#\u200b", name)


def check_folded(folder, names):
    functions = functions_of(names)
    text = file_of(folder, "folded").read_text(encoding="utf-8")
    found = []
    for line in text.split("\n")[:-1]:
        stack, weight = line.rsplit(" ", 1)
        root, leaf = stack.split(";")
        hostile.expect(int(weight) > 0 and root == title_of(names), f"{line!r}")
        found.append(leaf)
    # Several names that are not printable may look alike.
    plain = {inert(name).replace(";", ":") for name in functions if name.isprintable()}
    hostile.expect(len(text.split("\n")) == len(text.splitlines()) + 1, "a line ends within a name")
    hostile.expect(plain <= set(found), f"missing: {sorted(plain - set(found))[:3]}")
    hostile.expect(len(found) <= len(functions), "there are more stacks than names")


def check_speedscope(folder, names):
    document = json.loads(file_of(folder, "speedscope.json").read_text(encoding="utf-8"))
    compare([frame["name"] for frame in document["shared"]["frames"]], functions_of(names) + [title_of(names)])
    hostile.expect(len(document["profiles"][0]["samples"]) == len(functions_of(names)), "another number of stacks")


def check_pprof(folder, names):
    import pprof

    message = pprof.message()
    message.ParseFromString(gzip.decompress(file_of(folder, "pb.gz").read_bytes()))
    strings = message.string_table
    compare([strings[function.name] for function in message.function], functions_of(names) + [title_of(names)])
    hostile.expect(len(message.sample) == len(functions_of(names)), "another number of stacks")


class Titles(hostile.Elements):
    def __init__(self):
        super().__init__()
        self.titles = []

    def handle_starttag(self, tag, attributes):
        super().handle_starttag(tag, attributes)
        self.titles += [value for name, value in attributes if name == "title" and tag == "div"]


def read_page(path, names, is_drawn):
    page = Titles()
    page.feed(path.read_text(encoding="utf-8"))
    known = hostile.KNOWN_TAGS | set("header main select option noscript".split())
    hostile.expect(page.tags <= known, f"elements {page.tags - known}")
    handlers = {name for name in page.attributes if name.startswith("on") or name in ("src", "action", "srcdoc")}
    hostile.expect(not handlers, f"attributes {handlers}")
    if is_drawn:
        for name in functions_of(names):
            shown = f"{name} (program)\n"
            if name.isprintable():
                hostile.expect(any(title.startswith(shown) for title in page.titles), f"{name!r} is no frame as it was")
        hostile.expect(len(page.titles) == len(functions_of(names)) + 2, f"{len(page.titles)} frames")


def check_page(folder, names):
    read_page(file_of(folder, "html"), names, False)


def main():
    names = hostile.names_of(sys.argv[2])
    path = pathlib.Path(sys.argv[3])
    if sys.argv[1] == "write":
        write(names, path)
        return 0
    if sys.argv[1] == "page":
        read_page(path, names, True)
        return 0
    failures = 0
    for name, check in [(name[len("check_"):], check) for name, check in globals().items() if name.startswith("check_")]:
        try:
            check(path, names)
            print(f"ok      {len(functions_of(names))} hostile names of functions in {name}")
        except Exception as error:  # a parser's own complaint, of whatever type
            failures += 1
            print(f"FAILED  hostile names of functions in {name}: {type(error).__name__}: {str(error)[:300]}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
