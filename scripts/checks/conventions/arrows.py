# The arrows of the package: which target may depend on which, and which system modules a target may not import.

import json
import os
import re
import subprocess

# Target -> the targets it may name in its `dependencies:`. Arrows point down only;
# a module that is not here is refused.
ARROWS = {
    # The stream core.
    "CMachine": [],
    "WeirQueues": ["CMachine"],
    "Weir": ["WeirQueues"],
    "WeirDispatch": ["Weir", "WeirQueues"],
    "WeirFoundation": ["Weir", "WeirQueues"],
    "WeirExtras": ["Weir", "WeirDispatch", "WeirFoundation", "WeirQueues"],
    "WeirState": ["Weir", "WeirQueues"],
    "WeirTesting": ["Weir", "WeirDispatch", "WeirQueues"],
    "Combine": ["Weir", "WeirDispatch", "WeirFoundation"],
    # The instrument.
    "CProbes": [],
    "GaugeHooks": [],
    "GaugeStatistics": [],
    "CRecorder": ["CProbes"],
    "GaugeRecorder": ["CRecorder"],
    "Gauge": ["GaugeStatistics", "CProbes", "CMachine"],
    "GaugeRunner": ["Gauge", "GaugeStatistics"],
    "GaugeCommand": ["GaugeRunner"],
    "GaugePlugin": [],
    # Support of the tests.
    "TestKit": ["Weir"],
    "ReferenceModel": [],
    "CSandbox": [],
    "HostileFiles": ["GaugeStatistics"],
    "CFuzz": [],
    "Fuzz": ["CFuzz", "HostileFiles", "Gauge", "GaugeRunner", "GaugeStatistics"],
    # The instrument measured with itself: its histogram, and the cycle counter that its times are held against.
    "GaugeBenchmarks": ["Gauge", "GaugeStatistics", "CMachine"],
    # A server that the recorder is measured with.
    "RecordedServer": ["GaugeRecorder"],
    # What benchmarks need of another module: generic code that nobody specialises.
    "GenericChains": ["Weir"],
    # The interleaving explorer, and Weir's programs for it.
    "CExplorer": [],
    "WeirVerify": ["WeirQueues", "CExplorer", "GaugeStatistics"],
    "Interleavings": ["WeirVerify", "CExplorer", "Weir", "WeirExtras", "WeirQueues", "WeirState"],
    # Programs that try to break what happens between threads.
    "AttackJudge": [],
    "CAttacks": [],
    "Attacks": ["AttackJudge", "CAttacks", "Weir", "WeirDispatch", "WeirExtras", "WeirQueues"],
}
STREAM_MODULES = [name for name in ARROWS if name.startswith("Weir")]
# Executables under Benchmarks/, and tests that belong to no single module.
BENCHMARK_ARROWS = ["Gauge", "GenericChains"] + STREAM_MODULES
TEST_ARROWS = {
    "StressTests": STREAM_MODULES + ["TestKit", "CSandbox"],
    "DifferentialTests": ["Weir", "WeirExtras", "ReferenceModel"],
    "BehaviourTests": ["Combine", "WeirTesting"],
    "PublisherLifeCycleTests": ["Weir", "TestKit"],
    "PatternTests": STREAM_MODULES + ["Combine", "TestKit"],
    "GaugeRecorderTests": ["GaugeRecorder", "GaugeRunner", "CRecorder", "CProbes", "CSandbox", "TestKit"],
}

NO_SYSTEM_FRAMEWORKS = ["Weir", "WeirQueues", "GaugeStatistics", "Gauge", "GaugeRecorder"]
FRAMEWORKS = re.compile(r"(_?Foundation\w*|CoreFoundation|Dispatch)$")
TOOLCHAIN = re.compile(
    r"(Swift|Glibc|Musl|Darwin|Android|Bionic|Foundation\w*|Dispatch|Synchronization|RegexBuilder|Runtime|Testing|XCTest"
    r"|PackageDescription|PackagePlugin|_\w+)$")

IMPORT = re.compile(
    r"^[ \t]*(?:(?:@\w+(?:\([^)\n]*\))?|public|package|internal|fileprivate|private)[ \t]+)*"
    r"import[ \t]+(?:(?:struct|class|enum|protocol|typealias|func|var|let)[ \t]+)?(\w+)", re.M)
REEXPORT = re.compile(r"@_exported\s+(?:public\s+)?import\s+\w+(?:\.\w+)*$|#(?:if|elseif|else|endif)\b.*$")


def check(sources, report):
    """Checks the manifest against the table, then every import against the manifest."""
    manifest = next((source for source in sources if source.path == "Package.swift"), None)
    if manifest is None:
        report("Package.swift", 1, "there is no manifest: write one")
        return
    dump = subprocess.run(
        ["swift", "package", "--scratch-path", ".build/conventions", "dump-package"], capture_output=True, text=True,
        env=os.environ | {"WEIR_TEST_TARGETS": "all"})
    if dump.returncode != 0:
        report("Package.swift", 1, "swift can't read it: " + " | ".join(dump.stderr.strip().splitlines()))
        return
    targets = json.loads(dump.stdout)["targets"]
    dependencies = {}
    for target in targets:
        line = line_of_target(manifest, target["name"])
        dependencies[target["name"]] = check_target(target, lambda text: report("Package.swift", line, text))
    for target in targets:
        visible = set(dependencies[target["name"]])
        if target["type"] == "test":  # a test sees all that its module is made of
            visible = reachable(target["name"], dependencies)
        folder = folder_of(target) + "/"
        for source in sources:
            if source.path.startswith(folder) and source.path.endswith(".swift"):
                check_imports(source, target["name"], visible, dependencies, report)


def line_of_target(manifest, name):
    """The first line of the manifest that names a target behind `targets:`, for want of better lines in the dump."""
    start = manifest.text.find("targets: [\n")
    for pattern in (f'"{name}"', f'"{name.removesuffix("Tests")}"'):
        found = manifest.text.find(pattern, max(start, 0))
        if found >= 0:
            return manifest.line_of(found)
    return 1


def folder_of(target):
    if target.get("path"):
        return target["path"].rstrip("/")
    return {"test": "Tests/", "plugin": "Plugins/"}.get(target["type"], "Sources/") + target["name"]


def check_target(target, refuse):
    """Checks one target of the dump and returns the names it depends on."""
    name = target["name"]
    if target["type"] in ("system", "binary"):
        refuse(f"{name} is a {target['type']} target: use weak symbols or a preloaded library")
    for setting in target.get("settings", []):
        if "unsafeFlags" in setting["kind"]:
            refuse(f"{name} uses unsafeFlags: packages that depend on this one could not be built")
    allowed = allowed_of(target)
    if allowed is None:
        refuse(f"{name} is not in the table of arrows: give it its place in scripts/checks/conventions/arrows.py")
    names = []
    for dependency in target["dependencies"]:
        kind, = dependency.keys()
        used = dependency[kind][0]
        names.append(used)
        if allowed is not None and used not in allowed:
            refuse(f"{name} may not depend on {used}: it may use {', '.join(allowed) or 'nothing'}")
    return names


def allowed_of(target):
    """What a target may depend on; nothing is known (None) of targets that the table doesn't place."""
    name = target["name"]
    if target["type"] == "test":
        module = name.removesuffix("Tests")
        if name in TEST_ARROWS or module not in ARROWS:
            return TEST_ARROWS.get(name)
        return sorted(reachable(module, ARROWS) | {module}) + ["TestKit", "CSandbox", "HostileFiles"]
    if folder_of(target).startswith("Benchmarks/") and name not in ARROWS:
        return BENCHMARK_ARROWS
    return ARROWS.get(name)


def reachable(name, arrows):
    """Every target that can be reached from one along the arrows."""
    reached, waiting = set(), list(arrows.get(name, []))
    while waiting:
        following = waiting.pop()
        if following not in reached:
            reached.add(following)
            waiting += arrows.get(following, [])
    return reached


def check_imports(source, target, visible, targets, report):
    for found in IMPORT.finditer(source.code):
        module, line = found[1], source.line_of(found.start(1))
        if module == target:
            continue
        if module in targets:
            if module not in visible:
                report(source.path, line, f"{target} imports {module} without declaring it: add the dependency, if "
                       "its arrow is allowed")
        elif FRAMEWORKS.match(module) and target in NO_SYSTEM_FRAMEWORKS:
            report(source.path, line, f"{target} may not import {module}: move the code to a module that may")
        elif not TOOLCHAIN.match(module):
            report(source.path, line, f"{module} is neither a target of this package nor a module of the toolchain")
    if target == "Combine":
        for number, text in enumerate(source.code.splitlines(), 1):
            if text.strip() and not REEXPORT.match(text.strip()):
                report(source.path, number, "Combine only re-exports: move the code to the module it belongs to")
                break
