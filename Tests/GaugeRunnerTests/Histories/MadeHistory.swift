// Histories made up for tests: commits whose benchmark takes a known time, some of which can't be measured.

import GaugeStatistics

@testable import GaugeRunner

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Commits, and launches of them.
struct MadeHistory {
  /// What the benchmark takes at each commit, the good one first.
  var values: [Double]
  /// What stands for all counts of each commit; empty where nothing counts.
  var counts: [Int] = []
  /// Commits that don't build.
  var broken: Set<Int> = []
  /// Standard deviation of the launches' logarithms.
  var spread: Double
  var noise: Noise
  /// What launches of one benchmark took, one after another; empty where they are made up from the spread. Each ten
  /// rounds are such as followed each other, as the machine is faster or slower for a while.
  var recording: [Double] = []
  /// The questions that were asked.
  private(set) var questions: [CommitSearch.Question] = []

  /// A history of 64 commits in which one changed something, another change came and went, and three don't build.
  ///
  /// What came and went neither begins nor ends with the culprit: nobody could tell one from the other there.
  ///
  /// - Parameters:
  ///   - step: What the commit changed it to, of 1.
  ///   - decoy: What three other commits in a row made of it besides.
  ///   - spread: Standard deviation of the launches' logarithms.
  ///   - seed: What the places are drawn from.
  static func random(
    step: Double, decoy: Double, spread: Double, seed: UInt64
  ) -> (history: MadeHistory, culprit: Int) {
    var history = MadeHistory(values: Array(repeating: 100, count: 64), spread: spread, noise: Noise(seed: seed))
    let culprit = 1 + history.noise.generator.index(below: 63)
    var begin = culprit
    while begin == culprit || begin + 3 == culprit { begin = 1 + history.noise.generator.index(below: 60) }
    for commit in culprit..<64 { history.values[commit] *= step }
    for commit in begin..<begin + 3 where commit < 63 { history.values[commit] *= decoy }
    while history.broken.count < 3 { history.broken.insert(1 + history.noise.generator.index(below: 62)) }
    return (history, culprit)
  }

  /// Builds that were tried.
  var builds: Int { questions.count { if case .build = $0 { true } else { false } } }

  /// Searches it.
  mutating func search(_ rules: SearchRules) -> CommitSearch.Finding {
    var search = CommitSearch(rules: rules, last: values.count - 1)
    while true {
      switch search.next {
      case .found(let finding): return finding
      case .ask(let question): search.take(answer(question, of: search))
      }
    }
  }

  /// Answers a question.
  mutating func answer(_ question: CommitSearch.Question, of search: CommitSearch) -> CommitSearch.Answer {
    questions.append(question)
    switch question {
    case .build(let commit):
      if broken.contains(commit) { return .unusable(commit, reason: "it doesn't build") }
      let same = counts.isEmpty ? nil : search.built.first { counts[$0] == counts[commit] }
      return .built(commit, like: same, isIdentical: false)
    case .launch(let commits, let rounds):
      var launches = commits.map { _ in [Double]() }
      guard recording.isEmpty else { return .launched(commits, recorded(commits, rounds)) }
      for _ in 0..<rounds {
        // The machine is faster or slower for a while.
        let machine = search.rules.isExact ? 1 : exp(spread * noise.normal())
        for (place, commit) in commits.enumerated() {
          launches[place].append(
            search.rules.isExact ? values[commit] : values[commit] * machine * exp(spread * noise.normal()))
        }
      }
      return .launched(commits, launches)
    }
  }

  /// Rounds of recorded launches, in each of which the commits have their turns in another order.
  private mutating func recorded(_ commits: [Int], _ rounds: Int) -> [[Double]] {
    var launches = commits.map { _ in [Double]() }
    var place = 0
    for round in 0..<rounds {
      if round % 10 == 0 { place = noise.generator.index(below: recording.count) }
      var turns = Array(commits.indices)
      for last in turns.indices.dropFirst().reversed() { turns.swapAt(last, noise.generator.index(below: last + 1)) }
      for turn in turns {
        launches[turn].append(values[commits[turn]] * recording[place])
        place = (place + 1) % recording.count
      }
    }
    return launches
  }
}

extension CommitSearch.Finding {
  /// The commits one of which is the culprit; `nil` where none was found.
  var suspects: ClosedRange<Int>? {
    if case .culprit(let culprit) = self { culprit.before + 1...culprit.after } else { nil }
  }
}
