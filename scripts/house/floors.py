# The floors of a room: its folders, of which none uses one above it, and which none can use in a circle.

import re

# Room -> its folders from the ground up. A room that is not here is only held to have no circle.
FLOORS = {
    "Gauge": ["Metrics", "Requests", "Probes", "Passes", "Authoring", "Launch"],
    "GaugeRunner": [
        "System", "Text", "Results", "Executables", "Packages", "Profiles", "Symbols", "Launches", "Conditions",
        "Comparison", "Histories", "Scaling", "Reports", "Exports", "CommandLine", "Steps", "Verbs",
    ],
}
# Rooms that have circles, and why.
WITH_CIRCLES = {
    "Weir": "the protocols name the types of their values, and these are made by the engine that runs the protocols",
    "WeirState": "the public types stand beside the engine's folder, and each names the other",
}

TYPE = re.compile(r"^(?:[@\w()]+[ ])*?(?:struct|class|enum|protocol|actor|typealias)[ ]+(\w+)", re.M)
FREE = re.compile(r"^(?:[@\w()]+[ ])*?(?:func|let|var)[ ]+(\w+)", re.M)
EXTENSION = re.compile(r"^(?:(?:public|package)[ ])?extension[ ]+(\w+)[^\n{]*\{", re.M)
MEMBER = re.compile(r"^  (?:[@\w()]+[ ])*?(?:func|let|var|struct|class|enum|typealias)[ ]+(\w+)", re.M)
DECLARED = re.compile(r"\b(?:func|let|var|case|struct|class|enum|protocol|actor|typealias|associatedtype|inout)[ ]+(\w+)")
PRIVATE = re.compile(r"\b(?:file)?private\b(?!\(set\))")
# Members that types of the standard library have, too: who calls one may mean that.
OF_THE_LIBRARY = {"merge"}
WORD = re.compile(r"\w+")


class Use:
    """That one folder uses another: by a name, in a place."""

    def __init__(self, source, offset, name, owner):
        self.source, self.offset, self.name, self.owner = source, offset, name, owner

    def report(self, report, text):
        report(self.source.path, self.source.line_of(self.offset), f"`{self.name}` of {self.owner.path}: {text}")


def check(sources, report):
    rooms = {}
    for source in sources:
        place = re.match(r"Sources/(\w+)/(?:([^/]+)/)?.*\.swift$", source.path)
        if place:
            rooms.setdefault(place[1], {}).setdefault(place[2] or ".", []).append(source)
    for room, folders in sorted(rooms.items()):
        if room in FLOORS:
            check_floors(room, folders, FLOORS[room], report)
        elif room not in WITH_CIRCLES:
            check_circles(folders, uses(room, folders), report)


def check_floors(room, folders, floors, report):
    for name in sorted(set(folders) - set(floors)):
        report(folders[name][0].path, 1, f"{name} has no floor: give it its place in scripts/house/floors.py")
    for (user, owner), use in uses(room, folders).items():
        if user in floors and owner in floors and floors.index(user) < floors.index(owner):
            use.report(report, f"{user} may not use {owner}, which is above it: move one of the two")


def check_circles(folders, uses, report):
    arrows = {name: {owner for user, owner in uses if user == name} for name in folders}
    for (user, owner), use in uses.items():
        if user in reachable(owner, arrows):
            use.report(report, f"{user} and {owner} use each other: move one of the two")


def reachable(name, arrows):
    reached, waiting = set(), [name]
    while waiting:
        for following in arrows[waiting.pop()] - reached:
            reached.add(following)
            waiting.append(following)
    return reached


def uses(room, folders):
    """Which folder uses which, with the first place: by types and free functions, and by what extensions add."""
    places = [(name, source) for name, members in sorted(folders.items()) for source in members]
    types, free, added, everywhere = {}, {}, {}, {}
    for name, source in places:
        for declared in DECLARED.finditer(source.code):
            everywhere.setdefault(declared[1], set()).add(name)
        for pattern, table in ((TYPE, types), (FREE, free)):
            for declared in pattern.finditer(source.code):
                if not PRIVATE.search(declared[0]):
                    table.setdefault(declared[1], []).append((name, source))
    for name, source in places:
        for extension in EXTENSION.finditer(source.code):
            owners = {folder for folder, _ in types.get(extension[1], [])}
            if name in owners:
                continue
            end = source.code.find("\n}", extension.end())
            for member in MEMBER.finditer(source.code[extension.end():end]):
                # One that has its name with another folder's is told from that by its type alone, which is not known here.
                if member[1] in OF_THE_LIBRARY or PRIVATE.search(member[0]):
                    continue
                if everywhere[member[1]] == {name}:
                    added[member[1]] = (name, source)
    found = {}
    for name, source in places:
        own = {declared[1] for declared in DECLARED.finditer(source.code)}
        for word in WORD.finditer(source.code):
            before = source.code[:word.start()][-40:].rstrip()
            owners = []
            if not before.endswith(".") or before.endswith(f"{room}."):
                owners = types.get(word[0], [])
                if not owners and not source.code.startswith(":", word.end()):
                    owners = free.get(word[0], [])
            elif word[0] in added:
                owners = [added[word[0]]]
            if word[0] in own and not before.endswith(f"{room}."):
                continue
            for owner, declaration in owners:
                if owner != name and (name, owner) not in found:
                    found[name, owner] = Use(source, word.start(), word[0], declaration)
    return found
