// Sampling both builds of a benchmark in turn, to see where a time goes that no count explains.

import Foundation
import Gauge

/// Explains times of which both builds are there, by launches in pairs whose stacks are sampled.
struct SampledExplainer {
  /// Names addresses.
  let symboliser: Symboliser
  /// The user's environment.
  let environment: [String: String]
  /// A folder for the launches' stacks.
  let scratch: String
  /// Signals on which launches are killed at once.
  var signals: PendingSignals?
  /// Says what is in hand.
  var tell: (String) -> Void = { _ in }

  /// Pairs of launches of each kind after which it is looked whether the difference shows; rising.
  var looks = [12, 48]
  /// Measuring time of a launch in milliseconds.
  var budget = 200
  /// Samples per second of CPU time: some hundreds a launch.
  static let rate = 4000

  /// Explains a benchmark.
  ///
  /// - Parameters:
  ///   - base: It, before.
  ///   - new: It, after.
  ///   - counted: What counts have said of it.
  ///   - mayWait: Whether its waits are sampled, too: one thread that computes has none.
  func explanation(
    base: BenchmarkPoint, new: BenchmarkPoint, after counted: Explanation, mayWait: Bool
  ) -> Explanation {
    let kinds: [LaunchRequest.Profile.Kind] = mayWait ? [.cpu, .waits] : [.cpu]
    var pairs: [LaunchRequest.Profile.Kind: [(base: Profile, new: Profile)]] = [:]
    var missing: [LaunchRequest.Profile.Kind: String] = [:]
    var difference: SampledDifference?
    var made = 0
    for look in looks {
      tell("sampling \(look - made) \(made == 0 ? "" : "more ")pairs of launches of \(new.title)")
      for kind in kinds where missing[kind] == nil {
        switch profiles(kind, made..<look, base: base, new: new) {
        case .success(let more): pairs[kind, default: []] += more
        case .failure(let reason): missing[kind] = reason.text
        }
      }
      guard !pairs.isEmpty else { break }
      made = look
      let seen = SampledDifference(base: Self.byKind(pairs, \.base), new: Self.byKind(pairs, \.new))
      difference = seen
      if seen.isLonger || missing.count == kinds.count { break }
    }
    let notes = kinds.compactMap { kind in missing[kind].map { "\(kind.rawValue) is unavailable: \($0)" } }
    guard let difference else {
      var explanation = counted
      explanation.notes += notes
      return explanation
    }
    let (before, after) = (Self.byKind(pairs, \.base), Self.byKind(pairs, \.new))
    let sums = before.keys.sorted { $0.rawValue < $1.rawValue }.map { (Self.sum(before[$0]), Self.sum(after[$0])) }
    var explanation = Explanation(difference, profiles: sums, after: counted)
    explanation.notes += notes
    return explanation
  }

  /// What is weighed in one side's launches, by what it is.
  private static func byKind(
    _ pairs: [LaunchRequest.Profile.Kind: [(base: Profile, new: Profile)]],
    _ side: KeyPath<(base: Profile, new: Profile), Profile>
  ) -> [Profile.Kind: [Profile]] {
    pairs.values.reduce(into: [:]) { kinds, pairs in
      if let weighed = pairs.first?.base.kind { kinds[weighed] = pairs.map { $0[keyPath: side] } }
    }
  }

  /// Why there are no samples.
  private struct Missing: Error {
    var text: String
  }

  /// Launches both sides in turn.
  private func profiles(
    _ kind: LaunchRequest.Profile.Kind, _ numbers: Range<Int>, base: BenchmarkPoint, new: BenchmarkPoint
  ) -> Result<[(base: Profile, new: Profile)], Missing> {
    do throws(SystemError) {
      try Files.makeFolder(scratch)
    } catch {
      return .failure(Missing(text: "\(error)"))
    }
    var pairs: [(base: Profile, new: Profile)] = []
    let libraries = [base, new].map { CountingLibraries(beside: $0.executable) }
    for number in numbers {
      var sides: [Profile?] = [nil, nil]
      // Each side comes first as often as second.
      for side in number % 2 == 0 ? [0, 1] : [1, 0] {
        guard signals?.first == nil else { return .failure(Missing(text: "stopped")) }
        let launch = ProfileLaunch(
          point: side == 0 ? base : new, title: new.title, kind: kind, rate: Self.rate, budget: budget,
          libraries: libraries[side], environment: environment, file: scratch + "/stacks")
        switch launch.run(symboliser, stoppingOn: signals) {
        case .recorded(let stacks, _): sides[side] = stacks.profiles[0]
        case .unavailable(let reason), .skipped(let reason): return .failure(Missing(text: reason))
        case .broken(let reason, _): return .failure(Missing(text: "a launch broke: \(reason)"))
        case .interrupted: return .failure(Missing(text: "stopped"))
        }
      }
      if let before = sides[0], let after = sides[1] { pairs.append((before, after)) }
    }
    return .success(pairs)
  }

  private static func sum(_ profiles: [Profile]?) -> Profile {
    guard let profiles, var sum = profiles.first else { preconditionFailure("a kind without launches") }
    for profile in profiles.dropFirst() { sum.add(profile) }
    return sum
  }
}
