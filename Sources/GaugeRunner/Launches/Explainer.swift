// Running benchmarks of two builds under callgrind, to see what accounts for their difference.

import Foundation
import Gauge

/// Explains benchmarks of which both builds are there.
struct Explainer {
  /// Counts instructions; `nil` where valgrind isn't installed.
  let callgrind: Callgrind?
  /// Names addresses.
  let symboliser: Symboliser
  /// The user's environment.
  let environment: [String: String]
  /// Signals on which launches are killed at once.
  var signals: PendingSignals?
  /// Time after which a launch is killed.
  var limit = Callgrind.limit

  /// Options for callgrind: costs by address, symbols as they are, and functions apart by chain of callers.
  static let details = ["--dump-instr=yes", "--dump-line=no", "--demangle=no", "--separate-callers=20"]

  /// A launch's profile, or why there is none.
  enum Outcome {
    case profile(InstructionProfile)
    case unavailable(String)
  }

  /// Explains benchmarks.
  ///
  /// - Parameter pairs: Each on both sides.
  /// - Returns: Explanations by title.
  func explanations(_ pairs: [(base: BenchmarkPoint, new: BenchmarkPoint)]) -> [String: Explanation] {
    let base = profiles(pairs.map(\.base))
    let new = profiles(pairs.map(\.new))
    var explanations: [String: Explanation] = [:]
    for pair in pairs {
      switch (base[pair.base.title], new[pair.new.title]) {
      case (.profile(let before)?, .profile(let after)?):
        explanations[pair.new.title] = Explanation(base: before, new: after)
      case (.unavailable(let reason)?, _): explanations[pair.new.title] = Explanation(unavailable: "before: " + reason)
      case (_, .unavailable(let reason)?): explanations[pair.new.title] = Explanation(unavailable: reason)
      default: explanations[pair.new.title] = Explanation(unavailable: "stopped")
      }
    }
    return explanations
  }

  /// Profiles of benchmarks by title.
  func profiles(_ points: [BenchmarkPoint]) -> [String: Outcome] {
    var outcomes: [String: Outcome] = [:]
    guard let callgrind else {
      for point in points { outcomes[point.title] = .unavailable(Callgrind.absence) }
      return outcomes
    }
    let counted = points.filter { $0.passes.contains(.counts) }
    for point in points where !point.passes.contains(.counts) {
      outcomes[point.title] = .unavailable(
        "its instructions can't be counted: it has several threads, or says what is measured of it")
    }
    for (executable, members) in Dictionary(grouping: counted, by: \.executable).sorted(by: { $0.key < $1.key }) {
      var graphs: [String: CallgrindGraph] = [:]
      for start in stride(from: 0, to: members.count, by: Callgrind.batch) {
        guard signals?.first == nil else { return outcomes }
        for (title, result) in callgrind.graphs(
          of: Array(members[start..<min(start + Callgrind.batch, members.count)]), environment: environment,
          limit: limit, stoppingOn: signals)
        {
          switch result {
          case .graph(let graph): graphs[title] = graph
          case .broken(let reason): outcomes[title] = .unavailable(reason)
          }
        }
      }
      outcomes.merge(profiles(graphs, of: executable)) { $1 }
    }
    return outcomes
  }

  private func profiles(_ graphs: [String: CallgrindGraph], of executable: String) -> [String: Outcome] {
    let name = LoadedObject.name(ofPath: executable)
    // What callgrind ran is a copy without debug information, at the same addresses.
    let isExecutable = { (object: String) in LoadedObject.name(ofPath: object) == name }
    var places: Set<StackUnwinder.Place> = []
    for node in graphs.values.flatMap(\.nodes) where isExecutable(node.object) {
      for address in Array(node.own.keys) + node.calls.map(\.address) {
        places.insert(StackUnwinder.Place(path: executable, address: address))
      }
    }
    symboliser.name(places)
    let complaint = symboliser.complaint(about: executable, isMain: true, hasUnknown: false)
    return graphs.mapValues { graph in
      var profile = InstructionProfile(graph) { object, address in
        guard isExecutable(object) else { return [] }
        return symboliser.names(at: StackUnwinder.Place(path: executable, address: address)).map(\.frame)
      }
      if let complaint { profile.note(complaint) }
      return .profile(profile)
    }
  }
}

extension Callgrind {
  /// What a launch left behind.
  enum GraphOutcome {
    case graph(CallgrindGraph)
    case broken(String)
  }

  /// Runs benchmarks of one executable for their calls.
  ///
  /// - Returns: By title; nothing of what a signal stopped.
  func graphs(
    of points: [BenchmarkPoint], environment: [String: String], limit: Duration, stoppingOn signals: PendingSignals?
  ) -> [String: GraphOutcome] {
    guard !points.isEmpty else { return [:] }
    var outcomes: [String: GraphOutcome] = [:]
    do throws(SystemError) {
      defer { removeDumps() }
      let parts = try parts(
        of: points, environment: environment, details: Explainer.details, limit: limit, stoppingOn: signals)
      guard let parts else { return [:] }
      for (index, point) in points.enumerated() {
        guard index < parts.count else {
          outcomes[point.title] = .broken("under valgrind it did not come to its end")
          continue
        }
        let graph = dumps(ofProcess: parts[index].process).lazy.compactMap(CallgrindGraph.init)
          .first { $0.counted.subject == .operation }
        outcomes[point.title] = graph.map(GraphOutcome.graph) ?? .broken("it broke under valgrind, or skipped itself")
      }
    } catch {
      for point in points { outcomes[point.title] = .broken("\(error)") }
    }
    return outcomes
  }

  /// Runs benchmarks of one executable in one process that forks, once each. What they leave behind is for the caller
  /// to read and to remove.
  ///
  /// - Parameters:
  ///   - points: The benchmarks, one at least.
  ///   - environment: The user's environment, of which little is handed on.
  ///   - details: Options about what is written.
  ///   - limit: Time after which one launch would be killed.
  ///   - signals: Signals on which all are killed at once.
  /// - Returns: The launches that came to their end, in order; `nil` where a signal stopped them.
  func parts(
    of points: [BenchmarkPoint], environment: [String: String], details: [String], limit: Duration,
    stoppingOn signals: PendingSignals?
  ) throws(SystemError) -> [LaunchBatch.Part]? {
    try Files.makeFolder(folder)
    removeDumps()
    let requests = folder + "/requests"
    let lines = points.map { point in
      LaunchBatch.line(PlannedLaunch(point: point, pass: .counts, launch: 0, sequence: 0, budget: 10).request) + "\n"
    }
    try Files.replace(requests, with: Array(lines.joined().utf8))
    var command = command(
      try runnable(points[0].executable), LaunchBatch.arguments, environment: environment, details: details)
    command.input = requests
    let run = try ProcessRun.capturing(command, limit: limit + limit * (points.count - 1) / 10, stoppingOn: signals)
    if case .interrupted = run.ending { return nil }
    return LaunchBatch.parts(of: run.report)
  }
}
