// Files of gzip's format (RFC 1952) around data that is stored as it is (RFC 1951, blocks of type 0). Ours, as zlib
// isn't on every system that has Swift, and nothing is compressed.

/// Writing gzip files without compressing anything: what reads them takes that as well, and profiles are small.
enum Gzip {
  /// Data as a gzip file.
  static func stored(_ data: [UInt8]) -> [UInt8] {
    // Deflate; no name, no time, an unknown system.
    var file: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
    var rest = data[...]
    repeat {
      let block = rest.prefix(0xffff)
      rest = rest.dropFirst(block.count)
      file.append(rest.isEmpty ? 1 : 0)
      append(UInt64(block.count), bytes: 2, to: &file)
      append(UInt64(~UInt16(block.count)), bytes: 2, to: &file)
      file += block
    } while !rest.isEmpty
    append(UInt64(checksum(data)), bytes: 4, to: &file)
    append(UInt64(data.count) & 0xffff_ffff, bytes: 4, to: &file)
    return file
  }

  /// The cyclic redundancy check of the format: CRC-32 with the reversed polynomial 0xEDB88320.
  static func checksum(_ data: [UInt8]) -> UInt32 {
    ~data.reduce(~0) { sum, byte in table[Int((sum ^ UInt32(byte)) & 0xff)] ^ (sum >> 8) }
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { rest, _ in rest & 1 == 1 ? 0xEDB8_8320 ^ (rest >> 1) : rest >> 1 }
  }

  private static func append(_ number: UInt64, bytes: Int, to file: inout [UInt8]) {
    for place in 0..<bytes { file.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(place)))) }
  }
}
