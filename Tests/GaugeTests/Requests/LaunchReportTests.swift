// The text of launch reports: round trips, reports that break off, and lines that are not of the format.

import Testing

@testable import Gauge

@Suite struct LaunchReportTests {
  private static let endings: [LaunchReport.Ending?] = [
    nil, .done, .skipped("no\tcounter\nhere"), .failed("threw: \\n is not a line feed\r\n"), .failed(""),
  ]

  @Test(arguments: endings)
  func roundTrip(ending: LaunchReport.Ending?) throws {
    var report = LaunchReport()
    report.measurements = [
      Measurement(.time, .value(1.25), iterations: 1000, samples: 50),
      Measurement(.allocations, .unavailable("a\\b\tc\nd")),
      Measurement(Metric("own\tmetric", unit: "\\/s", polarity: .neither, kind: .exact), .value(-2), iterations: -1),
    ]
    report.ending = ending
    #expect(try LaunchReport(text: report.text) == report)
  }

  @Test(arguments: [
    0.1, -1e-300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity, 1 / 3.0, 1e21,
  ])
  func valuesKeepEveryBit(value: Double) throws {
    var report = LaunchReport()
    report.measurements = [Measurement(.throughput, .value(value), iterations: .max, samples: .min)]
    #expect(try LaunchReport(text: report.text) == report)
  }

  @Test func nothingWrittenIsAnEmptyReport() throws {
    #expect(try LaunchReport(text: "") == LaunchReport())
    #expect(try LaunchReport(text: "gauge-lau") == LaunchReport())
    #expect(try LaunchReport(text: LaunchReport().text) == LaunchReport())
  }

  @Test func everyTruncationIsReadUpToItsLastWholeLine() throws {
    var report = LaunchReport()
    report.measurements = [
      Measurement(.time, .value(2), iterations: 3, samples: 4), Measurement(.frees, .unavailable("é")),
    ]
    report.ending = .failed("💥")
    let bytes = Array(report.text.utf8)
    for length in 0...bytes.count {
      let read = try LaunchReport(text: String(decoding: bytes.prefix(length), as: UTF8.self))
      let wholeLines = bytes.prefix(length).count { $0 == UInt8(ascii: "\n") }
      #expect(read.measurements == Array(report.measurements.prefix(max(0, wholeLines - 1))))
      #expect(read.ending == (wholeLines == 4 ? report.ending : nil))
    }
  }

  @Test(arguments: [
    ("gauge-launch\t2\n", 1, "expected"),
    ("\n", 1, "expected"),
    ("gauge-launch\t1\r\n", 1, "expected"),
    ("gauge-launch\t1\n\n", 2, "unknown record"),
    ("gauge-launch\t1\nmetric\ttime\tns/op\tlower\tsampled\t1\t2\n", 2, "wrong number of fields"),
    ("gauge-launch\t1\nmetric\ttime\tns/op\tlower\tsampled\t1\t2\tx\n", 2, "not a number"),
    ("gauge-launch\t1\nmetric\ttime\tns/op\tlower\tsampled\t1.5\t2\t3\n", 2, "not a number"),
    ("gauge-launch\t1\nmetric\ttime\tns/op\tlower\tsampled\t1\t2\tnan\n", 2, "not a number"),
    ("gauge-launch\t1\nmetric\ttime\tns/op\tdownward\tsampled\t1\t2\t3\n", 2, "polarity 'downward'"),
    ("gauge-launch\t1\nunavailable\ttime\tns/op\tlower\tguessed\treason\n", 2, "kind 'guessed'"),
    ("gauge-launch\t1\nunavailable\ttime\tns/op\tlower\tsampled\tre\\ason\n", 2, "escape"),
    ("gauge-launch\t1\ndone\tand more\n", 2, "wrong number of fields"),
    ("gauge-launch\t1\nskipped\n", 2, "wrong number of fields"),
    ("gauge-launch\t1\ndone\ndone\n", 3, "behind the ending"),
    ("gauge-launch\t1\nfailed\tx\nmetric\ttime\tns/op\tlower\tsampled\t1\t2\t3\n", 3, "behind the ending"),
  ])
  func refusesWithTheLine(text: String, line: Int, complaint: String) {
    let error = #expect(throws: LaunchReport.FormatError.self) { try LaunchReport(text: text) }
    #expect(error?.line == line)
    #expect(error?.description.contains(complaint) == true)
  }

  @Test func anyTextIsReadOrRefused() {
    var generator = FixedGenerator(state: 0x6761_7567_65)
    var report = LaunchReport()
    report.measurements = [
      Measurement(.time, .value(1.5), iterations: 10, samples: 5), Measurement(.frees, .unavailable("why")),
    ]
    report.ending = .skipped("because")
    let model = Array(report.text.utf8)
    let alphabet = Array("\t\n\r\\ntmetricdoneskippedfailed-1.e9é🇩🇪\0".utf8) + [0xFF, 0xC3]
    var refused = 0
    for _ in 0..<20_000 {
      var bytes = model
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let position = Int.random(in: 0...bytes.count, using: &generator)
        let length = Int.random(in: 0...min(8, bytes.count - position), using: &generator)
        let inserted = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
          alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
        }
        bytes.replaceSubrange(position..<position + length, with: inserted)
      }
      do {
        let read = try LaunchReport(text: String(decoding: bytes, as: UTF8.self))
        #expect((try? LaunchReport(text: read.text)) == read)
      } catch {
        #expect(error.line >= 1 && error.line <= bytes.count { $0 == UInt8(ascii: "\n") })
        refused += 1
      }
    }
    #expect(refused > 1000 && refused < 20_000)
  }
}
