// swift-tools-version: 6.2
// Forty-five small programs, and what each of them becomes by one careless change: built with CORPUS=regressed in the
// environment, every one has its change. One module name and one folder for both builds, as two revisions have. The
// changes of those that are called sampled/ show in no count.
import PackageDescription

let package = Package(
  name: "explain-corpus",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "weir", path: "../..")],
  targets: [
    .executableTarget(
      name: "ExplainCorpus", dependencies: [.product(name: "Gauge", package: "weir")],
      swiftSettings: Context.environment["CORPUS"] == "regressed" ? [.define("REGRESSED")] : [])
  ]
)
