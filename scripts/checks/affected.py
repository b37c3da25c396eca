# A package of a hundred benchmarks, and random edits to it of which it is known what they touch; see
# scripts/checks/check-affected.
#
# Usage: affected.py write FOLDER WEIR SEED EDIT     writes the package with an edit; 0 is the package without one
#        affected.py judge SEED EDIT OUTPUT          compares what `gauge ab --affected` has printed with what is known
import random
import re
import sys

COUNT = 100
SHARED = 10
# What a benchmark's function is made of; each kind has something that an edit can change.
KINDS = ["number", "double", "text", "table", "class", "witness", "inlined", "switch", "array", "shared"]


def parameters():
    """What the package is made of, before any edit: numbers by name."""
    values = {}
    for index in range(COUNT):
        for part in ("work", "cold", "inlined", "method", "spare"):
            values[f"{part}{index}"] = 17 + 31 * index
    for index in range(SHARED):
        values[f"shared{index}"] = 5 + index
        values[f"coldshared{index}"] = 7 + index
    return values


def edits(seed):
    """Edits without end: what is changed, and the benchmarks that execute it. Half of them touch some."""
    source = random.Random(seed)
    while True:
        if source.random() < 0.5:
            choice = source.choice(["work"] * 6 + ["inlined", "method", "shared", "order"])
            index = source.randrange(SHARED if choice == "shared" else COUNT)
            if choice == "inlined":
                index -= index % len(KINDS) - KINDS.index("inlined")
            if choice == "method":
                index -= index % len(KINDS) - KINDS.index("class")
            if choice == "shared":
                touched = {other for other in range(COUNT) if other % SHARED == index}
            else:
                touched = {index}
        else:
            choice = source.choice(["cold", "cold", "coldshared", "spare", "added", "grown"])
            index = source.randrange(SHARED if choice == "coldshared" else COUNT)
            touched = set()
        yield choice, index, source.randrange(1, 1000), touched


def edit(seed, number):
    stream = edits(seed)
    for _ in range(number - 1):
        next(stream)
    return next(stream)


def body(kind, index, value):
    """What a benchmark's function computes, by kind."""
    return {
        "number": f"sum = sum &* {value} &+ 3",
        "double": f"sum = Int(Double(sum & 1023) * {value}.625)",
        "text": f'sum = digest("a text of function {index} that is long enough to be kept apart: {value}", sum)',
        "table": f"sum = sum &+ table{index}[sum & 7]",
        "class": f"sum = make{index}(sum).step(sum &+ {value})",
        "witness": f"sum = erased{index}(sum).step(sum)",
        "inlined": f"sum = inlined{index}(sum) &+ {value}",
        "switch": f"switch sum & 7 {{ case 0: sum = {value}; case 1: sum = 5; case 2: sum = 77; case 3: sum = 1009; "
        f"case 4: sum = -{value}; case 5: sum = 12; default: sum = 4 }}",
        "array": f"for value in [3, {value}, 7, 11, 4, 9, 2, 1] {{ sum = sum &* 31 &+ value }}",
        "shared": f"sum = sum ^ {value}",
    }[kind]


def source(values, changed):
    choice, index, number, _ = changed or ("", 0, 0, set())
    values = dict(values)
    if f"{choice}{index}" in values:
        values[f"{choice}{index}"] += number
    lines = ["// Made by scripts/checks/affected.py.", "import Gauge", ""]
    lines += [
        "class Stepping { func step(_ n: Int) -> Int { n } }",
        "protocol Steps { func step(_ n: Int) -> Int }",
        "@inline(never) func digest(_ text: StaticString, _ start: Int) -> Int {",
        "  var sum = start",
        "  for index in 0..<text.utf8CodeUnitCount { sum = sum &* 31 &+ Int(text.utf8Start[index]) }",
        "  return sum",
        "}",
        "@inline(never) func opaque(_ n: Int) -> Int { n }",
    ]
    for place in range(SHARED):
        lines += [
            f"@inline(never) func coldshared{place}(_ n: Int) -> Int {{ n &* {values[f'coldshared{place}']} }}",
            f"@inline(never) func shared{place}(_ n: Int) -> Int {{",
            f"  if n == Int.min {{ return coldshared{place}(n) }}",
            f"  return (n ^ {values[f'shared{place}']}) &+ (n &>> 3)",
            "}",
        ]
    if choice == "added":
        lines += [f"@inline(never) public func added(_ n: Int) -> Int {{ n &* {number} ^ (n &>> 2) }}"]
    for place in range(COUNT):
        kind = KINDS[place % len(KINDS)]
        value = values[f"work{place}"]
        grown = number % 7 if choice == "grown" and index == place else 0
        more = "; ".join(f"sum = sum &* {step} ^ n" for step in range(3, 3 + grown))
        entries = ", ".join(str(value + step) for step in range(8))
        if kind == "table":
            lines += [f"let table{place}: [Int] = [{entries}]"]
        if kind == "class":
            lines += [
                f"final class Derived{place}: Stepping {{",
                f"  override func step(_ n: Int) -> Int {{ n &* {values[f'method{place}']} &+ 1 }}",
                "}",
                f"@inline(never) func make{place}(_ n: Int) -> Stepping {{ n == 77 ? Stepping() : Derived{place}() }}",
            ]
        if kind == "witness":
            lines += [
                f"struct Value{place}: Steps {{ var n: Int; func step(_ m: Int) -> Int {{ (n ^ m) &+ {value} }} }}",
                f"@inline(never) func erased{place}(_ n: Int) -> any Steps {{ Value{place}(n: n) }}",
            ]
        if kind == "inlined":
            lines += [f"@inline(__always) func inlined{place}(_ n: Int) -> Int {{ n &* {values[f'inlined{place}']} }}"]
        swapped = choice == "order" and index == place
        steps = [body(kind, place, value), f"sum = shared{place % SHARED}(sum)"]
        lines += [
            f"@inline(never) func cold{place}(_ n: Int) -> Int {{",
            f"  var sum = n &* {values[f'cold{place}']}",
            f"  {more}" if more else "  sum ^= n",
            f'  if sum == 5 {{ print("cold {place}: \\(sum)") }}',
            "  return sum",
            "}",
            f"@inline(never) public func spare{place}(_ n: Int) -> Int {{ n &+ {values[f'spare{place}']} }}",
            f"@inline(never) func work{place}(_ n: Int) -> Int {{",
            "  var sum = n",
            *(f"  {step}" for step in (reversed(steps) if swapped else steps)),
            f"  if n == Int.min {{ sum = sum &+ cold{place}(sum) &+ spare{place}(sum) }}",
            "  return sum",
            "}",
            f"func benchmark{place}() -> Benchmark {{",
            f'  Benchmark("made/{place}", passes: [.time, .counts]) {{ run in',
            f"    run.measure {{ blackHole(work{place}(opaque(5))) }}",
            "  }",
            "}",
        ]
    return "\n".join(lines) + "\n"


def suite():
    groups = []
    for start in range(0, COUNT, 10):
        names = ", ".join(f"benchmark{place}()" for place in range(start, start + 10))
        groups.append(f"    [{names}]")
    return "\n".join(
        ["// Made by scripts/checks/affected.py.", "import Gauge", "", "@main struct Made: BenchmarkSuite {",
         "  static var benchmarks: [Benchmark] {", *groups, "  }", "}", ""])


MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "made", platforms: [.macOS(.v15)], dependencies: [.package(name: "weir", path: "WEIR")],
  targets: [
    .executableTarget(
      name: "Made", dependencies: [.product(name: "Gauge", package: "weir")], path: "Benchmarks/Made")
  ])
"""


def write(path, text):
    """Writes a file where it isn't the same already: the package manager goes by times."""
    try:
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    except FileNotFoundError:
        pass
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def judge(seed, number, output):
    """Prints a line for an edit: benchmarks that it touches, those of them that were skipped, and what else was."""
    choice, index, _, touched = edit(seed, number)
    with open(output, encoding="utf-8") as file:
        text = file.read()
    if "the binaries are identical" in text:
        skipped = set(range(COUNT))
    else:
        told = re.search(r"^--affected: (\d+) of (\d+) benchmarks skipped(.*)$", text, re.M)
        if not told or int(told[2]) != COUNT:
            sys.exit(f"edit {number}: nothing is told of {COUNT} benchmarks in {output}")
        skipped = {int(place) for place in re.findall(r"made/(\d+)", told[3])}
        if len(skipped) != int(told[1]):
            sys.exit(f"edit {number}: {told[1]} benchmarks are counted, and {len(skipped)} listed")
    missed = sorted(skipped & touched)
    print(number, f"{choice}{index}", len(touched), len(missed), COUNT - len(touched), len(skipped - touched), sep=",")


if __name__ == "__main__":
    if sys.argv[1] == "write":
        folder, weir, seed, number = sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
        write(f"{folder}/Package.swift", MANIFEST.replace("WEIR", weir))
        write(f"{folder}/Benchmarks/Made/Work.swift", source(parameters(), edit(seed, number) if number else None))
        write(f"{folder}/Benchmarks/Made/Made.swift", suite())
    else:
        judge(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
