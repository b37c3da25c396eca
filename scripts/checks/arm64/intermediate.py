# The atomic accesses of LLVM's intermediate language, and where in the sources each comes from.
#
# Each access gets a line number of its own, in place of its source's, under which the instructions that it becomes
# stand in the object file: lines survive what the compiler does to code behind the intermediate language.

import re

ORDERINGS = "unordered|monotonic|acquire|release|acq_rel|seq_cst"
# Lines that may hold an access; of a module with a million lines these are few.
MAYBE = re.compile(r" atomic | cmpxchg |= atomicrmw |^\s+fence | asm sideeffect \"\"")
SCOPE = r"(?:syncscope\(\"(?P<scope>[^\"]*)\"\) )?"
ACCESSES = [
    ("load", re.compile(rf"= load atomic (?:volatile )?(?P<type>[\w*]+), .* ?{SCOPE}(?P<ordering>{ORDERINGS}), align")),
    ("store", re.compile(rf"^\s+store atomic (?:volatile )?(?P<type>[\w*]+) .* ?{SCOPE}(?P<ordering>{ORDERINGS}), align")),
    ("update", re.compile(rf"= atomicrmw (?:volatile )?(?P<operation>\w+) ptr.*, (?P<type>[\w*]+) \S+ "
                          rf"{SCOPE}(?P<ordering>{ORDERINGS})(?:, align|,|$)")),
    ("compare", re.compile(rf"= cmpxchg (?:weak )?(?:volatile )?ptr.*, (?P<type>[\w*]+) \S+ {SCOPE}(?P<ordering>{ORDERINGS}) "
                           rf"(?P<failure>{ORDERINGS})(?:, align|,|$)")),
    ("fence", re.compile(rf"^\s+fence {SCOPE}(?P<ordering>{ORDERINGS})(?:,|$)")),
    ("barrier", re.compile(r"call [^\"]*asm sideeffect \"\", \"[^\"]*~\{memory\}")),
]
DEFINITION = re.compile(r"define .*?@(\"[^\"]+\"|[\w.$-]+)\(")
DEBUG = re.compile(r"!dbg !(\d+)")
UNIT = re.compile(r"!(\d+) = distinct !DICompileUnit\(.*?\bfile: !(\d+)")
NODE = re.compile(r"!(\d+) = (?:distinct )?!(DILocation|DISubprogram|DILexicalBlock|DILexicalBlockFile|DIFile)\((.*)\)$")
FIELD = {name: re.compile(rf"\b{name}: !?(\d+)") for name in ("line", "column", "scope", "inlinedAt", "file")}
NAME = {name: re.compile(rf"\b{name}: \"([^\"]*)\"") for name in ("name", "filename", "directory")}
PROCESSOR = re.compile(r' "(?:target-cpu|target-features|tune-cpu)"="[^"]*"')
# Accesses are numbered from here: no source has as many lines.
FIRST_NUMBER = 1_000_000
STRENGTH = {"unordered": 0, "monotonic": 0, "acquire": 1, "release": 1, "acq_rel": 2, "seq_cst": 3}


class Access:
    """One atomic access, fence or barrier of the compiler, as the compiler kept it."""

    def __init__(self, number, kind, match, function, frames):
        groups = match.groupdict()
        self.number = number
        self.kind = kind
        self.operation = groups.get("operation")
        self.ordering = groups.get("ordering") or "none"
        self.failure = groups.get("failure")
        self.type = groups.get("type")
        self.one_thread = groups.get("scope") == "singlethread"
        self.function = function
        # From the innermost inlined function outwards: (file, line, name of the function).
        self.frames = frames
        # A compare-exchange that fails has read with another ordering, by the same instructions.
        if self.failure and STRENGTH[self.failure] and self.ordering in ("monotonic", "release"):
            self.ordering = "acq_rel" if self.ordering == "release" else "acquire"

    def described(self):
        what = {"update": self.operation, "compare": "compare-exchange"}.get(self.kind, self.kind)
        return f"{what} {self.ordering}" + (f", {self.failure} if it fails" if self.failure else "")


def numbered(text, first, root):
    """The module with a line number for each of its accesses, from `first` on, and the accesses."""
    lines = text.splitlines()
    nodes = {int(node[1]): node[3] for line in lines if line.startswith("!") and (node := NODE.match(line))}
    last = max((int(line[1:line.index(" ")]) for line in lines if re.match(r"!\d+ = ", line)), default=0)
    unit = next((unit for line in lines if (unit := UNIT.match(line))), None)
    function, shared = "", None
    accesses, added = [], []

    def add(node):
        nonlocal last
        last += 1
        added.append(f"!{last} = {node}")
        return last

    for index, line in enumerate(lines):
        if line.startswith("!") and "DILocation(line: 0," in line:
            # Disassemblers show line 0 as the one before it.
            lines[index] = line.replace("DILocation(line: 0,", "DILocation(line: 1,")
        elif line.startswith("define "):
            function, shared = DEFINITION.match(line)[1].strip('"'), None
            if not DEBUG.search(line) and unit:
                # Code that functions share: it keeps the lines of one of them, but is no function to a debugger.
                kind = add("!DISubroutineType(types: null)")
                shared = add(f'distinct !DISubprogram(name: "shared", scope: !{unit[2]}, file: !{unit[2]}, line: 1, '
                             f"type: !{kind}, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !{unit[1]})")
                somewhere = add(f"!DILocation(line: 1, column: 0, scope: !{shared})")
                lines[index] = re.sub(r" \{$", f" !dbg !{shared} {{", line)
        elif line.startswith("attributes #"):
            lines[index] = PROCESSOR.sub("", line)
        elif line[:1] in " \t":
            found = access_in(line)
            place = DEBUG.search(line)
            location = nodes.get(int(place[1])) if place else None
            if shared:
                line = lines[index] = re.sub(r", !dbg !\d+", "", line)
                if " call " in line and not found:
                    lines[index] = f"{line}, !dbg !{somewhere}"
            if not found:
                continue
            number = first + len(accesses)
            accesses.append(Access(number, *found, function, frames_of(location, nodes, root)))
            if shared or location:
                inlined = not shared and FIELD["inlinedAt"].search(location)
                scope = shared or FIELD["scope"].search(location)[1]
                own = add(f"!DILocation(line: {number}, column: 0, scope: !{scope}"
                          + (f", inlinedAt: !{inlined[1]})" if inlined else ")"))
                lines[index] = f"{line}, !dbg !{own}" if shared else DEBUG.sub(f"!dbg !{own}", line, count=1)
    return "\n".join(lines + added) + "\n", accesses


def access_in(line):
    """The kind of access that a line is, and its parts; None if it is none."""
    if not MAYBE.search(line):
        return None
    found = next(((kind, match) for kind, pattern in ACCESSES if (match := pattern.search(line))), None)
    if not found and " asm sideeffect " not in line:
        raise ValueError(f"an atomic access that this script can't read: {line.strip()}")
    return found


def frames_of(location, nodes, root):
    """Where an access is, from the innermost inlined function outwards."""
    frames = []
    while location:
        line = int(FIELD["line"].search(location)[1])
        scope = nodes.get(int(FIELD["scope"].search(location)[1]), "")
        file = FIELD["file"].search(scope)
        described = nodes.get(int(file[1]), "") if file else ""
        path = NAME["filename"].search(described)
        path = path[1] if path else ""
        folder = NAME["directory"].search(described)
        if path and not path.startswith(("/", "<")) and folder and folder[1].startswith("/"):
            path = f"{folder[1]}/{path}"
        name = NAME["name"].search(scope)
        frames.append((path.removeprefix(root + "/"), line, name[1] if name else ""))
        outer = FIELD["inlinedAt"].search(location)
        location = nodes.get(int(outer[1])) if outer else None
    return frames
