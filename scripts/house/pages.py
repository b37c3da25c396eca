# Pages that lead through the sources: the files and the declarations that they name are there.
#
# On such a page, code type that ends with `.swift` is a file below Sources. Code type that is a name behind it, in the same
# paragraph or point of a list, is declared in that file; with parentheses it is a function with these labels.

import re

PAGES = ["Sources/Gauge/Gauge.docc/FromRunToCSV.md"]

SPAN = re.compile(r"`([^`\n]+)`")
NAME = re.compile(r"\w+(\((?:\w+:)*\))?$")
START_OF_POINT = re.compile(r"\s*(?:[-*]|\d+\.)\s|#|\s*$")
DECLARATION = r"\b(?:func|let|var|case|struct|class|enum|protocol|actor|typealias)\s+{}\b"
FUNCTION = r"\bfunc\s+{}\b[^(\n]*\("
INITIALISER = r"\b{}[?!]?\("


def check(sources, report):
    known = {source.path: source for source in sources}
    for page in PAGES:
        if page in known:
            check_page(known[page], known, report)
        elif any(path.startswith(page.rsplit("/", 1)[0] + "/") for path in known):
            report(page, 1, "the page is missing: write it, or take it out of scripts/house/pages.py")


def check_page(page, known, report):
    file = None
    for number, line in enumerate(page.lines, 1):
        if START_OF_POINT.match(line):
            file = None
        for span in SPAN.finditer(line):
            if span[1].endswith(".swift"):
                file = known.get("Sources/" + span[1])
                if file is None:
                    report(page.path, number, f"there is no file Sources/{span[1]}")
            elif file and NAME.match(span[1]) and not declares(file, span[1]):
                report(page.path, number, f"{file.path} declares no `{span[1]}`")


def declares(file, name):
    """Whether a file declares a name, or a function with these labels."""
    base, _, labels = name.partition("(")
    if not labels:
        return re.search(DECLARATION.format(base), file.code)
    functions = re.finditer((INITIALISER if base == "init" else FUNCTION).format(base), file.code)
    return any(labels_of(file.code, function.end()) == labels[:-1] for function in functions)


def labels_of(code, start):
    """The labels of the parameters from behind an opening parenthesis on: `_:into:`."""
    parameters, depth, before = [""], 0, ""
    for character in code[start:]:
        if character in "([{<":
            depth += 1
        elif character in ")]}" or character == ">" and before != "-":
            if depth == 0:
                break
            depth -= 1
        if character == "," and depth == 0:
            parameters.append("")
        else:
            parameters[-1] += character
        before = character
    return "".join(parameter.split()[0].rstrip(":") + ":" for parameter in parameters if parameter.strip())
