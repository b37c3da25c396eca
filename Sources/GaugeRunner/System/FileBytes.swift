// Numbers at any place in the bytes of a file, least significant byte first.

/// The bytes of a file.
struct FileBytes: Sendable {
  /// All of them.
  let bytes: [UInt8]

  /// Takes the bytes of a file.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// How many there are.
  var count: Int { bytes.count }

  /// The number at an offset; `nil` where it is not all there.
  func number<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type, at offset: Int) -> Number? {
    guard offset >= 0, offset <= bytes.count - MemoryLayout<Number>.size else { return nil }
    // Safe: the bytes are within the array, as tested above, and any bytes are a number.
    return unsafe bytes.withUnsafeBytes { buffer in
      unsafe Number(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
  }

  /// The text from an offset to the next zero.
  ///
  /// - Parameters:
  ///   - offset: Where it begins.
  ///   - limit: Bytes behind which it is cut: many offsets may lead into one long text.
  func text(at offset: Int, limit: Int = 65_536) -> String {
    guard bytes.indices.contains(offset) else { return "" }
    let rest = bytes[offset..<min(bytes.endIndex, offset + limit)]
    return String(decoding: rest.prefix { $0 != 0 }, as: UTF8.self)
  }
}
