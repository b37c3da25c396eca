// The search for the commit that changed a benchmark: a value that is told answers, and says what to ask next.

import GaugeStatistics

/// A search among commits in a row, of which the first is good and the last is bad.
///
/// It halves what is left, and goes by the half that a commit is like. A commit that can't be measured is stepped
/// around, and stays a suspect together with the next one that can. So is a commit stepped around that is like neither
/// end of what is left, as one is where something came and went; several of them say that more than one commit took
/// part, and the search goes on in the likeliest step. Before a step is told as found, a build in the widest part
/// behind it is held against it, as what came and went may have looked like the end; and all four, the good commit,
/// both sides of the step and the bad one, are launched in turn: does the step account for all between good and bad?
///
/// Pure: the same answers lead to the same questions, so that a search is gone on with by its answers alone.
struct CommitSearch {
  /// What is to be found out. Commits are numbered from 0, the good one.
  enum Question: Hashable {
    /// Build a commit, and look whether it has the benchmark.
    case build(Int)
    /// Launch these commits in turn, so many rounds.
    case launch([Int], rounds: Int)
  }

  /// What was found out.
  enum Answer: Hashable, Codable {
    /// A commit was built. As far as counts tell it does the same as one that was built before; or its executable is
    /// the same as that one's, byte for byte.
    case built(Int, like: Int?, isIdentical: Bool)
    /// A commit can't be measured: it doesn't build, or it doesn't have the benchmark, or that breaks.
    case unusable(Int, reason: String)
    /// What launches of some commits measured: for each commit a value per round.
    case launched([Int], [[Double]])
  }

  /// What comes next.
  enum Step {
    /// The answer to a question.
    case ask(Question)
    /// The end.
    case found(Finding)
  }

  /// How a search ends.
  enum Finding {
    /// The good or the bad commit can't be measured.
    case unusable(Int, reason: String)
    /// The good and the bad commit don't differ: their executables are identical.
    case identical
    /// The good and the bad commit don't differ, or the launches don't tell; the largest change that this leaves open.
    case unchanged(Change, within: Double?)
    /// A step between two commits.
    case culprit(Culprit)
    /// No step accounts for what lies between the good and the bad commit: it changed bit by bit.
    case drift(Change)
    /// The launches don't tell which step accounts for it.
    case unclear(Change)
  }

  /// A step that was found.
  struct Culprit {
    /// The last measured commit before the step.
    var before: Int
    /// The first measured commit behind it. Those between the two can't be measured.
    var after: Int
    /// The change from one to the other.
    var change: Change
    /// The change from the good to the bad commit.
    var whole: Change
    /// What of that the step doesn't account for.
    var rest: Rest
  }

  /// What a step leaves of the difference between the good and the bad commit.
  enum Rest {
    /// Nothing that counts.
    case nothing
    /// More changes, up to the step and from it on.
    case changes(before: Change, after: Change)
    /// The launches don't tell; what they leave open.
    case unclear(Change)
  }

  /// The rules.
  let rules: SearchRules
  /// The bad commit.
  let last: Int
  /// The answers so far.
  private(set) var answers: [Answer] = []
  /// What comes next.
  private(set) var next = Step.ask(.build(0))
  /// Where the measured commits stand: their values where these are exact, else by the logarithm from the good one on.
  private var positions: [Int: Double] = [:]
  /// Why commits can't be measured.
  private(set) var unusable: [Int: String] = [:]

  /// The latest commit that is like the good one.
  private var lower = 0
  /// The earliest commit that is like the bad one.
  private var upper: Int
  /// Commits between these that are like neither.
  private var odd: Set<Int> = []
  /// Commits that were found to be like what was the lower end then, and like the upper one.
  private var starts: Set<Int> = []
  private var ends: Set<Int> = []
  /// Of each built commit the first that does the same.
  private var firsts: [Int: Int] = [:]
  /// Whether what counts the same is the same.
  private var trustsCounts = true
  /// Whether such an answer was taken.
  private var usedCounts = false
  /// The difference of both ends, once it is known.
  private var whole: Change?
  private var probe: Int?
  private var isBehind = false
  private var hasLookedBehind = false
  /// Questions where a commit stands that launches have answered.
  private(set) var tests = 0
  private var launches = Launches()

  /// The launches that the present question has had.
  private struct Launches {
    var commits: [Int] = []
    var values: [[Double]] = []
    var look = 0
  }

  /// Builds that a search takes without looking behind what it found.
  private static let usualBuilds = 9
  /// Commits that are too few to look behind what was found among.
  private static let narrowest = 4
  /// Commits that what comes and goes is thought to last, as long as one was met.
  private static let usualLength = 3
  /// Commits that are few enough to measure each of them where several are like neither end.
  private static let few = 8
  /// Commits like neither end that say, among more, that there is more than one step.
  private static let mostOdd = 3

  /// - Parameters:
  ///   - rules: The rules, of so many commits.
  ///   - last: The number of the bad commit, at least 1.
  init(rules: SearchRules, last: Int) {
    precondition(last > 0, "the bad commit must be another than the good one")
    self.rules = rules
    self.last = last
    upper = last
  }

  /// Commits that were built, or on which that was tried.
  var builds: Int { Set(firsts.keys).union(unusable.keys).count }

  /// The built commits, of those that do the same the first.
  var built: [Int] { Set(firsts.values).sorted() }

  /// The change from the good commit to each that was measured.
  var course: [(commit: Int, change: Change)] {
    positions.sorted { $0.key < $1.key }.map { commit, _ in
      (commit, rules.change(.exact(height(0, commit)), from: positions[0] ?? 0))
    }
  }

  /// Whether this is an answer to the question that comes next.
  func takes(_ answer: Answer) -> Bool {
    switch (next, answer) {
    case (.ask(.build(let asked)), .built(let commit, let like, _)):
      return asked == commit && like.map { firsts[$0] != nil } ?? true
    case (.ask(.build(let asked)), .unusable(let commit, _)): return asked == commit
    case (.ask(.launch(let asked, _)), .unusable(let commit, _)): return asked.contains(commit)
    case (.ask(.launch(let asked, let rounds)), .launched(let commits, let values)):
      return asked == commits && values.count == commits.count
        && values.allSatisfy { $0.count == values[0].count && $0.allSatisfy(\.isFinite) }
        && 1...rounds ~= values[0].count
    default: return false
    }
  }

  /// Takes an answer.
  ///
  /// - Parameter answer: One that `takes` says yes to.
  mutating func take(_ answer: Answer) {
    precondition(takes(answer), "an answer to another question")
    answers.append(answer)
    switch answer {
    case .built(let commit, let like, let isIdentical):
      firsts[commit] = like.flatMap { firsts[$0] } ?? commit
      if commit == last, firsts[last] == firsts[0] {
        guard !isIdentical else { return next = .found(.identical) }
        // What counts can't see has changed between these two, and may have anywhere.
        trustsCounts = false
      }
    case .unusable(let commit, let reason):
      unusable[commit] = reason
      firsts[commit] = nil
      starts.remove(commit)
      ends.remove(commit)
      launches = Launches()
    case .launched(let commits, let values):
      if launches.values.isEmpty { launches.values = commits.map { _ in [] } }
      for (index, more) in values.enumerated() { launches.values[index] += more }
    }
    goOn()
  }

  /// Asks the next question, or ends.
  private mutating func goOn() {
    for commit in [0, last] {
      if let reason = unusable[commit] { return next = .found(.unusable(commit, reason: reason)) }
      if firsts[commit] == nil { return next = .ask(.build(commit)) }
    }
    stepBack()
    if whole == nil {
      guard compareEnds() else { return }
    }
    guard let whole else { return }
    while true {
      if let probe {
        guard unusable[probe] == nil else {
          hasLookedBehind = hasLookedBehind || isBehind
          self.probe = nil
          continue
        }
        guard firsts[probe] != nil else { return next = .ask(.build(probe)) }
        guard let side = side(of: probe) else { return }
        self.probe = nil
        settle(probe, side)
      } else if abs(height(lower, upper)) < leastStep {
        return next = .found(.drift(whole))
      } else if odd.count < Self.mostOdd || upper - lower <= Self.few, let middle = middle() {
        guard tests < rules.questions else { return next = .found(.unclear(whole)) }
        (probe, isBehind) = (middle, false)
      } else if !odd.isEmpty {
        takeLikeliestStep()
      } else if let behind = behind() {
        (probe, isBehind) = (behind, true)
      } else {
        guard check(whole) else { return }
      }
    }
  }

  /// Goes back to sides of what is left that can be measured, where one broke that had been.
  private mutating func stepBack() {
    if unusable[lower] != nil { lower = starts.filter { $0 < lower }.max() ?? 0 }
    if unusable[upper] != nil { upper = ends.filter { $0 > upper }.min() ?? last }
  }

  /// How much higher a later commit stands than an earlier one.
  private func height(_ earlier: Int, _ later: Int) -> Double { (positions[later] ?? 0) - (positions[earlier] ?? 0) }

  /// The least height of a step that accounts for the change.
  private var leastStep: Double { abs(height(0, last)) / 4 }

  /// The launches of some commits, once there are as many as the present look takes; else asks for them.
  private mutating func launches(of commits: [Int]) -> [[Double]]? {
    if launches.commits != commits { launches = Launches(commits: commits) }
    let rounds = rules.isExact ? 1 : SearchRules.looks[launches.look]
    let missing = rounds - (launches.values.first?.count ?? 0)
    guard missing > 0 else { return launches.values }
    next = .ask(.launch(commits, rounds: missing))
    return nil
  }

  /// Compares the good and the bad commit.
  ///
  /// - Returns: Whether they differ; else what comes next is said.
  private mutating func compareEnds() -> Bool {
    while let values = launches(of: [0, last]) {
      if rules.isExact {
        (positions[0], positions[last]) = (values[0][0], values[1][0])
        let change = rules.change(.exact(height(0, last)), from: values[0][0])
        launches = Launches()
        guard !rules.isNone(height(0, last), of: values[0][0]) else {
          next = .found(.unchanged(change, within: nil))
          return false
        }
        whole = change
        return true
      }
      guard let judgement = rules.judge.judge(values[0], values[1], at: launches.look) else { return false }
      switch judgement.verdict {
      case .worse, .better:
        (positions[0], positions[last]) = (0, rules.shift(values[0], values[1]).value)
        (whole, launches) = (judgement.change, Launches())
        return true
      case .notEnoughData where launches.look + 1 < SearchRules.looks.count: launches.look += 1
      case .notEnoughData, .same:
        next = .found(.unchanged(judgement.change, within: judgement.within))
        return false
      }
    }
    return false
  }

  /// Where a commit stands between both ends of what is left; asks for launches where it isn't known yet.
  private mutating func side(of probe: Int) -> SearchRules.Side? {
    if trustsCounts, let end = [lower, upper].first(where: { firsts[$0] == firsts[probe] }) {
      usedCounts = true
      positions[probe] = positions[end]
      return end == lower ? .before : .after
    }
    if rules.isExact {
      guard let values = launches(of: [probe]), let earlier = positions[lower], let later = positions[upper] else {
        return nil
      }
      positions[probe] = values[0][0]
      launches = Launches()
      tests += 1
      return rules.side(of: values[0][0], between: earlier, and: later)
    }
    while let values = launches(of: [lower, probe, upper]) {
      let positions = values.map { $0.map(rules.position) }
      guard let side = rules.side(positions, at: launches.look, rises: height(lower, upper) > 0) else {
        launches.look += 1
        continue
      }
      self.positions[probe] = (self.positions[lower] ?? 0) + rules.shift(values[0], values[1]).value
      launches = Launches()
      tests += 1
      return side
    }
    return nil
  }

  /// Takes what is known of a commit.
  private mutating func settle(_ commit: Int, _ side: SearchRules.Side) {
    switch (side, isBehind) {
    case (.before, true):
      // What had looked like the end came and went: the step that lasts is behind it.
      (lower, upper) = (commit, ends.filter { $0 > commit }.min() ?? last)
      starts.insert(commit)
    case (.before, false):
      starts.insert(commit)
      lower = commit
    case (.after, true): ends.insert(commit)
    case (.after, false):
      ends.insert(commit)
      upper = commit
    case (.neither, true): break
    case (.neither, false): odd.insert(commit)
    }
    hasLookedBehind = hasLookedBehind || isBehind
    odd = odd.filter { lower < $0 && $0 < upper }
  }

  /// The commit that halves what is left; `nil` where there is none.
  ///
  /// A commit that can't be measured and the next one that can are one suspect. What has come and gone lasted some
  /// commits, and so does what keeps commits from being built where a second one doesn't: near those none is taken.
  private func middle() -> Int? {
    let candidates = (lower + 1..<upper).filter { unusable[$0] == nil && !odd.contains($0) }
    let unbuilt = (lower + 1..<upper).filter { unusable[$0] != nil }
    let avoided = odd.sorted() + (unbuilt.count > 1 ? unbuilt : [])
    let distance = avoided.count > 1 ? max(2, (upper - lower) / 8) : Self.usualLength
    let apart = candidates.filter { commit in avoided.allSatisfy { abs($0 - commit) >= distance } }
    func imbalance(_ commit: Int) -> Int {
      let suspects = (before: commit - lower, behind: upper - commit)
      let merged = (before: unbuilt.count { $0 < commit }, behind: unbuilt.count { $0 > commit })
      return abs(suspects.before - merged.before - suspects.behind + merged.behind)
    }
    return (apart.isEmpty ? candidates : apart).min { (imbalance($0), $0) < (imbalance($1), $1) }
  }

  /// Takes what is left to be between two neighbours among the measured commits: those whose difference is nearest to
  /// that of both ends. A step counts that is high enough to be told; only what changes that way may be more than the
  /// whole, as a later commit may have taken a part of it back.
  private mutating func takeLikeliestStep() {
    let points = [lower] + odd.sorted() + [upper]
    let height = height(lower, upper)
    let steps = Array(zip(points, points.dropFirst()))
    let told = steps.filter { self.height($0.0, $0.1) * (height < 0 ? -1 : 1) >= leastStep }
    let likeliest = (told.isEmpty ? steps : told).min { left, right in
      abs(self.height(left.0, left.1) - height) < abs(self.height(right.0, right.1) - height)
    }
    if let likeliest { (lower, upper) = likeliest }
    odd = []
    // What lies behind is none of this step.
    hasLookedBehind = true
  }

  /// The commit in the middle of the widest part behind the step in which none was measured; `nil` where none is worth
  /// a build.
  private func behind() -> Int? {
    guard !hasLookedBehind, builds <= Self.usualBuilds, tests < rules.questions else { return nil }
    let points = Set([upper, last]).union(ends.filter { $0 > upper }).sorted()
    guard let widest = zip(points, points.dropFirst()).max(by: { $0.1 - $0.0 < $1.1 - $1.0 }),
      widest.1 - widest.0 >= Self.narrowest
    else { return nil }
    let middle = (widest.0 + widest.1) / 2
    return (widest.0 + 1..<widest.1).filter { unusable[$0] == nil }
      .min { (abs($0 - middle), $0) < (abs($1 - middle), $1) }
  }

  /// Launches the step that was found and both ends in turn, and ends with what they say.
  ///
  /// - Returns: Whether the search begins anew instead, without what counts had told.
  private mutating func check(_ whole: Change) -> Bool {
    if rules.isExact {
      next = .found(.culprit(exactCulprit(whole)))
      return false
    }
    let commits = Set([0, lower, upper, last]).sorted()
    while let values = launches(of: commits) {
      let of = Dictionary(uniqueKeysWithValues: zip(commits, values))
      guard let good = of[0], let before = of[lower], let after = of[upper], let bad = of[last],
        let judgement = rules.stepJudge.judge(before, after, at: launches.look)
      else { return false }
      let rest = rest(good, before, after, bad)
      if launches.look + 1 < SearchRules.looks.count, judgement.verdict == .notEnoughData || rest.isUnclear {
        launches.look += 1
        continue
      }
      launches = Launches()
      let isStep = [.worse, .better].contains(judgement.verdict)
      if usedCounts, trustsCounts, !isStep || !rest.isNothing {
        beginAnew()
        return true
      }
      let culprit = Culprit(before: lower, after: upper, change: judgement.change, whole: whole, rest: rest)
      // The same within less than a step that would be told.
      let isNone = judgement.within.map { rules.height(of: $0) < leastStep } ?? false
      next = .found(isStep ? .culprit(culprit) : isNone ? .drift(whole) : .unclear(whole))
      return false
    }
    return false
  }

  /// Forgets everything but builds and the difference of both ends, and trusts counts no more. Questions that were
  /// asked before have had their part of the error.
  private mutating func beginAnew() {
    trustsCounts = false
    (lower, upper) = (0, last)
    (odd, starts, ends) = ([], [], [])
    hasLookedBehind = false
  }

  private func exactCulprit(_ whole: Change) -> Culprit {
    let rest = height(0, last) - height(lower, upper)
    func change(_ earlier: Int, _ later: Int) -> Change {
      rules.change(.exact(height(earlier, later)), from: positions[earlier] ?? 0)
    }
    return Culprit(
      before: lower, after: upper, change: change(lower, upper), whole: whole,
      rest: rules.isNone(rest, of: positions[0] ?? 0)
        ? .nothing : .changes(before: change(0, lower), after: change(upper, last)))
  }

  /// What a step leaves, by launches in turn.
  private func rest(_ good: [Double], _ before: [Double], _ after: [Double], _ bad: [Double]) -> Rest {
    if lower == 0, upper == last { return .nothing }
    let rests = good.indices.map { round in
      rules.position(bad[round]) - rules.position(good[round]) - rules.position(after[round])
        + rules.position(before[round])
    }
    let shift = PairedShift(rests)
    let interval = shift.interval(confidence: rules.restConfidence)
    let (least, most) = (rules.leastShift, abs(height(0, last)) * SearchRules.tolerance)
    if interval.lower > least || interval.upper < -least {
      return .changes(
        before: rules.change(rules.shift(good, before), from: 0), after: rules.change(rules.shift(after, bad), from: 0))
    }
    return interval.lower >= -most && interval.upper <= most
      ? .nothing : .unclear(rules.change(Estimate(shift.shift, interval), from: 0))
  }
}

extension CommitSearch.Rest {
  /// Whether the step accounts for everything.
  var isNothing: Bool { if case .nothing = self { true } else { false } }

  /// Whether the launches don't tell.
  var isUnclear: Bool { if case .unclear = self { true } else { false } }
}
