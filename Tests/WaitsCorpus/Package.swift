// swift-tools-version: 6.2
// Twenty small programs that wait, each with one bottleneck that is known; see scripts/checks/check-waits.
import PackageDescription

let package = Package(
  name: "waits-corpus",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "weir", path: "../..")],
  targets: [
    .executableTarget(
      name: "WaitsCorpus", dependencies: [.product(name: "Gauge", package: "weir")],
      // Threads share what they like, as programs do that have bottlenecks.
      swiftSettings: [.swiftLanguageMode(.v5)])
  ]
)
