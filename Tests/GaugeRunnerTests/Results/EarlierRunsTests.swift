// The folder of earlier runs.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct EarlierRunsTests {
  @Test func aRunIsKeptOnceAndTheOldestGo() throws {
    let folder = try TemporaryFolder()
    let earlier = EarlierRuns(folder: folder("a/b"))
    #expect(try earlier.read().isEmpty)
    var runs = MadeRuns(seed: 1)
    runs.benchmarks = ["b0"]
    for day in 0..<(EarlierRuns.capacity + 3) {
      var results = runs.run()
      results.environment.removeAll { $0.name == "date" }
      results.environment.append(("date", "2025-01-01T00:00:\(10 + day)Z"))
      for _ in 0..<2 { try earlier.add(results, hash: "h\(day)") }
    }
    let dates = try earlier.read().map { $0.environment.first { $0.name == "date" }?.value ?? "" }
    #expect(dates.count == EarlierRuns.capacity && dates == dates.sorted() && dates.last?.hasSuffix("72Z") == true)
    #expect(dates.first?.hasSuffix("13Z") == true)
    // It counted as remembered, and was gone.
    var old = runs.run()
    old.environment.removeAll { $0.name == "date" }
    old.environment.append(("date", "2024-12-31T00:00:00Z"))
    #expect(try earlier.add(old, hash: "old") == "the 60 that are kept are newer")
    #expect(try earlier.read().count == EarlierRuns.capacity)
  }

  /// It removed every file of that kind but the newest sixty.
  @Test func whatIsNoEarlierRunStays() throws {
    let folder = try TemporaryFolder()
    let earlier = EarlierRuns(folder: folder("mine"))
    for number in 0..<(EarlierRuns.capacity + 10) { try folder.write("a,b\n", to: "mine/2024-\(100 + number).csv") }
    var runs = MadeRuns(seed: 1)
    runs.benchmarks = ["b0"]
    try earlier.add(runs.run(), hash: "h")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder("mine")).count == EarlierRuns.capacity + 11)
  }

  @Test func aDateIsNoPathAndALinkIsNotFollowed() throws {
    let folder = try TemporaryFolder()
    var runs = MadeRuns(seed: 1)
    runs.benchmarks = ["b0"]
    var results = runs.run()
    results.environment.removeAll { $0.name == "date" }
    results.environment.append(("date", "\u{0D4E}/\u{0D4E}/../../2025-01"))
    try EarlierRuns(folder: folder("e")).add(results, hash: "h")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder("e")) == ["2025-01-h.csv"])
    try folder.write("", to: "Package.swift")
    try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: folder("e"))
    #expect(throws: SystemError.self) { try EarlierRuns(folder: folder("link")).add(results, hash: "other") }
  }

  @Test func whatHasNoTimesOrNoBuildIsNotRemembered() throws {
    let folder = try TemporaryFolder()
    let earlier = EarlierRuns(folder: folder("e"))
    var counts = Results.run()
    counts.environment.append(("executables", "E=1"))
    counts.add(.allocations, [1])
    var unnamed = Results.run()
    unnamed.add(.time, [1])
    try earlier.add(counts, hash: "a")
    try earlier.add(unnamed, hash: "b")
    #expect(!FileManager.default.fileExists(atPath: folder("e")))
  }

  /// It ended the comparison that had just listed it.
  @Test func aFileThatIsGoneByThenIsLeftOut() throws {
    let folder = try TemporaryFolder()
    let earlier = EarlierRuns(folder: folder("e"))
    var runs = MadeRuns(seed: 1)
    runs.benchmarks = ["b0"]
    try earlier.add(runs.run(), hash: "h")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder("e"))
    #expect(try earlier.read(["gone.csv"] + names).count == 1)
  }

  /// What was remembered by other numbers is neither compared with nor a damaged file, and goes when it is the oldest.
  @Test func filesOfAFormerVersionAreLeftOut() throws {
    let folder = try TemporaryFolder()
    let earlier = EarlierRuns(folder: folder("e"))
    var runs = MadeRuns(seed: 2)
    runs.benchmarks = ["b0"]
    try earlier.add(runs.run(), hash: "h")
    let former = "# gauge-earlier-run 1\nbenchmark,parameters,metric,launches,fast,slow\nb0,,time,5,1,2\n"
    try folder.write(former, to: "e/0-former.csv")
    #expect(try earlier.read().count == 1)
    for index in 0..<EarlierRuns.capacity {
      var run = runs.run()
      run.environment.removeAll { $0.name == "date" }
      run.environment.append(("date", "2026-11-01T00:00:\(index)Z"))
      try earlier.add(run, hash: "\(index)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder("e/0-former.csv")))
  }

  @Test func aDamagedFileIsNamed() throws {
    let folder = try TemporaryFolder()
    try folder.write("x\n", to: "r.csv")
    #expect {
      try EarlierRuns(folder: folder.path).read()
    } throws: { error in
      "\(error)".hasPrefix(folder("r.csv") + ":1: ")
    }
  }
}
