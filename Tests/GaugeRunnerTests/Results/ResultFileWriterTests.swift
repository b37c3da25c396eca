// Writing result files launch by launch.

import Foundation
import Gauge
import Testing

@testable import GaugeRunner

@Suite struct ResultFileWriterTests {
  @Test func `every moment's file holds the whole launches so far`() throws {
    let folder = try TemporaryFolder()
    let path = folder("results/new/f.csv")
    let writer = try ResultFileWriter.replacing(path, environment: [("commit", "abc")])
    #expect(try ResultFile.read(path).results.environment("commit") == "abc")
    try writer.append([.sample(), .sample(metric: .throughput)])
    #expect(try ResultFile.read(path).results.rows.count == 2)
    let fault = BenchmarkFault(benchmark: "b", parameters: "", reason: "died", output: "")
    try writer.append(fault)
    try writer.append([.sample(launch: 1)])
    let contents = try ResultFile.read(path)
    #expect(contents.results.rows == [.sample(), .sample(metric: .throughput), .sample(launch: 1)])
    #expect(contents.results.faults == [fault])
    #expect(contents.warnings.isEmpty)
  }

  @Test func `a new run replaces the file`() throws {
    let folder = try TemporaryFolder()
    try folder.write("something longer than a head\n", to: "f.csv")
    _ = try ResultFileWriter.replacing(folder("f.csv"), environment: [])
    #expect(try folder.read("f.csv") == ResultFormat.head(environment: []))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["f.csv"])
  }

  @Test func `a link to a file is replaced or refused, and never followed`() throws {
    let folder = try TemporaryFolder()
    try folder.write("mine", to: "target")
    for name in ["link", "f.csv.new"] {
      try FileManager.default.createSymbolicLink(atPath: folder(name), withDestinationPath: folder("target"))
    }
    #expect(throws: ResultFile.Failure.self) { _ = try ResultFileWriter.continuing(folder("link"), from: 0) }
    for name in ["link", "f.csv"] {
      _ = try ResultFileWriter.replacing(folder(name), environment: [])
      #expect(try folder.read(name) == ResultFormat.head(environment: []))
    }
    #expect(try folder.read("target") == "mine")
    #expect(Files.kind(of: folder("link")) == .file)
  }

  #if os(Linux)
    @Test func `a file in a folder that takes no other is written in place`() throws {
      // It takes any text, for the name of this process.
      _ = try ResultFileWriter.replacing("/proc/self/comm", environment: [])
    }
  #endif

  @Test func `a file is gone on with from where it is whole`() throws {
    let folder = try TemporaryFolder()
    let text = ResultFormat.head(environment: []) + ResultFormat.line(.sample())
    try folder.write(text + "half a li", to: "f.csv")
    let writer = try ResultFileWriter.continuing(folder("f.csv"), from: text.utf8.count)
    #expect(try folder.read("f.csv") == text)
    try writer.append([.sample(launch: 1)])
    #expect(try ResultFile.read(folder("f.csv")).results.rows == [.sample(), .sample(launch: 1)])
    #expect(throws: ResultFile.Failure.self) { _ = try ResultFileWriter.continuing("/dev/full", from: 0) }
  }

  @Test func `a full device is told`() {
    #expect(throws: ResultFile.Failure.unwritable(path: "/dev/full", reason: "No space left on device")) {
      _ = try ResultFileWriter.replacing("/dev/full", environment: [])
    }
  }

  @Test func `what can't be written is told before the work, and nothing is touched`() throws {
    let folder = try TemporaryFolder()
    try folder.write("text", to: "file")
    try ResultFileWriter.check(folder("file"))
    try ResultFileWriter.check(folder("new/folders/file"))
    try ResultFileWriter.check("latest.csv")
    #expect(try folder.read("file") == "text")
    #expect(throws: ResultFile.Failure.unwritable(path: folder.path, reason: "Is a directory")) {
      try ResultFileWriter.check(folder.path)
    }
    #expect(
      throws: ResultFile.Failure.unwritable(path: folder("file/f.csv"), reason: "\(folder("file")) is not a folder")
    ) {
      try ResultFileWriter.check(folder("file/f.csv"))
    }
  }

  @Test func `a file system that takes no files is told when the file is begun`() {
    #expect(throws: ResultFile.Failure.unwritable(path: "/proc/none/f.csv", reason: "No such file or directory")) {
      _ = try ResultFileWriter.replacing("/proc/none/f.csv", environment: [])
    }
  }
}
