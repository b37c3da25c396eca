// `gauge report`: pages printed and written.

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

  @Test func `what can't be read or written has its code`() throws {
    #expect(gauge("report") == 64)
    #expect(gauge("report", folder("none.csv")) == 66)
    #expect(gauge.error == "gauge report: error: \(folder("none.csv")): no such file\n")
    try folder.write("a,b\n", to: "foreign.csv")
    #expect(gauge("report", folder("foreign.csv")) == 65)
    #expect(gauge("report", folder("latest.csv"), "--output", folder("latest.csv/x")) == 73)
    #expect(gauge("report", folder("latest.csv"), "--format", "pdf") == 64)
  }
}
