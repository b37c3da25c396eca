// Writing of launch reports.

import Testing

@testable import Gauge

@Suite struct ReportWriterTests {
  @Test func everyLineIsWrittenWhenItIsKnown() throws {
    let recorded = RecordedReport()
    let writer = recorded.makeWriter()
    #expect(recorded.text == "gauge-launch\t1\n")
    let measurement = Measurement(.time, .value(3), iterations: 2, samples: 1)
    writer.add(measurement)
    #expect(try LaunchReport(text: recorded.text).measurements == [measurement])
    writer.end(.failed("a\nb"))
    let report = try LaunchReport(text: recorded.text)
    #expect(report.ending == .failed("a\nb"))
    #expect(recorded.text == report.text)
  }

  @Test func theFirstEndingCounts() throws {
    let recorded = RecordedReport()
    let writer = recorded.makeWriter()
    writer.end(.failed("first"))
    writer.end(.done)
    #expect(try LaunchReport(text: recorded.text).ending == .failed("first"))
  }

  @Test func aClosedDescriptorEndsTheProcess() async {
    await #expect(processExitsWith: .exitCode(73)) { _ = ReportWriter(descriptor: 12_345) }
  }
}
