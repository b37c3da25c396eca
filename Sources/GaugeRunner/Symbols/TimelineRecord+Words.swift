// The part of a file of stacks that is about events: what happened within operations, in order.
//
// Four words of a head: events that there was no room for, number of threads, number of events, 0. Three words of each
// thread: number, name (two words). Eight of each event: its moment in nanoseconds of a clock that never stops, its
// thread, what happened, address, size, type, its stack (counted from 1; 0 for none), 0.

extension TimelineRecord {
  /// Reads the words.
  ///
  /// - Throws: `SampleFile.FormatError` for words that are not of the format, or numbers that can't be.
  init(_ words: [UInt64]) throws(SampleFile.FormatError) {
    guard words.count >= 4 else { throw .brokenOff }
    let count = UInt64(words.count)
    guard words[1] <= count, words[2] <= count, 4 + words[1] * 3 + words[2] * 8 == count else { throw .brokenOff }
    guard words[0] <= SampleFile.largestWeight else {
      throw SampleFile.FormatError(description: "\(words[0]) events that there was no room for are too many")
    }
    lost = Int(words[0])
    let firstEvent = 4 + Int(words[1]) * 3
    threads = stride(from: 4, to: firstEvent, by: 3).map { first in
      let name = words[first + 1...first + 2].flatMap { word in
        (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
      }
      return Thread(id: words[first], name: String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))
    }
    events = []
    events.reserveCapacity(Int(words[2]))
    var sizes: UInt64 = 0
    let start = words[2] == 0 ? 0 : words[firstEvent]
    for first in stride(from: firstEvent, to: words.count, by: 8) {
      let number = events.count + 1
      func fault(_ text: String) -> SampleFile.FormatError {
        SampleFile.FormatError(description: "the event \(number) \(text)")
      }
      guard let kind = Kind(rawValue: words[first + 2]) else {
        throw fault("is of the unknown kind \(words[first + 2])")
      }
      guard words[first] >= start, words[first] - start <= SampleFile.largestWeight else {
        throw fault("is out of its time")
      }
      // What all come to is a number, too. A size that there was no memory for may be any, and is in no sum.
      if kind != .endReallocating || words[first + 3] != 0 {
        guard words[first + 4] <= SampleFile.largestWeight - sizes else { throw fault("has a size that can't be") }
        sizes += words[first + 4]
      }
      guard words[first + 6] <= SampleFile.largestWeight else { throw fault("has a stack that can't be") }
      events.append(
        Event(
          time: Int(words[first] - start), thread: words[first + 1], kind: kind, address: words[first + 3],
          size: Int(clamping: words[first + 4]), type: words[first + 5],
          stack: words[first + 6] == 0 ? nil : Int(words[first + 6]) - 1))
    }
  }
}
