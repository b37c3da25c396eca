// `gauge ab --vary` from the command line to the exit code, with executables that are scripts.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct VaryOptionTests {
  let fixture: TwoRevisions
  let gauge: CapturedProgram
  /// Does twice the work where a variable says so, or a library is preloaded, or it was built with an option, by
  /// another toolchain or from another folder of a dependency. Its second benchmark always does the same.
  let swift: String
  /// A library that every program can load.
  static let library = CountingLibraries.paths(of: "libm.so.6", in: CountingLibraries.linkerCache()).first

  init() throws {
    fixture = try TwoRevisions()
    swift = try Self.swift(fixture.folder, named: "swift-of-variants", work: 20)
    gauge = CapturedProgram(in: fixture.folder("package"), swift: swift, columns: 100)
  }

  private static func swift(_ folder: TemporaryFolder, named name: String, work: Int) throws -> String {
    try folder.script(
      #"""
      [ "$1" = --version ] && { echo Swift version \#(work); exit; }
      echo "$*" >> '\#(folder("calls"))'
      work=\#(work)
      for last; do
        [ "$previous" = --scratch-path ] && scratch=$last
        [ "$last" = -DSLOW ] && work=40
        [ "$last" = -DBROKEN ] && exit 1
        previous=$last
      done
      case "$*" in
        *show-dependencies*) echo '{"identity":"p","name":"p","dependencies":[{"identity":"log","name":"log",
          "dependencies":[]}]}'; exit ;;
        *' edit log '*) mkdir -p "$scratch" && touch "$scratch/edited"; exit ;;
        *' unedit '*) rm -f "$scratch/edited"; exit ;;
        package*) echo '{"targets":[{"name":"Fast","type":"executable","path":"Benchmarks/Fast"}]}'; exit ;;
      esac
      [ -e "$scratch/edited" ] && work=40
      mkdir -p "$scratch/release"
      cat > "$scratch/release/Fast" <<END
      #!/bin/sh
      if [ "\$1" = list ]; then printf 'benchmark\ta\t\ttime\nbenchmark\tb\t\ttime\n'; exit; fi
      time=$work
      [ "\$WORK" = 2 ] && time=40
      case "\$LD_PRELOAD" in *libm.so*) time=40 ;; esac
      case " \$* " in *"benchmark b "*|*"benchmark=b "*) time=20 ;; esac
      printf 'gauge-launch\t1\nmetric\ttime\tns/op\tlower\tsampled\t1\t1\t%s\ndone\n' \$time >&3
      END
      chmod +x "$scratch/release/Fast"
      """#, named: name)
  }

  private func vary(_ settings: String..., words: [String] = []) -> Int32 {
    gauge(arguments: ["ab", "--seed", "1"] + settings.flatMap { ["--vary", $0] } + words)
  }

  /// What a row has in the columns, without the intervals.
  private func cells(_ title: String) -> [String] {
    gauge.output.split(separator: "\n").filter { $0.hasPrefix(title + " ") }.flatMap { line in
      line.matches(of: /(worse|better|same|not enough data|broke)/).map { String($0.1) }
    }
  }

  private func results(_ name: String) throws -> Results {
    try ResultFile.read(fixture.folder("package/results/ab/\(name).csv")).results
  }

  @Test func `one variant is reported as two revisions are, and the head says what varies`() throws {
    #expect(vary("variable=WORK=2") == 2, "\(gauge.output)\(gauge.error)")
    #expect(gauge.output.hasPrefix("The new side has otherwise: variable=WORK=2\n\n"), "\(gauge.output)")
    #expect(gauge.output.contains("+100.0 %") && gauge.output.contains("1 worse, 0 better, 1 same, 0 not enough data"))
    #expect(try results("new").environment("varied") == "variable=WORK=2")
    #expect(try results("base").environment("varied") == nil)
    // Nothing is built twice.
    #expect(try fixture.folder.read("calls").matches(of: /--product Fast/).count == 1)
    let formats = ["--format", "json,markdown,html", "--output", fixture.folder("out")]
    #expect(vary("variable=WORK=1", words: formats) == 0, "\(gauge.output)\(gauge.error)")
    #expect(try fixture.folder.read("out/comparison.json").contains("\"varied\": \"variable=WORK=1\""))
    #expect(try fixture.folder.read("out/comparison.md").contains("The new side has otherwise: variable"))
    #expect(try fixture.folder.read("out/comparison.html").contains("The new side has otherwise: variable=WORK=1"))
    // Identical executables are measured, as they are launched otherwise.
    #expect(!gauge.output.contains("not measured"))
  }

  @Test func `what varies shows in its own column`() throws {
    let folder = fixture.folder
    try Files.makeFolder(folder("other/usr/bin"))
    let other = try Self.swift(folder, named: "other/usr/bin/swift", work: 40)
    try folder.write("// manifest", to: "mine/log/Package.swift")
    let settings = [
      "variable=WORK=1", "variable=WORK=2", "option=-Xswiftc -DSLOW", "toolchain=\(folder("other"))",
      "dependency=log=\(folder("mine/log"))", "variable=OTHER=2",
    ]
    #expect(gauge(arguments: ["ab"] + settings.flatMap { ["--vary", $0] }) == 2, "\(gauge.output)\(gauge.error)")
    #expect(cells("a") == ["same", "worse", "worse", "worse", "worse", "same"], "\(gauge.output)")
    #expect(cells("b") == Array(repeating: "same", count: 6), "\(gauge.output)")
    for line in gauge.output.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
    let text = gauge.output.split(separator: "\n").suffix(12).joined(separator: " ")
    for line in [
      "2: variable=WORK=2: 1 worse, 0 better, 1 same, 0 not enough data; median change of the times +50.0 %",
      "6: variable=OTHER=2: 0 worse, 0 better, 2 same, 0 not enough data; median change of the times 0 %",
    ] { #expect(text.contains(line), "\(text)") }
    for (number, setting) in settings.enumerated() {
      let results = try results("variant-\(number + 1)")
      #expect(results.environment("varied") == setting && results.hasEnd)
      #expect(results.environment("toolchain")?.contains("40") == (number == 3))
    }
    // The base's launches stand beside those of all variants.
    #expect(try results("base").rows.count == 40)
    let calls = try folder.read("calls")
    #expect(calls.contains("-Xswiftc -DSLOW --product Fast") && calls.matches(of: /--product Fast/).count == 4)
    #expect(other != swift)
    // What an earlier comparison has left is none of this one's.
    try "".write(toFile: folder("package/results/ab/new.csv"), atomically: false, encoding: .utf8)
    #expect(vary("variable=WORK=1", "variable=WORK=3") == 0, "\(gauge.output)\(gauge.error)")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder("package/results/ab")).sorted()
    #expect(left.filter { $0.hasSuffix(".csv") } == ["base.csv", "variant-1.csv", "variant-2.csv"])
  }

  @Test(.enabled(if: library != nil)) func `a preloaded library is in front of every launch`() throws {
    let library = try #require(Self.library)
    #expect(vary("preload=\(library)", "preload=\(library) + variable=WORK=1") == 2, "\(gauge.output)\(gauge.error)")
    #expect(cells("a") == ["worse", "worse"] && cells("b") == ["same", "same"], "\(gauge.output)")
  }

  @Test func `a variant that doesn't build is named, and the others are measured`() throws {
    let formats = ["--format", "json,csv,markdown,html", "--output", fixture.folder("out")]
    #expect(vary("option=-DBROKEN", "variable=WORK=2", words: formats) == 3, "\(gauge.output)\(gauge.error)")
    #expect(gauge.error.contains("gauge: 'option=-DBROKEN' can't be built: it doesn't build\n"), "\(gauge.error)")
    #expect(cells("a") == ["worse"], "\(gauge.output)")
    #expect(gauge.output.contains("1: option=-DBROKEN: can't be built: it doesn't build\n"))
    #expect(try fixture.folder.read("out/matrix.json").contains("\"exit_code\": 3"))
    let lines = try fixture.folder.read("out/matrix.csv").split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[1] == "option=-DBROKEN,,,,,broke,,,,,,,can't be built: it doesn't build", "\(lines[1])")
    #expect(try fixture.folder.read("out/matrix.md").contains("can't be built"))
    #expect(try fixture.folder.read("out/matrix.html").contains("it doesn't build"))
    #expect(try results("variant-2").hasEnd)
    // One of an earlier comparison would be taken for that of the variant that wasn't built.
    try fixture.folder.write("", to: "package/results/ab/variant-1.csv")
    #expect(vary("option=-DBROKEN", "variable=WORK=2") == 3)
    #expect(Files.kind(of: fixture.folder("package/results/ab/variant-1.csv")) == nil)
    #expect(vary("option=-DBROKEN") == 3)
    #expect(gauge.error.contains("nothing that --vary names can be built, and nothing was measured"))
  }

  @Test func `the base may be a revision, and the new side, too`() throws {
    try fixture.folder.write("more", to: "package/more")
    #expect(
      vary("variable=WORK=2", words: ["--base", "HEAD~1", "--new", "HEAD"]) == 2, "\(gauge.output)\(gauge.error)")
    #expect(
      try results("base").environment("commit") == (try fixture.git("rev-parse", "HEAD~1")).dropLast().description)
    #expect(try results("new").environment("commit") == (try fixture.git("rev-parse", "HEAD")).dropLast().description)
    #expect(vary("variable=WORK=2", "variable=WORK=1", words: ["--base", "HEAD~1"]) == 2, "\(gauge.output)")
    #expect(gauge.output.hasPrefix("Each variant against 'HEAD~1'.\n"), "\(gauge.output)")
  }

  @Test func `an executable is varied where it needn't be built`() throws {
    let executable = try fixture.folder.script(
      #"""
      if [ "$1" = list ]; then printf 'benchmark\ta\t\ttime\n'; exit; fi
      printf 'gauge-launch\t1\nmetric\ttime\tns/op\tlower\tsampled\t1\t1\t%s\ndone\n' ${WORK:-1}0 >&3
      """#, named: "E")
    #expect(vary("variable=WORK=2", words: ["--executable", executable]) == 2, "\(gauge.output)\(gauge.error)")
    #expect(vary("variable=WORK=2", "variable=WORK=1", words: ["--executable", executable]) == 2, "\(gauge.output)")
    #expect(gauge.output.hasPrefix("Each variant against the same without it.\n"), "\(gauge.output)")
    let open = ["--executable", executable, "--budget", "0.001"]
    #expect(vary("variable=WORK=2", "variable=WORK=1", words: open) == 7, "\(gauge.output)")
    let text = gauge.output.replacing("\n", with: " ")
    #expect(text.contains("--vary variable=WORK=2 --vary variable=WORK=1 --budget 10 a` would decide"), "\(text)")
    #expect(vary("option=-v", words: ["--executable", executable]) == 64)
    #expect(gauge.error.contains("an executable that is given is not built"), "\(gauge.error)")
  }

  @Test func `what breaks with one variant breaks there`() throws {
    let executable = try fixture.folder.script(
      #"""
      if [ "$1" = list ]; then printf 'benchmark\ta\t\ttime\n'; exit; fi
      [ "$WORK" = 2 ] && exit 9
      printf 'gauge-launch\t1\nmetric\ttime\tns/op\tlower\tsampled\t1\t1\t20\ndone\n' >&3
      """#, named: "E")
    #expect(vary("variable=WORK=2", "variable=WORK=1", words: ["--executable", executable]) == 3, "\(gauge.error)")
    #expect(gauge.output.contains("broke: a: with variable=WORK=2: "), "\(gauge.output)")
    #expect(cells("a") == ["broke", "same"], "\(gauge.output)")
  }

  @Test(.enabled(if: CallgrindTests.isInstalled)) func `what counts the same under a variable is not timed`() throws {
    let words = ["--executable", CallgrindTests.benchmarks, "gauge/allocate"]
    #expect(vary("variable=OF_NOBODY=1", words: words) == 0, "\(gauge.output)\(gauge.error)")
    #expect(gauge.output.contains("not measured: the counts are identical"), "\(gauge.output)")
    #expect(!(try results("new").rows.contains { $0.metric.name == "time" }))
  }

  @Test func `what can't be counted under a variable is timed`() throws {
    #expect(vary("variable=TZ=Asia/Tokyo") == 0, "\(gauge.output)\(gauge.error)")
    #expect(gauge.error.contains("gauge: 'variable=TZ=Asia/Tokyo' is timed only: launches that count have TZ fixed\n"))
  }

  @Test func `what isn't there, and what can't go together, is refused before anything is built`() throws {
    let folder = fixture.folder
    let text = try folder.write("no library", to: "text.so")
    try Files.makeFolder(folder("mute/bin"))
    let mute = try folder.script("echo nothing", named: "mute/bin/swift")
    for (settings, words, reason) in [
      (["toolchain=\(folder("none"))"], [], "there is no toolchain: no program 'swift' in \(folder("none"))"),
      (["toolchain=\(folder("mute"))"], [], "\(mute) is no Swift: '\(mute) --version' says 'nothing'"),
      (["preload=\(folder("none.so"))"], [], "there is no library \(folder("none.so"))"),
      (["preload=\(folder.path)"], [], "there is no library"),
      (["preload=\(text)"], [], "the library can't be loaded here: "),
      (["dependency=log=\(folder("none"))"], [], "there is no Package.swift in \(folder("none"))"),
      (["variable=A=1", "variable=A=1"], [], "it is the same as 'variable=A=1'"),
      (["variable=A=1"], ["--suspects", "x.csv"], "'--vary' can't go with '--suspects': it chooses from a run"),
      (["option=-v"], ["--affected"], "'--vary' can't go with '--affected': it compares code"),
      (["variable=A=1"], ["--explain"], "'--vary' can't go with '--explain' for variables and preloaded libraries"),
      (["option=-v", "option=-q"], ["--explain"], "'--explain' for more than one variant: ask about one"),
      (["option=-v", "option=-q"], ["--format", "json,jmh"], "format 'jmh' can't show several variants"),
      (["nothing"], [], "'nothing' has no '='"),
    ] {
      #expect(gauge(arguments: ["ab"] + settings.flatMap { ["--vary", $0] } + words) == 64, "\(settings)")
      #expect(gauge.error.contains(reason), "\(gauge.error)")
    }
    #expect(Files.kind(of: folder("calls")) == nil)
    #expect(vary("dependency=lag@1.0.0") == 64)
    #expect(gauge.error.contains("can't take 'dependency=lag@1.0.0': the package does not depend on 'lag', but on log"))
    #expect(gauge.error.contains("Did you mean 'log'?"))
    #expect(!(try folder.read("calls").contains("--product")))
  }
}
