// Numbers as files have them.

/// The bytes of a number, the least significant first.
package func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
  let bits = UInt64(truncatingIfNeeded: number)
  return (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) }
}

/// A text with what fills it up to a word.
package func padded(_ text: String) -> [UInt8] {
  let bytes = Array(text.utf8)
  return bytes + [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8)
}
