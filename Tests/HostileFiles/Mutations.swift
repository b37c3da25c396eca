// Files with random damage, of texts and of numbers: the same ones for the same seed.

import GaugeStatistics

/// Damages files, one after the other.
package struct Mutations {
  private var random: Xoshiro256
  private var originals: [[UInt8]]
  private let words: [[UInt8]]
  private let isText: Bool
  private let largest: Int

  /// What often matters: separators, numbers at their limits, words of the formats, bytes that are no text.
  private static let common: [[UInt8]] =
    [
      ",", "\"", "\"\"", "\n", "\r\n", "#", "# ", ";", "=", ": ", "\\", "\\n", "|", "0", "-1", "1e308", "-1e308",
      "1e-320", "nan", "inf",
      "9223372036854775807", "99999999999999999999", "unavailable: x", "fault", "fault: x", "exact", "lower", "neither",
      "latency_pnan", "latency_p99", "ns/op", "/s", "\u{0}", "é", "🙂", "# gauge-results 2\n", "# 2 date: x\n",
      "# limits: a=b\n", "\t", " ", "\u{301}", "\u{600}", "0x", "-", "'", "(", "<", "{", "[", "null", "true", "{}",
    ].map { Array($0.utf8) } + [[0xff], [0xc3], [0xed, 0xa0, 0x80]]
  private static let texts = [
    "0", "1", "-1", "9223372036854775807", "-9223372036854775808", "4294967296", "1e308", "1e-320",
  ]
  .map { Array($0.utf8) }
  private static let numbers: [UInt64] = [
    0, 1, 7, 8, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x1_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 1 << 32,
    1 << 47, 1 << 50, 1 << 61, UInt64.max >> 1, 1 << 63, .max - 7, .max,
  ]

  /// Damages one text.
  package init(_ text: String, seed: UInt64) { self.init(of: [Array(text.utf8)], isText: true, seed: seed) }

  /// Damages one file of numbers.
  package init(_ bytes: [UInt8], seed: UInt64) { self.init(of: [bytes], isText: false, seed: seed) }

  /// Damages any of several files.
  ///
  /// - Parameters:
  ///   - originals: The files; at least one.
  ///   - words: What their format has that others don't.
  ///   - isText: Whether they have fields and lines, rather than numbers of fixed size.
  ///   - largest: Bytes beyond which a damaged file is cut.
  ///   - seed: What decides about all damage.
  package init(
    of originals: [[UInt8]], words: [String] = [], isText: Bool, largest: Int = 1 << 16, seed: UInt64
  ) {
    precondition(!originals.isEmpty, "there is no file to damage")
    self.originals = originals
    self.words = words.map { Array($0.utf8) } + Self.common
    self.isText = isText
    self.largest = largest
    random = Xoshiro256(seed: seed)
  }

  /// How many files there are to damage.
  package var count: Int { originals.count }

  /// Adds a file to be damaged, such as a damaged one that led to somewhere new.
  package mutating func add(_ original: [UInt8]) { originals.append(original) }

  /// The next damaged file: one to four wounds.
  package mutating func next() -> [UInt8] {
    // The newer half is taken as often as all.
    let count = originals.count
    let choice =
      random.index(below: 2) == 0 ? random.index(below: count) : count / 2 + random.index(below: count - count / 2)
    var bytes = originals[choice]
    for _ in 0...random.index(below: 4) { wound(&bytes) }
    if bytes.count > largest { bytes.removeSubrange(largest...) }
    return bytes
  }

  private mutating func wound(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return bytes = pick(words) }
    let place = random.index(below: bytes.count)
    let length = min(bytes.count - place, 1 + random.index(below: random.index(below: 8) == 0 ? bytes.count : 12))
    switch random.index(below: 12) {
    case 0: bytes[place] ^= 1 << UInt8(random.index(below: 8))
    case 1: bytes.removeSubrange(place..<place + length)
    case 2: repeatPiece(&bytes, place..<place + length)
    case 3: bytes.removeSubrange(place...)
    case 4, 5: bytes.insert(contentsOf: pick(words), at: place)
    case 6: splice(&bytes, at: place)
    case 7: bytes.replaceSubrange(place..<place + min(length, 4), with: pick(words).prefix(min(length, 4)))
    default: if isText { woundText(&bytes, place) } else { woundNumbers(&bytes, place) }
    }
  }

  private mutating func woundText(_ bytes: inout [UInt8], _ place: Int) {
    switch random.index(below: 3) {
    case 0: replaceField(&bytes, near: place)
    case 1: replaceDigits(&bytes, near: place)
    default: swapLines(&bytes)
    }
  }

  private mutating func pick(_ choices: [[UInt8]]) -> [UInt8] { choices[random.index(below: choices.count)] }

  /// A piece once more somewhere else, or many times over.
  private mutating func repeatPiece(_ bytes: inout [UInt8], _ piece: Range<Int>) {
    let times = random.index(below: 6) == 0 ? 1 << random.index(below: 10) : 1
    let piece = Array(bytes[piece].prefix(largest / times))
    bytes.insert(
      contentsOf: Array(repeatElement(piece, count: times).joined()), at: random.index(below: bytes.count))
  }

  /// The end of another file behind the beginning of this one.
  private mutating func splice(_ bytes: inout [UInt8], at place: Int) {
    let other = originals[random.index(below: originals.count)]
    guard !other.isEmpty else { return }
    bytes.replaceSubrange(place..., with: other[random.index(below: other.count)...])
  }

  /// Another text in place of a whole field.
  private mutating func replaceField(_ bytes: inout [UInt8], near place: Int) {
    let isEnd: (UInt8) -> Bool = { Array(",\n\t:= ;|".utf8).contains($0) }
    let start = bytes[..<place].lastIndex(where: isEnd).map { $0 + 1 } ?? 0
    let end = bytes[start...].firstIndex(where: isEnd) ?? bytes.count
    bytes.replaceSubrange(start..<end, with: pick(words))
  }

  /// Another number in place of one.
  private mutating func replaceDigits(_ bytes: inout [UInt8], near place: Int) {
    let isDigit: (UInt8) -> Bool = { (0x30...0x39).contains($0) }
    guard let start = bytes[place...].firstIndex(where: isDigit) ?? bytes.firstIndex(where: isDigit) else { return }
    let end = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.count
    bytes.replaceSubrange(start..<end, with: pick(Self.texts))
  }

  private mutating func swapLines(_ bytes: inout [UInt8]) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    lines.swapAt(random.index(below: lines.count), random.index(below: lines.count))
    bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }

  /// A number of 1, 2, 4 or 8 bytes, in its place or not, at a limit, changed a little, or taken from elsewhere.
  private mutating func woundNumbers(_ bytes: inout [UInt8], _ place: Int) {
    let size = 1 << random.index(below: 4)
    guard bytes.count >= size else { return }
    let start = min(random.index(below: 4) == 0 ? place : place / size * size, bytes.count - size)
    let old = (0..<size).reduce(UInt64(0)) { $0 | UInt64(bytes[start + $1]) << UInt64(8 * $1) }
    let number: UInt64
    switch random.index(below: 4) {
    case 0: number = Self.numbers[random.index(below: Self.numbers.count)]
    case 1: number = old &+ UInt64(random.index(below: 33)) &- 16
    case 2:
      let other = random.index(below: bytes.count - size + 1) / size * size
      number = (0..<size).reduce(UInt64(0)) { $0 | UInt64(bytes[other + $1]) << UInt64(8 * $1) }
    default: number = random.next()
    }
    for index in 0..<size { bytes[start + index] = UInt8(truncatingIfNeeded: number >> UInt64(8 * index)) }
  }
}
