# Compiles the stream core for 64-bit Arm, and holds each atomic access against its instructions; see
# scripts/checks/check-arm64.

import collections
import concurrent.futures
import pathlib
import sys

import compiling
import intermediate
import listed
import machine_code
import selftest
import table

BUILD = pathlib.Path(".build/arm64")
LITMUS = pathlib.Path("Tests/WeirVerifyTests/Machine/Litmus/LitmusTable.swift")
# Listed accesses that are in no code of the modules themselves, each with the reason: "Module/File.swift function
# operation", "Module/File.swift" or "Module" -> reason.
DESTROYED = ("plain loads in the code, as the compiler takes the words out of what is destroyed; the last release of "
             "the object around them has acquired what others did")
NOT_IN_CODE = {
    "Weir/Gate.swift deinit load": DESTROYED,
    "Weir/UpstreamSlot.swift deinit load": DESTROYED,
    "Weir/GuardedClosures.swift deinit load": DESTROYED,
    "WeirQueues/SegmentChain.swift ownedCount load": "for tests",
    "CMachine/CMachine.h machine_pause lightBarrier": "for processors that are neither of x86 nor of Arm",
    "CMachine/CMachine.h machine_opaque lightBarrier": "for benchmarks",
    "CMachine/CMachine.h machine_consume lightBarrier": "for benchmarks",
    "WeirQueues/InspectionSwitch.swift": "for the trait Inspection",
    "Weir/Inspection.swift": "for the trait Inspection",
    "Weir/InspectedSubscription.swift": "for the trait Inspection",
    "WeirExtras": "not compiled here",
    "WeirState": "not compiled here",
}
# Accesses that are in the code and in no list: the standard library's own, with numbers of another size than a word's.
NOT_LISTED = {"Sources/WeirQueues/Lock.swift": "i32"}
# What a person with an arm64 machine types.
COMMANDS = ["scripts/test", "scripts/tsan", "scripts/stress --minutes 10"]


class Result:
    """What was found for one processor."""

    def __init__(self):
        self.wrong = []
        # How often a kind of access with an ordering became which instructions.
        self.used = collections.Counter()


def main(arguments):
    root = pathlib.Path.cwd()
    tools = compiling.Toolchain((root / BUILD))
    folder = compiling.emptied(root / BUILD / "sample")
    problems = selftest.failures(tools, folder, compiling.PROCESSORS)
    for problem in problems:
        print(f"check-arm64: the check itself is wrong: {problem}", file=sys.stderr)
    if problems:
        return 1
    samples = len(selftest.SAMPLES) + 1
    print(f"self-test: {samples} accesses with code for weaker ones are told from {samples} with their own")
    if arguments == ["--self-test"]:
        return 0
    if not compiling.HEADERS.is_dir():
        print(f"check-arm64: {compiling.HEADERS} is missing: apt-get install libc6-dev-arm64-cross",
              file=sys.stderr)
        return 69
    wanted, complaints = listed.read(root)
    complaints += listed.matches(root / LITMUS)
    modules, accesses = compiled(root, tools)
    results = {name: Result() for name in compiling.PROCESSORS}
    objects = compiling.emptied(root / BUILD / "objects")
    jobs = [(name, module) for name in compiling.PROCESSORS for module in modules]
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for (name, module), found in zip(jobs, pool.map(lambda job: instructions(tools, objects, *job), jobs)):
            judge(accesses[module], found, results[name])
    every = [access for found in accesses.values() for access in found]
    complaints += tied(wanted, every)
    for name, result in results.items():
        complaints += [f"{name}: {wrong}" for wrong in sorted(set(result.wrong))]
    report(every, results)
    for complaint in complaints:
        print(f"check-arm64: {complaint}", file=sys.stderr)
    say_what_is_left()
    print(f"{len(wanted)} listed accesses, {len(complaints)} complaints")
    return 1 if complaints else 0


def compiled(root, tools):
    """The modules in the intermediate language, their accesses numbered."""
    tools.lay_out()
    targets = compiling.manifest()
    folder = compiling.emptied(root / BUILD / "intermediate")
    shim = root / BUILD / "CMachine.modulemap"
    compiling.write(shim, f'module CMachine {{ umbrella header "{root}/Sources/CMachine/include/CMachine.h" export * }}\n')
    files = []
    for source in sorted((root / "Sources" / compiling.C_MODULE).glob("*.c")):
        files += tools.c_intermediate(source, folder)
    for module in compiling.MODULES:
        sources = sorted((root / "Sources" / module).glob("**/*.swift"))
        files += tools.intermediate(module, sources, compiling.settings(targets[module]), folder, shim)
        print(f"{module}: {len(sources)} files compile for {compiling.TRIPLE}", flush=True)
    queues = root / "Sources/WeirQueues"
    files.append(tools.embedded(queues, compiling.settings(targets["WeirQueues"]), folder / "Embedded.ll", shim))
    print(f"WeirQueues: {len(compiling.EMBEDDED)} files compile in Embedded Swift, which has no tasks and no threads")
    accesses, number = {}, intermediate.FIRST_NUMBER
    for file in files:
        text, found = intermediate.numbered(file.read_text(encoding="utf-8"), number, str(root))
        file.write_text(text, encoding="utf-8")
        accesses[file] = found
        number += len(found)
    return files, accesses


def instructions(tools, folder, processor, module):
    """The instructions of a module for a processor that order accesses, or have the number of one."""
    made = folder / processor.replace(" ", "-") / (module.stem + ".o")
    made.parent.mkdir(exist_ok=True)
    tools.assembled(module, made, compiling.PROCESSORS[processor])
    found = []
    for function, line, instruction in machine_code.disassembled(tools.objdump, str(made)):
        effect = table.effect(instruction)
        if effect and (line >= intermediate.FIRST_NUMBER or effect.orders):
            found.append((function, line, instruction, effect))
    return found


def judge(accesses, found, result):
    """Holds a module's accesses against its instructions, and looks for instructions that belong to none."""
    by_number = {access.number: [] for access in accesses}
    for function, line, instruction, effect in found:
        if line in by_number:
            by_number[line].append(instruction)
        elif effect.orders:
            result.wrong.append(f"{function}: {instruction} belongs to no access of the sources")
    for access in accesses:
        own = by_number[access.number]
        objection = table.objection(access, own)
        if objection:
            place = listed.place_of(access)
            where = f"{place[0]}:{place[1]}" if place else access.function
            result.wrong.append(f"{where}: {access.described()}: {objection}")
        names = " ".join(dict.fromkeys(shown(instruction) for instruction in own if serves(access, instruction)))
        result.used[(access.kind, access.ordering, names)] += 1


def serves(access, instruction):
    """Whether an instruction is the access, rather than one beside it that has no line of its own."""
    effect = table.effect(instruction)
    return effect.orders or (access.ordering in ("monotonic", "unordered") and effect.kind == access.kind)


def shown(instruction):
    return instruction.callee or instruction.name


def tied(wanted, every):
    """What of the lists is not in the code, or is there with another ordering; and what of the code is in no list."""
    by_place = {}
    for access in every:
        for place in listed.places_of(access):
            by_place.setdefault(place, []).append(access)
    complaints, missing, copies, reasons = [], 0, 0, collections.Counter()
    for entry in wanted:
        found = [access for access in by_place.get((entry.path, entry.line), []) if entry.is_kind_of(access)]
        right = [access for access in found if entry.is_as_strong(access)]
        copies += len(right)
        names = (f"{entry.file} {entry.function} {entry.operation}", entry.file, entry.file.split("/")[0])
        name = next((name for name in names if name in NOT_IN_CODE), None)
        if right and name:
            complaints.append(f"{entry}: it is in the code: take {name} out of NOT_IN_CODE in "
                              "scripts/checks/arm64/check.py")
        if not found:
            missing += 1
            reasons[name] += 1
            if not name:
                complaints.append(f"{entry}: not in the code")
        elif not right:
            missing += 1
            complaints.append(f"{entry}: not in the code, but {found[0].described()} is")
        elif len(right) != len(found):
            other = next(access for access in found if access not in right)
            complaints.append(f"{entry}: a copy of it in {other.function} is {other.described()}")
    for name, number in reasons.items():
        if name:
            print(f"{name}: {number} not in the code: {NOT_IN_CODE[name]}")
    print(f"{len(wanted) - missing} of the {len(wanted)} listed accesses are in the code, {copies} times in all")
    return complaints + unlisted(wanted, every)


def unlisted(wanted, every):
    """Accesses of the package's own code for which the lists have no line."""
    entries = {}
    for entry in wanted:
        entries.setdefault((entry.path, entry.line), []).append(entry)
    complaints = set()
    for access in every:
        place = listed.place_of(access)
        if not place or (access.type and NOT_LISTED.get(place[0]) == access.type):
            continue
        if access.kind == "barrier" and listed.is_part(access):
            continue
        if not any(entry.is_kind_of(access) for entry in entries.get(place, [])):
            complaints.add(f"{place[0]}:{place[1]}: {access.described()} is in no list: give it a line in "
                           "Tests/Interleavings/*Orderings.swift, or in Tests/machine-orderings.csv what words are made of")
    return sorted(complaints)


def report(every, results):
    """What each kind of access has become."""
    print(f"{len(every)} accesses, fences and barriers in all, each with its own instructions:")
    for name, result in results.items():
        print(f"{name}:")
        for (kind, ordering, names), count in sorted(result.used.items()):
            print(f"  {kind:8} {ordering:10} {count:6}  {names or 'none'}")


def say_what_is_left():
    """What was not compiled or run, and who can."""
    print("Not compiled here:")
    for name, reason in compiling.LEFT_OUT.items():
        print(f"  {name}: {reason}")
    print("Nothing was run. On an arm64 machine with Swift 6.2 or later:")
    for command in COMMANDS:
        print(f"  {command}")


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except compiling.Failed as failure:
        print(f"check-arm64: {failure}", file=sys.stderr)
        sys.exit(1)
