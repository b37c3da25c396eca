// Tests of the wire format, against the examples of its documentation.

import Testing

@testable import GaugeRunner

@Suite struct ProtobufMessageTests {
  @Test func `numbers, texts, messages and packed numbers are written as documented`() {
    var number = ProtobufMessage()
    number.add(1, 150)
    #expect(number.bytes == [0x08, 0x96, 0x01])
    var text = ProtobufMessage()
    text.add(2, Array("testing".utf8))
    #expect(text.bytes == [0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67])
    var message = ProtobufMessage()
    message.add(3, number)
    #expect(message.bytes == [0x1a, 0x03, 0x08, 0x96, 0x01])
    var packed = ProtobufMessage()
    packed.add(6, packed: [3, 270, 86_942])
    #expect(packed.bytes == [0x32, 0x06, 0x03, 0x8e, 0x02, 0x9e, 0xa7, 0x05])
  }

  @Test func `zero is left out, and what is negative takes ten bytes`() {
    var message = ProtobufMessage()
    message.add(1, 0)
    #expect(message.bytes.isEmpty)
    message.add(1, -2)
    #expect(message.bytes == [0x08, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01])
  }
}
