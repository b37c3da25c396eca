# The suites, and the tests as `Suite/test`, read from the sources under Tests; the tables of what is tested name these.

import pathlib
import re

SUITE = re.compile(r"^(?: *@Suite(?:\(.*\))? )?(?:@MainActor )?(?:private |final )*(?:struct|class|enum|extension) (\w+)", re.M)
TEST = re.compile(r"@Test\b(?:(?!@Test\b|\bfunc ).)*?\bfunc (\w+)|^  (?:@\w+ )*func (test\w+)\(\)", re.S | re.M)


def existing(root):
    """Every test of a package, those of XCTest among them."""
    found = set()
    for path in pathlib.Path(root, "Tests").rglob("*.swift"):
        text = path.read_text(encoding="utf-8")
        owners = [(suite.start(), suite[1]) for suite in SUITE.finditer(text)]
        for test in TEST.finditer(text):
            owner = [name for start, name in owners if start < test.start()]
            if owner:
                found |= {owner[-1], owner[-1] + "/" + (test[1] or test[2])}
    return found
