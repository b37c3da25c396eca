// What happens in a run, line by line, for people.
// No test file: the tests of Machine and Reduction, and the litmus tests, go through all of it.

/// One thing that happens in a run.
package struct LogLine: CustomStringConvertible {
  /// Counts what the threads do, from 1.
  let number: Int
  /// The thread that does it; `nil` for what ends the run.
  let thread: String?
  let text: String
  let place: Place?
  /// Whether other threads can notice.
  let isShared: Bool

  /// What ends a run.
  init(_ text: String) {
    (number, thread, self.text, place, isShared) = (0, nil, text, nil, true)
  }

  init(_ number: Int, _ thread: SimulatedThread, _ text: String, _ place: Place?, isShared: Bool) {
    (self.number, self.thread, self.text, self.place) = (number, thread.name, text, place)
    self.isShared = isShared && thread.number != 0
  }

  package var description: String {
    guard let thread else { return text }
    let start = pad("\(number)", 4) + pad(thread, 12)
    return place.map { start + pad(text, 46) + "\($0.fileAndLine) \($0.function)" } ?? start + text
  }
}

/// Describes the steps of a run.
final class Log {
  private let take: (LogLine) -> Void
  /// Addresses in the order of their appearance: they are called p1, p2, ... so that a run reads the same every time.
  private var addresses: [Int] = []
  private var count = 0

  init(_ take: @escaping (LogLine) -> Void) { self.take = take }

  func reset() {
    addresses = []
    count = 0
  }

  func note(_ text: String) { take(LogLine(text)) }

  func note(_ thread: SimulatedThread, _ text: String, _ place: Place? = nil, of word: Word? = nil) {
    count += 1
    take(LogLine(count, thread, text, place, isShared: word?.isShared ?? true))
  }

  func note(
    _ thread: SimulatedThread, _ text: String, _ value: Int, _ remark: String, _ place: Place? = nil, of word: Word
  ) {
    note(thread, text + describe(value) + (remark.isEmpty ? "" : " " + remark), place, of: word)
  }

  func note(_ thread: SimulatedThread, _ operation: Operation, _ word: Word, _ old: Int, _ new: Int?, _ place: Place) {
    let change = new.map { "\(describe(old)) -> \(describe($0))" } ?? "\(describe(old)), fails"
    note(thread, "\(operation.rawValue) w\(word.number): \(change)", place, of: word)
  }

  private func describe(_ value: Int) -> String {
    if value == .max { return "max" }
    if value == .min { return "min" }
    guard value > 0xFFFF_FFFF else { return "\(value)" }
    let tag = value & 15, address = value - tag
    let number = addresses.firstIndex(of: address) ?? addresses.count
    if number == addresses.count { addresses.append(address) }
    return "p\(number + 1)" + (tag == 0 ? "" : "+\(tag)")
  }
}

package func pad(_ text: String, _ width: Int) -> String {
  text.count < width ? text + String(repeating: " ", count: width - text.count) : text + " "
}
