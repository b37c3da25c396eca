// What is known of another process: this one, as all that is known of that is known here.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct RunningProcessTests {
  private let own = RunningProcess(number: Int(getpid()))

  @Test func `a process is there, and one that can't be isn't`() {
    #expect(own.isThere)
    #expect(RunningProcess(number: 1).isThere)
    for number in [0, -1, Int.min, Int.max, Int(Int32.max)] { #expect(!RunningProcess(number: number).isThere) }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
  func `a process has a user and an environment`() {
    #expect(own.user == RunningProcess.ownUser)
    #expect(own.environment["PATH"] == ProcessInfo.processInfo.environment["PATH"])
    #expect(RunningProcess(number: -1).user == nil)
    #expect(RunningProcess(number: -1).environment == [:])
  }
}
