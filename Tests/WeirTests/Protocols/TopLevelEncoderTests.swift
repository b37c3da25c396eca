// Tests of the requirement of encoders.

import Testing
import Weir

@Suite struct TopLevelEncoderTests {
  private struct Describing: TopLevelEncoder {
    func encode<T: Encodable>(_ value: T) throws -> String { "\(value)" }
  }

  private func encode<Coder: TopLevelEncoder>(_ value: some Encodable, _ coder: Coder) throws -> Coder.Output {
    try coder.encode(value)
  }

  @Test func encodesAnyEncodableToItsOutput() throws {
    #expect(try encode([1, 2], Describing()) == "[1, 2]")
  }
}
