// Tests of gzip files: the checksum's published check value, and what gzip itself makes of them.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct GzipTests {
  @Test func `the checksum has its check value`() {
    #expect(Gzip.checksum(Array("123456789".utf8)) == 0xCBF4_3926)
    #expect(Gzip.checksum([]) == 0)
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 200_000]) func `gzip reads it`(size: Int) throws {
    let folder = try TemporaryFolder()
    let data = (0..<size).map { UInt8(truncatingIfNeeded: ($0 &* 7919) >> 3) }
    try Data(Gzip.stored(data)).write(to: URL(fileURLWithPath: folder("data.gz")))
    let run = try ProcessRun.capturing(Command(program: "gzip", arguments: ["-d", folder("data.gz")]))
    #expect(run.succeeded, "\(run.output)")
    #expect(try Files.contents(of: folder("data")) == data)
  }
}
