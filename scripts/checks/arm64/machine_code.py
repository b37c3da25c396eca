# Instructions as `llvm-objdump -d -l -r` lists them, each with the number that its line stands for.

import re
import subprocess

FUNCTION = re.compile(r"[0-9a-f]+ <(.*)>:$")
PLACE = re.compile(r"; .*:(\d+)$")
INSTRUCTION = re.compile(r"\s+[0-9a-f]+:\s+([a-z][\w.]*)\s*(.*)$")
RELOCATION = re.compile(r"\s+[0-9a-f]+:\s+R_AARCH64_(?:CALL26|JUMP26)\s+(\S+)")


class Instruction:
    """One instruction."""

    def __init__(self, name, operands="", callee=None):
        self.name = name
        self.operands = operands
        self.callee = callee

    def __str__(self):
        return f"{self.name} {self.callee or self.operands}".strip()


def disassembled(objdump, path):
    """The instructions of an object file: (function, line, instruction), with line 0 where there is none."""
    listing = subprocess.run(
        [objdump, "-d", "-l", "-r", "--no-show-raw-insn", path], capture_output=True, text=True)
    if listing.returncode != 0:
        raise OSError(f"llvm-objdump can't read {path}: {listing.stderr.strip()}")
    return parsed(listing.stdout)


def parsed(text):
    """The instructions of a listing."""
    found = []
    function, line = "", 0
    for row in text.splitlines():
        if row.startswith("; "):
            place = PLACE.match(row)
            if place:
                line = int(place[1])
        elif place := RELOCATION.match(row):
            if found:
                found[-1][2].callee = place[1]
        elif place := INSTRUCTION.match(row):
            found.append((function, line, Instruction(place[1], place[2])))
        elif place := FUNCTION.match(row):
            function, line = place[1], 0
    return found
