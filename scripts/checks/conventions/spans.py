# Where functions begin and end in code whose comments and literals are blanked out, and which code is shipped.

import re

FUNCTION = re.compile(r"\b(?:func\s+(\w+)|(?<![.\w])(init)\??)\s*(?:<[^(){}]*>)?\(")
PROPERTY = re.compile(r"\b(?:var\s+(\w+)\s*:[^={}\n]*|(deinit)\s*)\{")
C_FUNCTION = re.compile(r"\b(?!(?:if|for|while|switch)\b)(\w+)\(((?:[^(){};]|\([^(){};]*\))*)\)\s*\{")
CONDITION = re.compile(r"^[ \t]*#(if|elseif|else|endif)\b(.*)$", re.MULTILINE)


def shipped(code):
    """Swift code without what only the explorer's builds have: accesses there are the explorer's own."""
    hidden, stack, since = [], [], None
    for match in CONDITION.finditer(code):
        kind, condition = match[1], match[2].strip()
        if kind == "if":
            stack.append({"WEIR_EXPLORER": True, "!WEIR_EXPLORER": False}.get(condition))
        elif stack and kind in ("else", "elseif"):
            stack[-1] = None if stack[-1] is None else kind == "else" and not stack[-1]
        elif stack:
            stack.pop()
        hides = True in stack
        if hides and since is None:
            since = match.end()
        elif not hides and since is not None:
            hidden.append((since, match.start()))
            since = None
    if since is not None:
        hidden.append((since, len(code)))
    for start, end in hidden:
        code = code[:start] + re.sub(r"[^\n]", " ", code[start:end]) + code[end:]
    return code


def functions(code):
    """Bodies of functions and properties of Swift: (begin, what they belong to, end, `#function` there)."""
    spans = []
    for match in FUNCTION.finditer(code):
        closing = closed(code, match.end(), "()")
        opening = code.find("{", closing)
        if opening >= 0:
            name = match[1] or match[2]
            name += "(" + labels(code[match.end():closing - 1]) + ")"
            spans.append((opening, match.start(), closed(code, opening + 1, "{}"), name))
    for match in PROPERTY.finditer(code):
        spans.append((match.end() - 1, match.start(), closed(code, match.end(), "{}"), match[1] or match[2]))
    return spans


def functions_of_c(code):
    """Bodies of functions of C, likewise."""
    return [(match.end() - 1, match.start(), closed(code, match.end(), "{}"), match[1])
            for match in C_FUNCTION.finditer(code)]


def labels(parameters):
    depth, names, start = 0, [], 0
    parameters = parameters.replace("->", "  ")
    for at, character in enumerate(parameters + ","):
        depth += {"(": 1, "[": 1, "<": 1, "{": 1, ")": -1, "]": -1, ">": -1, "}": -1}.get(character, 0)
        if character == "," and depth == 0:
            label = re.match(r"\s*(\w+)", parameters[start:at])
            names.append(label[1] + ":" if label else "")
            start = at + 1
    return "".join(names)


def closed(code, start, pair):
    """The place behind what closes a parenthesis or brace whose inside begins at `start`."""
    depth = 1
    for match in re.compile("[" + re.escape(pair) + "]").finditer(code, start):
        depth += 1 if match[0] == pair[0] else -1
        if depth == 0:
            return match.end()
    return len(code)
