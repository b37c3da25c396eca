// Tests that Foundation's coders can be used through the protocols.

import Foundation
import Testing
import Weir
import WeirFoundation

@Suite struct CodersTests {
  private struct Point: Codable, Equatable {
    var x: Int
    var y: String
  }

  private func roundTrip<Encoder: TopLevelEncoder, Decoder: TopLevelDecoder>(
    _ point: Point, _ encoder: Encoder, _ decoder: Decoder
  ) throws -> Point where Encoder.Output == Data, Decoder.Input == Data {
    try decoder.decode(Point.self, from: encoder.encode(point))
  }

  @Test func theyTurnValuesIntoDataAndBack() throws {
    let point = Point(x: 3, y: "four")
    #expect(try roundTrip(point, JSONEncoder(), JSONDecoder()) == point)
    #expect(try roundTrip(point, PropertyListEncoder(), PropertyListDecoder()) == point)
    #expect(throws: DecodingError.self) { try roundTrip(point, JSONEncoder(), PropertyListDecoder()) }
  }
}
