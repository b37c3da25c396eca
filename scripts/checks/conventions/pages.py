# Pages about the code: what they say of files, folders, types and functions is there.
#
# In a row of a table or a point of a list that names files, every other word in code voice is in one of these: a
# function, given with its labels, is declared there, any other word occurs. Elsewhere, files that a page names exist.

import re

import floors

MAP = "Sources/Weir/Engine/README.md"
PAGES = (MAP, "Sources/Weir/Weir.docc/TheWayOfAValue.md", "Sources/Gauge/Gauge.docc/FromRunToCSV.md")
# Each source file of these is in the map.
MAPPED = ("Sources/Weir/Operators/", "Sources/Weir/Origins/", "Sources/Weir/Subjects/", "Sources/WeirExtras/Operators/")

POINT = re.compile(r"\s*(?:[-*]|\d+\.)\s")
CODE = re.compile(r"`([^`\n]+)`")
FUNCTION = re.compile(r"(?:[\w.]+\.)?(\w+)\(([\w:]*)\)$")
DECLARED = re.compile(r"\bfunc\s+`?(\w+)`?|\b(init)\b[?!]?(?=\s*[<(])")


def check(sources, report):
    swift = [source for source in sources if source.path.endswith(".swift") and source.path.startswith("Sources/")]
    paths = {source.path for source in sources}
    for path in PAGES:
        if path != MAP and path not in paths and any(other.startswith(path.rsplit("/", 1)[0] + "/") for other in paths):
            report(path, 1, "the page is missing: write it, or take it out of scripts/checks/conventions/pages.py")
    for page in sources:
        if page.path not in PAGES:
            continue
        for block in blocks(page):
            check_block(page, block, swift, report)
        if page.path == MAP:
            check_folders(page, sources, report)
            for source in swift:
                if source.path.startswith(MAPPED) and not re.search(
                        r"[`/]%s`" % re.escape(source.path.rsplit("/", 1)[1]), page.text):
                    report(source.path, 1, f"is not on the map: give it a row in {MAP}")


def blocks(page):
    """The page's rows of tables, points of lists and other lines, each with the numbers of its lines; no code."""
    found, fenced, point = [], False, False
    for number, line in enumerate(page.lines, 1):
        if line.startswith("```"):
            fenced, point = not fenced, False
        elif not fenced:
            begins = POINT.match(line) is not None
            if point and not begins and line.strip() and line[0] == " ":
                found[-1].append((number, line))
            else:
                found.append([(number, line)])
                point = begins
    return found


def check_block(page, block, swift, report):
    words = [(number, word) for number, line in block for word in CODE.findall(line)]
    files = []
    for number, word in words:
        if word.endswith(".swift"):
            found = [source for source in swift if ("/" + source.path).endswith("/" + word)]
            if len(found) != 1:
                report(page.path, number, f"there {f'are {len(found)} files' if found else 'is no file'} {word}")
            files += found
    is_row = block[0][1].startswith("|")
    if not files or not is_row and not POINT.match(block[0][1]):
        return
    for number, word in words:
        function = FUNCTION.match(word)
        if word.endswith((".swift", "/")) or not is_row and not function and not re.fullmatch(r"\w+", word):
            continue
        if function and not any((function[1], function[2]) in declarations(source) for source in files):
            report(page.path, number, f"no function {function[1]}({function[2]}) in {names(files)}")
        for part in re.findall(r"[A-Za-z_]\w*", word.split("(")[0] if function else word):
            if not any(re.search(r"\b%s\b" % part, source.code) for source in files):
                report(page.path, number, f"no {part} in {names(files)}")


def names(files):
    return ", ".join(source.path.rsplit("/", 1)[1] for source in files)


def declarations(source):
    """The functions and initialisers of a file, each with its labels."""
    if not hasattr(source, "declared"):
        source.declared = {
            (found[1] or found[2], labels(source.code, found.end())) for found in DECLARED.finditer(source.code)}
    return source.declared


def labels(code, at):
    """The labels of the parameters behind a function's name, as in `receive(_:from:)`."""
    angles = 0
    while at < len(code) and (angles or code[at] != "("):
        angles += {"<": 1, ">": -1}.get(code[at], 0)
        at += 1
    result, depth, fresh = "", 0, True
    while at < len(code):
        character = code[at]
        if character in "([{<":
            depth += 1
        elif character in ")]}" or character == ">" and code[at - 1] != "-":
            depth -= 1
            if depth == 0:
                return result
        elif character == "," and depth == 1:
            fresh = True
        elif fresh and depth == 1 and (character.isalpha() or character == "_"):
            label = re.compile(r"\w+").match(code, at)[0]
            result, fresh = result + label + ":", False
            at += len(label) - 1
        at += 1
    return result


def check_folders(page, sources, report):
    """The table of folders says what each names."""
    for root in floors.FLOORS:
        if not page.path.startswith(root + "/") or page.path.count("/") != root.count("/") + 1:
            continue
        actual = floors.builds_on(sources, root)
        rows = {}
        for number, line in enumerate(page.lines, 1):
            row = re.match(r"\| `(\w+)/` \|.*\|(.*)\|$", line)
            if row:
                rows[row[1]] = (number, set(re.findall(r"`(\w+)/`", row[2])))
        for folder, others in actual.items():
            number, said = rows.pop(folder, (1, None))
            if said is None:
                report(page.path, 1, f"the folder {folder} is not in the table of folders")
            elif said != others:
                report(page.path, number,
                       f"{folder} names types of {', '.join(sorted(others)) or 'no other folder'}: say so")
        for folder, (number, _) in rows.items():
            report(page.path, number, f"there is no folder {folder}")
