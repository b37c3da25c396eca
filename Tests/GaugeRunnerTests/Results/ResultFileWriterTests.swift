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
    #expect(Files.stamp(of: folder("f.csv.new")) == nil)
  }

  @Test func `a file behind a link and one in a folder that takes no other are written in place`() throws {
    let folder = try TemporaryFolder()
    try folder.write("old", to: "target")
    try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: folder("target"))
    _ = try ResultFileWriter.replacing(folder("link"), environment: [])
    #expect(try folder.read("target") == ResultFormat.head(environment: []))
    // A folder in the place of the second file stands for a folder that takes none.
    try folder.write("old", to: "f.csv")
    try Files.makeFolder(folder("f.csv.new"))
    _ = try ResultFileWriter.replacing(folder("f.csv"), environment: [])
    #expect(try folder.read("f.csv") == ResultFormat.head(environment: []))
  }

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
