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

  @Test(arguments: ["", "malloc", "_ZN5swift9RefCounts", "$sNonsense"])
  func `other symbols are left alone`(symbol: String) {
    #expect(SwiftDemangling.declaration(of: symbol) == nil)
  }
}
