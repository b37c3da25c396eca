// `gauge report`: pages printed and written.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct ReportVerbTests {
  let folder: TemporaryFolder
  let gauge = CapturedProgram()

  init() throws {
    folder = try TemporaryFolder()
    let file = try ResultFileWriter.replacing(folder("latest.csv"), environment: [("commit", "abc")])
    try file.append([.sample("subject/send")])
  }

  @Test func `the page is printed`() throws {
    #expect(gauge("report", folder("latest.csv")) == 0)
    let page = resultsMarkdown(try ResultFile.read(folder("latest.csv")).results, title: "latest")
    #expect(gauge.output == page)
    #expect(gauge.output.contains("`subject/send`"))
  }

  @Test func `a terminal gets the table, everybody else the page`() throws {
    let terminal = CapturedProgram(columns: 60)
    #expect(terminal("report", folder("latest.csv")) == 0)
    let results = try ResultFile.read(folder("latest.csv")).results
    let table = resultsText(results, colour: false, width: 60)
    #expect(terminal.output == table)
    #expect(gauge("report", folder("latest.csv"), "--format", "text") == 0)
    #expect(gauge.output == resultsText(results, colour: false, width: 80))
    #expect(terminal("report", folder("latest.csv"), "--format", "markdown") == 0)
    #expect(terminal.output.hasPrefix("# latest\n"))
    #expect(terminal("report", folder("latest.csv"), "--output", folder("out")) == 0)
    #expect(try folder.read("out/report.md").hasPrefix("# latest\n"))
  }

  @Test func `tables of several files have titles, and faults stand above`() throws {
    let file = try ResultFileWriter.replacing(folder("broken.csv"), environment: [])
    try file.append(reportedFault)
    #expect(gauge("report", folder("latest.csv"), folder("broken.csv"), "--format", "text") == 0)
    #expect(gauge.output.hasPrefix("latest\nsubject  time [ns]\n"))
    #expect(gauge.output.contains("\n\nbroken\nbroke: queue/push[n=2]: killed by signal 4"))
  }

  @Test func `filters choose what is reported`() throws {
    let file = try ResultFileWriter.replacing(folder("two.csv"), environment: [])
    try file.append([.sample("subject/send", parameters: "n=1"), .sample("chain/map")])
    for filter in ["subject/*", "subject/send", "*[n=1]"] {
      #expect(gauge("report", folder("two.csv"), "--filter", filter) == 0)
      #expect(gauge.output.contains("subject/send[n=1]") && !gauge.output.contains("chain"))
    }
    #expect(gauge("report", folder("two.csv"), "--filter", "none") == 64)
    #expect(gauge.error.contains("nothing in \(folder("two.csv")) fits the filters"))
  }

  @Test func `the page is written, and where is said`() throws {
    #expect(gauge("report", folder("latest.csv"), "--output", folder("new/report")) == 0)
    #expect(gauge.output == "")
    #expect(gauge.error == "gauge: wrote \(folder("new/report/report.md"))\n")
    #expect(try folder.read("new/report/report.md").contains("`subject/send`"))
  }

  @Test func `several files follow one another`() throws {
    #expect(gauge("report", folder("latest.csv"), folder("latest.csv")) == 0)
    #expect(gauge.output.split(separator: "\n").filter { $0 == "# latest" }.count == 2)
  }

  @Test func `a broken-off file is read with a warning`() throws {
    try folder.write(try folder.read("latest.csv") + "subject/se", to: "cut.csv")
    #expect(gauge("report", folder("cut.csv")) == 0)
    #expect(gauge.error == "gauge: warning: \(folder("cut.csv")):5: the last line breaks off and was left out\n")
  }

  /// Only what people read said so.
  @Test(arguments: ["csv", "json", "go", "text,csv", "text", "markdown", "html"])
  func `an incomplete run is told in every format`(formats: String) throws {
    let file = try ResultFileWriter.replacing(folder("part.csv"), environment: [(Results.plannedField, "4")])
    try file.append([.sample("subject/send")])
    #expect(gauge("report", folder("part.csv"), "--format", formats) == 0, "\(gauge.error)")
    let isProgrammed = ["csv", "json", "go", "text,csv"].contains(formats)
    #expect(
      gauge.error == (isProgrammed ? "gauge: warning: \(folder("part.csv")) is incomplete: 1 of 4 launches\n" : ""))
    #expect(gauge.output.contains("ncomplete") == !["csv", "go"].contains(formats))
    if formats == "json" { #expect(gauge.output.contains("\"incomplete\": \"1 of 4 launches\"")) }
    #expect(gauge("report", folder("latest.csv"), "--format", formats) == 0)
    #expect(gauge.error.isEmpty)
  }

  @Test func `what can't be read or written has its code`() throws {
    #expect(gauge("report") == 64)
    #expect(gauge("report", folder("none.csv")) == 66)
    #expect(gauge.error == "gauge report: error: \(folder("none.csv")): no such file\n")
    try folder.write("a,b\n", to: "foreign.csv")
    #expect(gauge("report", folder("foreign.csv")) == 65)
    #expect(gauge("report", folder("latest.csv"), "--output", folder("latest.csv/x")) == 73)
    #expect(gauge("report", folder("latest.csv"), "--format", "pdf") == 64)
    // It was taken, and didn't matter.
    #expect(gauge("report", folder("latest.csv"), "--history", folder("none.csv")) == 64)
    #expect(gauge.error.contains("option '--history' is of the format html: --format html\n"), "\(gauge.error)")
    #expect(gauge("report", folder("latest.csv"), "--format", "html", "--history", folder("none.csv")) == 66)
  }

  @Test func `a site is written over a history`() throws {
    #expect(gauge("history", "add", folder("latest.csv"), "--history", folder("h.csv")) == 0, "\(gauge.error)")
    let line = ["report", "--history", folder("h.csv"), "--site", folder("site")]
    #expect(gauge(arguments: line + ["--commits", "https://example.org/c/"]) == 0, "\(gauge.error)")
    #expect(gauge.error == "gauge: wrote 5 files: \(folder("site"))/index.html\n")
    #expect(try folder.read("site/index.html").contains("benchmarks/subject-send.html#time"))
    #expect(try folder.read("site/runs.js").contains("\"commits\": \"https://example.org/c/\""))
    #expect(try folder.read("site/data/subject-send.js").hasPrefix("var gaugeBenchmark = {"))
    #expect(gauge(arguments: line + ["--filter", "subject/*"]) == 0)
    for (words, code) in [
      (["--filter", "none"], 64), ([folder("latest.csv")], 64), (["--format", "html"], 64), (["--output", "x"], 64),
      (["--commits", "javascript:alert(1)//"], 64),
    ] as [([String], Int32)] {
      #expect(gauge(arguments: line + words) == code, "\(words)")
    }
    #expect(gauge("report", folder("latest.csv"), "--commits", "https://example.org/") == 64)
    #expect(gauge("report", "--history", folder("none.csv"), "--site", folder("site")) == 66)
    #expect(gauge("report", "--history", folder("h.csv"), "--site", folder("latest.csv/x")) == 73)
  }

  /// It was replaced without a word.
  @Test func `a page that is no site's is not replaced`() throws {
    #expect(gauge("history", "add", folder("latest.csv"), "--history", folder("h.csv")) == 0, "\(gauge.error)")
    try folder.write("<p>Mine</p>", to: "site/index.html")
    let line = ["report", "--history", folder("h.csv"), "--site", folder("site")]
    #expect(gauge(arguments: line) == 73)
    #expect(gauge.error.contains("site/index.html: it is no page of 'gauge report --site'"), "\(gauge.error)")
    #expect(try folder.read("site/index.html") == "<p>Mine</p>")
    #expect(Files.kind(of: folder("site/runs.js")) == nil)
    Files.remove(folder("site/index.html"))
    for _ in 0..<2 { #expect(gauge(arguments: line) == 0, "\(gauge.error)") }
  }

  /// Of a site that could not be written to its end some pages were of one history and some of another.
  @Test func `where a file of a site can't be written all stay as they were`() throws {
    #expect(gauge("history", "add", folder("latest.csv"), "--history", folder("h.csv")) == 0, "\(gauge.error)")
    let line = ["report", "--history", folder("h.csv"), "--site", folder("site")]
    try folder.write("in the way", to: "site/data")
    #expect(gauge(arguments: line) == 73)
    #expect(gauge.error.contains("site/data/"), "\(gauge.error)")
    let left = try FileManager.default.subpathsOfDirectory(atPath: folder("site"))
    #expect(left.sorted() == ["benchmarks", "data"])
  }

  /// The site of a script whose variable was not set was written into the root of the file system.
  @Test(arguments: ["--site", "--output", "--history"])
  func `an empty name of a file or folder is refused`(option: String) {
    #expect(gauge("report", folder("latest.csv"), option, "") == 64)
    #expect(gauge.error.contains("option '\(option)' needs a value"), "\(gauge.error)")
    #expect(gauge("report", folder("latest.csv"), "\(option)=") == 64)
  }

  @Test func `runs of one name have folders of their own`() throws {
    try folder.write(try folder.read("latest.csv"), to: "old/Latest.csv")
    try folder.write(try folder.read("latest.csv"), to: "...csv")
    let files = [folder("latest.csv"), folder("old/Latest.csv"), folder("...csv")]
    #expect(
      gauge(arguments: ["report", "--format", "json", "--output", folder("out")] + files) == 0, "\(gauge.error)")
    for name in ["latest", "Latest_2", "--"] { #expect(Files.kind(of: folder("out/\(name)/report.json")) == .file) }
    #expect(Files.kind(of: folder("report.json")) == nil)
  }
}
