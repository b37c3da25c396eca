// `gauge ab`: what a change of the sources, or of what they are built and launched with, does to the benchmarks, by
// launches of all builds in turn.

import Foundation
import Gauge
import GaugeStatistics

extension Verb {
  /// `gauge ab`.
  static let ab = Verb(
    name: "ab", arguments: "[GLOB ...]",
    summary: "Compares two revisions, a baseline and today, or variants of sources, by launches in turn.",
    description: """
      Builds both revisions, and runs pairs of launches, one of each side in random order, until verdicts are certain.

      One is built after the other in .gauge/ab/tree, so that unchanged code gives identical binaries, which need no
      timing where resources and libraries are identical, too. The launches go to results/ab/base.csv and new.csv.

      Where --base names a baseline whose executables 'gauge baseline' has kept on this machine, these are measured beside
      today's build, and nothing of the past is built. A name of both a baseline and a revision is taken for the baseline;
      'baseline:NAME' and 'revision:REV' say which. Kept executables are refused where they speak another launch protocol,
      share the runtime of another toolchain, or need another processor (code 6), and where their content has changed (65).
      With --executable they are measured beside that one. Two versions of Gauge's own code in the sides are told of.

      Only executables are built that the filters need, as far as lists of benchmarks from earlier builds of the same
      sources tell. One that doesn't compile is named and left out, and the command ends with 3.

      Both sides of the others are counted first: where instructions, retains, releases and allocations of a benchmark of
      one thread are the same, it is not timed either (counts need valgrind; threads that disturb each other are not seen
      by counts, and always timed). After 20, 30, 45, 68, 100 and 150 pairs each row is looked at: it is decided, or goes
      on. The chance of any false change of a time over all rows and looks is 0.1 %; that of any false change of a count
      that varies, or of what rare operations add, is 0.1 %, too. A change of a time counts from 0.1 % on, one of the
      instructions from 0.5 %; thresholds say otherwise, as for 'gauge compare'.

      With --affected a launch of each benchmark of the base is recorded under valgrind, from its start to its end. A
      benchmark is left out where every function that was executed is the same on both sides, wherever it lies, and so is all
      data that these functions and the runtime's lists of types lead to. Benchmarks that start a thread or a process, read a
      clock, wait or draw random numbers are always measured, and so is everything where resources or libraries of the
      package differ. Not covered: where code and data lie in memory, and what is executed only with more operations,
      other variables of the environment or extensions of the processor that valgrind lacks. What was left out is listed at
      the end. Recordings are kept in .gauge/recordings. x86-64 only.

      With --vary the new side is the same sources with another toolchain (a folder or its 'swift'), words for 'swift
      build', a variable that launches get, a library that is preloaded into them (as an allocator), or a dependency in
      another version that the manifest allows, or from a folder. What is joined by ' + ' changes together. The base is the
      same without the change, or --base. With several variants launches of the base and of all of them are made in turn,
      all share the error above, and the report is a matrix: text, markdown, html, csv or json. What can't be built is
      named, and the command ends with 3. The launches go to new.csv, or to variant-1.csv and so on.

      A benchmark that breaks on either side is told of, and the command ends with 3. What only one side has is named.
      """,
    options: [
      OptionSyntax(
        name: "--base", placeholder: "NAME",
        help: "The baseline or revision to compare with: NAME,\nbaseline:NAME or revision:REV."),
      OptionSyntax(
        name: "--new", placeholder: "REV",
        help: "The revision that is judged. Default: the folder as it is,\nwithout files that git doesn't know."),
      OptionSyntax(
        name: "--base-executable", placeholder: "PATH", help: "Compare with this executable; may be repeated."),
      Program.executableOption, Variant.option,
      OptionSyntax(
        name: "--filter", placeholder: "GLOB", help: "Take only benchmarks that fit; may be repeated."),
      OptionSyntax(
        name: "--budget", placeholder: "SECONDS",
        help: "Time, counting included, after which no pair is begun\nand open rows stay undecided. Default: 300."),
      Program.timeLimitOption,
      Program.affectedOption,
      OptionSyntax(name: "--time-all", help: "Time also what counts the same on both sides."),
      OptionSyntax(
        name: "--suspects", placeholder: "FILE",
        help: """
          Time only rows whose time grew most since the baseline's run.
          FILE is a run of today. As many as the budget can decide are
          timed, nothing is counted, and the drift of the suite is told.
          With --affected those are timed first that run other code.
          """),
      OptionSyntax(name: "--seed", placeholder: "N", help: "What the order is drawn from. Default: random."),
      Program.explainOption,
      OptionSyntax(
        name: "--format", placeholder: "A,B", help: "What to print or write, as for 'gauge compare'. Default: text.",
        words: ReportFormat.allCases.map(\.rawValue)),
      OptionSyntax(
        name: "--output", placeholder: "DIR", help: "Write the formats into this folder, and print the text."),
    ] + Program.thresholdOptions + common,
    examples: [
      ("gauge ab --base baseline:main", "What changed since the baseline 'main' was saved here."),
      ("gauge ab --vary preload=/lib/libjemalloc.so", "What another allocator does."),
    ],
    exitCodes: [
      ("0", "the same (4: something got better, nothing worse)"), ("2", "something got worse"),
      ("3", "a benchmark broke on either side, or a side can't be built"),
      ("6", "nothing in common that can be compared, or kept executables can't run here"),
      ("7", "not enough data for some verdicts"), ("64", "the command line is wrong, or a filter fits no benchmark"),
      ("65", "a kept executable is damaged or of another run (66: no package, benchmark, executable or baseline)"),
      ("73", "a file can't be written, or another comparison is at work in the package"),
      ("130", "interrupted (143: terminated)"),
    ],
    believesFolder: true,
    action: { program, arguments throws(CommandFailure) in try program.ab(arguments) })
}

extension Program {
  /// Runs `gauge ab`.
  func ab(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    let formats = try arguments.words("--format", as: ReportFormat.self)
    let seconds: Double = try arguments.number("--budget", in: 0.001...1e6, expected: "seconds above 0") ?? 300
    let seed =
      try arguments.number("--seed", in: 0...UInt64.max, expected: "a whole number from 0")
      ?? UInt64.random(in: 0...UInt64(UInt32.max))
    let variants = try variants(arguments, formats)
    let home = try abHome(arguments)
    // A second comparison would use the same folders and files.
    let lock = try lock(folderOf: home + "/results/ab/new.csv")
    defer { lock?.hold() }
    let varied =
      variants.isEmpty
      ? VariedSides(sides: [try sides(arguments, home: home)]) : try sides(variants, arguments, home: home)
    var pairs: [AbMeasuring.Pair] = []
    var matches: [MatchedRows] = []
    var unaffected: Unaffected?
    for sides in varied.sides {
      let matched = try matchedRows(sides, filters: arguments.all("--filter") + arguments.plain)
      let name = variants.count > 1 ? "variant-\(sides.number)" : "new"
      var pair = AbMeasuring.Pair(sides: sides, name: name, rows: matched.rows)
      if arguments.has("--suspects") {
        pair.rows = try suspects(pair.rows, sides, arguments, within: seconds)
        if pair.rows.isEmpty { return ExitCode.incomparable.rawValue }
      } else if arguments.has(Self.affectedOption.name) {
        let found = try self.unaffected(pair.rows, sides)
        pair.unaffected = found.rows
        unaffected = found
      }
      pairs.append(pair)
      matches.append(matched)
    }
    removeNewSides(except: pairs.map(\.name), home: home)
    // The builds are not part of the time.
    let terms = AbMeasuring.Terms(
      deadline: .now + .milliseconds(Int(seconds * 1000)), thresholds: try thresholds(arguments), seed: seed,
      timesAll: arguments.has("--time-all"), counts: !arguments.has("--suspects"), timeLimit: try arguments.timeLimit(),
      command: Self.command(arguments))
    switch try AbMeasuring(program: self, pairs: pairs, terms: terms).measure() {
    case .interrupted(let signal): return 128 + signal
    case .judged(var judged, let base, let words):
      for (index, pair) in pairs.enumerated() {
        let titles = Set(pair.rows.map(\.base.title))
        judged[index].comparison.add(
          faults: Self.faults(base.faults.filter { titles.contains($0.title) }, pair.sides),
          onlyInBase: matches[index].onlyInBase.map(Self.key), onlyInNew: matches[index].onlyInNew.map(Self.key))
        judged[index].comparison.varied = pair.sides.variant?.text
      }
      if variants.count > 1 {
        return try report(
          matrix(judged, pairs, varied, base: Self.baseWords(arguments), terms: words),
          runs: [("base", base)] + zip(pairs, judged).map { ("\($0.sides.number)", $1.new) }, formats: formats,
          folder: arguments.last("--output"))
      }
      var comparison = judged[0].comparison
      if arguments.has("--explain") {
        let sides = pairs[0].sides
        try explain(&comparison, base: .success(sides.base.executables), new: .success(sides.new.executables))
      }
      let code = try report(
        comparison, base: base, new: judged[0].new, formats: formats, folder: arguments.last("--output"))
      let count = pairs[0].rows.count
      for line in unaffected.map({ Self.affectedText($0, of: count) }) ?? [] { console.error.line(line) }
      return code
    }
  }

  /// The report on several variants, those that can't be built among them.
  private func matrix(
    _ judged: [AbMeasuring.Judged], _ pairs: [AbMeasuring.Pair], _ varied: VariedSides, base: String, terms: String
  ) -> ComparisonMatrix {
    let columns =
      zip(pairs, judged).map { pair, judged in
        ComparisonMatrix.Column(
          number: pair.sides.number, name: pair.sides.variant?.text ?? "", comparison: judged.comparison)
      }
      + varied.failed.map {
        ComparisonMatrix.Column(number: $0.number, name: $0.variant.text, failure: "can't be built: " + $0.reason)
      }
    return ComparisonMatrix(base: base, columns: columns.sorted { $0.number < $1.number }, terms: terms)
  }

  /// What variants are compared with, in words.
  private static func baseWords(_ arguments: Arguments) -> String {
    if let name = arguments.last("--base") { return "'\(name)'" }
    let files = arguments.all("--base-executable")
    return files.isEmpty ? "the same without it" : files.joined(separator: ", ")
  }

  /// Removes the files of new sides of an earlier comparison, which would be taken for some of this one.
  private func removeNewSides(except names: [String], home: String) {
    let folder = home + "/results/ab"
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      guard name.wholeMatch(of: /(variant-\d+|new)\.csv/) != nil, !names.contains(String(name.dropLast(4))) else {
        continue
      }
      Files.remove("\(folder)/\(name)")
    }
  }

  /// What broke besides the benchmarks of the new side: those of the base side, of which nothing tells whether they got
  /// worse, and executables that don't compile.
  private static func faults(_ ofBase: [BenchmarkFault], _ sides: AbSides) -> [BenchmarkFault] {
    let onBase = ofBase.map { fault -> BenchmarkFault in
      var fault = fault
      fault.reason = "on the base side: " + fault.reason
      return fault
    }
    let uncompiled = [("base", sides.base), ("new", sides.new)].flatMap { name, side -> [BenchmarkFault] in
      side.uncompiled.map {
        BenchmarkFault(benchmark: $0, parameters: "", reason: "doesn't compile on the \(name) side", output: "")
      }
    }
    return onBase + uncompiled
  }

  /// The command line that measures the same sides by the same thresholds.
  private static func command(_ arguments: Arguments) -> String {
    let options = [
      "--base", "--new", "--base-executable", "--executable", "--suspects", "--threshold", "--thresholds", "--vary",
    ]
    let words = options.flatMap { option in arguments.all(option).flatMap { [option, shellWord($0)] } }
    return (["gauge ab"] + words + (arguments.has("--time-all") ? ["--time-all"] : [])).joined(separator: " ")
  }

  /// The benchmarks of both sides that fit the filters.
  private struct MatchedRows {
    /// Those that both have.
    var rows: [InterleavedRun.Row]
    /// Those that the new side lacks.
    var onlyInBase: [BenchmarkPoint]
    /// Those that the base lacks.
    var onlyInNew: [BenchmarkPoint]
  }

  private func matchedRows(_ sides: AbSides, filters: [String]) throws(CommandFailure) -> MatchedRows {
    let (old, new): ([BenchmarkPoint], [BenchmarkPoint])
    do throws(PackageFailure) {
      old = try BenchmarkList.points(of: sides.base.executables)
      new = try BenchmarkList.points(of: sides.new.executables)
    } catch {
      throw CommandFailure(error)
    }
    // A benchmark that the change has removed is one that a filter may name.
    let titles = Set(new.map(\.title))
    let removed = old.filter { !titles.contains($0.title) }
    let fitting = try Self.fitting(filters, new + removed)
    let known = Dictionary(old.map { ($0.title, $0) }, uniquingKeysWith: { first, _ in first })
    let chosen = fitting.filter { titles.contains($0.title) }
    return MatchedRows(
      rows: chosen.compactMap { point in known[point.title].map { InterleavedRun.Row(base: $0, new: point) } },
      onlyInBase: fitting.filter { !titles.contains($0.title) }, onlyInNew: chosen.filter { known[$0.title] == nil })
  }

  /// The row that stands for a benchmark which only one side has: that of its first pass.
  private static func key(_ point: BenchmarkPoint) -> ResultRow.Key {
    ResultRow.Key(
      benchmark: point.benchmark, parameters: point.parameters,
      metric: LaunchRunner.metric(standingFor: point.passes.first ?? .time).name)
  }

  /// Recorded rows for each that there is time for: where most run the same code as before,
  /// so many have to be looked at.
  private static let lookedAtForEach = 20

  /// The rows of `gauge ab --suspects`: those whose time grew most since the base's run, as many as there is time for;
  /// with `--affected` those first that run other code, without those that don't.
  private func suspects(
    _ rows: [InterleavedRun.Row], _ sides: AbSides, _ arguments: Arguments, within seconds: Double
  ) throws(CommandFailure) -> [InterleavedRun.Row] {
    guard let accepted = sides.accepted, let path = arguments.last("--suspects") else {
      throw .usage("--suspects needs --base with the name of a baseline whose executables are kept")
    }
    let base = try results(of: accepted, in: KeptBuilds(package: sides.home))
    let suspects = Suspects(base: base, new: try read(path))
    console.output.line("Drift since \(accepted.saved): " + (suspects.drift ?? "no time is in both runs") + ".")
    let identical = Self.identical(rows)
    let differing = rows.filter { !identical.contains($0) }
    guard !differing.isEmpty else { return rows }
    let count = Suspects.count(within: seconds)
    var titles = suspects.ordered(differing.map(\.new.title))
    var which = "whose time grew most"
    if arguments.has(Self.affectedOption.name) {
      let looked = Set(titles.prefix(count * Self.lookedAtForEach))
      let found: Unaffected
      do throws(CommandFailure) {
        found = try unaffected(differing.filter { looked.contains($0.new.title) }, sides)
      } catch {
        // On other machines than x86-64, for one, there is a choice still.
        console.error.line("gauge: warning: \(error.message): what runs other code isn't known")
        found = Unaffected()
      }
      let same = Set(found.rows.map(\.new.title))
      console.error.line(
        "gauge: of the \(looked.count) rows whose time grew most \(found.changed.count) run other code, \(same.count) the "
          + "same, and of \(looked.count - found.changed.count - same.count) that isn't known")
      titles = titles.filter { looked.contains($0) && !same.contains($0) }
      titles = Suspects.chosen(count, of: titles, changed: Set(found.changed.map(\.new.title)))
      which = "that may have become slower"
    }
    let chosen = Set(titles.prefix(count))
    if chosen.count < differing.count {
      console.error.line(
        "gauge: timing \(chosen.count) of \(differing.count) rows \(which); --budget times more of them")
    }
    return rows.filter { chosen.contains($0.new.title) || identical.contains($0) }
  }
}
