// `gauge ab --affected` and `gauge run --affected-since`, up to where launches are recorded: what is never skipped, and
// why.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct AffectedRowsTests {
  let folder: TemporaryFolder
  let gauge: CapturedProgram

  init() throws {
    folder = try TemporaryFolder()
    gauge = CapturedProgram(in: folder.path)
  }

  /// Executables that differ, each a script with benchmarks of these passes and more.
  private func sides(_ benchmarks: String) throws -> [String] {
    try ["base", "new"].map { side in
      try folder.script(
        #"""
        if [ "$1" = list ]; then printf '\#(benchmarks)'; exit; fi
        printf 'gauge-launch\t1\nmetric\ttime\tns/op\tlower\tsampled\t1\t1\t20\ndone\n' >&3
        # \#(side)
        """#, named: "\(side)-executable")
    }
  }

  private func compare(_ sides: [String], affected: Bool = true) -> Int32 {
    gauge(
      arguments: ["ab", "--base-executable", sides[0], "--executable", sides[1], "--budget", "0.001"]
        + (affected ? ["--affected"] : []))
  }

  @Test func `threads, and what can't be recorded, are measured and listed`() throws {
    let sides = try sides(#"benchmark\ta\t\ttime\nbenchmark\tb\t\ttime,counts\t\t\tthreads\nbenchmark\tc\t\ttime\n"#)
    #expect(compare(sides) == 7, "\(gauge.error)")
    let lines = gauge.error.split(separator: "\n").suffix(3)
    #expect(
      Array(lines) == [
        "--affected: 0 of 3 benchmarks skipped, as all that they execute is the same on both sides",
        "  not skipped, its launches can't be recorded: it takes no part in counts: a, c",
        "  not skipped, it has threads: b",
      ], "\(gauge.error)")
    #expect(compare(sides, affected: false) == 7)
    #expect(!gauge.error.contains("--affected"))
  }

  @Test(.enabled(if: CallgrindTests.isInstalled)) func `an executable that can't be read is an error that names it`()
    throws
  {
    let sides = try sides(#"benchmark\ta\t\ttime,counts\n"#)
    #expect(compare(sides) == 65)
    #expect(gauge.error.contains("\(sides[0]): it is no ELF file of 64 bits"), "\(gauge.error)")
    #expect(gauge.error.contains("Without --affected everything is measured."))
  }

  @Test func `files beside the executables count`() throws {
    for side in ["base", "new"] {
      try folder.write("the same", to: "\(side)/Program")
      try folder.write("words", to: "\(side)/Program.resources/list.txt")
    }
    func difference() -> String? {
      Program.differingCompanions(folder("base/Program"), folder("new/Program"))
    }
    #expect(difference() == nil)
    try folder.write("other words", to: "new/Program.resources/list.txt")
    #expect(difference() == "the file Program.resources/list.txt beside its executable has changed")
    try folder.write("words", to: "new/Program.resources/list.txt")
    try folder.write("more", to: "new/Program.resources/more.txt")
    #expect(difference() == "the file Program.resources/more.txt beside its executable has changed")
    #expect(Program.differingCompanions(folder("base/none"), folder("new/Program")) != nil)
  }

  @Test func `a run leaves out what is the same as at a revision`() throws {
    let fixture = try TwoRevisions()
    let gauge = CapturedProgram(in: fixture.folder("package"), swift: fixture.package.swift)
    let commit = try fixture.git("rev-parse", "HEAD").trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(gauge("run", "--affected-since", "HEAD", "--metrics", "time") == 0, "\(gauge.error)")
    #expect(gauge.output.contains("nothing is measured, as no benchmark runs other code"))
    #expect(gauge.error.contains("--affected-since: 1 of 1 benchmarks skipped"))
    #expect(!gauge.error.contains("not skipped"))
    let output = fixture.folder("package/results/latest.csv")
    #expect(!FileManager.default.fileExists(atPath: output))

    // A file that git doesn't know, or a change that isn't committed, is measured as it lies there.
    try fixture.folder.write(TwoRevisions.executable(time: "40"), to: "package/Fast")
    #expect(gauge("run", "--affected-since", "HEAD", "--metrics", "time") == 0, "\(gauge.error)")
    #expect(gauge.error.contains("--affected-since: 0 of 1 benchmarks skipped"))
    let file = try fixture.folder.read("package/results/latest.csv")
    #expect(file.contains("--affected-since \(commit)"))
    #expect(file.contains("40"))

    // A revision that there isn't is told of before anything is built.
    try fixture.folder.write("", to: "calls")
    #expect(gauge("run", "--affected-since", "nothing") == 3)
    #expect(gauge.error.contains("there is no commit 'nothing'"), "\(gauge.error)")
    #expect(try fixture.folder.read("calls") == "")
    #expect(gauge("run", "--affected-since", "HEAD", "--executable", fixture.folder("package/Fast")) == 64)
    #expect(gauge.error.contains("--affected-since builds the package"))
  }

  /// The file of an earlier run stayed there, and was merged as if it were the shard's.
  @Test func `a shard that has nothing to measure leaves a file to merge`() throws {
    let fixture = try TwoRevisions()
    let gauge = CapturedProgram(in: fixture.folder("package"), swift: fixture.package.swift)
    func list(_ time: String) -> String {
      TwoRevisions.executable(time: time).replacing("benchmark\\ta", with: "benchmark\\tb\\t\\ttime\\nbenchmark\\ta")
    }
    try fixture.folder.write(list("30"), to: "package/Fast")
    try fixture.git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qam", "two")
    let paths = (1...2).map { fixture.folder("\($0).csv") }
    func run(_ shard: Int) -> Int32 {
      gauge(
        "run", "--metrics", "time", "--launches", "2", "--affected-since", "HEAD~1", "--shard", "\(shard)/2",
        "--output", paths[shard - 1])
    }
    #expect(run(1) == 0 && run(2) == 0, "\(gauge.error)")
    let old = try fixture.folder.read("2.csv")
    try fixture.git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "--allow-empty", "-m", "nothing")
    #expect(gauge("run", "--affected-since", "HEAD", "--output", paths[1]) == 0)
    #expect(gauge.output.hasSuffix("2.csv is left as it is\n"), "\(gauge.output)")
    #expect(try fixture.folder.read("2.csv") == old)
    for shard in 1...2 {
      #expect(
        gauge(
          "run", "--metrics", "time", "--affected-since", "HEAD", "--shard", "\(shard)/2", "--output",
          paths[shard - 1]) == 0, "\(gauge.error)")
      #expect(gauge.output.hasSuffix("\(shard).csv has no rows\n"), "\(gauge.output)")
      #expect(gauge.error.contains("gauge: replacing \(paths[shard - 1])\n"), "\(gauge.error)")
      let contents = try ResultFile.read(paths[shard - 1])
      #expect(contents.warnings.isEmpty && contents.results.rows.isEmpty && contents.results.incompleteness == nil)
    }
    // Beside a shard that has measured something.
    #expect(gauge("run", "--metrics", "time", "--launches", "2", "--shard", "1/2", "--output", paths[0]) == 0)
    #expect(gauge("merge", paths[0], paths[1], "--output", fixture.folder("all.csv")) == 0, "\(gauge.error)")
    let merged = try ResultFile.read(fixture.folder("all.csv")).results
    #expect(Set(merged.rows.map(\.benchmark)) == ["a"] && merged.incompleteness == nil)
  }

  @Test func `a run doesn't take the folders of a comparison that is at work`() throws {
    let fixture = try TwoRevisions()
    let gauge = CapturedProgram(in: fixture.folder("package"), swift: fixture.package.swift)
    try Files.makeFolder(fixture.folder("package/results/ab"))
    let lock = try FolderLock.take(fixture.folder("package/results/ab"))
    #expect(gauge("run", "--affected-since", "HEAD", "--metrics", "time") == 73, "\(gauge.output)")
    #expect(gauge.error.contains("another gauge is writing into"), "\(gauge.error)")
    #expect(!FileManager.default.fileExists(atPath: fixture.folder("package/.gauge/ab/base")))
    lock?.hold()
  }

  @Test(.enabled(if: CallgrindTests.isInstalled)) func `what can't be read is told of by the option that was given`()
    throws
  {
    let fixture = try TwoRevisions()
    let gauge = CapturedProgram(in: fixture.folder("package"), swift: fixture.package.swift)
    let counted = TwoRevisions.executable(time: "40").replacing("\\t\\ttime", with: "\\t\\ttime,counts")
    try fixture.folder.write(counted, to: "package/Fast")
    try fixture.git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qam", "counted")
    try fixture.folder.write(counted + "# another\n", to: "package/Fast")
    #expect(gauge("run", "--affected-since", "HEAD", "--metrics", "time") == 65, "\(gauge.error)")
    #expect(gauge.error.contains("Without --affected-since everything is measured."), "\(gauge.error)")
  }

  @Test func `what is skipped is listed and counted`() {
    let point = BenchmarkPoint.sample("b", passes: [.time])
    var unaffected = Program.Unaffected()
    unaffected.rows = [
      InterleavedRun.Row(base: point, new: point),
      InterleavedRun.Row(base: .sample("a", passes: [.time]), new: .sample("a", passes: [.time])),
    ]
    unaffected.reasons = ["c": "work has changed", "d": "it has threads", "e": "work has changed"]
    #expect(
      Program.affectedText(unaffected, of: 5) == [
        "--affected: 2 of 5 benchmarks skipped, as all that they execute is the same on both sides (where it lies in "
          + "memory is not compared): a, b",
        "  not skipped, work has changed: c, e", "  not skipped, it has threads: d",
      ])
  }
}
