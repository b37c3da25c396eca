// Numbers and texts within bytes.

import Testing

@testable import GaugeRunner

@Suite struct FileBytesTests {
  private let file = FileBytes([1, 2, 3, 4, 0xff, 0xff, 0xff, 0xff, 0x61, 0x62, 0, 0x63])

  @Test func `numbers have their least significant byte first`() {
    #expect(file.number(UInt8.self, at: 3) == 4)
    #expect(file.number(UInt16.self, at: 1) == 0x0302)
    #expect(file.number(UInt32.self, at: 0) == 0x0403_0201)
    #expect(file.number(Int32.self, at: 4) == -1)
    #expect(file.number(UInt64.self, at: 0) == 0xffff_ffff_0403_0201)
  }

  @Test func `what is not all there is nothing`() {
    #expect(file.number(UInt8.self, at: 12) == nil)
    #expect(file.number(UInt64.self, at: 5) == nil)
    #expect(file.number(UInt64.self, at: -1) == nil)
    #expect(file.number(UInt64.self, at: .max) == nil)
  }

  @Test func `a text ends at a zero or with the file`() {
    #expect([8, 10, 11, 12, -1].map { file.text(at: $0) } == ["ab", "", "c", "", ""])
  }

  @Test func `a long text is cut`() {
    let file = FileBytes(Array(repeating: 0x61, count: 100_000))
    #expect(file.text(at: 1, limit: 3) == "aaa")
    #expect(file.text(at: 0).utf8.count == 65_536 && file.text(at: 99_999) == "a" && file.text(at: 100_000) == "")
  }
}
