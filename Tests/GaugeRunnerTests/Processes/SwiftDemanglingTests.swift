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

  @Test(arguments: ["", "malloc", "_ZN5swift9RefCounts", "$sNonsense"])
  func `other symbols are left alone`(symbol: String) {
    #expect(SwiftDemangling.declaration(of: symbol) == nil)
  }
}
