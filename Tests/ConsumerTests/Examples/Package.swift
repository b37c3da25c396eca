// swift-tools-version: 6.0
// Five programs as somebody writes them who knows Combine and has read this package's documentation, with their tests.
//
// To start a project from one of them, copy it, and depend on `weir` by its address.
import PackageDescription

func products(_ names: String...) -> [Target.Dependency] { names.map { .product(name: $0, package: "weir") } }

let programs = ["ChatServer", "PriceFeed", "JobQueue", "RegistrationForm", "LogPipeline"]

let package = Package(
  name: "examples",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "weir", path: "../../..")],
  targets: programs.map { .executableTarget(name: $0, dependencies: products("Combine", "WeirExtras")) } + [
    .testTarget(
      name: "ExampleTests",
      dependencies: programs.map { .byName(name: $0) } + products("Combine", "WeirTesting"))
  ])
