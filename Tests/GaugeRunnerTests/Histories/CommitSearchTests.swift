// Searches in made-up histories: the commit is found, and none is where nothing changed.

import GaugeStatistics
import Testing

@testable import GaugeRunner

@Suite struct CommitSearchTests {
  static let rules = SearchRules(commits: 63, isExact: false)
  static let exactRules = SearchRules(commits: 63, isExact: true, threshold: 0, resolution: 0)

  /// Searches a hundred histories.
  ///
  /// - Returns: In how many of them the culprit was found, beside none or those that don't build; the builds of each,
  ///   and how many of these were tried, as some failed.
  func search(
    _ rules: SearchRules, step: Double, decoy: Double, spread: Double
  ) -> (right: Int, builds: [Int], tries: [Int]) {
    var (right, builds, tries) = (0, [Int](), [Int]())
    for seed in 1...100 {
      let made = MadeHistory.random(step: step, decoy: decoy, spread: spread, seed: UInt64(seed))
      var history = made.history
      let suspects = history.search(rules).suspects
      let isRight = suspects.map { $0.contains(made.culprit) && $0.dropLast().allSatisfy(history.broken.contains) }
      if isRight == true { right += 1 }
      let failed = history.broken.count { history.questions.contains(.build($0)) }
      tries.append(history.builds)
      builds.append(history.builds - failed)
    }
    return (right, builds, tries)
  }

  @Test(arguments: [(1.02, 0.005), (1.05, 0.01), (1.2, 0.03), (0.95, 0.01)])
  func `the commit that changed a time is found`(step: Double, spread: Double) {
    let (right, builds, tries) = search(Self.rules, step: step, decoy: 1.1, spread: spread)
    #expect(right >= 98, "\(right)")
    #expect(builds.allSatisfy { $0 <= 10 }, "\(builds)")
    // One that meets three commits that don't build, or that came and went, tries one more.
    #expect(tries.count { $0 <= 10 } >= 95, "\(tries)")
    #expect(tries.allSatisfy { $0 <= 11 }, "\(tries)")
  }

  @Test func `the commit that added an allocation is found`() {
    let (right, builds, tries) = search(Self.exactRules, step: 1.01, decoy: 1.02, spread: 0)
    #expect(right >= 98, "\(right)")
    #expect(builds.allSatisfy { $0 <= 10 }, "\(builds)")
    // One that meets three commits that don't build, or that came and went, tries one more.
    #expect(tries.count { $0 <= 10 } >= 95, "\(tries)")
    #expect(tries.allSatisfy { $0 <= 11 }, "\(tries)")
  }

  @Test func `without a change none is found`() {
    for seed in 1...100 {
      var history = MadeHistory.random(step: 1, decoy: 1.05, spread: 0.01, seed: UInt64(seed)).history
      let finding = history.search(Self.rules)
      #expect(finding.suspects == nil)
      guard case .unchanged = finding else {
        Issue.record("seed \(seed): \(finding)")
        continue
      }
      #expect(history.builds == 2)
    }
    var history = MadeHistory.random(step: 1, decoy: 1.05, spread: 0, seed: 1).history
    guard case .unchanged(let change, nil) = history.search(Self.exactRules) else {
      Issue.record("a change")
      return
    }
    #expect(change.estimate == .exact(1))
  }

  /// A history of 64 commits, each of which does something to the time.
  func made(spread: Double = 0.002, seed: UInt64 = 1, _ factor: (Int) -> Double) -> MadeHistory {
    var values = [100.0]
    for commit in 1..<64 { values.append(values[commit - 1] * factor(commit)) }
    return MadeHistory(values: values, spread: spread, noise: Noise(seed: seed))
  }

  @Test func `of two culprits one is found, and what it leaves`() {
    for seed in 1...10 {
      var history = made(seed: UInt64(seed)) { [20, 45].contains($0) ? 1.05 : 1 }
      guard case .culprit(let culprit) = history.search(Self.rules), case .changes(let before, let after) = culprit.rest
      else {
        Issue.record("seed \(seed)")
        continue
      }
      #expect(culprit.after == culprit.before + 1)
      #expect([20, 45].contains(culprit.after))
      #expect(abs(culprit.change.estimate.value - 1.05) < 0.01)
      #expect(abs(culprit.whole.estimate.value - 1.1025) < 0.01)
      let rest = culprit.after == 45 ? before : after
      #expect(abs(rest.estimate.value - 1.05) < 0.01)
    }
  }

  @Test func `what changed bit by bit is told from a step`() {
    for seed in 1...10 {
      var history = made(seed: UInt64(seed)) { _ in 1.002 }
      guard case .drift(let change) = history.search(Self.rules) else {
        Issue.record("seed \(seed)")
        continue
      }
      #expect(abs(change.estimate.value - 1.134) < 0.02)
    }
  }

  /// Halving alone would be led to where nothing changed.
  @Test func `a commit that a later one took back in part is found, and what it leaves`() {
    for seed in 1...10 {
      var history = made(seed: UInt64(seed)) { $0 == 20 ? 1.5 : $0 == 45 ? 0.74 : 1 }
      guard case .culprit(let culprit) = history.search(Self.rules), case .changes(_, let after) = culprit.rest else {
        Issue.record("seed \(seed)")
        continue
      }
      #expect(culprit.before == 19 && culprit.after == 20)
      #expect(abs(culprit.change.estimate.value - 1.5) < 0.01)
      #expect(abs(culprit.whole.estimate.value - 1.11) < 0.01)
      #expect(abs(after.estimate.value - 0.74) < 0.01)
    }
    let values = (0..<64).map { $0 < 20 ? 3.0 : $0 < 45 ? 9 : 4 }
    var counts = MadeHistory(values: values, spread: 0, noise: Noise(seed: 1))
    #expect(counts.search(Self.exactRules).suspects == 20...20)
  }

  @Test func `counts that change twice name what they leave`() {
    var history = MadeHistory(values: [3, 3, 4, 4, 4, 9, 9, 9], spread: 0, noise: Noise(seed: 1))
    let rules = SearchRules(commits: 7, isExact: true, threshold: 0, resolution: 0)
    guard case .culprit(let culprit) = history.search(rules), case .changes(let before, let after) = culprit.rest else {
      Issue.record("nothing left")
      return
    }
    #expect(culprit.before == 4 && culprit.after == 5)
    #expect(culprit.change.estimate == .exact(2.25) && culprit.whole.estimate == .exact(3))
    #expect(before.estimate == .exact(4.0 / 3) && after.estimate == .exact(1))
  }

  @Test func `from nothing any count is a step`() {
    var history = MadeHistory(values: [0, 0, 0, 2], spread: 0, noise: Noise(seed: 1))
    let rules = SearchRules(commits: 3, isExact: true, threshold: 0, resolution: 0)
    guard case .culprit(let culprit) = history.search(rules), case .nothing = culprit.rest else {
      Issue.record("something left")
      return
    }
    #expect(culprit.after == 3)
    #expect(culprit.change == Change(scale: .difference, estimate: .exact(2)))
  }

  @Test func `commits that can't be measured stay suspects`() {
    var history = made { $0 == 31 ? 1.1 : 1 }
    history.broken = [29, 30, 31, 32]
    let finding = history.search(Self.rules)
    #expect(finding.suspects == 29...33)
  }

  @Test func `an end that can't be measured ends the search`() {
    var history = made { _ in 1 }
    history.broken = [63]
    guard case .unusable(63, "it doesn't build") = history.search(Self.rules) else {
      Issue.record("a search")
      return
    }
    #expect(history.questions == [.build(0), .build(63)])
  }

  @Test func `a commit whose benchmark breaks is stepped around`() {
    var history = made { $0 == 40 ? 1.1 : 1 }
    var search = CommitSearch(rules: Self.rules, last: 63)
    var finding: CommitSearch.Finding?
    while finding == nil {
      switch search.next {
      case .found(let found): finding = found
      case .ask(.launch(let commits, _)) where commits.contains(31): search.take(.unusable(31, reason: "it breaks"))
      case .ask(let question): search.take(history.answer(question, of: search))
      }
    }
    #expect(finding?.suspects == 40...40)
    #expect(search.unusable == [31: "it breaks"])
  }

  /// Answers as the history does, but a commit breaks once it is launched beside so many others.
  private func search(_ history: inout MadeHistory, breaking commit: Int, among number: Int) -> CommitSearch {
    var search = CommitSearch(rules: Self.rules, last: 63)
    while case .ask(let question) = search.next {
      if case .launch(let commits, _) = question, commits.count == number, commits.contains(commit) {
        search.take(.unusable(commit, reason: "it breaks"))
      } else {
        search.take(history.answer(question, of: search))
      }
    }
    return search
  }

  @Test(arguments: [39, 40])
  func `a side of the step that breaks at last is a suspect, and the search goes on`(commit: Int) {
    var history = made { $0 == 40 ? 1.1 : 1 }
    let search = search(&history, breaking: commit, among: 4)
    guard case .found(let finding) = search.next else { return }
    #expect(finding.suspects == commit...commit + 1, "\(finding)")
    #expect(search.unusable == [commit: "it breaks"])
  }

  @Test func `questions before counts had misled have had their part of the error`() {
    var history = made { $0 == 40 ? 1.1 : 1 }
    history.counts = (0..<64).map { $0 < 12 ? 1 : $0 == 31 ? 3 : 2 }
    var search = CommitSearch(rules: Self.rules, last: 63)
    var tests = 0
    while case .ask(let question) = search.next {
      search.take(history.answer(question, of: search))
      #expect(search.tests >= tests)
      tests = search.tests
    }
    guard case .found(let finding) = search.next else { return }
    #expect(finding.suspects == 40...40)
    #expect(tests <= Self.rules.questions)
  }

  @Test func `where the launches of the step don't tell, no commit is named`() {
    var noise = Noise(seed: 1)
    var search = CommitSearch(rules: SearchRules(commits: 1, isExact: false), last: 1)
    search.take(.built(0, like: nil, isIdentical: false))
    search.take(.built(1, like: nil, isIdentical: false))
    search.take(.launched([0, 1], [Array(repeating: 100, count: 20), Array(repeating: 110, count: 20)]))
    while case .ask(.launch(let commits, let rounds)) = search.next {
      // A step as large as the widest margin, of launches that deviate by twenty times as much.
      let launches = commits.map { noise.launches(rounds, around: $0 == 0 ? 100 : 122, spread: 4) }
      search.take(.launched(commits, launches))
    }
    guard case .found(.unclear(let change)) = search.next else {
      Issue.record("\(search.next)")
      return
    }
    #expect(abs(change.estimate.value - 1.1) < 1e-6)
  }

  @Test func `commits that count the same are not timed`() {
    var history = made { $0 == 40 ? 1.1 : 1 }
    history.counts = (0..<64).map { $0 < 40 ? 1 : 2 }
    #expect(history.search(Self.rules).suspects == 40...40)
    let launched = history.questions.compactMap { if case .launch(let commits, _) = $0 { commits } else { nil } }
    #expect(Set(launched) == [[0, 63], [0, 39, 40, 63]])
  }

  @Test func `counts that tell of another commit are found out`() {
    var history = made { $0 == 40 ? 1.1 : 1 }
    history.counts = (0..<64).map { $0 < 12 ? 1 : 2 }
    #expect(history.search(Self.rules).suspects == 40...40)
  }

  @Test func `where both ends count the same everything is timed`() {
    var history = made { $0 == 40 ? 1.1 : 1 }
    history.counts = Array(repeating: 1, count: 64)
    #expect(history.search(Self.rules).suspects == 40...40)
  }

  @Test func `identical executables need no launch`() {
    var search = CommitSearch(rules: Self.rules, last: 63)
    search.take(.built(0, like: nil, isIdentical: false))
    search.take(.built(63, like: 0, isIdentical: true))
    guard case .found(.identical) = search.next else {
      Issue.record("\(search.next)")
      return
    }
  }

  /// It covers the first commit that is looked at, and is as large as the step that lasts.
  @Test func `what came and went before the step is found out`() {
    var history = made { $0 == 50 ? 1.1 : 1 }
    for commit in 29..<34 { history.values[commit] *= 1.1 }
    #expect(history.search(Self.rules).suspects == 50...50)
  }

  @Test func `a step within what came and went is found`() {
    for begin in [15, 29, 30, 31, 32, 47] {
      for culprit in [begin + 1, begin + 2] {
        var history = made { $0 == culprit ? 1.05 : 1 }
        for commit in begin..<begin + 3 { history.values[commit] *= 1.1 }
        #expect(history.search(Self.rules).suspects == culprit...culprit, "\(begin)")
      }
    }
  }

  @Test func `two neighbours need no further build`() {
    var history = MadeHistory(values: [100, 110], spread: 0.002, noise: Noise(seed: 1))
    #expect(history.search(SearchRules(commits: 1, isExact: false)).suspects == 1...1)
    #expect(history.questions.prefix(2) == [.build(0), .build(1)])
  }

  @Test func `answers to other questions are not taken`() {
    var search = CommitSearch(rules: Self.rules, last: 63)
    #expect(!search.takes(.built(1, like: nil, isIdentical: false)))
    #expect(!search.takes(.built(0, like: 3, isIdentical: false)))
    #expect(!search.takes(.unusable(1, reason: "")))
    search.take(.built(0, like: nil, isIdentical: false))
    search.take(.built(63, like: nil, isIdentical: false))
    #expect(!search.takes(.launched([0, 62], [[1], [1]])))
    #expect(!search.takes(.launched([0, 63], [[1], [1, 2]])))
    #expect(!search.takes(.launched([0, 63], [[], []])))
    #expect(!search.takes(.launched([0, 63], [[1], [.nan]])))
    #expect(search.takes(.launched([0, 63], [[1], [1]])))
  }
}
