// swift-tools-version: 6.2
// Thirty small programs, and what each of them becomes by one careless change: built with CORPUS=regressed in the
// environment, every one has its change. One module name and one folder for both builds, as two revisions have.
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
