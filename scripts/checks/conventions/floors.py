# The floors of a module: which folder inside a module may name what other folders declare.
#
# Swift has no imports inside a module, so this is read from the sources: a file may name types, free functions, and
# members that an extension adds, of its own floor and of those below. As the floors are in a row, no two folders can
# build on each other. Of modules without floors the folders may not build on each other in a circle.

import re

# Folder -> the folders in it, from the ground up.
FLOORS = {
    "Sources/Gauge": ["Metrics", "Requests", "Probes", "Passes", "Authoring", "Launch"],
    "Sources/GaugeRunner": [
        "System", "Text", "Live", "Results", "Executables", "Packages", "Profiles", "Symbols", "Launches", "Conditions",
        "Comparison", "Histories", "Scaling", "Reports", "Exports", "CommandLine", "Steps", "Verbs"],
    "Sources/Weir": [
        "Values", "Protocols", "Schedulers", "Engine", "Erasure", "Subscribers", "Subjects", "Origins", "Operators",
        "Observation", "Concurrency", "Inspection"],
    "Sources/WeirState": ["Shared", "Turns", "Storage", "Tokens", "Bindings", "States"],
    "Sources/Weir/Engine": [
        "Shared", "Ends", "Serial", "Origins", "OneToOne", "SeveralIntoOne", "OneAfterAnother", "InTime", "OneToMany",
        "Inspection"],
    "Sources/WeirExtras": [
        "Schedulers", "Lifetime", "Async", "Operators", "Subjects", "Metrics", "Debugging", "Context", "Patterns",
        "Inspection"],
}
# Members that types of the standard library have, too: who calls one may mean that.
OF_THE_LIBRARY = {"merge"}
# Types that only hold others.
NAMESPACES = ("Publishers", "Subscribers")

DECLARATION = re.compile(
    r"\b(class|struct|enum|protocol|actor|typealias|associatedtype|extension|func|var|let)\s+(`?[A-Za-z_][\w.]*`?)"
    r"|[{}]")
TYPES = ("class", "struct", "enum", "protocol", "actor", "typealias")
GENERIC = re.compile(
    r"\b(?:func\s+[^\s(<]+|init[?!]?|subscript|(?:class|struct|enum|actor|typealias|protocol)\s+\w+)\s*<")
NAME = re.compile(r"(?<![\w.])(?:(%s)\.)?([A-Z]\w*)" % "|".join(NAMESPACES))
MEMBER = re.compile(r"(?<![\w])[A-Za-z_]\w*")


class File:
    """What a file declares, and what it may mean by its own names."""

    def __init__(self, source):
        self.source = source
        self.types = set()     # that other files may name, those of namespaces with the namespace
        self.own = set()       # names that mean something else here: nested types and generic parameters
        self.members = set()   # names of functions and properties
        self.free = set()      # functions and variables outside of types that other files may name
        self.extended = {}     # type -> members that an extension of it adds here, which users don't see
        self.read(source.code)
        self.members |= set(re.findall(r"\bcase\s+(\w+)", source.code))
        for found in GENERIC.finditer(source.code):
            self.own |= set(parameters(source.code, found.end()))

    def read(self, code):
        scopes, pending = [], None
        for found in DECLARATION.finditer(code):
            if found[0] == "{":
                scopes.append(pending)
                pending = None
            elif found[0] == "}":
                if scopes:
                    scopes.pop()
            else:
                kind, name = found[1], found[2].strip("`")
                line = code[code.rfind("\n", 0, found.start()) + 1:found.start()]
                pending = self.note(kind, name, line, scopes) or pending

    def note(self, kind, name, line, scopes):
        """Takes a declaration; returns the scope that it opens, if it does."""
        hidden = re.search(r"\b(private|fileprivate)\b", line) is not None
        if kind in TYPES or kind == "associatedtype":
            if name in ("func", "var", "let", "subscript", "init"):
                return None  # of a class
            around = [scope for scope in scopes if scope]
            if not scopes and kind != "associatedtype":
                if not hidden:
                    self.types.add(name)
            elif len(scopes) == 1 and scopes[0] == ("extension", around[0][1]) and around[0][1] in NAMESPACES:
                self.types.add(around[0][1] + "." + name)
            else:
                self.own.add(name)
            return None if kind in ("typealias", "associatedtype") else (kind, name)
        if kind == "extension":
            return (kind, name)
        if "." not in name:
            self.members.add(name)
            if not scopes and not hidden:
                self.free.add(name)
            if len(scopes) == 1 and scopes[0] and scopes[0][0] == "extension" and not hidden and "public" not in line:
                self.extended.setdefault(scopes[0][1], set()).add(name)
        return None


def parameters(code, start):
    """The names of generic parameters, from behind the `<` on."""
    depth, names, expected = 1, [], True
    for found in re.finditer(r"[<>,(){}]|->|\b[A-Za-z]\w*", code[start:start + 2000]):
        text = found[0]
        if text in "<(":
            depth += 1
        elif text in ">)":
            depth -= 1
            if depth == 0:
                return names
        elif text in "{}":
            return names
        elif text == ",":
            expected = depth == 1
        elif expected and text != "->":
            if text not in ("each", "let"):
                names.append(text)
                expected = False
    return names


def read_floors(sources, root, floors):
    """The Swift files of a module by floor, and those that have none."""
    files, strays = {floor: [] for floor in floors}, []
    for source in sources:
        if not source.path.startswith(root + "/") or not source.path.endswith(".swift"):
            continue
        folder, _, rest = source.path[len(root) + 1:].partition("/")
        if rest and folder in files:
            files[folder].append(File(source))
        else:
            strays.append(source)
    return files, strays


def uses(files, floors):
    """Who names what of which other floor: (source, offset, name, floor, other floor)."""
    declared, added, known, free = {}, {}, {}, {}
    for floor in floors:
        for file in files[floor]:
            for name in file.types:
                declared.setdefault(name, floor)
            for name in file.members:
                known.setdefault(name, floor)  # the lowest floor that has such a member
            for name in file.free:
                free.setdefault(name, floor)
    for floor in floors:
        for file in files[floor]:
            for extended, members in file.extended.items():
                if extended in declared and floors.index(declared[extended]) < floors.index(floor):
                    for name in members - OF_THE_LIBRARY:
                        if known[name] == floor:
                            added.setdefault(name, floor)
    for floor in floors:
        for file in files[floor]:
            for found in NAME.finditer(file.source.code):
                name = found[2] if not found[1] else found[1] + "." + found[2]
                other = declared.get(name)
                if other and other != floor and (found[1] or name not in file.own):
                    yield file.source, found.start(), name, floor, other
            for found in MEMBER.finditer(file.source.code):
                is_member = file.source.code.endswith(".", 0, found.start())
                if found[0] in file.members:
                    continue
                other = added.get(found[0])
                # Before a colon it is a label.
                if other is None and not is_member and not file.source.code.startswith(":", found.end()):
                    other = free.get(found[0])
                if other and floors.index(other) > floors.index(floor):
                    yield file.source, found.start(), found[0], floor, other


def builds_on(sources, root):
    """Folder -> the other folders whose types it names."""
    floors = FLOORS[root]
    files, _ = read_floors(sources, root, floors)
    edges = {floor: set() for floor in floors if files[floor]}
    for _, _, _, floor, other in uses(files, floors):
        edges[floor].add(other)
    return edges


def check_circles(sources, report):
    """Of a module without floors: which folders build on each other."""
    for root in sorted({"/".join(source.path.split("/")[:2]) for source in sources if source.path.startswith("Sources/")}):
        folders = sorted({
            source.path.split("/")[2] for source in sources
            if source.path.startswith(root + "/") and source.path.endswith(".swift") and source.path.count("/") > 2})
        if root in FLOORS or len(folders) < 2:
            continue
        files, _ = read_floors(sources, root, folders)
        found = list(uses(files, folders))
        arrows = {folder: {other for *_, floor, other in found if floor == folder} for folder in folders}
        told = set()
        for source, offset, name, floor, other in found:
            if floor in reachable(other, arrows) and (floor, other) not in told:
                told.add((floor, other))
                report(source.path, source.line_of(offset), f"{floor} and {other} use each other, here by {name}: move one")


def reachable(folder, arrows):
    reached, waiting = set(), [folder]
    while waiting:
        for following in arrows[waiting.pop()] - reached:
            reached.add(following)
            waiting.append(following)
    return reached


def check(sources, report):
    check_circles(sources, report)
    for root, floors in FLOORS.items():
        files, strays = read_floors(sources, root, floors)
        for source in strays:
            report(source.path, 1, f"is on no floor of {root}: move it into {', '.join(floors)}, or give its folder a "
                   "place in scripts/checks/conventions/floors.py")
        for source, offset, name, floor, other in uses(files, floors):
            if floors.index(other) > floors.index(floor):
                report(source.path, source.line_of(offset),
                       f"{floor} may not name {name} of {other}, which is above it: move what needs it up, or it down")
