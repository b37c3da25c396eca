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

  @Test func aFileIsReadFromItsBeginning() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    for (text, beginning) in [("", ""), ("grüße\n", "grüße\n"), (String(repeating: "abcdefg\n", count: 600), nil)] {
      try text.write(to: file, atomically: false, encoding: .utf8)
      let read = System.beginning(ofFile: file.path)
      #expect(read.text == beginning ?? String(text.prefix(4096)) && read.error == 0)
    }
    let missing = System.beginning(ofFile: file.path + "-missing")
    #expect(missing.text == "" && missing.error == ENOENT)
    let folder = System.beginning(ofFile: file.deletingLastPathComponent().path)
    #expect(folder.text == "" && folder.error == EISDIR)
  }

  @Test func aSecondHasTicks() {
    #expect(System.ticksPerSecond >= 1)
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
    System.leaveSingleThreadedModeAlone()
    System.leaveSingleThreadedModeAlone()
  }

  #if os(Linux)
    @Test func whatWasPrintedSurvivesATrap() async throws {
      let ended = await #expect(processExitsWith: .failure, observing: [\.standardOutputContent]) {
        // As where standard output is a pipe: the testing library has it written out at once.
        let output = try #require(dlsym(nil, "stdout")).load(as: UnsafeMutablePointer<FILE>.self)
        setvbuf(output, nil, _IOFBF, 1 << 16)
        System.bufferOutputByLine()
        print("printed before the trap")
        fatalError("on purpose")
      }
      let printed = String(decoding: try #require(ended).standardOutputContent, as: UTF8.self)
      #expect(printed.contains("printed before the trap\n"))
    }

    @Test(.enabled(if: !Products.areSanitized, "its runtime takes signals and pipes for itself"))
    func aLaunchDiesWithTheProcessThatStartedIt() throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let request = LaunchRequest(benchmark: "gauge/empty", pass: .time, budget: 100_000_000, reportDescriptor: 3)
      let starter = Process()
      starter.executableURL = URL(fileURLWithPath: "/bin/sh")
      // Once the report has begun the launch is in its measurement, which would take a day. Then its starter is killed.
      starter.arguments = [
        "-c", #"report=$1; shift; "$@" 3> "$report" & until [ -s "$report" ]; do :; done; kill -KILL $$"#, "sh",
        folder.appendingPathComponent("report").path, Products.benchmarks,
      ]
      starter.arguments?.append(contentsOf: request.arguments)
      let pipe = Pipe()
      starter.standardOutput = pipe
      try starter.run()
      // Starter and launch hold the other end: the end is read when both are gone.
      _ = try pipe.fileHandleForReading.readToEnd()
      starter.waitUntilExit()
      #expect(starter.terminationReason == .uncaughtSignal && starter.terminationStatus == SIGKILL)
    }

    @Test(.enabled(if: !Products.areSanitized, "its runtime takes signals and pipes for itself"))
    func aLaunchWhoseReaderIsGoneEndsAtOnce() throws {
      let request = LaunchRequest(benchmark: "gauge/empty", pass: .time, budget: 100_000_000, reportDescriptor: 1)
      let launch = Process()
      launch.executableURL = URL(fileURLWithPath: Products.benchmarks)
      launch.arguments = request.arguments
      let pipe = Pipe()
      // Another test's child would keep the reading end.
      for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
        _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
      }
      launch.standardOutput = pipe
      try pipe.fileHandleForReading.close()
      try launch.run()
      launch.waitUntilExit()
      #expect(launch.terminationReason == .exit && launch.terminationStatus == ExitStatus.cannotWrite)
    }
  #endif
}
