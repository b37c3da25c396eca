# Declarations in one form, whether the list writes them or the compiler's symbol graph.
#
# What is compared: where a declaration stands, its kind and name, the labels, types and defaults of its parameters,
# what it returns, `async` and `throws`; of types the names of their generic parameters, and what they conform to. What
# is not: other names of generic parameters, constraints, attributes, whether a property can be set, which type of error
# is thrown, and qualifiers of types (`Output` is the same as `Upstream.Output`). Declarations that differ only in those
# are counted.

import re

KINDS = "func|init|var|let|case|subscript|typealias|associatedtype|struct|class|actor|enum|protocol|extension"
HEAD = re.compile(r"(?:static )?(?:" + KINDS + r")\b")
TYPES = ("struct", "class", "enum", "protocol")
OPERATOR = r"[-+*/<>=!&|^~%]+"
# Inside these, another name stands for the same type.
ALIASES = {"Optional.Publisher": {"Wrapped": "Output"}, "Result.Publisher": {"Success": "Output"}}
SELF_TYPES = re.compile(r"\b(?:Optional<Wrapped>|Result<Success, Failure>)\.Publisher\.(?=(?:Output|Failure)\b)")
CODABLE = {"Codable": ("Encodable", "Decodable")}


class Unreadable(Exception):
    """A declaration in a form that this file does not know."""


def read(text, owner=None):
    """The declaration in `text` as a tuple to compare, and the names of what it conforms to.

    `owner` is the dotted name of the type that it stands in; a line of the list names it itself,
    `[Owner where ...] text`, and one that names none belongs to `Publisher` if it is a member.
    """
    context = re.match(r"\[([\w.]+)[^\]]*\] *", text)
    if context:
        owner, text = context[1], text[context.end():]
    text = text.replace("->", "\u2192").replace("`", "")
    head = HEAD.search(re.sub(r"@\w+(\([^)]*\))?", lambda found: " " * len(found[0]), text))
    if not head:
        raise Unreadable(text)
    word = head[0].split()[-1]
    rest = text[head.end():].strip()
    if word == "extension" or word in TYPES:
        return _type(word, rest, owner)
    owner = owner or "Publisher"
    static = "static " if head[0].startswith("static") else ""
    if word in ("func", "init", "subscript"):
        return _callable(static + word, rest, owner)
    return _value(static + {"let": "var"}.get(word, word), rest, owner)


def _type(word, rest, owner):
    name = re.match(r"[\w.]+", rest)
    if not name:
        raise Unreadable(rest)
    path = name[0] if owner is None or "." in name[0] else f"{owner}.{name[0]}"
    rest = rest[name.end():].lstrip()
    generics, rest = _generics(rest)
    conformances = []
    if rest.startswith(":"):
        listed = re.split(r"\bwhere\b", rest[1:])[0]
        for protocol in _split(listed):
            protocol = protocol.split(".")[-1]
            if protocol == "AnyObject":
                continue  # the symbol graph does not say
            conformances += CODABLE.get(protocol, (protocol,))
    if word == "extension":
        return None, path, conformances
    return (word, path, ",".join(generics)), path, conformances


def _callable(word, rest, owner):
    name = "init"
    if word.endswith("func"):
        found = re.match(r"(?:" + OPERATOR + r"(?= *\()|\w+)", rest)
        if not found:
            raise Unreadable(rest)
        name, rest = found[0], rest[found.end():].lstrip()
    elif rest.startswith("?"):
        name, rest = "init?", rest[1:].lstrip()
    generics, rest = _generics(rest)
    inside, rest = _balanced(rest, "(", ")")
    effects = re.match(r"[^\u2192]*", re.split(r"\bwhere\b|\{", rest)[0])[0]
    effects = re.sub(r"\bthrows\([^)]*\)", "throws", effects).split()
    result = re.search(r"\u2192(.*)", re.split(r"\bwhere\b|\{", rest)[0])
    renamed = {name: f"${place}" for place, name in enumerate(generics)}
    parameters = tuple(_parameter(part, owner, renamed) for part in _split(inside))
    returned = _normal(result[1], owner, renamed) if result else ""
    effect = "".join(word[0] for word in sorted(effects) if word in ("async", "throws", "rethrows"))
    return (word, f"{owner}.{name}", parameters, effect, "" if returned == "Void" else returned), owner, []


def _value(word, rest, owner):
    name = re.match(r"\w+", rest)
    if not name:
        raise Unreadable(rest)
    rest = rest[name.end():].strip()
    accessors = ""
    if "{" in rest:
        rest, accessors = rest.split("{", 1)
    effect = "".join(word[0] for word in ("async", "throws") if re.search(rf"\b{word}\b", accessors))
    if word.endswith("case"):
        inside = _balanced(rest, "(", ")")[0] if rest.startswith("(") else ""
        kind = tuple(_normal(part.split(":")[-1], owner, {}) for part in _split(inside))
    elif word in ("typealias", "associatedtype"):
        kind = _normal(rest[1:], owner, {}) if rest.startswith("=") and word == "typealias" else ""
    else:
        kind = _normal(re.split(r"(?<![=<>])=", rest.lstrip(":"))[0], owner, {})
    return (word, f"{owner}.{name[0]}", kind, effect), owner, []


def _parameter(part, owner, renamed):
    label, _, kind = part.partition(":")
    kind, default, _ = kind.partition("=")
    words = label.split()
    return f"{words[0] if words else ''}:{_normal(kind, owner, renamed)}{'=' if default else ''}"


def _normal(kind, owner, renamed):
    kind = SELF_TYPES.sub("", kind)
    for part in owner.split("."):
        # What is nested in the type itself: `Future<Output, Failure>.Promise`; but `Optional<Bool>.Publisher` is
        # another type.
        if part not in ("Optional", "Result"):
            kind = re.sub(rf"\b{part}<[^<>]*>\.", "", kind)
    kind = re.sub(r"@\w+(\([^)]*\))?|\b(?:any|some|nonsending|consuming|borrowing|__owned)\b", " ", kind)
    kind = re.sub(r"(?<![\w>])(?:[A-Za-z_]\w*\.)+(?=[A-Za-z_])", "", kind)
    names = {"Self": owner.split(".")[-1], **ALIASES.get(owner, {}), **renamed}
    kind = re.sub(r"[A-Za-z_]\w*", lambda found: names.get(found[0], found[0]), kind)
    kind = re.sub(r"\bOptional<(\$?\w+)>(?!\.)", r"\1?", kind)
    return _unwrapped(re.sub(r"\s+", "", kind))


def _unwrapped(kind):
    """A function type without parentheses around all of it, and `(P)?`, for `(any P)?`, without those."""
    kind = re.sub(r"\((\w+)\)\?", r"\1?", kind)
    while kind.startswith("(") and "\u2192" in kind:
        inside, rest = _balanced(kind, "(", ")")
        if rest or len(_split(inside)) != 1:
            break
        kind = inside
    return kind


def _generics(text):
    """The names of the generic parameters at the start of `text`, and what follows them."""
    if not text.startswith("<"):
        return [], text
    inside, rest = _balanced(text, "<", ">")
    return [re.sub(r"\beach\b", "", part).split(":")[0].strip() for part in _split(inside)], rest.lstrip()


def _balanced(text, opening, closing):
    """The inside of the brackets at the start of `text`, and what follows them."""
    if not text.startswith(opening):
        raise Unreadable(text)
    depth = 0
    for at, character in enumerate(text):
        depth += {opening: 1, closing: -1}.get(character, 0)
        if depth == 0:
            return text[1:at], text[at + 1:].strip()
    raise Unreadable(text)


def _split(text):
    """The parts of a list that commas outside of brackets separate."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(text):
        depth += {"(": 1, "[": 1, "<": 1, ")": -1, "]": -1, ">": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    last = text[start:].strip()
    return parts + [last] if last else parts
