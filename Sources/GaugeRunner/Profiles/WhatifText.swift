// Predicted gains as a table on a terminal, and as CSV and JSON for scripts.

import GaugeStatistics

/// What was predicted for a benchmark.
struct WhatifReport {
  /// The benchmark.
  var title: String
  /// The functions that were tried, the one that gains most first.
  var functions: [VirtualSpeedUp] = []
  /// What could not be told, and why.
  var notes: [String] = []

  /// Sorts the functions by what the operation gains from half of their time.
  mutating func sort() {
    functions = functions.map { (function: $0, gain: $0.middleGain) }
      .sorted {
        ($1.gain, $1.function.share, $0.function.function) < ($0.gain, $0.function.share, $1.function.function)
      }
      .map(\.function)
  }
}

extension VirtualSpeedUp {
  /// The estimate for about half of the function's time.
  fileprivate var middleGain: Double {
    let gains = gains
    return gains.min { abs($0.speedUp - 0.5) < abs($1.speedUp - 0.5) }?.estimate.value ?? -.infinity
  }
}

/// A report as text.
struct WhatifText {
  /// The report.
  let report: WhatifReport

  /// The lines on a terminal.
  ///
  /// - Parameters:
  ///   - width: Characters of the terminal's line.
  ///   - colour: Whether ANSI colours are used.
  func text(width: Int, colour: Bool) -> [String] {
    var lines: [String] = []
    let speedUps = Set(report.functions.flatMap { $0.gains.map(\.speedUp) }).sorted()
    if !report.functions.isEmpty {
      lines += wrapped(
        "the operation's gain if a function with what it calls took less of its time:", indent: 2, width: width)
      var table = Table(
        columns: [
          Table.Column(title: "function", minimum: 24, isName: true), Table.Column(title: "its share", isNumber: true),
        ]
          + speedUps.map { Table.Column(title: "\(Self.percent($0)) less", isNumber: true) })
      for function in report.functions {
        let gains = Dictionary(uniqueKeysWithValues: function.gains.map { ($0.speedUp, $0) })
        table.rows.append(
          Table.Row(
            cells: [function.function, Self.percent(function.share)]
              + speedUps.map { gains[$0].map { Self.words(for: $0) } ?? "" }))
      }
      lines += table.text(width: width - 2, colour: colour).map { "  " + $0 }
    }
    let notes = report.notes + report.functions.compactMap(Self.lack)
    return lines + notes.flatMap { wrapped("note: \($0)", indent: 2, width: width) }
  }

  /// A gain in words: `7 % (5 to 9)`, `no gain`.
  static func words(for gain: VirtualSpeedUp.Gain) -> String {
    let (value, interval) = (gain.estimate.value, gain.estimate.interval)
    guard interval.lower.isFinite, interval.upper.isFinite else { return "not enough" }
    if gain.isNone { return "no gain" }
    return "\(percent(value)) (\(points(interval.lower)) to \(points(interval.upper)))" + (gain.isKnown ? "" : " ?")
  }

  /// What is missing for a function, in words.
  static func lack(of function: VirtualSpeedUp) -> String? {
    let more = function.gains.filter { !$0.isKnown }.map { function.secondsMore(for: $0) }.max()
    guard let more else { return nil }
    return
      "\(function.function): not enough for intervals of 10 points (marked ?): about "
      + "\(boundedCount(more.rounded(.up))) s "
      + "more: --seconds \(boundedCount((function.seconds + more).rounded(.up)))"
  }

  private static func percent(_ share: Double) -> String { points(share) + " %" }

  private static func points(_ share: Double) -> String { "\(boundedCount((share * 100).rounded()))" }

  /// The lines of a CSV file, without its head: one for each function and speed-up.
  var csv: String {
    report.functions.flatMap { function in
      function.gains.map { gain in
        CSV.record([
          report.title, function.function, "\(function.share)", "\(gain.speedUp)", "\(gain.estimate.value)",
          "\(gain.estimate.interval.lower)", "\(gain.estimate.interval.upper)", Self.verdict(on: gain),
          "\(function.launches.count)", "\(function.rounds)",
        ])
      }
    }.joined()
  }

  /// The head of the file.
  static let head = CSV.record([
    "benchmark", "function", "share", "speed_up", "gain", "low", "high", "verdict", "launches", "rounds",
  ])

  /// The report as a member of a JSON document.
  var json: JSONText {
    .object([
      ("benchmark", .string(report.title)),
      (
        "functions",
        .array(
          report.functions.map { function in
            .object([
              ("function", .string(function.function)), ("share", .number(function.share)),
              ("launches", .number(Double(function.launches.count))), ("rounds", .number(Double(function.rounds))),
              (
                "gains",
                .array(
                  function.gains.map { gain in
                    .object(
                      [("speed_up", .number(gain.speedUp)), ("verdict", .string(Self.verdict(on: gain)))]
                        + JSONText.estimate(gain.estimate))
                  })
              ),
            ])
          })
      ),
      ("notes", .array(report.notes.map { .string($0) })),
    ])
  }

  /// What is known of a gain, in a word.
  private static func verdict(on gain: VirtualSpeedUp.Gain) -> String {
    if !gain.isKnown { return "not enough" }
    return gain.isNone ? "no gain" : gain.estimate.value > 0 ? "gain" : "loss"
  }

  /// A document of several reports.
  static func document(_ reports: [WhatifReport]) -> String {
    JSONText.object([
      ("format", "gauge-whatif"), ("version", 1), ("benchmarks", .array(reports.map { WhatifText(report: $0).json })),
    ]).text() + "\n"
  }
}
