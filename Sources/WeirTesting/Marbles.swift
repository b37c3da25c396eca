// Streams as text. The signs are those of RxJS.

import Weir

/// A mistake in marble text.
public struct MarbleError: Error, Equatable, CustomStringConvertible {
  /// What the mistake is; below that the text, or the line of it that has the mistake, and a line that points there,
  /// with a space for each character before.
  public let description: String

  init(_ problem: String, in text: String, at offset: Int) {
    let characters = Array(text)
    let start = characters[..<offset].lastIndex(where: \.isNewline).map { $0 + 1 } ?? 0
    let end = characters[offset...].firstIndex(where: \.isNewline) ?? characters.count
    description = "\(problem)\n\(String(characters[start..<end]))\n\(String(repeating: " ", count: offset - start))^"
  }
}

/// A place on the time line of a marble text.
struct MarbleFrame: Equatable {
  /// Counted from the subscription, which `^` marks, or from the beginning.
  var number: Int
  /// Whether it is the frame's own moment, rather than one between this frame and the next.
  var isExact = true
}

/// How many frames a time takes.
enum MarbleFrames: Equatable {
  case whole(Int)
  /// No whole number of them.
  case broken
  /// So many that there is no such frame.
  case tooMany
}

/// A length of time in a marble text: `10ms`.
struct MarbleTime: Hashable {
  enum Unit: String, CaseIterable {
    case nanoseconds = "ns"
    case microseconds = "us"
    case milliseconds = "ms"
    case seconds = "s"
    case minutes = "m"
  }

  let count: Int
  let unit: Unit

  /// Reads a time at the beginning of a text, where it ends with the text or at a space.
  ///
  /// - Returns: The time, the longest one if it can't be told, and how many characters it takes; `nil` if there is
  ///   none.
  static func read(_ text: ArraySlice<Character>) -> (time: MarbleTime, length: Int)? {
    let word = text.prefix { $0 != " " }
    let digits = word.prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty, let unit = Unit(rawValue: String(word.dropFirst(digits.count))) else { return nil }
    return (MarbleTime(count: Int(String(digits)) ?? .max, unit: unit), word.count)
  }

  /// The time as a scheduler's.
  func stride<Stride: SchedulerTimeIntervalConvertible>() -> Stride {
    switch unit {
    case .nanoseconds: .nanoseconds(count)
    case .microseconds: .microseconds(count)
    case .milliseconds: .milliseconds(count)
    case .seconds: .seconds(count)
    case .minutes: .seconds(count.multipliedReportingOverflow(by: 60).overflow ? .max : count * 60)
    }
  }
}

/// A stream as text.
///
/// Each sign takes one frame: `-` nothing, `|` the end, `#` a failure, `^` the subscription, `!` its cancellation, any
/// other sign a value. What stands in parentheses happens at once, at the frame of the opening one. Spaces take no
/// frame. A time between spaces, or alone, takes as many as it lasts.
struct Marbles: Equatable {
  enum Sign: Equatable {
    case value(Character)
    case finish
    case failure
    /// The end that the subscriber makes.
    case cancellation
    /// A value that no sign stands for.
    case unknown

    var character: Character {
      switch self {
      case .value(let character): character
      case .finish: "|"
      case .failure: "#"
      case .cancellation: "!"
      case .unknown: "?"
      }
    }
  }

  struct Event: Equatable {
    var frame: MarbleFrame
    var sign: Sign
    /// Where it stands in the text, which makes no difference.
    var offset = 0

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.frame == rhs.frame && lhs.sign == rhs.sign }
  }

  var events: [Event] = []

  init(events: [Event]) { self.events = events }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - frames: How many frames a time takes.
  init(_ text: String, frames: (MarbleTime) -> MarbleFrames = { _ in .broken }) throws(MarbleError) {
    let characters = Array(text)
    var timeEnd = 0
    var frame = 0
    var group: Int?
    var subscription: Int?
    var isOver = false
    for (offset, character) in characters.enumerated() where offset >= timeEnd {
      func fail(_ problem: String) -> MarbleError { MarbleError(problem, in: text, at: offset) }
      if group == nil, offset == 0 || characters[offset - 1] == " ",
        let (time, length) = MarbleTime.read(characters[offset...])
      {
        switch frames(time) {
        case .whole(let number):
          guard let end = frame.adding(number) else { throw fail("there is no frame as late as this") }
          frame = end
        case .broken: throw fail("this time is no whole number of frames")
        case .tooMany: throw fail("there is no frame as late as this")
        }
        timeEnd = offset + length
        continue
      }
      var sign: Sign?
      switch character {
      case " ": continue
      case "-":
        if group != nil { throw fail("no time passes between parentheses") }
      case "(":
        if group != nil { throw fail("a group can't be inside another one") }
        group = frame
      case ")":
        if group == nil { throw fail("there is no group to close") }
        group = nil
      case "^":
        if subscription != nil { throw fail("there is one subscription already") }
        let place = group ?? frame
        if isOver, let end = events.last, end.frame.number < place {
          let name = end.sign == .cancellation ? "cancellation" : "end"
          throw MarbleError("the \(name) comes before the subscription", in: text, at: end.offset)
        }
        subscription = place
      case "|": sign = .finish
      case "#": sign = .failure
      case "!": sign = .cancellation
      default: sign = .value(character)
      }
      if let sign {
        if isOver { throw fail("nothing comes after the end") }
        if case .value = sign {} else { isOver = true }
        events.append(Event(frame: MarbleFrame(number: group ?? frame), sign: sign, offset: offset))
      }
      guard let next = frame.adding(1) else { throw fail("there is no frame as late as this") }
      frame = next
    }
    if group != nil { throw MarbleError("the group is not closed", in: text, at: text.count) }
    if let subscription { for index in events.indices { events[index].frame.number -= subscription } }
  }

  /// The events as text.
  ///
  /// - Parameter time: A number of frames as a time, which is written in place of more than a hundred `-`; `nil` if
  ///   there is none.
  /// - Returns: `nil` where there is no such text, as for something that comes in the frames that a group takes up, and
  ///   for signs that read as something else where they stand: `1` and `s` at the beginning are a time.
  func text(time: (Int) -> String? = { _ in nil }) -> String? {
    var text = ""
    var gaps: [MarbleTime: Int] = [:]
    var end = 0
    var index = 0
    while index < events.count {
      let frame = events[index].frame
      let together = events[index...].prefix { $0.frame == frame }
      let signs = String(together.map(\.sign.character))
      let group = signs.count == 1 ? signs : "(\(signs))"
      guard frame.isExact, frame.number >= end, let next = frame.number.adding(group.count) else { return nil }
      let gap = frame.number - end
      if gap <= 100 {
        text += String(repeating: "-", count: gap)
      } else if let time = time(gap) {
        text += text.isEmpty ? "\(time) " : " \(time) "
        if let (written, _) = MarbleTime.read(Array(time)[...]) { gaps[written] = gap }
      } else {
        return nil
      }
      text += group
      end = next
      index += together.count
    }
    let again = try? Marbles(text, frames: { gaps[$0].map(MarbleFrames.whole) ?? .broken })
    return again?.list == list ? text : nil
  }

  /// The events one by one, for where there is no text.
  var list: String {
    events.map { event in
      "\(event.sign.character) at frame \(event.frame.number)\(event.frame.isExact ? "" : " and a bit")"
    }
    .joined(separator: ", ")
  }

  /// Says how what came differs from this.
  ///
  /// - Parameters:
  ///   - actual: What came.
  ///   - time: As for `text`.
  func difference(from actual: Marbles, time: (Int) -> String? = { _ in nil }) -> String? {
    guard self != actual else { return nil }
    let same = zip(events, actual.events).prefix { $0 == $1 }.count
    let frames = [events, actual.events].compactMap { $0.dropFirst(same).first?.frame.number }
    let head = "the stream differs from its marbles at frame \(frames.min() ?? 0)"
    guard let expectedText = text(time: time), let actualText = actual.text(time: time) else {
      return "\(head)\nexpected: \(list)\nactual:   \(actual.list)"
    }
    let width = zip(expectedText, actualText).prefix { $0 == $1 }.count
    return "\(head)\nexpected: \(expectedText)\nactual:   \(actualText)\n\(String(repeating: " ", count: 10 + width))^"
  }
}

extension Int {
  /// The sum, if it fits.
  fileprivate func adding(_ other: Int) -> Int? {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? nil : sum
  }
}
