# Which instructions of 64-bit Arm the model of C++20 allows for an atomic access.
#
# The mappings are those of Arm's "C/C++ Atomics Application Binary Interface Standard for the Arm 64-bit Architecture"
# (2024Q1). What orders more than was asked for is allowed, too.

import re

LOAD = re.compile(r"ld(?P<kind>ar|apr|apur|r|ur|nr|p|np|tr)(s?[bhw])?$")
STORE = re.compile(r"st(?P<kind>lr|lur|r|ur|p|np|tr)[bh]?$")
EXCLUSIVE = re.compile(r"(?:ld(?P<acquires>a?)x|st(?P<releases>l?)x)[rp][bh]?$")
AT_ONCE = re.compile(r"(?:cas|casp|swp|ld(?:add|clr|eor|set|smax|smin|umax|umin))(?P<acquires>a?)(?P<releases>l?)[bh]?$")
WITHOUT_RESULT = re.compile(r"st(?:add|clr|eor|set|smax|smin|umax|umin)(?P<releases>l?)[bh]?$")
FENCE = re.compile(r"d[ms]b$")
# The functions of the compiler's library that choose between exclusive and atomic instructions as the program runs.
HELPER = re.compile(r"__aarch64_(?:cas|swp|ldadd|ldclr|ldeor|ldset)\d+_(?P<ordering>relax|acq|rel|acq_rel|sync)$")

ACQUIRING = ("acquire", "acq_rel", "seq_cst")
RELEASING = ("release", "acq_rel", "seq_cst")


class Effect:
    """What an instruction does to the order of accesses."""

    def __init__(self, kind, acquires=False, releases=False, sequential=False):
        # "load", "store", "exclusive load", "exclusive store", "update" or "fence"
        self.kind = kind
        self.acquires = acquires
        self.releases = releases
        # Whether no release before it can come after it: `ldar` is, `ldapr` isn't.
        self.sequential = sequential

    @property
    def orders(self):
        """Whether it is more than a plain access."""
        return self.kind not in ("load", "store") or self.acquires or self.releases


def effect(instruction):
    """What an instruction orders; None if it has nothing to do with memory."""
    name, operands = instruction.name, instruction.operands
    helper = HELPER.match(instruction.callee or "")
    if helper:
        acquires, releases = "acq" in helper["ordering"], "rel" in helper["ordering"].replace("relax", "")
        if helper["ordering"] == "sync":
            acquires = releases = True
        return Effect("update", acquires, releases)
    if found := EXCLUSIVE.match(name):
        if name.startswith("ld"):
            return Effect("exclusive load", acquires=bool(found["acquires"]))
        return Effect("exclusive store", releases=bool(found["releases"]))
    if found := AT_ONCE.match(name):
        # "Special Cases" there: without a register for the result, nothing is acquired. CAS has it in the first one.
        registers = [register.strip() for register in operands.split(",")] + ["", ""]
        dropped = registers[0 if name.startswith("cas") else 1] in ("xzr", "wzr")
        return Effect("update", bool(found["acquires"]) and not dropped, bool(found["releases"]))
    if found := WITHOUT_RESULT.match(name):
        return Effect("update", releases=bool(found["releases"]))
    if found := LOAD.match(name):
        return Effect("load", acquires=found["kind"][0] == "a", sequential=found["kind"] == "ar")
    if found := STORE.match(name):
        return Effect("store", releases=found["kind"][0] == "l")
    if FENCE.match(name):
        # Others are for fewer accesses or fewer processors than any ordering of C++20 is.
        return Effect("fence", acquires=operands in ("ish", "ishld", "sy", "ld"), releases=operands in ("ish", "sy"),
                      sequential=operands in ("ish", "sy"))
    return None


def objection(access, instructions):
    """What is wrong with the instructions that an access became; None if the model allows them."""
    effects = [(made, instruction) for instruction in instructions if (made := effect(instruction))]

    def of(kind):
        return [pair for pair in effects if pair[0].kind == kind]

    def weaker(pairs, what):
        return next((f"{instruction} does not {what}" for made, instruction in pairs if not getattr(made, what + "s")),
                    None)

    acquires = access.ordering in ACQUIRING
    releases = access.ordering in RELEASING
    if access.kind == "barrier" or (access.kind == "fence" and access.one_thread):
        ordering = [str(instruction) for made, instruction in effects if made.orders]
        return f"{ordering[0]} for a barrier that is the compiler's alone" if ordering else None
    fences = of("fence")
    if access.kind == "fence":
        if not fences:
            return "no dmb"
        strong = any((made.acquires or not acquires) and (made.releases or not releases) for made, _ in fences)
        return None if strong else f"{fences[0][1]} is too weak"
    if access.kind == "load":
        loads = of("load")
        if not loads:
            return "no load"
        if access.ordering == "seq_cst":
            # An acquire that may come before a release: never for a sequentially consistent load.
            passing = next((instruction for made, instruction in loads if made.acquires and not made.sequential), None)
            if passing:
                return f"{passing} may be done before a release that comes first"
            return None if any(made.sequential for made, _ in loads) else f"{loads[0][1]} does not acquire"
        strong = any(made.acquires for made, _ in loads) or any(made.acquires for made, _ in fences)
        return None if strong or not acquires else f"{loads[0][1]} does not acquire"
    if access.kind == "store":
        stores = of("store")
        if not stores:
            return "no store"
        strong = any(made.releases for made, _ in stores)
        return None if strong or not releases else f"{stores[0][1]} does not release"
    updates, exclusive_loads, exclusive_stores = of("update"), of("exclusive load"), of("exclusive store")
    if not updates and not (exclusive_loads and exclusive_stores):
        return "no instruction that reads and writes in one step"
    found = weaker(updates + exclusive_loads, "acquire") if acquires else None
    return found or (weaker(updates + exclusive_stores, "release") if releases else None)
