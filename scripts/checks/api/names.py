# The tables of names in the modules' documentation: which names have a row, and which tests the rows name.

import pathlib
import re

TOKEN = re.compile(r"`([^`]+)`")
PART = re.compile(r"\.?(?:\w+|[-+*/<>=!&|^~%]+)")


class Row:
    """One row: the names in its first cell, the tests in its last."""

    def __init__(self, path, number, cells):
        self.place = f"{path}:{number}"
        # `ManagedState.withLock(_:)` names a member, and `.withLock(_:)` behind the name of a type does, too.
        self.names, owner = set(), None
        for token in TOKEN.findall(cells[0]):
            name = "".join(PART.findall(re.sub(r"\(.*|<.*|^[@$]", "", token)))
            if name.startswith("."):
                name = (owner or "") + name
            elif re.match(r"[A-Z]", name):
                owner = name.split(".")[0]
            self.names.add(name)
        self.tests = []
        suite = None
        for token in TOKEN.findall(cells[-1]):
            # A suite alone means all its tests; in `SomeTests/one`, `two` it stands for what is behind it.
            if "/" in token or token.endswith("Tests"):
                suite = token.split("/")[0]
                self.tests.append(token)
            else:
                self.tests.append(f"{suite}/{token}")


def rows(root):
    """The rows of all tables whose last column is the test."""
    for path in sorted(pathlib.Path(root, "Sources").glob("*/*.docc/Names.md")):
        inside = False
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
            if cells[-1:] == ["Test"]:
                inside = True
            elif not cells:
                inside = False
            elif inside and not set(cells[0]) <= set("-: "):
                yield Row(path.relative_to(root), number, cells)


def name_of(key, owner):
    """What a row calls a declaration: members by their type, those of `Publisher` by themselves; what makes a type or
    compares it has no row of its own."""
    path = key[1].removeprefix("Publishers.")
    last = path.split(".")[-1]
    if key[0] == "subscript":
        return owner + ".subscript"
    if last in ("init", "init?") or re.match(r"\W", last):
        return path.removesuffix("." + last)
    return last if owner == "Publisher" else path
