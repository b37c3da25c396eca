# The rules that look at one source file at a time, or at the list of files. Each reports what it refuses.

import os
import re
import subprocess

UNSAFE_FOLDERS = (
    "Sources/Weir/Engine/", "Sources/WeirQueues/", "Sources/WeirVerify/Machine/", "Sources/Gauge/Probes/",
    "Sources/GaugeRecorder/Machine/", "Sources/GaugeRunner/System/", "Tests/")
UNSAFE = re.compile(
    r"\bnonisolated\s*\(\s*unsafe\s*\)|\w*[uU]nsafe\w*|\bUnmanaged\b|\bimport\s+(?:\w+\s+)?Synchronization\b"
    r"|\bAtomic\s*<|@unchecked\b")
# `@unchecked Sendable` outside of these: what Combine's type promises, and no field can show; and what a subclass of
# Foundation's `Operation` has to repeat.
UNCHECKED = {
    "Sources/Weir/Erasure/AnyCancellable.swift", "Sources/Weir/Origins/Future.swift",
    "Sources/WeirFoundation/OperationQueue+Scheduler.swift"}
# What a benchmark's hand-written limit may use as its readers would.
MUTEX = re.compile(r"import\s+struct\s+Synchronization\.Mutex\b")
ATOMICS = "Sources/WeirQueues/Atomics.swift"
STORE = re.compile(r"\.\s*store\s*\(")
EMITTED = re.compile(r"@inlinable\b(?:\s+@\w+(?:\([^)]*\))?)*\s+(?:@\w+\s+)*public\b")
STREAM_EXTENSION = re.compile(r"^extension (?:Any)?Publisher\b[^{]*\{", re.MULTILINE)
PUBLIC_MEMBER = re.compile(r"\bpublic\b[^\n={}]*?\b(?:func|var)\s+(\w+)")
ASYNCHRONOUS = re.compile(r"\basync\b|\bAsync[A-Z]\w*")
KEPT = re.compile(r"\b(?:keep|keeps|kept)\b", re.IGNORECASE)
ASSERTION = re.compile(r"#expect\b|#require\b|\bexpect\w*\s*[(<{]")
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:home|root|work|Users)/\w")
UNFINISHED = re.compile(r"\b(?:TO[D]O|FIX[M]E)\b")

LONGEST = 500
WIDEST = 120
CODE_ENDINGS = (".swift", ".c", ".h", ".py", ".bash", ".sh")
SWIFT_OR_C = (".swift", ".c", ".h")
CODE_FOLDERS = ("Sources/", "Tests/", "Benchmarks/", "Plugins/")


def is_script(source):
    return bool(source.lines) and re.match(r"#!.*\b(ba|da|z|k)?sh\b", source.lines[0]) is not None


def is_code(source):
    return source.path.endswith(SWIFT_OR_C) and source.path.startswith(CODE_FOLDERS)


def tests(sources, report):
    paths = {source.path for source in sources}
    for source in sources:
        place = re.match(r"Sources/(\w+)/((?:.*/)?)([^/]+)\.swift$", source.path)
        if not place or place[3] == "main":
            continue
        if source.head_says("No test file"):
            continue
        code = [line.strip() for line in source.code.splitlines() if line.strip()]
        if code and all(re.match(r"@_exported\b.*\bimport\b|#(if|elseif|else|endif)\b", line) for line in code):
            continue
        file = f"Tests/{place[1]}Tests/{place[2]}{place[3]}Tests.swift"
        if file not in paths:
            report(source.path, 1, f"no test file: write {file}, or say why not in `// No test file: <reason>`")


def assertions(sources, report):
    for source in sources:
        if not re.match(r"Tests/\w+Tests/.*\.swift$", source.path):
            continue
        if not source.path.endswith("Tests.swift") and not re.search(r"@Test\b", source.code):
            continue
        if not ASSERTION.search(source.code):
            report(source.path, 1, "asserts nothing: use #expect or #require")


def unsafe(sources, report):
    for source in sources:
        if not source.path.endswith(".swift") or source.path.startswith(UNSAFE_FOLDERS):
            continue
        for found in UNSAFE.finditer(source.code):
            if found[0] == "unsafe" and re.search(r"\bfunc[ \t]+$", source.code[:found.start()]):
                continue  # a method of that name marks nothing: what it does is what counts
            if found[0] == "@unchecked" and source.path in UNCHECKED:
                continue
            if found[0] == "unsafeFlags" and source.path == "Package.swift":
                continue  # the rule `arrows` looks at what a package that depends on this one gets of it
            if source.path.startswith("Benchmarks/") and MUTEX.match(source.code, found.start()):
                continue
            word = " ".join(found[0].split())
            report(source.path, source.line_of(found.start()),
                   f"`{word}` has no place here: use a type of {', '.join(UNSAFE_FOLDERS[:-1])} or extend one")


def stores(sources, report):
    for source in sources:
        if not source.path.endswith(".swift") or source.path == ATOMICS:
            continue
        for found in STORE.finditer(source.code):
            if re.search(r"\bordering\s*:", arguments(source.code, found.end())):
                report(source.path, source.line_of(found.start()),
                       f"a bare atomic store may publish a value before it is retained: use {ATOMICS}")


def emitted(sources, report):
    for source in sources:
        if not source.path.endswith(".swift") or not source.path.startswith("Sources/Weir/"):
            continue
        if source.path.startswith("Sources/Weir/Engine/"):
            continue
        for found in EMITTED.finditer(source.code):
            if "inline(never)" in found[0]:
                continue  # what is rare may stay a call
            report(source.path, source.line_of(found.start()),
                   "`@inlinable` compiles a copy into Weir that nobody calls: write `@_alwaysEmitIntoClient`")


def keeping(sources, report):
    for source in sources:
        if not source.path.startswith("Sources/") or not source.path.endswith(".swift"):
            continue
        for extension in STREAM_EXTENSION.finditer(source.code):
            end = source.code.find("\n}", extension.end())
            for member in PUBLIC_MEMBER.finditer(source.code, extension.end(), end):
                line = source.line_of(member.start())
                if ASYNCHRONOUS.search(signature(source.code, member.end())) and not KEPT.search(comment(source, line)):
                    report(source.path, line,
                           f"`{member[1]}` does not say what it keeps of the values that come while tasks are busy")


def signature(code, start):
    """What stands between a declaration's name and its body."""
    depth = 0
    for at in range(start, len(code)):
        depth += {"(": 1, ")": -1}.get(code[at], 0)
        if depth == 0 and code[at] == "{":
            return code[start:at]
    return code[start:]


def comment(source, line):
    """The documentation of what is declared on a line, attributes between the two or not."""
    at = line - 2
    while at >= 0 and source.lines[at].lstrip().startswith("@"):
        at -= 1
    lines = []
    while at >= 0 and source.lines[at].lstrip().startswith("///"):
        lines.append(source.lines[at])
        at -= 1
    return "\n".join(lines)


def arguments(code, start):
    """The text from behind an opening parenthesis to the one that closes it."""
    depth = 1
    for at in range(start, len(code)):
        depth += {"(": 1, ")": -1}.get(code[at], 0)
        if depth == 0:
            return code[start:at]
    return code[start:]


def sentence(sources, report):
    for source in sources:
        first = 0
        if source.path == "Package.swift":
            if not source.text.startswith("// swift-tools-version:"):
                report(source.path, 1, "open with the `// swift-tools-version:` line")
                continue
            first = 1
        elif not is_code(source):
            continue
        comment = []
        for line in source.lines[first:]:
            if not re.match(r"// \S", line):
                break
            comment.append(line[3:])
        text = " ".join(comment)
        if len(text.split()) < 3 or not re.search(r"[.:?)](\s|$)", text) or re.match(r"(MARK|swiftlint)\b", text):
            report(source.path, first + 1, "open with one `//` sentence that says what this file is")


def length(sources, report):
    for source in sources:
        code = source.path.endswith(CODE_ENDINGS) or is_script(source)
        if code and len(source.lines) > LONGEST and not source.head_says("Long file"):
            report(source.path, LONGEST + 1,
                   f"{len(source.lines)} lines: split it, or say why not in `Long file: <reason>` in its first lines")


def columns(sources, report):
    for source in sources:
        if not source.path.endswith(SWIFT_OR_C):
            continue
        code = source.code.splitlines()
        for number, line in enumerate(source.lines, 1):
            # Code is the formatter's.
            if len(line) > WIDEST and line.lstrip().startswith("//") and not code[number - 1].strip():
                report(source.path, number, f"a comment of {len(line)} columns: wrap it at {WIDEST}")


def words(sources, report):
    for source in sources:
        for number, line in enumerate(source.lines, 1):
            if MACHINE_PATH.search(line):
                report(source.path, number, "names a path of one machine: use a path relative to the repository")
            if UNFINISHED.search(line):
                report(source.path, number, "marks unfinished work: finish it, or put it into the tracker")


def shell(sources, report):
    for source in sources:
        if not is_script(source):
            if source.path.endswith((".bash", ".sh")):
                parse(source, report)
            continue
        if not parse(source, report):
            continue
        head = []
        for line in source.lines[1:]:
            if not line.startswith("#"):
                break
            head.append(line)
        if not any(line.startswith("# Usage:") for line in head):
            report(source.path, 1, "has no `# Usage:` in its head")
        if "set -euo pipefail" not in source.lines:
            report(source.path, 1, "must stop at errors: add `set -euo pipefail`")
        if not os.access(source.path, os.X_OK):
            report(source.path, 1, "is not executable: chmod +x")


def parse(source, report):
    """Has bash parse a script; returns whether it does."""
    parsed = subprocess.run(["bash", "-n", source.path], capture_output=True, text=True)
    if parsed.returncode == 0:
        return True
    line = re.search(r": line (\d+): (.*)", parsed.stderr)
    report(source.path, int(line[1]) if line else 1, "does not parse: " + (line[2] if line else parsed.stderr.strip()))
    return False


def format_(sources, report):
    paths = [source.path for source in sources
             if source.path == "Package.swift" or source.path.startswith(CODE_FOLDERS) and source.path.endswith(".swift")]
    if not paths:
        return
    lint = subprocess.run(["swift", "format", "lint", "--strict", "--parallel"] + paths, capture_output=True, text=True)
    findings = 0
    for line in lint.stderr.splitlines():
        found = re.match(r"(.+?):(\d+):\d+: (?:error|warning): (.*)", line)
        if found:
            findings += 1
            path = os.path.relpath(found[1]) if os.path.isabs(found[1]) else found[1]
            report(path, int(found[2]), f"{found[3]}: run scripts/format")
    if lint.returncode != 0 and findings == 0:
        report("Package.swift", 1, "swift format failed: " + " | ".join(lint.stderr.strip().splitlines()))
