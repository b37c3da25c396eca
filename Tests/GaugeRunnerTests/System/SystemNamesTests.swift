// Names of the running system, against the tools that print them.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct SystemNamesTests {
  func output(_ program: String, _ arguments: String...) throws -> String {
    try ProcessRun.capturing(Command(program: program, arguments: arguments)).output
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test func `the kernel is what uname prints`() throws {
    #expect(try SystemNames.kernel() == output("uname", "-srm"))
  }

  @Test func `the host is what uname prints`() throws {
    #expect(try SystemNames.host() == output("uname", "-n"))
  }

  @Test func `the C library is what getconf prints`() throws {
    #expect(try SystemNames.library() == output("getconf", "GNU_LIBC_VERSION"))
  }
}
