// `gauge history`: runs added once, shown, and their changes.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct HistoryVerbTests {
  let folder: TemporaryFolder
  let gauge: CapturedProgram

  init() throws {
    folder = try TemporaryFolder()
    gauge = CapturedProgram(in: folder.path)
  }

  func add(_ allocations: Double, commit: String) throws -> Int32 {
    let file = try ResultFileWriter.replacing(folder("results/latest.csv"), environment: [("commit", commit)])
    try file.append([.sample("a", metric: .allocations, .value(allocations))])
    return gauge("history", "add")
  }

  @Test func `runs are added once, and a change names its commit`() throws {
    #expect(try add(1, commit: "c1") == 0, "\(gauge.error)")
    #expect(try add(1, commit: "c2") == 0)
    #expect(gauge("history", "add") == 0)
    #expect(gauge.output.contains("is run 2 of"))
    #expect(try add(4, commit: "c3") == 0)
    #expect(gauge("history", "show") == 0)
    #expect(gauge.output.contains("a          allocations     3      1     4  ▁▁█\n"))
    #expect(gauge("history", "changes") == 0)
    #expect(gauge.output.contains("  3  c3      a          allocations       1      4  worse\n"), "\(gauge.output)")
    #expect(gauge.output.hasSuffix("1 changes in 1 series of 3 runs\n"))
  }

  @Test func `a broken last line is cut off before a run is added`() throws {
    #expect(try add(1, commit: "c1") == 0)
    let whole = try folder.read("results/history.csv")
    try folder.write(whole + "1,half", to: "results/history.csv")
    #expect(try add(2, commit: "c2") == 0)
    #expect(try folder.read("results/history.csv").hasPrefix(whole + "# 2 results: "))
  }

  /// It was there already, and what the cut had taken never came back.
  @Test func `a run that is there in part is made whole by adding it again`() throws {
    func write(_ name: String, _ count: Int) throws -> String {
      let file = try ResultFileWriter.replacing(folder(name), environment: [("commit", name)])
      try file.append((0..<count).map { .sample("b\($0)", metric: .allocations, .value(1)) })
      return folder(name)
    }
    let (one, two) = (try write("one.csv", 2), try write("two.csv", 3))
    for file in [one, two] { #expect(gauge("history", "add", file) == 0, "\(gauge.error)") }
    let whole = try folder.read("results/history.csv")
    let lines = whole.split(separator: "\n")
    for cut in [String(whole.dropLast(4)), lines.dropLast(1).joined(separator: "\n") + "\n"] {
      try folder.write(cut, to: "results/history.csv")
      #expect(gauge("history", "add", one) == 0 && gauge.output.contains("is run 1 of"))
      #expect(try folder.read("results/history.csv") == cut)
      #expect(gauge("history", "add", two) == 0 && gauge.output.hasPrefix("run 2: "), "\(gauge.output)")
      let history = try History(Files.contents(of: folder("results/history.csv")), path: "h.csv")
      #expect(history.runs.map(\.number) == [1, 2] && history.entries.map(\.run) == [1, 1, 2, 2, 2])
      #expect(history.wholeLength == nil)
    }
  }

  @Test func `a history that breaks off is read with a warning`() throws {
    #expect(try add(1, commit: "c1") == 0)
    #expect(gauge("history", "show") == 0 && !gauge.error.contains("warning"), "\(gauge.error)")
    let whole = try folder.read("results/history.csv")
    try folder.write(whole + "1,half", to: "results/history.csv")
    #expect(gauge("history", "show") == 0)
    let line = whole.split(separator: "\n").count + 1
    #expect(
      gauge.error.contains("gauge: warning: \(folder("results/history.csv")):\(line): the file breaks off within"),
      "\(gauge.error)")
  }

  @Test func `a history that git could not merge is named with its line, and stays as it is`() throws {
    #expect(try add(1, commit: "c1") == 0)
    let text = try folder.read("results/history.csv") + "<<<<<<< HEAD\n=======\n>>>>>>> other\n"
    try folder.write(text, to: "results/history.csv")
    #expect(try add(2, commit: "c2") == 65)
    let line = text.split(separator: "\n").count - 2
    #expect(
      gauge.error.contains("history.csv:\(line): git has left a conflict here: take one of its sides\nMend that line"),
      "\(gauge.error)")
    #expect(try folder.read("results/history.csv") == text)
  }

  @Test func `learn counts what it remembers`() throws {
    func write(_ name: String, _ metric: Metric, _ environment: [(name: String, value: String)]) throws -> String {
      let file = try ResultFileWriter.replacing(folder(name), environment: environment)
      let rows = (0..<6).map { ResultRow.sample("a", metric: metric, launch: $0, sequence: $0, .value(100)) }
      try file.append(rows)
      return folder(name)
    }
    let times = try write("times.csv", .time, [("executables", "E=1"), ("date", "2026-11-26T05:00:00Z")])
    let counts = try write("counts.csv", .allocations, [("executables", "E=1"), ("date", "2026-11-26T05:00:00Z")])
    let nameless = try write("nameless.csv", .time, [("date", "2026-11-26T05:00:00Z")])
    // It was taken without a word, and counted as a whole run.
    let part = try write(
      "part.csv", .time, [("executables", "E=1"), ("date", "2026-11-26T06:00:00Z"), (Results.plannedField, "60")])
    let earlier = folder("earlier")
    #expect(gauge("history", "learn", "--earlier", earlier, times, counts, nameless, part) == 0, "\(gauge.error)")
    #expect(gauge.output == "1 of 4 remembered in \(earlier)\n")
    #expect(
      gauge.error == """
        gauge: warning: \(counts) is not remembered: it has no times
        gauge: warning: \(nameless) is not remembered: it doesn't say of which build it is
        gauge: warning: \(part) is not remembered: it is incomplete: 6 of 60 launches

        """)
    #expect(gauge("history", "learn", "--earlier", earlier, times) == 0)
    #expect(gauge.output == "1 of 1 remembered in \(earlier)\n" && gauge.error.isEmpty)
    #expect(try EarlierRuns(folder: earlier).read().count == 1)
  }

  /// It was written, and no command could read it any more.
  @Test func `a history that is full takes no more runs`() throws {
    let lines = (1...History.mostRuns).map { "# \($0) date: x\n" }.joined()
    let full = History.version + "\n" + CSV.record(History.columns) + lines
    try folder.write(full, to: "results/history.csv")
    #expect(try add(1, commit: "c1") == 73)
    #expect(
      gauge.error.contains("the history would have more than 20000 runs, and could not be read any more\nMove it away"),
      "\(gauge.error)")
    #expect(try folder.read("results/history.csv") == full)
  }

  @Test func `two that add at once are told`() throws {
    #expect(try add(1, commit: "c1") == 0)
    let lock = try FolderLock.take(folder("results"))
    #expect(try add(2, commit: "c2") == 73)
    #expect(gauge.error.contains("another gauge is writing into \(folder("results"))"), "\(gauge.error)")
    lock?.hold()
  }

  /// They were taken, and didn't matter.
  @Test(arguments: [
    ("add", "--filter"), ("add", "--earlier"), ("show", "--earlier"), ("changes", "--earlier"), ("learn", "--filter"),
    ("learn", "--history"),
  ])
  func `an option without a meaning is refused`(action: String, option: String) throws {
    #expect(try add(1, commit: "c1") == 0)
    let words = action == "learn" ? [folder("results/latest.csv")] : []
    #expect(gauge(arguments: ["history", action] + words + [option, "x"]) == 64)
    #expect(gauge.error.contains("'history \(action)' takes no option '\(option)'\n"), "\(gauge.error)")
  }

  @Test func `mistakes have their codes`() throws {
    #expect(gauge("history") == 64)
    #expect(gauge("history", "show") == 66)
    #expect(try add(1, commit: "c1") == 0)
    #expect(gauge("history", "changes") == 7)
    #expect(gauge("history", "show", "none/*") == 64)
    #expect(gauge("history", "show", "--history", "/dev/null") == 65)
    try folder.write("", to: "file")
    #expect(gauge("history", "add", "--history", folder("file/h.csv"), folder("results/latest.csv")) == 73)
  }
}
