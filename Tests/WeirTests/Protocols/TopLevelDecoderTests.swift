// Tests of the requirement of decoders.

import Testing
import Weir

@Suite struct TopLevelDecoderTests {
  private struct Counting: TopLevelDecoder {
    func decode<T: Decodable>(_ type: T.Type, from input: String) throws -> T { input.count as! T }
  }

  private func decode<Coder: TopLevelDecoder>(_ input: Coder.Input, _ coder: Coder) throws -> Int {
    try coder.decode(Int.self, from: input)
  }

  @Test func decodesADecodableFromItsInput() throws {
    #expect(try decode("four", Counting()) == 4)
  }
}
