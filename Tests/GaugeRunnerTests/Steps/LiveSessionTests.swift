// What `gauge top` prints of two looks.

import Testing

@testable import GaugeRunner

@Suite struct LiveSessionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Prints two looks at a shop.
  private func printed(
    order: LiveOrder = .rate, stream: Int? = nil, format: LiveFormat = .table, columns: Int? = nil
  ) throws -> String {
    let server = FakeInspector(at: folder("s"), ShopLooks.texts)
    var output = ""
    let console = Console(
      output: Console.Stream(write: { output += $0 }, columns: columns, colour: false),
      error: Console.Stream(write: { _ in }, columns: nil, colour: false))
    var session = LiveSession(
      console: console, order: order, interval: .zero, words: "0", stream: stream, format: format,
      signals: PendingSignals(blocking: []))
    let process = try LiveProcess(server.path, environment: [:]) { false }
    #expect(try session.look(process) == 0)
    return output
  }

  @Test func `a pipe gets the whole table`() throws {
    #expect(
      try printed().split(separator: "\n").map { $0.replacing(#/ +$/#, with: "") } == [
        "7 Shop: 3 streams, 6 subscriptions, 1 with findings",
        "  ID  STREAM                                 RATE▾  WAITING  DROPPED      LATENCY   AGE",
        "   3  PassthroughSubject -> Map -> Sink     220 /s        -        -      2.00 µs  34 s",
        "   9  CurrentValueSubject -> Sink          1.50 /s        -        -  unavailable   2 s",
        "   1  PassthroughSubject -> Buffer -> eve     0 /s      500      880  unavailable  64 s",
        "    has 500 values, no demand from eve for 4 s",
      ])
  }

  @Test func `a terminal gets what fits it`() throws {
    for line in try printed(order: .waiting, columns: 60).split(separator: "\n") { #expect(line.count <= 60) }
  }

  @Test func `one stream is printed as a tree`() throws {
    #expect(
      try printed(stream: 2) == """
        eve
        - Buffer 1: 0 /s, delivered 20, demand 0, waiting 500, dropped 880
            has 500 values, no demand from eve for 4 s
          - PassthroughSubject 2: 220 /s, delivered 1400, demand unlimited

        """)
    #expect(throws: LiveProcess.Failure.noStream(77)) { try printed(stream: 77) }
    #expect(throws: LiveProcess.Failure.noStream(77)) { try printed(stream: 77, format: .json) }
  }

  @Test func `programs get JSON, of one stream if they want`() throws {
    #expect(
      try printed(stream: 1, format: .json) == """
        {
          "process": 7,
          "time": 104000000000,
          "streams": [
            {
              "id": 1,
              "stream": "PassthroughSubject -> Buffer -> eve",
              "rate": 0,
              "waiting": 500,
              "dropped": 880,
              "latency": null,
              "age": 64000000000,
              "findings": ["has 500 values, no demand from eve for 4 s"]
            }
          ]
        }

        """)
    #expect(try printed(format: .json).contains("\"latency\": 2000"))
  }
}
