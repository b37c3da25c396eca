// Another version of a package that the benchmarks' package depends on, in a checked-out tree and a build of its own.

import Foundation

/// A dependency that is taken from elsewhere.
struct DependencyChange: Hashable, Sendable, CustomStringConvertible {
  /// What the package manager calls it: its identity.
  var name: String
  /// A version that the manifest allows; `nil` where a folder is given.
  var version: String?
  /// A folder that has it; `nil` where a version is given.
  var folder: String?

  var description: String { version.map { "\(name)@\($0)" } ?? "\(name)=\(folder ?? "")" }

  /// What the package manager tells of a package and what that depends on.
  private struct Node: Decodable {
    var identity: String
    var name: String
    var dependencies: [Node]

    /// The identities of all that it depends on, by what they may be called.
    var names: [String: String] {
      dependencies.reduce(into: [:]) { names, node in
        names.merge(node.names) { first, _ in first }
        names[node.name.lowercased()] = node.identity
        names[node.identity.lowercased()] = node.identity
      }
    }
  }

  /// Has a tree built with changed dependencies.
  ///
  /// What the package manager notes of it in the tree is taken back afterwards; what it notes in the folder that is
  /// built into holds for that folder alone.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - package: The package in a tree of `gauge`'s own, never the user's.
  ///   - body: What builds.
  /// - Throws: `PackageFailure.noDependency`, `.toolFailed`, and what `body` throws.
  static func with<Value>(
    _ changes: [DependencyChange], in package: BenchmarkPackage, _ body: () throws(PackageFailure) -> Value
  ) throws(PackageFailure) -> Value {
    guard !changes.isEmpty else { return try body() }
    let pins = package.folder + "/Package.resolved"
    let before = try? Files.contents(of: pins)
    let identities = try identities(of: changes, in: package)
    defer {
      for (change, identity) in zip(changes, identities) where change.folder != nil {
        _ = try? run(package, ["unedit", "--force", identity])
      }
      // Where this fails the next checkout, or the next resolution, makes it anew.
      if let before { _ = try? Files.replace(pins, with: before) } else { Files.remove(pins) }
    }
    for (change, identity) in zip(changes, identities) {
      // An earlier build may have been interrupted.
      _ = try? run(package, ["unedit", "--force", identity])
      _ =
        if let folder = change.folder {
          try run(package, ["edit", identity, "--path", folder])
        } else {
          try run(package, ["resolve", identity, "--version", change.version ?? ""])
        }
    }
    return try body()
  }

  /// What the package manager calls the dependencies that changes name.
  ///
  /// - Throws: `PackageFailure.noDependency` for one that the package doesn't have, and `.toolFailed`.
  @discardableResult
  static func identities(
    of changes: [DependencyChange], in package: BenchmarkPackage
  ) throws(PackageFailure) -> [String] {
    guard !changes.isEmpty else { return [] }
    let known = try names(of: package)
    var identities: [String] = []
    for change in changes {
      guard let identity = known[change.name.lowercased()] else {
        throw .noDependency(name: change.name, known: Set(known.values).sorted())
      }
      identities.append(identity)
    }
    return identities
  }

  private static func names(of package: BenchmarkPackage) throws(PackageFailure) -> [String: String] {
    let report = try run(package, ["show-dependencies", "--format", "json"])
    do {
      // What it has fetched before is told in front of the answer.
      return try decoded(Node.self, fromJSON: report.utf8.drop { $0 != UInt8(ascii: "{") }).names
    } catch {
      throw .toolFailed(
        what: "swift package show-dependencies", output: "its answer is not what was expected: \(error)")
    }
  }

  private static func run(_ package: BenchmarkPackage, _ words: [String]) throws(PackageFailure) -> String {
    let command = Command(
      program: package.swift,
      arguments: ["package", "--package-path", package.folder, "--scratch-path", package.buildFolder] + words)
    let run: ProcessRun
    let what = "'swift package \(words.joined(separator: " "))'"
    do throws(SystemError) {
      run = try ProcessRun.capturing(command, reportOn: 1)
    } catch {
      throw .toolFailed(what: what, output: error.description)
    }
    guard run.succeeded else { throw .toolFailed(what: what, output: run.report + run.output) }
    return run.report
  }
}
