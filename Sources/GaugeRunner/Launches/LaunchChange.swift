// What is done otherwise where a benchmark is launched: variables of the environment, and libraries in front of others.

import Foundation

/// A change of how a benchmark is launched, its executable left alone.
struct LaunchChange: Hashable, Sendable {
  /// Variables that are set.
  var variables: [String: String] = [:]
  /// Paths of libraries that the loader takes before all others.
  var preloads: [String] = []

  /// The variable that names these libraries.
  static let preloadVariable = "LD_PRELOAD"

  /// Whether nothing is changed.
  var isEmpty: Bool { self == LaunchChange() }

  /// The names of the variables that launches have otherwise than usually.
  var names: Set<String> { Set(variables.keys).union(preloads.isEmpty ? [] : [Self.preloadVariable]) }

  /// The environment of a launch.
  ///
  /// - Parameter environment: The environment without the change.
  func environment(from environment: [String: String]) -> [String: String] {
    var changed = environment.merging(variables) { $1 }
    guard !preloads.isEmpty else { return changed }
    let paths = preloads + [environment[Self.preloadVariable] ?? ""].filter { !$0.isEmpty }
    changed[Self.preloadVariable] = paths.joined(separator: ":")
    return changed
  }

  /// What counting launches of an executable are started with: an allocator that is to be measured serves them, too.
  func libraries(beside executable: String) -> CountingLibraries {
    var libraries = CountingLibraries(beside: executable, cache: "")
    guard !preloads.isEmpty else { return libraries }
    libraries.jemalloc = nil
    libraries.preloads = preloads
    return libraries
  }
}

extension Callgrind {
  /// Why counts can't be had under a change of the environment: they are made with one that is fixed, so that they
  /// would tell nothing of it; `nil` where they can.
  static func obstacle(to change: LaunchChange) -> String? {
    let names = change.variables.keys.filter(fixes).sorted()
    guard !names.isEmpty else { return nil }
    return "launches that count have \(names.joined(separator: " and ")) fixed"
  }
}
