# Runs the rules named as arguments, or all, on the folder it is started in; see scripts/checks/check-conventions.

import subprocess
import sys
import time

import arrows
import floors
import orderings
import pages
import rules
from source import Source

RULES = {
    "arrows": arrows.check,
    "floors": floors.check,
    "pages": pages.check,
    "tests": rules.tests,
    "assertions": rules.assertions,
    "unsafe": rules.unsafe,
    "stores": rules.stores,
    "emitted": rules.emitted,
    "keeping": rules.keeping,
    "orderings": orderings.check,
    "sentence": rules.sentence,
    "length": rules.length,
    "columns": rules.columns,
    "words": rules.words,
    "shell": rules.shell,
    "format": rules.format_,
}


def read_sources():
    """Every text file that git tracks, or would track if it were added."""
    listing = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True)
    if listing.returncode != 0:
        sys.exit("check-conventions: git can't list the files: " + listing.stderr.decode().strip())
    sources = []
    for path in sorted(set(listing.stdout.decode().split("\0"))):
        if not path:
            continue
        try:
            with open(path, "rb") as file:
                content = file.read()
        except FileNotFoundError:
            continue  # deleted in the work tree, not yet in the index
        if b"\0" not in content:
            sources.append(Source(path, content.decode("utf-8", errors="replace")))
    return sources


def main():
    wanted = sys.argv[1:] or list(RULES)
    for name in wanted:
        if name not in RULES:
            print(f"check-conventions: no such rule: {name} (there are {', '.join(RULES)})", file=sys.stderr)
            sys.exit(64)
    start = time.monotonic()
    sources = read_sources()
    findings = set()
    for name in wanted:
        RULES[name](sources, lambda path, line, text: findings.add((path, line, name, text)))
    for path, line, name, text in sorted(findings):
        print(f"{path}:{line}: {name}: {text}")
    seconds = time.monotonic() - start
    print(f"check-conventions: {len(findings)} findings in {len(sources)} files, {len(wanted)} rules, {seconds:.1f} s")
    sys.exit(1 if findings else 0)


main()
