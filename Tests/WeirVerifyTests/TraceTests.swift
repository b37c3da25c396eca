// The table of a schedule.

import Testing
import WeirVerify

@Suite struct TraceTests {
  private let gap = String(repeating: " ", count: 58)

  @Test func everyThreadHasAColumnAndATurnALine() {
    let trace = Trace(["A\tload w1: 0\tBox.swift:2", "A\tspin\t", "B\tload w1: 0\tBox.swift:3", "A\tspin\t"], nil)
    let names = ["A", "B", "(Box.swift)"].joined(separator: String(gap.dropFirst()))
    #expect(trace.lines == [names, "load w1: 0 :2; spin", "\(gap)load w1: 0 :3", "spin"])
  }

  @Test func placesInSeveralFilesNameThese() {
    let trace = Trace(["A\tspin\tBox.swift:2", "A\tspin\tLid.swift:3"], nil)
    #expect(trace.lines.last == "spin Box.swift:2; spin Lid.swift:3")
  }

  @Test func whatIsTooWideForALineHasTheNext() {
    let wide = String(repeating: "x", count: 40)
    #expect(Trace(["A\t\(wide)\t", "A\t\(wide)\t"], nil).lines.dropFirst() == [wide, wide])
  }

  @Test func aCrashComesLast() {
    #expect(Trace(["A\tspin\t"], "crashed: Segmentation fault").lines.last == "*** crashed: Segmentation fault")
  }
}
