// Tests of the file for pprof: the message byte by byte; scripts/checks/check-formats has Google's own code read it.

import Testing

@testable import GaugeRunner

@Suite struct PprofTests {
  @Test func `a profile becomes a message`() {
    var profile = Profile(.retains, operations: 1)
    let main = ProfileFrame(function: "main", object: "o", file: "M.swift", line: 3)
    let inlined = ProfileFrame(function: "send", object: "o", isInlined: true)
    profile.add(300, at: [main, inlined, ProfileFrame(function: "free", object: "c")])
    var expected = ProtobufMessage()
    func message(_ build: (inout ProtobufMessage) -> Void) -> ProtobufMessage {
      var message = ProtobufMessage()
      build(&message)
      return message
    }
    // Strings: "", retains, count, o, send, main, M.swift, c, free.
    expected.add(
      1,
      message {
        $0.add(1, 1); $0.add(2, 2)
      })
    expected.add(
      2,
      message {
        $0.add(1, packed: [2, 1])
        $0.add(2, packed: [300])
      })
    for (number, name) in [(1, 3), (2, 7)] {
      expected.add(
        3,
        message {
          $0.add(1, number)
          $0.add(5, name)
          for field in 7...10 { $0.add(field, 1) }
        })
    }
    expected.add(
      4,
      message {
        $0.add(1, 1)
        $0.add(2, 1)
        $0.add(4, message { $0.add(1, 1) })
        $0.add(
          4,
          message {
            $0.add(1, 2); $0.add(2, 3)
          })
      })
    expected.add(
      4,
      message {
        $0.add(1, 2)
        $0.add(2, 2)
        $0.add(4, message { $0.add(1, 3) })
      })
    for (number, name, file) in [(1, 4, 0), (2, 5, 6), (3, 8, 0)] {
      expected.add(
        5,
        message {
          $0.add(1, number)
          $0.add(2, name)
          $0.add(3, name)
          $0.add(4, file)
        })
    }
    for string in ["", "retains", "count", "o", "send", "main", "M.swift", "c", "free"] {
      expected.add(6, Array(string.utf8))
    }
    expected.add(14, 1)
    #expect(Pprof.message([profile]) == expected.bytes)
    #expect(Pprof.bytes([profile]) == Gzip.stored(expected.bytes))
  }

  @Test func `several kinds are several values of each stack`() {
    let frame = ProfileFrame(function: "f", object: "o")
    var (calls, bytes) = (Profile(.allocations, operations: 1), Profile(.allocatedBytes, operations: 1))
    calls.add(1, at: [frame])
    bytes.add(64, at: [frame])
    // Field 2 of a sample: the values 1 and 64.
    #expect(Pprof.message([calls, bytes]).split(separator: [0x12, 0x02, 0x01, 0x40]).count == 2)
  }
}
