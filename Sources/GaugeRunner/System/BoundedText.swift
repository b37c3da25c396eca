// The last (or first) bytes of a stream, so that a process that prints without end costs no memory.

/// Collects a byte stream and keeps a bounded part of it.
struct BoundedText {
  /// Which part is kept of a stream that is too long.
  enum Part {
    /// The beginning, as for a report that is read from its first line.
    case first
    /// The end, where a dying process says why.
    case last
  }

  private var bytes: [UInt8] = []
  private let part: Part
  private let limit: Int

  /// Creates an empty collection.
  ///
  /// - Parameters:
  ///   - part: Which part to keep.
  ///   - limit: Bytes to keep at most.
  init(keeping part: Part, limit: Int) {
    self.part = part
    self.limit = limit
  }

  /// Adds the next bytes of the stream.
  ///
  /// - Complexity: Amortised linear in the bytes added.
  mutating func append(_ next: [UInt8]) {
    switch part {
    case .first:
      bytes += next.prefix(limit - bytes.count)
    case .last:
      bytes += next
      if bytes.count > 2 * limit { bytes.removeFirst(bytes.count - limit) }
    }
  }

  /// What was kept, with bytes that are not UTF-8 replaced.
  var text: String {
    String(decoding: part == .last ? bytes.suffix(limit) : bytes[...], as: UTF8.self)
  }
}
