// Benchmarks that are committed one after the other, some of which don't build.

@testable import GaugeRunner

/// A package of two commits, and a gauge in it whose package manager refuses what has a file `broken`.
struct CommittedBenchmarks {
  let fixture: TwoRevisions
  let gauge: CapturedProgram

  init() throws {
    fixture = try TwoRevisions()
    let swift = try fixture.folder.script(
      #"""
      for last; do [ "$previous" = --package-path ] && source=$last; previous=$last; done
      [ "$1" = build ] && [ -e "$source/broken" ] && echo broken >> '\#(fixture.folder("calls"))' && exit 1
      exec '\#(fixture.package.swift)' "$@"
      """#, named: "swift-that-breaks")
    gauge = CapturedProgram(in: fixture.folder("package"), swift: swift)
  }

  /// How often something was built, or broke.
  var builds: Int {
    get throws { try fixture.folder.read("calls").split(separator: "\n").count { ["build", "broken"].contains($0) } }
  }
}

extension TwoRevisions {
  /// Commits an executable.
  ///
  /// - Returns: The commit.
  @discardableResult
  func commit(_ executable: String, _ subject: String, isBroken: Bool = false) throws -> String {
    try folder.write(executable + "# \(subject)\n", to: "package/Fast")
    if isBroken { try folder.write("", to: "package/broken") } else { Files.remove(folder("package/broken")) }
    try git("add", "-A")
    try git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "--allow-empty", "-m", subject)
    return String(try git("rev-parse", "HEAD").prefix(40))
  }
}
