// What is known of an executable.

import Testing

@testable import GaugeRunner

@Suite struct LoadedObjectTests {
  #if os(Linux)
    @Test func `addresses within a function have its symbol`() throws {
      let object = try #require(ProfiledProgram.object)
      let address = try #require(ProfiledProgram.address(of: "probe_run_crew"))
      #expect(object.symbol(at: address) == "probe_run_crew")
      #expect(object.symbol(at: address + 7) == "probe_run_crew")
      #expect(object.symbol(at: address - 1) != "probe_run_crew")
      #expect(object.symbol(at: 0) == nil)
      let code = try #require(object.code(at: address + 7))
      #expect(code.lowerBound == address && code.contains(address + 7) && object.code(at: 0) == nil)
      #expect(object.name == "GaugeBenchmarks" && object.namesAll && object.hasLines && object.frames != nil)
    }
  #endif

  @Test func `what is no executable is nothing`() throws {
    let folder = try TemporaryFolder()
    #expect(LoadedObject(path: try folder.write("text", to: "a")) == nil)
    #expect(LoadedObject(path: folder("missing")) == nil)
  }
}
