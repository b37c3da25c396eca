# Compiles the stream core for 64-bit Arm with a toolchain that has no standard library for it.
#
# The toolchain has the standard library's interfaces as text, which the compiler can read for another target than
# theirs: types, and the code that goes into programs, are the same on both. So everything up to object code is what a
# compiler on such a machine makes of the sources.
# What is not there is the libraries' own object code: nothing can be linked.

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

TRIPLE = "aarch64-unknown-linux-gnu"
# Headers of the C library, from Debian's libc6-dev-arm64-cross.
HEADERS = pathlib.Path(os.environ.get("WEIR_ARM64_HEADERS", "/usr/aarch64-linux-gnu/include"))
# Modules in the order of their imports.
C_MODULE = "CMachine"
MODULES = ["WeirQueues", "Weir"]
# Of these the toolchain has a standard library for arm64 itself, in Embedded Swift, without tasks, locks and threads:
# the queues, and what they are made of.
EMBEDDED = ["Atomics", "Backoff", "CacheLinePadding", "Draining", "Heap", "MPMCQueue", "MPSCQueue", "NonAtomic",
            "Outcomes", "RingBuffer", "SPSCLinkedQueue", "SPSCRing", "SegmentChain", "SpinLock", "StampedSlots",
            "Unchecked"]
# What can't be compiled, and why.
LEFT_OUT = {
    "WeirDispatch, WeirExtras": "Dispatch has no interface as text in the toolchain, only modules for its own machine",
    "WeirFoundation, WeirState, Combine": "they import Foundation, which has none either",
    "WeirTesting": "it is built on WeirDispatch",
    "programs and tests": "the toolchain has no libraries of Swift for arm64 to link with",
}
# The processors that code is generated for, with the options that stand for each.
PROCESSORS = {
    "Armv8.0": ["-march=armv8-a", "-mno-outline-atomics"],
    "Armv8.1": ["-march=armv8.1-a"],
    "Armv8.3": ["-march=armv8.3-a"],
    "chosen at run time": ["-march=armv8-a", "-moutline-atomics"],
}
OPTIMIZED = ["-O", "-gline-tables-only"]


class Failed(Exception):
    """What did not compile, with the compiler's words."""


class Toolchain:
    """The compilers, and a folder for what they make."""

    def __init__(self, build):
        self.build = build
        answer = run(["swiftc", "-print-target-info"])
        paths = json.loads(answer)["paths"]
        self.resources = pathlib.Path(paths["runtimeResourcePath"]).resolve()
        self.tools = self.resources.parent.parent / "bin"
        self.clang = str(self.tools / "clang")
        self.objdump = str(self.tools / "llvm-objdump")
        for tool in (self.clang, self.objdump):
            if not os.access(tool, os.X_OK):
                print(f"check-arm64: {tool} is missing: install a whole Swift toolchain, not only its compiler",
                      file=sys.stderr)
                sys.exit(69)

    def lay_out(self):
        """Makes the folders in which the compiler finds the interfaces and headers of the other target."""
        resources = self.build / "resources"
        linux = resources / "linux"
        linux.mkdir(parents=True, exist_ok=True)
        for name in ("shims", "clang", "apinotes"):
            link(resources / name, self.resources / name)
        (linux / "aarch64").mkdir(exist_ok=True)
        for name in ("glibc.modulemap", "SwiftGlibc.h"):
            copy = next(self.resources.glob(f"linux/*/{name}"), None)
            if copy:
                link(linux / "aarch64" / name, copy)
        for interface in self.resources.glob("linux/*.swiftmodule/*-unknown-linux-gnu.swiftinterface"):
            if ".private." in interface.name:
                continue
            text = translated(interface.read_text(encoding="utf-8"))
            write(linux / interface.parent.name / f"{TRIPLE}.swiftinterface", text)
        if not (linux / "Swift.swiftmodule" / f"{TRIPLE}.swiftinterface").exists():
            raise Failed(f"there is no interface of the standard library as text in {self.resources}/linux: take a "
                         "toolchain of swift.org for Linux")
        system = self.build / "system" / "usr"
        system.mkdir(parents=True, exist_ok=True)
        link(system / "include", HEADERS)
        self.options = ["-target", TRIPLE, "-resource-dir", str(resources), "-sdk", str(system.parent),
                        "-module-cache-path", str(self.build / "cache")]

    def c_intermediate(self, source, folder):
        """A C file in the compiler's intermediate language."""
        made = folder / (source.stem + ".ll")
        run([self.clang, f"--target={TRIPLE}", "-march=armv8-a", "-O2", "-gline-tables-only", "-S", "-emit-llvm",
             "-nostdlibinc", "-isystem", str(HEADERS), "-I", str(source.parent / "include"), str(source),
             "-o", str(made)])
        return [made]

    def intermediate(self, module, sources, settings, folder, shim):
        """A Swift module in the compiler's intermediate language; leaves its interface for the next ones."""
        modules = self.build / "modules"
        modules.mkdir(exist_ok=True)
        made = folder / f"{module}.ll"
        run(["swiftc", *self.options, *OPTIMIZED, "-whole-module-optimization", "-num-threads", "0",
             "-parse-as-library", "-module-name", module, "-package-name", "weir", *settings,
             "-I", str(modules), "-Xcc", f"-fmodule-map-file={shim}",
             "-emit-module-path", str(modules / f"{module}.swiftmodule"), "-no-emit-module-separately-wmo",
             "-emit-ir", "-o", str(made), *map(str, sources)])
        return [made]

    def embedded(self, folder, settings, made, shim):
        """The queues in Embedded Swift, for a machine without a system."""
        run(["swiftc", "-target", "aarch64-none-none-elf", "-enable-experimental-feature", "Embedded", *OPTIMIZED,
             "-whole-module-optimization", "-parse-as-library", "-module-name", "WeirQueues", "-package-name", "weir",
             *settings, "-module-cache-path", str(self.build / "cache"), "-Xcc", "-ffreestanding",
             "-Xcc", f"-fmodule-map-file={shim}", "-emit-ir", "-o", str(made),
             *(str(folder / f"{name}.swift") for name in EMBEDDED)])
        return made

    def assembled(self, module, made, options):
        """Object code of a module in the intermediate language. Equal ends of blocks are not made one, so that each access
        keeps its line: which instructions an access becomes doesn't depend on that."""
        run([self.clang, f"--target={TRIPLE}", *options, "-O2", "-Xclang", "-disable-llvm-passes",
             "-mllvm", "-enable-tail-merge=false",
             "-Wno-override-module", "-c", str(module), "-o", str(made)])


def translated(interface):
    """An interface for the other target."""
    head, end, rest = interface.partition("\nimport ")
    head = re.sub(r"-target \S+", f"-target {TRIPLE}", head)
    # x86's wide numbers are all over the interface. They stay, and nothing here uses them; the two functions of C
    # behind them are for x86 alone.
    rest = rest.replace("(arch(i386) || arch(x86_64))", "true")
    return head + end + re.sub(r"self = _stdlib_(remainderl|squareRootl)\(.*\)", "fatalError()", rest)


def settings(target):
    """The compiler's options for a target's settings in the manifest."""
    options, mode = [], "6"
    for setting in target.get("settings", []):
        if setting["tool"] != "swift" or setting.get("condition"):
            continue
        (kind, value), = setting["kind"].items()
        if kind == "swiftLanguageMode":
            mode = value["_0"]
        elif kind == "strictMemorySafety":
            options.append("-strict-memory-safety")
        elif kind == "enableUpcomingFeature":
            options += ["-enable-upcoming-feature", value["_0"]]
        elif kind == "define":
            options += ["-D", value["_0"]]
        elif kind != "treatAllWarnings":
            raise Failed(f"check-arm64 does not know the setting {kind} of Package.swift: add it to settings() in "
                         "scripts/checks/arm64/compiling.py")
    return ["-swift-version", mode, *options]


def manifest():
    """The targets of Package.swift by name."""
    return {target["name"]: target for target in json.loads(run(["swift", "package", "dump-package"]))["targets"]}


def run(command):
    """Runs a command and returns what it printed."""
    ended = subprocess.run(command, capture_output=True, text=True)
    if ended.returncode != 0:
        errors = [line for line in ended.stderr.splitlines() if "error:" in line] or ended.stderr.splitlines()
        raise Failed("\n".join([f"{' '.join(command[:2])} … failed:"] + errors[:20]))
    return ended.stdout


def link(place, target):
    if place.is_symlink() or place.exists():
        if place.is_symlink() and os.readlink(place) == str(target):
            return
        place.unlink()
    place.symlink_to(target)


def write(path, text):
    """Writes a file, unless it is the same already: what was made of it stays in use."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def emptied(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
