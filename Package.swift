// swift-tools-version: 6.2
// The package's targets, and all that each may depend on.
import PackageDescription

/// With this trait the package runs on a simulated machine, for WeirVerify: only packages of nothing but tests name it.
let verification: Set = ["Verification"]

/// With this trait each subscription can be seen, by WeirInspector.
let inspection: Set = ["Inspection"]

/// Swift 6 language mode is the tools version's default; unsafe constructs must be marked, so that `unsafe` is
/// greppable.
let strict: [SwiftSetting] = [
  .strictMemorySafety(), .treatAllWarnings(as: .error), .define("WEIR_EXPLORER", .when(traits: verification)),
  .define("WEIR_INSPECTION", .when(traits: inspection)),
]

/// Modules that call closures of their users: all that Swift 6 checks, in the Swift 5 mode. The compiler has a closure
/// of an actor check where it is called only if it goes to a module in that mode, as Apple's Combine is.
let callsBack: [SwiftSetting] =
  strict + [.swiftLanguageMode(.v5), .enableUpcomingFeature("StrictConcurrency")]
  + [
    "ConciseMagicFile", "ForwardTrailingClosures", "ImplicitOpenExistentials", "BareSlashRegexLiterals",
    "DeprecateApplicationMain", "IsolatedDefaultValues", "DisableOutwardActorInference", "GlobalConcurrency",
    "InferSendableFromCaptures", "RegionBasedIsolation", "GlobalActorIsolatedTypesUsability", "DynamicActorIsolation",
    "NonfrozenEnumExhaustivity",
  ].map { .enableUpcomingFeature($0) }

/// A module written in C.
func shim(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies,
    cSettings: [
      .treatAllWarnings(as: .error), .define("WEIR_EXPLORER", .when(traits: verification)),
      .define("WEIR_INSPECTION", .when(traits: inspection)),
    ])
}

/// A Swift module under `Sources/`.
func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [], _ settings: [SwiftSetting] = strict
) -> Target {
  .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

/// The tests of a module, `Tests/<Module>Tests`, with the shared test support.
func tests(_ module: String, _ extra: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  .testTarget(
    name: module + "Tests", dependencies: [.target(name: module), "TestKit"] + extra, exclude: exclude,
    swiftSettings: [.treatAllWarnings(as: .error)])
}

/// A benchmark executable under `Benchmarks/`; `gauge` finds and builds these.
func benchmarks(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: ["Gauge"] + dependencies, path: "Benchmarks/" + name,
    swiftSettings: [.treatAllWarnings(as: .error)])
}

let package = Package(
  name: "weir",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Weir", targets: ["Weir"]),
    .library(name: "WeirDispatch", targets: ["WeirDispatch"]),
    .library(name: "WeirFoundation", targets: ["WeirFoundation"]),
    .library(name: "WeirQueues", targets: ["WeirQueues"]),
    .library(name: "Combine", targets: ["Combine"]),
    .library(name: "WeirExtras", targets: ["WeirExtras"]),
    .library(name: "WeirState", targets: ["WeirState"]),
    .library(name: "WeirTesting", targets: ["WeirTesting"]),
    .library(name: "WeirVerify", targets: ["WeirVerify"]),
    .library(name: "Gauge", targets: ["Gauge"]),
    .library(name: "GaugeRecorder", targets: ["GaugeRecorder"]),
    .library(name: "GaugeHooks", type: .dynamic, targets: ["GaugeHooks"]),
    .executable(name: "gauge", targets: ["GaugeCommand"]),
    .plugin(name: "GaugePlugin", targets: ["GaugePlugin"]),
  ],
  traits: [
    .trait(name: "Verification", description: "Atomic words, locks and queues run on WeirVerify's simulated machine."),
    .trait(name: "Inspection", description: "WeirInspector sees the live subscriptions, once it is switched on."),
  ],
  targets: [
    // The stream core: Combine -> WeirDispatch -> Weir -> WeirQueues -> CMachine.
    shim("CMachine"),
    module("WeirQueues", ["CMachine"]),
    module("Weir", ["WeirQueues"], exclude: ["Engine/README.md"], callsBack),
    module("WeirDispatch", ["Weir", "WeirQueues"], callsBack),
    module("WeirFoundation", ["Weir", "WeirQueues"], callsBack),
    module("Combine", ["Weir", "WeirDispatch", "WeirFoundation"], callsBack),
    module("WeirExtras", ["Weir", "WeirDispatch", "WeirFoundation", "WeirQueues"], callsBack),
    module("WeirState", ["Weir", "WeirQueues"], callsBack),
    module("WeirTesting", ["Weir", "WeirDispatch", "WeirQueues"], callsBack),
    // The interleaving explorer.
    shim("CExplorer"),
    module("WeirVerify", ["WeirQueues", "CExplorer", "GaugeStatistics"]),

    // The instrument: GaugeCommand -> GaugeRunner -> Gauge -> GaugeStatistics, CProbes, CMachine.
    shim("CProbes"),
    shim("GaugeHooks"),
    module("GaugeStatistics"),
    module("Gauge", ["GaugeStatistics", "CProbes", "CMachine"]),
    module("GaugeRunner", ["Gauge", "GaugeStatistics"]),
    // For programs that run, without the instrument.
    shim("CRecorder", ["CProbes"]),
    module("GaugeRecorder", ["CRecorder"]),
    .executableTarget(name: "GaugeCommand", dependencies: ["GaugeRunner"], swiftSettings: strict),
    // Without dependencies: a tool named here would be built for debugging, in every package that uses the plugin.
    .plugin(
      name: "GaugePlugin",
      capability: .command(
        intent: .custom(verb: "benchmark", description: "Measures the package's benchmarks, and compares: see help.")),
      path: "Plugins/Benchmark"),

    benchmarks("StreamBenchmarks", ["GenericChains", "Weir", "WeirDispatch", "WeirExtras", "WeirQueues"]),
    // What a user's generic code makes of the chains, in a module of its own.
    .target(
      name: "GenericChains", dependencies: ["Weir"], path: "Benchmarks/GenericChains",
      swiftSettings: [.treatAllWarnings(as: .error)]),
    benchmarks("StateBenchmarks", ["Weir", "WeirState"]),
    benchmarks("ExtrasBenchmarks", ["Weir", "WeirDispatch", "WeirExtras", "WeirQueues"]),
    benchmarks("QueueBenchmarks", ["WeirQueues"]),
    benchmarks("GaugeBenchmarks", ["GaugeStatistics", "CMachine"]),

    .target(
      name: "TestKit", dependencies: ["Weir"], path: "Tests/TestKit", swiftSettings: [.treatAllWarnings(as: .error)]),
    .target(name: "ReferenceModel", path: "Tests/ReferenceModel", swiftSettings: [.treatAllWarnings(as: .error)]),
    .testTarget(
      name: "DifferentialTests", dependencies: ["Weir", "WeirExtras", "ReferenceModel"],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    // Weir's own programs for the explorer; see scripts/explore.
    .executableTarget(
      name: "Interleavings",
      dependencies: ["WeirVerify", "CExplorer", "Weir", "WeirExtras", "WeirQueues", "WeirState"],
      path: "Tests/Interleavings",
      swiftSettings: [.treatAllWarnings(as: .error)]),
    // Programs that try to break what happens between threads; see scripts/attack.
    .target(name: "CAttacks", path: "Tests/CAttacks", cSettings: [.treatAllWarnings(as: .error)]),
    .target(name: "AttackJudge", path: "Tests/AttackJudge", swiftSettings: [.treatAllWarnings(as: .error)]),
    .testTarget(
      name: "AttackJudgeTests", dependencies: ["AttackJudge"], swiftSettings: [.treatAllWarnings(as: .error)]),
    .executableTarget(
      name: "Attacks",
      dependencies: ["AttackJudge", "CAttacks", "Weir", "WeirDispatch", "WeirExtras", "WeirQueues"],
      path: "Tests/Attacks",
      swiftSettings: [.treatAllWarnings(as: .error)]),
    // Damaged files, and small ones to damage.
    .target(
      name: "HostileFiles", dependencies: ["GaugeStatistics"], path: "Tests/HostileFiles",
      swiftSettings: [.treatAllWarnings(as: .error)]),
    // Sees what a release build hides; see scripts/fuzz.
    .target(name: "CFuzz", path: "Tests/CFuzz", cSettings: [.treatAllWarnings(as: .error)]),
    .executableTarget(
      name: "Fuzz", dependencies: ["CFuzz", "HostileFiles", "Gauge", "GaugeRunner", "GaugeStatistics"],
      path: "Tests/Fuzz", swiftSettings: [.treatAllWarnings(as: .error)]),
    .target(name: "CSandbox", path: "Tests/CSandbox", cSettings: [.treatAllWarnings(as: .error)]),
    tests("WeirQueues", ["CSandbox"]),
    tests("Weir"),
    // What every publisher does when it is subscribed to twice, cancelled first, ...
    .testTarget(
      name: "PublisherLifeCycleTests", dependencies: ["Weir", "TestKit"],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    tests("WeirDispatch"),
    tests("WeirFoundation"),
    tests("Combine"),
    tests("WeirExtras"),
    tests("WeirState"),
    tests("WeirTesting"),
    tests("WeirVerify"),
    tests("GaugeStatistics", exclude: ["Vectors"]),
    tests("Gauge"),
    tests("GaugeRunner", ["HostileFiles"]),
    tests("GaugeRecorder", ["CSandbox", "GaugeRunner"]),
    // A server to record; see scripts/pages/show-recording.
    .executableTarget(
      name: "RecordedServer", dependencies: ["GaugeRecorder"], path: "Tests/RecordedServer",
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .testTarget(
      name: "PatternTests", dependencies: ["Combine", "WeirExtras", "WeirState", "WeirTesting", "TestKit"],
      swiftSettings: [
        .swiftLanguageMode(.v5), .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
      ]),
    // What Combine's documentation and published programs show, as a user's program sees it.
    .testTarget(
      name: "BehaviourTests", dependencies: ["Combine", "WeirTesting"],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .testTarget(
      name: "StressTests",
      dependencies: ["Weir", "WeirDispatch", "WeirExtras", "WeirFoundation", "WeirQueues", "TestKit", "CSandbox"],
      swiftSettings: [.treatAllWarnings(as: .error)]),
  ]
)

// `swift build` compiles every target that isn't a test; scripts that build to measure want nothing that only tests
// use. In place of "yes" may stand the names of targets, joined by commas, that are left out alone.
let unwanted = Context.environment["WEIR_WITHOUT_TESTS"]?.split(separator: ",").map(String.init) ?? []
package.targets.removeAll {
  unwanted == ["yes"] ? $0.type == .test || $0.path?.hasPrefix("Tests/") == true : unwanted.contains($0.name)
}

// Tests of statistics and of the explorer do arithmetic for minutes where it isn't optimised: the scripts that build
// tests name the targets, joined by commas, that are built with optimisation and keep their assertions.
let optimized = Context.environment["WEIR_OPTIMIZED"]?.split(separator: ",").map(String.init) ?? []
for target in package.targets where optimized.contains(target.name) {
  target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-O", "-assert-config", "Debug"])]
}

/// Programs that scripts build when they run them; nobody who uses the package or tests it needs them.
let programsOfScripts: Set = ["Interleavings", "Attacks", "CAttacks", "Fuzz", "CFuzz", "RecordedServer"]

// A build for release or with a sanitizer takes minutes for all test targets: the scripts that make one name, in this
// variable, the targets that they run, joined by commas, and what these don't use is left out. "all" is everything.
let chosen = Context.environment["WEIR_TEST_TARGETS"]?.split(separator: ",").map(String.init) ?? []
if chosen.isEmpty {
  package.targets.removeAll { programsOfScripts.contains($0.name) }
} else if chosen != ["all"] {
  var kept: Set<String> = []
  var coming = chosen
  while let name = coming.popLast() {
    guard let target = package.targets.first(where: { $0.name == name }) else {
      fatalError("WEIR_TEST_TARGETS: no target is named \(name)")
    }
    guard kept.insert(name).inserted else { continue }
    for dependency in target.dependencies {
      switch dependency {
      case .byNameItem(let name, _), .targetItem(let name, _): coming.append(name)
      default: break
      }
    }
  }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products = []
}
