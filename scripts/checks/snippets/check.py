# Compiles the Swift blocks of pages, or runs their shell blocks: check.py swift MODULES [FILE...] | shell PACKAGE
# [FILE...].

import glob
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

# What a page's Swift blocks may take for granted, by the page's folder; a block that imports something says all of it.
PRELUDES = {
    "Weir": "Weir WeirDispatch WeirFoundation Dispatch Foundation",
    "WeirDispatch": "Weir WeirDispatch Dispatch",
    "WeirFoundation": "Weir WeirDispatch WeirFoundation Dispatch Foundation FoundationNetworking",
    "Combine": "Combine Dispatch Foundation",
    "WeirQueues": "WeirQueues",
    "WeirExtras": "Weir WeirExtras WeirDispatch WeirFoundation Dispatch Foundation",
    "WeirState": "Weir WeirState",
    "WeirTesting": "Weir WeirTesting",
    "WeirVerify": "Weir WeirVerify",
    "Gauge": "Gauge",
}
LANGUAGES = {"swift", "sh", "text", "yaml", "csv", "markdown", "json"}
DIRECTIVE = re.compile(r"<!-- snippet: (.+?) -->\s*$")
FENCE = re.compile(r"^( *)```(.*)$")


class Block:
    """A fenced block: its language, its text, the line of that, and what the comment above says."""

    def __init__(self, page, language, line, directive):
        self.page, self.language, self.line, self.directive = page, language, line, directive
        self.lines = []

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"

    @property
    def skipped(self):
        return self.directive.startswith("skip:") and len(self.directive) > len("skip: ")


def blocks(page, report):
    """The blocks of a page."""
    found, block, directive, indentation = [], None, "", 0
    for number, line in enumerate(pathlib.Path(page).read_text(encoding="utf-8").splitlines(), 1):
        fence = FENCE.match(line)
        if block is not None:
            if fence and not fence[2].strip():
                found.append(block)
                block = None
            else:
                block.lines.append(line[indentation:])
        elif fence:
            language = fence[2].strip()
            if language not in LANGUAGES:
                report(f"{page}:{number}: a block of the language '{language}': it is one of {', '.join(sorted(LANGUAGES))}")
            if directive and directive not in ("manifest", "benchmarks", "alone") and not directive.startswith("skip: "):
                report(f"{page}:{number}: no such directive: {directive}")
            block, indentation = Block(page, language, number + 1, directive), len(fence[1])
            directive = ""
        elif line.strip():
            said = DIRECTIVE.match(line.strip())
            directive = said[1] if said else ""
    if block is not None:
        report(f"{page}:{block.line - 1}: the block has no end")
    return found


# --- Swift


def source_of(block, prelude, index=None):
    """A block as a source file, or with an index as a function of one; returns its imports and the rest."""
    imports, rest = [], []
    for line in block.lines:
        if re.match(r"(@\w+(\(.*\))? )?import \w", line):
            imports.append(line.split("//")[0].strip())
            rest.append("")
        else:
            rest.append(line)
    if not imports:
        imports = ["import " + module for module in prelude.split()]
    place = f'#sourceLocation(file: "{block.page}", line: {block.line})'
    if block.directive == "manifest":
        # No such line may stand within an expression.
        place = f'#sourceLocation(file: "{block.page}", line: {block.line - 1})'
        rest = [place, 'let package = Package(name: "p",'] + rest + [")"]
        if any("let package" in line for line in block.lines):
            rest = [place] + block.lines
        return ["import PackageDescription"], rest
    if block.directive == "benchmarks":
        name = f"Suite{index if index is not None else ''}"
        rest = [f"struct {name}: BenchmarkSuite {{", "@BenchmarkBuilder static var benchmarks: [Benchmark] {", place] + rest + ["}", "}"]
    elif index is not None:
        # Where nothing is awaited, of functions of one name those are meant that aren't asynchronous.
        effects = "async throws" if re.search(r"\bawait\b", block.text) else "throws"
        rest = [f"func snippet{index}() {effects} {{", place] + rest + ["}"]
    else:
        rest = [place] + rest
    return imports, rest


def stands_alone(block):
    return (
        block.directive in ("alone", "manifest") or "@main" in block.text
        or re.search(r"^(public |@\w+ )*(extension|protocol|infix|prefix|postfix|precedencegroup)\b", block.text, re.M) is not None)


def sources(page_blocks):
    """The source files of a page: blocks that stand alone, and one with all others."""
    together, shared, first = [], set(), None
    for index, block in enumerate(page_blocks):
        prelude = PRELUDES.get(folder_of(block.page), "")
        if stands_alone(block):
            imports, rest = source_of(block, prelude)
            yield block, "\n".join(imports + rest) + "\n"
        else:
            imports, rest = source_of(block, prelude, index)
            shared |= set(imports)
            together += rest
            first = first or block
    if together:
        yield first, "\n".join(sorted(shared) + together) + "\n"


def folder_of(page):
    place = re.search(r"Sources/(\w+)/\w+\.docc/", page)
    return place[1] if place else ""


def compile_swift(modules, page_blocks, report):
    maps = glob.glob(f"{modules}/*.build/module.modulemap") + glob.glob("Sources/*/include/module.modulemap")
    search = ["-I", f"{modules}/Modules"] + [word for path in maps for word in ("-Xcc", f"-fmodule-map-file={path}")]
    toolchain = pathlib.Path(os.path.realpath(shutil.which("swiftc"))).parent.parent
    manifest = ["-I", f"{toolchain}/lib/swift/pm/ManifestAPI", "-package-description-version", "6.2"]

    def compiles(job):
        block, text = job
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/main.swift"
            pathlib.Path(path).write_text(text, encoding="utf-8")
            command = ["swiftc", "-swift-version", "6", "-emit-sil", "-o", "/dev/null", "-module-name", "Snippets"]
            command += manifest if block.directive == "manifest" else search
            if "@main" in text:
                command.append("-parse-as-library")
            run = subprocess.run(command + [path], capture_output=True, text=True)
            if run.returncode != 0:
                errors = [line.replace(path, block.page) for line in run.stderr.splitlines() if ": error:" in line]
                report("\n".join(errors) or run.stderr)

    jobs = [job for blocks in page_blocks.values() if blocks for job in sources(blocks)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compiles, jobs))
    return sum(map(len, page_blocks.values()))


# --- Shell


WRAPPER = """#!/usr/bin/env bash
code=0
"{gauge}" "$@" || code=$?
case $code in 0 | 2 | 4 | 6 | 7) exit 0 ;; *) exit "$code" ;; esac
"""


def run_shell(package, page_blocks, report):
    with tempfile.TemporaryDirectory() as folder:
        wrapper = pathlib.Path(folder, "gauge")
        wrapper.write_text(WRAPPER.format(gauge=f"{package}/.gauge/build/release/gauge"), encoding="utf-8")
        wrapper.chmod(0o755)
        environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}", "GIT_CONFIG_GLOBAL": f"{folder}/gitconfig"}

        def run(script, what):
            done = subprocess.run(
                ["bash", "-e", "-o", "pipefail", "-c", script], cwd=package, env=environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
            if done.returncode != 0:
                report(f"{what} ended with {done.returncode}:\n" + "\n".join(done.stdout.splitlines()[-15:]))
            return done.returncode == 0

        if not run("gauge run --quick && for name in old new; do cp results/latest.csv $name.csv; done", "gauge run --quick"):
            return 0
        for blocks in page_blocks.values():
            for block in blocks:
                print(f"{block.page}:{block.line}: running", flush=True)
                run(block.text, f"{block.page}:{block.line}: the block")
    return sum(map(len, page_blocks.values()))


def main():
    kind, place, pages = sys.argv[1], sys.argv[2], sys.argv[3:]
    if not pages:
        pages = sorted(
            path for pattern in ("*.md", "Documentation/**/*.md", "recipes/*.md", "Sources/*/*.docc/**/*.md")
            for path in glob.glob(pattern, recursive=True))
    findings = []

    def report(text):
        findings.append(text)
        print(text, flush=True)

    language = {"swift": "swift", "shell": "sh"}[kind]
    every = {page: [block for block in blocks(page, report) if block.language == language] for page in pages}
    skipped = [block for found in every.values() for block in found if block.skipped]
    page_blocks = {page: [block for block in found if not block.skipped] for page, found in every.items()}
    done = (compile_swift if kind == "swift" else run_shell)(place, page_blocks, report)
    for block in skipped:
        print(f"{block.page}:{block.line}: skipped:{block.directive.removeprefix('skip:')}")
    print(f"check-snippets: {done} {kind} blocks of {len(pages)} pages, {len(skipped)} skipped, {len(findings)} findings")
    sys.exit(1 if findings else 0)


main()
