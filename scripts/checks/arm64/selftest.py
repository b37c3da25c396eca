# Shows that the check finds what it is for: code for weaker orderings than those that were asked for.

import intermediate
import machine_code
import table

HEAD = """target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"
target triple = "aarch64-unknown-linux-gnu"
"""
FUNCTION = """define i64 @{name}(ptr %word, i64 %value) !dbg !{scope} {{
  {code}, !dbg !{place}
  ret i64 {result}
}}
"""
TAIL = """!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!3}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, isOptimized: true, emissionKind: LineTablesOnly)
!2 = !DIFile(filename: "Sources/Sample/Sample.c", directory: "/")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DISubroutineType(types: !5)
!5 = !{}
"""
EVERYWHERE = None
# What was asked for, what the compiler is given in its place, and where the instructions must show it: a load that
# acquires is one instruction with a sequentially consistent one before Armv8.3.
SAMPLES = [
    ("%old = load atomic i64, ptr %word acquire, align 8", "monotonic", EVERYWHERE),
    ("%old = load atomic i64, ptr %word seq_cst, align 8", "acquire", ["Armv8.3"]),
    ("%old = load atomic i64, ptr %word seq_cst, align 8", "monotonic", EVERYWHERE),
    ("store atomic i64 %value, ptr %word release, align 8", "monotonic", EVERYWHERE),
    ("store atomic i64 %value, ptr %word seq_cst, align 8", "monotonic", EVERYWHERE),
    ("%old = atomicrmw xchg ptr %word, i64 %value acq_rel, align 8", "acquire", EVERYWHERE),
    ("%old = atomicrmw xchg ptr %word, i64 %value seq_cst, align 8", "release", EVERYWHERE),
    ("%old = atomicrmw add ptr %word, i64 %value acq_rel, align 8", "monotonic", EVERYWHERE),
    ("%old = atomicrmw add ptr %word, i64 %value acq_rel, align 8", "release", EVERYWHERE),
    ("%pair = cmpxchg ptr %word, i64 0, i64 %value acq_rel acquire, align 8", "monotonic monotonic", EVERYWHERE),
    ("%pair = cmpxchg ptr %word, i64 0, i64 %value seq_cst acquire, align 8", "acquire acquire", EVERYWHERE),
    ("%pair = cmpxchg ptr %word, i64 0, i64 %value acq_rel acquire, align 8", "release monotonic", EVERYWHERE),
    ("fence seq_cst", "acquire", EVERYWHERE),
    ("fence acquire", None, EVERYWHERE),
]
# An instruction where none may be: the cheap half of an asymmetric fence.
BARRIER = 'call void asm sideeffect "", "~{memory}"()'
COSTLY = 'call void asm sideeffect "dmb ish", "~{memory}"()'


def module(codes):
    """A module with a function for each piece of code."""
    functions, nodes = [], []
    for index, code in enumerate(codes):
        scope, place = 10 + 2 * index, 11 + 2 * index
        result = "%old" if code.startswith("%old") else "0"
        functions.append(FUNCTION.format(name=f"sample{index}", scope=scope, place=place, code=code, result=result))
        nodes.append(f'!{scope} = distinct !DISubprogram(name: "sample{index}", scope: !2, file: !2, line: 1, type: !4, '
                     "spFlags: DISPFlagDefinition, unit: !1)")
        nodes.append(f"!{place} = !DILocation(line: {index + 1}, column: 1, scope: !{scope})")
    return HEAD + "".join(functions) + TAIL + "\n".join(nodes) + "\n"


def weakened(code, ordering):
    """The code with another ordering; one that is none in place of a fence without."""
    if ordering is None:
        return 'call void asm sideeffect "nop", ""()'
    orderings = intermediate.ORDERINGS
    return intermediate.re.sub(rf"\b(?:{orderings})(?: (?:{orderings}))?(?=, align|$)", ordering, code)


def failures(tools, folder, processors):
    """What the check does not find, or finds without a reason."""
    codes = [code for code, _, _ in SAMPLES] + [BARRIER]
    asked, accesses = intermediate.numbered(module(codes), intermediate.FIRST_NUMBER, "")
    weak = [weakened(code, ordering) for code, ordering, _ in SAMPLES] + [COSTLY]
    made, _ = intermediate.numbered(module(weak), intermediate.FIRST_NUMBER, "")
    wrong = []
    if len(accesses) != len(codes):
        return [f"{len(accesses)} of {len(codes)} accesses are read"]
    for processor, options in processors.items():
        for name, text in (("asked", asked), ("weak", made)):
            (folder / f"{name}.ll").write_text(text, encoding="utf-8")
            tools.assembled(folder / f"{name}.ll", folder / f"{name}.o", options)
            found = {}
            for function, _, instruction in machine_code.disassembled(tools.objdump, str(folder / f"{name}.o")):
                found.setdefault(function, []).append(instruction)
            for access, (where, weaker) in zip(accesses, [(sample[2], sample[1]) for sample in SAMPLES] + [(None, "dmb")]):
                objection = table.objection(access, found.get(access.function, []))
                if name == "asked" and objection:
                    wrong.append(f"{processor}: {access.described()}: {objection}, although nothing is wrong")
                if name == "weak" and not objection and (where is None or processor in where):
                    wrong.append(f"{processor}: {access.described()} became {weaker}, and nothing is said of it")
    # Without a register for what was there, these do not acquire.
    add = next(access for access in accesses if access.operation == "add")
    for operands, is_wrong in (("x8, xzr, [x0]", True), ("x8, x8, [x0]", False)):
        if bool(table.objection(add, [machine_code.Instruction("ldaddal", operands)])) != is_wrong:
            wrong.append(f"ldaddal {operands} is taken for {'enough' if is_wrong else 'too little'}")
    return wrong
