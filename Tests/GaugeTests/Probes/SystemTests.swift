// Calls of the system.

import Foundation
import Testing

@testable import Gauge

@Suite struct SystemTests {
  @Test func allOfATextIsWritten() throws {
    let pipe = Pipe()
    let text = String(repeating: "grüße\n", count: 2000)
    #expect(System.write(text, to: pipe.fileHandleForWriting.fileDescriptor) == 0)
    #expect(System.write("", to: pipe.fileHandleForWriting.fileDescriptor) == 0)
    try pipe.fileHandleForWriting.close()
    let read = try #require(try pipe.fileHandleForReading.readToEnd())
    #expect(String(decoding: read, as: UTF8.self) == text)
  }

  @Test func writingToNowhereIsAnError() {
    let error = System.write("text", to: 12_345)
    #expect(error == EBADF)
    #expect(System.describe(errorNumber: error).isEmpty == false)
  }

  @Test func theExecutablePathExists() {
    let path = System.executablePath()
    #expect(path.hasPrefix("/"))
    #expect(FileManager.default.isExecutableFile(atPath: path))
  }

  @Test func executionOfNothingComesBack() {
    #expect(System.execute("/nonexistent/gauge", arguments: ["a", "b"]) == ENOENT)
  }

  @Test func executionHandsOverTheArguments() async throws {
    let result = await #expect(processExitsWith: .exitCode(5), observing: [\.standardOutputContent]) {
      _ = System.execute("/bin/sh", arguments: ["-c", "echo \"$1,$2\"; exit 5", "sh", "a b", "ü"])
    }
    let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
    #expect(output.contains("a b,ü"))
  }

  @Test func leavingSingleThreadedModeTwiceIsFine() {
    System.leaveSingleThreadedMode()
    System.leaveSingleThreadedMode()
  }
}
