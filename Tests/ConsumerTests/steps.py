# Prints the shell of a step of a recipe for continuous integration: steps.py FILE WORDS, where WORDS stand in the line
# that begins the step: `name: Judge` for GitHub, `script:` for GitLab. Only blocks (`|`) are understood, as the recipes
# have no others.

import sys


def block(lines, words):
    """The lines of the first literal block behind a line with these words."""
    start = next(number for number, line in enumerate(lines) if line.strip().removeprefix("- ") == words)
    opening = next(number for number in range(start + 1, len(lines)) if lines[number].rstrip().endswith("|"))
    indentation = len(lines[opening + 1]) - len(lines[opening + 1].lstrip())
    for line in lines[opening + 1:]:
        if line.strip() and len(line) - len(line.lstrip()) < indentation:
            return
        yield line[indentation:]


with open(sys.argv[1], encoding="utf-8") as file:
    print("\n".join(block(file.read().splitlines(), sys.argv[2])))
