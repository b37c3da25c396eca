// What `gauge ab --base` takes: kept executables, revisions, and why it refuses some.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct AbSidesTests {
  let fixture: TwoRevisions
  let gauge: CapturedProgram

  /// A package whose benchmark takes 30 ns, with a baseline `fast` that was kept when it took 20.
  init() throws {
    fixture = try TwoRevisions()
    gauge = CapturedProgram(in: fixture.folder("package"), swift: fixture.package.swift)
    try fixture.folder.write(TwoRevisions.executable(time: "20"), to: "package/Fast")
    #expect(gauge("run", "--metrics", "time") == 0, "\(gauge.error)")
    #expect(gauge("baseline", "save", "fast") == 0, "\(gauge.error)")
    try fixture.folder.write(TwoRevisions.executable(time: "30"), to: "package/Fast")
  }

  private var record: String { "package/.gauge/kept/fast.json" }

  /// Changes the record of the kept build.
  private func change(_ text: String, to other: String) throws {
    let changed = try fixture.folder.read(record).replacingOccurrences(of: text, with: other)
    try #require(changed.contains(other))
    try fixture.folder.write(changed, to: record)
  }

  @Test func `names say whether they are of baselines or revisions`() {
    #expect(AbBase("main") == .either("main"))
    #expect(AbBase("baseline:main") == .baseline("main"))
    #expect(AbBase("revision:main~1") == .revision("main~1"))
  }

  @Test func `kept executables are measured beside today's`() throws {
    #expect(gauge("ab", "--base", "fast", "--time-all") == 2, "\(gauge.error)")
    #expect(gauge.error.hasPrefix("gauge: base is the baseline 'fast' as it was built, kept "), "\(gauge.error)")
    #expect(!gauge.error.contains("warning"))
    let calls = try fixture.folder.read("calls").split(separator: "\n").filter { $0 == "build" }.count
    #expect(gauge("ab", "--base", "baseline:fast", "--new", "HEAD") == 2, "\(gauge.error)")
    #expect(gauge("ab", "--base", "baseline:fast", "--new", "HEAD~1") == 0, "\(gauge.error)")
    // Two revisions, each of which builds its executable and its hooks, and nothing of the base.
    #expect(try fixture.folder.read("calls").split(separator: "\n").filter { $0 == "build" }.count == calls + 4)
  }

  @Test func `kept executables are measured beside a given one, and nothing is built`() throws {
    let slow = fixture.folder("package/Fast")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: slow)
    let calls = try fixture.folder.read("calls")
    #expect(gauge("ab", "--base", "fast", "--executable", slow) == 2, "\(gauge.error)")
    #expect(gauge.error.hasPrefix("gauge: base is the baseline 'fast' as it was built, kept "), "\(gauge.error)")
    #expect(gauge("ab", "--base", "baseline:fast", "--executable", slow) == 2, "\(gauge.error)")
    #expect(try fixture.folder.read("calls") == calls)
    #expect(gauge("ab", "--base", "baseline:none", "--executable", slow) == 66)
    #expect(gauge("ab", "--base", "revision:HEAD", "--executable", slow) == 64)
    #expect(gauge("ab", "--base", "fast", "--new", "HEAD", "--executable", slow) == 64)
    #expect(gauge.error.contains("either --new REV or --executable PATH"))
  }

  @Test func `what is the same byte for byte is not measured`() throws {
    try fixture.folder.write(TwoRevisions.executable(time: "20"), to: "package/Fast")
    #expect(gauge("ab", "--base", "fast") == 0, "\(gauge.error)")
    #expect(gauge.output.contains("the binaries are identical"))
  }

  @Test func `the same executables are measured where a resource beside them differs`() throws {
    let script = #"""
      if [ "$1" = list ]; then printf 'benchmark\ta\t\ttime\n'; exit; fi
      time=$(cat "$(dirname "$0")/Fast.resources/time")
      printf 'gauge-launch\t1\nmetric\ttime\tns/op\tlower\tsampled\t1\t1\t%s\ndone\n' "$time" >&3
      """#
    var sides: [String] = []
    for (side, time) in [("old", "20"), ("new", "30")] {
      try fixture.folder.write(time, to: "\(side)/Fast.resources/time")
      sides.append(try fixture.folder.script(script, named: "\(side)/Fast"))
    }
    let arguments = ["ab", "--base-executable", sides[0], "--executable", sides[1]]
    #expect(gauge(arguments: arguments) == 2, "\(gauge.output)\(gauge.error)")
    #expect(gauge.output.contains("+50.0 %"), "\(gauge.output)")
    let row = InterleavedRun.Row(base: .sample(executable: sides[0]), new: .sample(executable: sides[1]))
    #expect(Program.identical([row]).isEmpty)
    try fixture.folder.write("20", to: "new/Fast.resources/time")
    #expect(Program.identical([row]) == [row])
    #expect(gauge(arguments: arguments) == 0, "\(gauge.output)\(gauge.error)")
    #expect(gauge.output.contains("the binaries are identical"))
  }

  @Test func `only what the filter needs is built, of revisions and of today's side of a baseline`() throws {
    let folder = fixture.folder
    let described = ["Fast", "Slow"].map { #"{"name":"\#($0)","type":"executable","path":"Benchmarks/\#($0)"}"# }
    let swift = try folder.script(
      #"""
      [ "$1" = --version ] && { echo Swift; exit; }
      for last; do [ "$previous" = --scratch-path ] && scratch=$last; [ "$previous" = --package-path ] && source=$last
        previous=$last; done
      if [ "$1" = package ]; then echo '{"targets":[\#(described.joined(separator: ","))]}'; exit; fi
      echo "$last" >> '\#(folder("products"))'
      mkdir -p "$scratch/release"
      [ -e "$source/Benchmarks/$last" ] || exit 0
      cp "$source/Benchmarks/$last/run" "$scratch/release/$last" && chmod +x "$scratch/release/$last"
      """#, named: "swift-of-two")
    let gauge = CapturedProgram(in: folder("package"), swift: swift)
    /// Commits the two benchmarks.
    func commit(fast: String, slow: String = "20") throws {
      for (target, name, time) in [("Fast", "a/one", fast), ("Slow", "b/one", slow)] {
        let text = TwoRevisions.executable(time: time).replacingOccurrences(of: "\\ta\\t", with: "\\t\(name)\\t")
        try folder.write(text, to: "package/Benchmarks/\(target)/run")
      }
      try fixture.git("add", "-A")
      try fixture.git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "fast \(fast)")
    }
    /// Runs a command, and holds what it builds against what it is to build.
    func expect(
      _ words: String..., code: Int32, builds products: [String], at place: SourceLocation = #_sourceLocation
    ) throws {
      try folder.write("", to: "products")
      #expect(gauge(arguments: words) == code, "\(gauge.output)\(gauge.error)", sourceLocation: place)
      let built = try folder.read("products").split(separator: "\n").map(String.init)
      #expect(built == products, sourceLocation: place)
    }
    let hooks = CountingLibraries.hooksProduct
    // Whose targets are known is asked again.
    try folder.write("// manifest of two", to: "package/Package.swift")
    try folder.write(".gauge/\nresults/\n", to: "package/.gitignore")
    try commit(fast: "20")
    try commit(fast: "30")
    // No list of either is known before the first build; the second side has the same sources of one.
    try expect("ab", "--base", "HEAD~1", "a/*", code: 2, builds: ["Fast", "Slow", hooks, "Fast", hooks])
    #expect(!gauge.output.contains("b/one"), "\(gauge.output)")
    try commit(fast: "40")
    try expect("ab", "--base", "HEAD~1", "a/*", code: 2, builds: ["Fast", hooks, "Fast", hooks])
    // What was built for another filter does not do.
    try expect("ab", "--base", "HEAD~1", "b/*", code: 0, builds: ["Slow", hooks, "Slow", hooks])
    try expect("ab", "--base", "HEAD~1", "b/*", code: 0, builds: [])
    try commit(fast: "40", slow: "30")
    // A source that has changed has no list: what it measures now may fit.
    try expect("ab", "--base", "HEAD~1", "a/*", code: 0, builds: ["Fast", hooks, "Fast", "Slow", hooks])

    try expect("run", "--metrics", "time", "--launches", "2", code: 0, builds: ["Fast", "Slow", hooks])
    try expect("baseline", "save", "two", code: 0, builds: [])
    try commit(fast: "50", slow: "30")
    try expect("list", code: 0, builds: ["Fast", "Slow", hooks])
    try expect("ab", "--base", "baseline:two", "--filter", "a/*", code: 2, builds: ["Fast", hooks])
    try expect("ab", "--base", "baseline:two", "--new", "HEAD", "a/*", code: 2, builds: ["Fast", hooks])
  }

  @Test func `of a baseline and a revision of one name the baseline is taken, and that is said`() throws {
    _ = try fixture.git("branch", "fast", "HEAD")
    #expect(gauge("ab", "--base", "fast") == 2, "\(gauge.error)")
    #expect(gauge.error.contains("'fast' is taken for the baseline; the revision is --base revision:fast\n"))
    #expect(gauge("ab", "--base", "revision:fast") == 0, "\(gauge.error)")
    #expect(!gauge.error.contains("baseline"))
  }

  @Test func `what isn't there is told`() throws {
    #expect(gauge("ab", "--base", "baseline:none") == 66)
    #expect(gauge.error.hasSuffix("no executables are kept for a baseline 'none' on this machine\nThere are: fast.\n"))
    #expect(gauge("ab", "--base", "baseline:../fast") == 66)
    #expect(gauge("ab", "--base", "revision:fast") == 3)
    try FileManager.default.removeItem(atPath: fixture.folder("package/.gauge/kept"))
    #expect(gauge("ab", "--base", "fast") == 66)
    #expect(gauge.error.contains("the baseline 'fast' has no kept executables on this machine"))
    #expect(gauge("ab", "--base", "baseline:fast") == 66)
    #expect(gauge.error.hasSuffix("'gauge baseline save NAME' keeps those of a run.\n"))
  }

  @Test func `another protocol, architecture or processor is refused with the reason`() throws {
    for (what, with, reason) in [
      ("\"gauge-launch", "\"gauge-old", "its launches speak 'gauge-old"),
      ("\"architecture\" : \"", "\"architecture\" : \"other-", "it is a build for other-"),
    ] {
      let before = try fixture.folder.read(record)
      try change(what, to: with)
      #expect(gauge("ab", "--base", "fast") == 6)
      #expect(gauge.error.contains("the executables kept for 'fast' can't be measured here: \(reason)"))
      #expect(gauge.error.contains("gauge ab --base revision:REV"))
      try fixture.folder.write(before, to: record)
    }
    var build = try #require(try KeptBuilds(package: fixture.folder("package")).build(named: "fast"))
    build.terms.features.append("avx9000")
    try fixture.folder.write(build.text, to: record)
    #expect(gauge("ab", "--base", "fast") == 6)
    #expect(gauge.error.contains("this processor lacks what the one that it was built on has: avx9000"))
  }

  @Test func `content that was tampered with is refused before it runs`() throws {
    let kept = KeptBuilds(package: fixture.folder("package"))
    let build = try #require(try kept.build(named: "fast"))
    try fixture.folder.write(
      "#!/bin/sh\ntouch '\(fixture.folder("ran"))'\n", to: "package/.gauge/kept/objects/" + build.files[0].hash)
    #expect(gauge("ab", "--base", "fast") == 65)
    #expect(gauge.error.contains("its content is another than its name says (Fast)\nSave the baseline again.\n"))
    #expect(Files.kind(of: fixture.folder("ran")) == nil)
  }

  @Test func `a record that belongs to another result file is refused`() throws {
    let path = "package/results/baselines/fast.csv"
    try fixture.folder.write(try fixture.folder.read(path) + "# more\n", to: path)
    #expect(gauge("ab", "--base", "fast") == 65)
    #expect(gauge.error.contains("the executables kept for 'fast' belong to another run than "))
  }

  @Test func `unlike versions of Gauge are told`() throws {
    try fixture.folder.write("one\n", to: "package/.gauge/build/release/gauge-sources")
    #expect(gauge("ab", "--base", "fast") == 2)
    // The build has taken the note away, as it doesn't say where the sources are.
    #expect(!gauge.error.contains("versions of Gauge"))
    let sources = "weir/Sources/Gauge/A.swift"
    try fixture.folder.write("let a = 1", to: sources)
    try fixture.folder.write(fixture.folder(sources) + "\n", to: "package/.gauge/build/release/Gauge.build/sources")
    #expect(gauge("ab", "--base", "fast") == 2)
    #expect(
      gauge.error.contains("warning: it isn't known whether both sides were built with the same version of Gauge"))
    #expect(gauge("run", "--metrics", "time") == 0)
    #expect(gauge("baseline", "save", "fast", "--force") == 0)
    try fixture.folder.write("let a = 2", to: sources)
    #expect(gauge("ab", "--base", "fast") == 0)
    #expect(gauge.error.contains("warning: the sides were built with unlike versions of Gauge: a change may be"))
  }

  @Test func `a wrong command line and a missing package make no folder`() throws {
    let folder = try TemporaryFolder()
    let gauge = CapturedProgram(in: folder.path)
    #expect(gauge("ab") == 64)
    #expect(gauge("ab", "--executable", "x") == 64)
    #expect(gauge("ab", "--base", "main") == 66)
    #expect(gauge("ab", "--base", "main", "--base-executable", "x", "--executable", "y") == 64)
    // It was taken, and didn't matter.
    #expect(gauge("ab", "--base-executable", "x", "--executable", "y", "--new", "main") == 64)
    #expect(gauge.error.contains("either --new REV or --executable PATH"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test func `one comparison at a time works in a package`() throws {
    try Files.makeFolder(fixture.folder("package/results/ab"))
    let lock = try FolderLock.take(fixture.folder("package/results/ab"))
    #expect(gauge("ab", "--base", "fast") == 73)
    #expect(gauge.error.contains("another gauge is writing into "))
    lock?.hold()
  }
}
