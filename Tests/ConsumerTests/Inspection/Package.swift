// swift-tools-version: 6.2
// A package whose streams are inspected, as its users have it while they look for a leak.
import PackageDescription

let package = Package(
  name: "inspection",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "weir", path: "../../..", traits: ["Inspection"])],
  targets: [
    .executableTarget(
      name: "PriceServer",
      dependencies: [
        .product(name: "Weir", package: "weir"), .product(name: "WeirDispatch", package: "weir"),
        .product(name: "WeirExtras", package: "weir"),
      ]),
    .testTarget(
      name: "InspectionTests",
      dependencies: [
        .product(name: "Weir", package: "weir"), .product(name: "WeirExtras", package: "weir"),
        .product(name: "WeirDispatch", package: "weir"), .product(name: "WeirFoundation", package: "weir"),
        .product(name: "WeirTesting", package: "weir"),
      ]),
  ])
