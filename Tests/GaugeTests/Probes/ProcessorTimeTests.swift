// Reading the first line of /proc/stat.

import Testing

@testable import Gauge

@Suite struct ProcessorTimeTests {
  @Test func theFirstLineIsOfAllProcessors() {
    let time = ProcessorTime("cpu  600 1 100 200 50 3 4 42 500 7\ncpu0 1 1 1 1 1 1 1 1 0 0\n")
    #expect(time == ProcessorTime(total: 1000, idle: 250, stolen: 42))
    // user, nice, system, irq, softirq, steal.
    #expect(time?.busy == 750)
  }

  @Test(
    arguments: [
      "", "\n", "cpu  1 2 3\n", "cpu  1 2 3 4 5 6 7\n", "cpu  1 2 3 x 5 6 7 8\n", "cpu0 1 2 3 4 5 6 7 8\n",
      "intr 1 2 3 4 5 6 7 8\n",
    ])
  func anythingElseIsNoTime(text: String) {
    #expect(ProcessorTime(text) == nil)
  }
}
