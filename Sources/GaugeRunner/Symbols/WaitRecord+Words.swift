// The part of a file of stacks that is about waits: how long each thread ran and stood ready, and each wait of it.
//
// Six words of a head: when the recording began and ended, the error number for which nobody knows how long threads
// stood ready without a processor (0 for none), waits that are not listed, number of threads, number of waits. Nine
// words of each thread: number, begin and end, nanoseconds that it ran, that it stood ready and that it waited, name
// (two words), the thread that has made it (counted from 1; 0 for unknown). Ten of each wait: its
// thread (counted from 1), cause, address of what it waited for, begin and end, nanoseconds off the processor, its
// stack, the thread that ended the wait and the stack of that (counted from 1; 0 for unknown), and when that was. Times
// are those of a clock that never stops, in nanoseconds.

extension WaitRecord {
  private static func bytes(of word: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }

  /// Reads the words.
  ///
  /// - Throws: `SampleFile.FormatError` for words that are not of the format, or times that can't be.
  init(_ words: [UInt64]) throws(SampleFile.FormatError) {
    guard words.count >= 6 else { throw .brokenOff }
    let (begin, end, count) = (words[0], words[1], UInt64(words.count))
    guard words[4] <= count, words[5] <= count, 6 + words[4] * 9 + words[5] * 10 == count else { throw .brokenOff }
    let largest = SampleFile.largestWeight
    guard begin <= end, end - begin <= largest, words[2] < 4096, words[3] <= largest else {
      throw SampleFile.FormatError(description: "waits of more time than there is")
    }
    func moment(_ word: UInt64) throws(SampleFile.FormatError) -> Int {
      guard begin...end ~= word else { throw SampleFile.FormatError(description: "a wait out of its time") }
      return Int(word - begin)
    }
    func time(_ word: UInt64) throws(SampleFile.FormatError) -> Int {
      guard word <= largest else { throw SampleFile.FormatError(description: "a wait of more time than there is") }
      return Int(word)
    }
    func place(_ word: UInt64, below limit: Int) throws(SampleFile.FormatError) -> Int? {
      guard word <= UInt64(limit) else {
        throw SampleFile.FormatError(description: "a wait of a thread that is not there")
      }
      return word == 0 ? nil : Int(word) - 1
    }
    let threadCount = Int(words[4])
    var threads: [Thread] = []
    let firstWait = 6 + Int(words[4]) * 9
    for first in stride(from: 6, to: firstWait, by: 9) {
      guard words[first + 1] <= words[first + 2] else {
        throw SampleFile.FormatError(description: "a thread that ends before it begins")
      }
      let name = words[first + 6...first + 7].flatMap(Self.bytes(of:))
      threads.append(
        Thread(
          id: words[first], name: String(decoding: name.prefix { $0 != 0 }, as: UTF8.self),
          start: try moment(words[first + 1]), end: try moment(words[first + 2]),
          running: try time(words[first + 3]), ready: try time(words[first + 4]), waiting: try time(words[first + 5]),
          maker: try place(words[first + 8], below: threadCount)))
    }
    var waits: [Wait] = []
    for first in stride(from: firstWait, to: words.count, by: 10) {
      guard let thread = try place(words[first], below: threadCount) else {
        throw SampleFile.FormatError(description: "a wait of no thread")
      }
      guard words[first + 3] <= words[first + 4] else {
        throw SampleFile.FormatError(description: "a wait that ends before it begins")
      }
      waits.append(
        Wait(
          thread: thread, cause: words[first + 1], start: try moment(words[first + 3]),
          end: try moment(words[first + 4]), blocked: try time(words[first + 5]),
          stack: try place(words[first + 6], below: Int(largest)),
          waker: try place(words[first + 7], below: threadCount),
          wakerStack: try place(words[first + 8], below: Int(largest)), woken: try moment(words[first + 9])))
    }
    self.init(
      span: Int(end - begin), unaccounted: Int32(words[2]), unlisted: Int(words[3]), threads: threads, waits: waits)
  }
}
