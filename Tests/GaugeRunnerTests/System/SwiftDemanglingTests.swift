// Tests of the runtime's demangler as it is called here.

import Testing

@testable import GaugeRunner

@Suite struct SwiftDemanglingTests {
  @Test func `symbols of Swift become declarations`() {
    #expect(
      SwiftDemangling.declaration(of: "$s13ExplainCorpus6SeriesV7summarySiyF")
        == "ExplainCorpus.Series.summary() -> Swift.Int")
    #expect(SwiftDemangling.declaration(of: "$sSa5countSivg") == "Swift.Array.count.getter : Swift.Int")
  }

  @Test func `symbols have a length beyond which they are left alone`() {
    // What stands around a name of five digits' length takes 15 bytes.
    func symbol(_ bytes: Int) -> String { "$s4main\(bytes - 15)\(String(repeating: "a", count: bytes - 15))yyF" }
    let longest = SwiftDemangling.longestSymbol
    #expect(symbol(longest).utf8.count == 16_384)
    #expect(SwiftDemangling.declaration(of: symbol(longest))?.utf8.count == "main.() -> ()".utf8.count + longest - 15)
    #expect(SwiftDemangling.declaration(of: symbol(longest + 1)) == nil)
    #expect(FunctionName(symbol: symbol(longest + 1)).text == symbol(longest + 1))
  }

  /// A function of so many generic types, each of two of the one before: what it stands for doubles with each.
  private static func nested(_ depth: Int) -> String {
    let parts = (4..<4 + depth - 1).map { number in
      number < 26 ? "A\(UnicodeScalar(UInt8(65 + number)))G" : number == 26 ? "A_G" : "A\(number - 27)_G"
    }
    return "$s1a1byyAA1PVy" + String(repeating: "ADy", count: depth - 1) + "S2iG" + parts.joined() + "F"
  }

  @Test func `a symbol that stands for too much is left alone`() {
    #expect(
      SwiftDemangling.declaration(of: Self.nested(2))
        == "a.b(a.P<a.P<Swift.Int, Swift.Int>, a.P<Swift.Int, Swift.Int>>) -> ()")
    #expect(SwiftDemangling.declaration(of: Self.nested(10))?.utf8.count == 16_388)
    // A gigabyte, and more than there are bytes anywhere.
    for depth in [26, 60, 2000] {
      #expect(SwiftDemangling.declaration(of: Self.nested(depth)) == nil)
      #expect(FunctionName(symbol: Self.nested(depth)).text == Self.nested(depth))
    }
  }

  @Test func `what is estimated is no less than there is`() {
    for depth in 2...14 {
      let bytes = SwiftDemangling.declaration(of: Self.nested(depth))?.utf8.count ?? .max
      #expect(Double(bytes) <= SwiftDemangling.mostBytes(of: Self.nested(depth)), "\(depth)")
    }
    #expect(SwiftDemangling.mostBytes(of: "$sAaAaAaA") > 0 && SwiftDemangling.mostBytes(of: "") == 64)
    // `Swift.Int`, so many times.
    #expect(SwiftDemangling.mostBytes(of: "S2048i") > 2048 * 9)
  }

  @Test(arguments: ["", "malloc", "_ZN5swift9RefCounts", "$sNonsense"])
  func `other symbols are left alone`(symbol: String) {
    #expect(SwiftDemangling.declaration(of: symbol) == nil)
  }
}
