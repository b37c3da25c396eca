// The formats of `gauge compare`, `gauge ab` and `gauge report`, and the files that each becomes.

import Foundation

/// A format of a report.
enum ReportFormat: String, CaseIterable {
  case text
  case markdown
  case html
  case junit
  case csv
  case json
  case github
  case google
  case jmh
  case bencher
  case hgrm
  case influx
  case openmetrics
  case go
  case hyperfine
  case otava

  /// A file of a report: its name within the folder, and its text.
  typealias File = (name: String, text: String)

  /// The formats that show single runs only: of a comparison they show the new one.
  static let exports: Set<ReportFormat> = [
    .github, .google, .jmh, .bencher, .hgrm, .influx, .openmetrics, .go, .hyperfine, .otava,
  ]

  /// The formats that say of a run that it is incomplete, where people read it; the others have no place for that, or
  /// programs read them.
  static let telling: Set<ReportFormat> = [.text, .markdown, .html]

  /// The files of a run; none for JUnit, which is of comparisons.
  ///
  /// - Parameters:
  ///   - results: The run.
  ///   - title: Its title.
  ///   - series: The courses of its history.
  func files(_ results: Results, title: String, series: [HistorySeries] = []) -> [File] {
    let run = RunSummary(results, title: title)
    switch self {
    case .junit: return []
    case .text:
      let faults = faultLines(results.faults, width: Console.usualColumns).map { $0 + "\n" }.joined()
      return [("report.txt", faults + resultsText(results, colour: false, width: Console.usualColumns))]
    case .markdown: return [("report.md", resultsMarkdown(results, title: title))]
    case .html: return [("report.html", resultsHTML(results, title: title, series: series))]
    case .csv: return [("report.csv", run.csv)]
    case .json: return [("report.json", run.json)]
    case .github:
      return [("github-smaller.json", run.gitHubAction(.lower)), ("github-bigger.json", run.gitHubAction(.higher))]
    case .google: return [("google-benchmark.json", run.googleBenchmark(by: "gauge \(Program.version)"))]
    case .jmh: return [("jmh.json", run.jmh)]
    case .bencher: return [("bencher.json", run.bencher)]
    case .hgrm: return run.hdrPercentiles.map { ("hgrm/" + $0.name, $0.text) }
    case .influx: return [("influx.lp", run.influx)]
    case .openmetrics: return [("openmetrics.txt", run.openMetrics)]
    case .go: return [("go-benchmark.txt", run.goBenchmark)]
    case .hyperfine: return [("hyperfine.json", run.hyperfine)]
    case .otava: return [("otava.csv", RunSummary.otava([run]))]
    }
  }

  /// The files of a comparison.
  ///
  /// - Parameters:
  ///   - comparison: What to report.
  ///   - base: The run that is compared with.
  ///   - new: The run that is judged.
  ///   - width: Characters of a line of text.
  func files(_ comparison: Comparison, base: Results, new: Results, width: Int) -> [File] {
    switch self {
    case .text: [("comparison.txt", comparisonText(comparison, colour: false, width: width))]
    case .markdown: [("comparison.md", comparisonMarkdown(comparison))]
    case .html: [("comparison.html", comparisonHTML(comparison, base: base, new: new, title: "Benchmarks compared"))]
    case .junit: [("junit.xml", comparison.junit(new.environment))]
    case .csv: [("comparison.csv", comparison.csv)]
    case .json: [("comparison.json", comparison.json)]
    default: files(new, title: "latest")
    }
  }
}
