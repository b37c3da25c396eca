// Run fixtures, by executables that are scripts.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct RunFixturesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func point(_ executable: String, has: Bool = true) -> BenchmarkPoint {
    var point = BenchmarkPoint.sample(executable: executable)
    point.hasRunFixture = has
    return point
  }

  private func executable(_ name: String, _ body: String = "") throws -> String {
    try folder.script("echo \"\(name) $*\" >> '\(folder("calls"))'\n\(body)", named: name)
  }

  private func calls() -> [String] { (Files.text(of: folder("calls")) ?? "").split(separator: "\n").map(String.init) }

  @Test func `each executable is set up once, and torn down in reverse`() throws {
    let one = try executable("one", "echo data > \"$GAUGE_RUN_FOLDER/$2\"")
    let two = try executable("two")
    let plain = try executable("plain")
    let fixtures = RunFixtures(
      of: [point(two), point(one), point(one), point(plain, has: false)], folder: folder("run"), environment: ["A": "b"]
    )
    #expect(fixtures.environment == ["A": "b", "GAUGE_RUN_FOLDER": folder("run")])
    try fixtures.setUp()
    #expect(calls() == ["one fixture set-up", "two fixture set-up"])
    #expect(try folder.read("run/set-up") == "data\n")
    #expect(fixtures.tearDown().isEmpty)
    #expect(calls().suffix(2) == ["two fixture tear-down", "one fixture tear-down"])
    #expect(Files.stamp(of: folder("run")) == nil)
  }

  @Test func `without fixtures nothing is run and nothing is made`() throws {
    let fixtures = RunFixtures(
      of: [point(try executable("plain"), has: false)], folder: folder("run"), environment: [:])
    try fixtures.setUp()
    #expect(fixtures.environment.isEmpty)
    #expect(fixtures.tearDown().isEmpty)
    #expect(calls().isEmpty)
    #expect(Files.stamp(of: folder("run")) == nil)
  }

  @Test func `a fixture that fails ends the run before it has begun`() throws {
    let good = try executable("a-good")
    let bad = try executable("bad", "echo 'no server' >&2; exit 1")
    let fixtures = RunFixtures(of: [point(good), point(bad)], folder: folder("run"), environment: [:])
    #expect(
      throws: RunFixtures.Failure.broke("the run fixture of \(bad) can't be set up: exited with code 1\nno server")
    ) { try fixtures.setUp() }
    #expect(calls() == ["a-good fixture set-up", "bad fixture set-up", "a-good fixture tear-down"])
    let missing = RunFixtures(of: [point(folder("none"))], folder: folder("run"), environment: [:])
    #expect(throws: RunFixtures.Failure.self) { try missing.setUp() }
  }

  @Test func `a run sets up, hands on the folder, and tears down`() throws {
    let executable = try folder.script(
      #"""
      echo "$1 $2 ${GAUGE_RUN_FOLDER:+folder}" >> '\#(folder("calls"))'
      case "$1" in
        list) printf 'suite\trun-fixture\nbenchmark\ta\t\ttime\t\tfast\nbenchmark\tb\t\ttime\n' ;;
        fixture) if [ "$2" = tear-down ]; then echo 'still busy'; exit 5; fi ;;
        launch) printf 'gauge-launch\t1\nmetric\ttime\tns/op\tlower\tsampled\t1\t1\t2.5\ndone\n' >&3 ;;
      esac
      """#)
    let gauge = CapturedProgram(in: folder.path)
    let code = gauge("run", "--executable", executable, "--output", folder("f.csv"), "--launches", "1", "--tag", "fast")
    // It was 0, and only those who read it all knew.
    #expect(code == 3, "\(gauge.error)")
    #expect(
      calls() == ["list --machine ", "fixture set-up folder", "launch --benchmark folder", "fixture tear-down folder"])
    #expect(gauge.error.contains("can't be torn down: exited with code 5\nstill busy"))
    #expect(try ResultFile.read(folder("f.csv")).results.rows.map(\.benchmark) == ["a"])
    #expect(
      try ResultFile.read(folder("f.csv")).results.environment("gauge_options")?.contains("--tag fast --seed") == true)
  }
}
