// Tests that coders can be written and used through the protocols.

import Testing
import Weir

private struct TextCoder: TopLevelEncoder, TopLevelDecoder {
  struct Unreadable: Error {}

  func encode<T: Encodable>(_ value: T) throws -> String { "\(value)" }

  func decode<T: Decodable>(_ type: T.Type, from text: String) throws -> T {
    guard let value = (Int(text) as? T) else { throw Unreadable() }
    return value
  }
}

@Suite struct TopLevelCodersTests {
  @Test func aCoderTurnsValuesIntoDataAndBack() throws {
    func roundTrip<Coder: TopLevelEncoder & TopLevelDecoder>(_ value: Int, _ coder: Coder) throws -> Int
    where Coder.Input == Coder.Output { try coder.decode(Int.self, from: coder.encode(value)) }
    #expect(try roundTrip(7, TextCoder()) == 7)
    #expect(throws: TextCoder.Unreadable.self) { try TextCoder().decode(Int.self, from: "seven") }
  }
}
