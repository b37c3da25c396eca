// What would decide the rows that `gauge ab` leaves open: pairs of launches, seconds, and the command to type.

import GaugeStatistics

/// The open rows of `gauge ab`, and what they lack.
struct MissingPairs {
  private let judgements: [String: SequentialJudge.Judgement]
  private let isOutOfTime: Bool
  private let pairSeconds: Double
  private let countingSeconds: Double
  /// Pairs that any row can have.
  private static let most = SequentialJudge.usualLooks.last!

  /// - Parameters:
  ///   - outcome: What was measured.
  ///   - pairSeconds: What a pair of launches takes.
  ///   - countingSeconds: What was spent on counts before the first pair, of the same budget.
  init(_ outcome: InterleavedRun.Outcome, pairSeconds: Double, countingSeconds: Double) {
    judgements = outcome.judgements
    isOutOfTime = outcome.isOutOfTime
    self.pairSeconds = pairSeconds
    self.countingSeconds = countingSeconds
  }

  /// Pairs of a row, in all, that would probably decide it: those of a look; `nil` where no look would.
  ///
  /// A row without any look is told the first.
  private func pairs(of title: String) -> Int? {
    guard let missing = judgements[title]?.missing else { return SequentialJudge.usualLooks.first }
    return SequentialJudge.usualLooks.first { $0 >= missing.pairs }
  }

  /// What would decide a row; empty for a decided one.
  func reason(of title: String) -> String {
    let judgement = judgements[title]
    if let judgement, judgement.verdict != .notEnoughData { return "" }
    guard isOutOfTime || judgement != nil else { return "no whole pairs of launches" }
    let cause = isOutOfTime ? "the time was up: " : ""
    if let pairs = pairs(of: title), isOutOfTime {
      return cause + "about \(pairs) pairs of launches would decide, \(seconds(pairs)) s"
    }
    guard let threshold = judgement?.missing?.threshold else { return cause + "no look was made" }
    return cause + "\(Self.most) pairs of launches tell changes from \(digits(threshold * 100)) % on"
  }

  /// The commands that would decide the open rows, between backticks; empty without any.
  func advice(for titles: [String], command: String) -> String {
    Self.advice(of: [(missing: self, titles: titles)], command: command)
  }

  /// The same for the open rows of several new sides, which are measured in one budget.
  static func advice(of sides: [(missing: MissingPairs, titles: [String])], command: String) -> String {
    let open = sides.filter { !$0.titles.isEmpty }
    guard !open.isEmpty else { return "" }
    var known: Set<String> = []
    let titles = open.flatMap(\.titles).filter { known.insert($0).inserted }
    let filters = titles.count <= 3 ? titles.map { " " + shellWord($0) }.joined() : ""
    if open.contains(where: \.missing.isOutOfTime) {
      let needed = open.flatMap { side in
        side.titles.map { (pairs: side.missing.pairs(of: $0), seconds: side.missing.pairSeconds) }
      }
      let timing = needed.map { Double($0.pairs ?? most) * $0.seconds }.reduce(0, +)
      let seconds = open[0].missing.countingSeconds + timing * 1.3
      let budget = max(10, Int(seconds.rounded(.up)))
      return " The time was up: `\(command) --budget \(budget)\(filters)` would decide what is open"
        + (needed.contains { $0.pairs == nil } ? ", as far as \(most) pairs of launches can." : ".")
    }
    let threshold = open.flatMap { side in
      side.titles.compactMap { side.missing.judgements[$0]?.missing?.threshold }
    }.max()
    guard let threshold else { return "" }
    let percent = digits((threshold * 1000).rounded(.up) / 10)
    return " To have what is open decided: `\(command) --threshold time=\(percent)\(filters)`"
  }

  private func seconds(_ pairs: Int) -> String { "\(Int((Double(pairs) * pairSeconds).rounded(.up)))" }
}

/// A word as a shell takes it: in quotes where it has characters with a meaning there.
func shellWord(_ word: String) -> String {
  let isPlain =
    !word.isEmpty
    && word.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_./=,:@%+~^".unicodeScalars.contains($0))
    }
  return isPlain
    ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
}
