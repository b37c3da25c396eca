// Where timelines are written.

import Testing

@testable import GaugeRunner

@Suite struct TimelineOutputTests {
  private func write(_ forms: [TimelineFormat], to folder: String?) throws -> (paths: [String], printed: String) {
    var printed = ""
    let stream = Console.Stream(write: { printed += $0 }, columns: nil, colour: false)
    let output = ProfileOutput(formats: [], folder: folder, console: Console(output: stream, error: stream))
    var timeline = MadeTimeline.everything
    timeline.title = "a/b[n=1]"
    let paths = try output.write(timeline, as: forms)
    return (paths, printed)
  }

  @Test func `each form is a file of its own`() throws {
    let folder = try TemporaryFolder()
    let (paths, printed) = try write([.events, .perfetto, .firefox, .html], to: folder.path)
    #expect(
      paths == ["events.tsv", "perfetto.json", "firefox.json", "timeline.html"].map { folder("a-b-n=1-." + $0) })
    #expect(try folder.read("a-b-n=1-.events.tsv").hasPrefix("# gauge timeline 1: a/b[n=1]\n"))
    #expect(try folder.read("a-b-n=1-.timeline.html").contains("<title>a/b[n=1]</title>"))
    #expect(printed.isEmpty)
  }

  @Test func `without a folder all is printed, a table in eighty columns`() throws {
    let (paths, printed) = try write([.table, .events], to: nil)
    #expect(paths.isEmpty && printed.hasPrefix("a/b[n=1]\n  operation 1 behind the warm-up: "))
    #expect(printed.contains("\n\n# gauge timeline 1: a/b[n=1]\n"))
    let table = printed.split(separator: "#")[0].split(separator: "\n")
    #expect(table.allSatisfy { $0.count <= 80 })
  }

  @Test func `documents are one file each`() {
    #expect(TimelineFormat.allCases.filter(\.isDocument) == [.perfetto, .firefox, .html])
    #expect(TimelineFormat.table.file(MadeTimeline.everything) == nil)
  }
}
