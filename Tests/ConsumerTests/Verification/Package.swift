// swift-tools-version: 6.2
// A package that explores code with WeirVerify, as its users have it beside their own: `swift test` needs no flag.
import PackageDescription

let package = Package(
  name: "verification",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "weir", path: "../../..", traits: ["Verification"])],
  targets: [
    // What is explored: in your case, products of your own package.
    .target(
      name: "Shared",
      dependencies: [.product(name: "Weir", package: "weir"), .product(name: "WeirQueues", package: "weir")]),
    .testTarget(
      name: "VerificationTests", dependencies: ["Shared", .product(name: "WeirVerify", package: "weir")]),
  ])
