// System errors in words.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct SystemErrorTests {
  @Test func `an error says what was attempted and why it failed`() {
    #expect("\(SystemError("write a", code: EACCES))" == "cannot write a: Permission denied")
  }

  @Test func `a signal is told by number and name`() {
    #expect(SystemError.words(forSignal: SIGSEGV) == "signal 11 (Segmentation fault)")
  }
}
