// Writing messages in the wire format of Protocol Buffers, as far as profiles need it. Ours, as these are three kinds
// of fields, and the library for all of the format is a package.

/// A message that is being written.
struct ProtobufMessage: Hashable {
  /// The message so far.
  private(set) var bytes: [UInt8] = []

  /// Adds a whole number; one that is 0 is left out, as that is what it is then taken for.
  mutating func add(_ field: Int, _ number: Int) {
    guard number != 0 else { return }
    key(field, wireType: 0)
    Self.append(number, to: &bytes)
  }

  /// Adds bytes, or a text's.
  mutating func add(_ field: Int, _ content: [UInt8]) {
    key(field, wireType: 2)
    Self.append(content.count, to: &bytes)
    bytes += content
  }

  /// Adds a message.
  mutating func add(_ field: Int, _ message: ProtobufMessage) { add(field, message.bytes) }

  /// Adds numbers.
  mutating func add(_ field: Int, packed numbers: some Sequence<Int>) {
    var content: [UInt8] = []
    for number in numbers { Self.append(number, to: &content) }
    add(field, content)
  }

  private mutating func key(_ field: Int, wireType: Int) { Self.append(field << 3 | wireType, to: &bytes) }

  /// Seven bits a byte, the lowest first; all but the last have the highest bit set. Negative numbers take ten.
  private static func append(_ number: Int, to bytes: inout [UInt8]) {
    var rest = UInt64(bitPattern: Int64(number))
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
