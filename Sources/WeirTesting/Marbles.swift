// Streams as text. The signs are those of RxJS.

import Weir

/// A mistake in marble text.
public struct MarbleError: Error, Equatable, CustomStringConvertible {
  /// The text, with a line below that points at the mistake and says what it is.
  public let description: String

  init(_ problem: String, in text: String, at offset: Int) {
    description = "\(problem)\n\(text)\n\(String(repeating: " ", count: offset))^"
  }
}

/// A place on the time line of a marble text.
struct MarbleFrame: Equatable {
  /// Counted from the subscription, which `^` marks, or from the beginning.
  var number: Int
  /// Whether it is the frame's own moment, rather than one between this frame and the next.
  var isExact = true
}

/// A length of time in a marble text: `10ms`.
struct MarbleTime: Equatable {
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
  /// - Returns: The time and how many characters it takes; `nil` if there is none.
  static func read(_ text: ArraySlice<Character>) -> (time: MarbleTime, length: Int)? {
    let word = text.prefix { $0 != " " }
    let digits = word.prefix { $0.isASCII && $0.isNumber }
    guard let count = Int(String(digits)), let unit = Unit(rawValue: String(word.dropFirst(digits.count))) else {
      return nil
    }
    return (MarbleTime(count: count, unit: unit), word.count)
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
/// Each sign takes one frame: `-` nothing, `|` the end, `#` a failure, `^` the subscription, `!` its cancellation, any other
/// sign a value. What stands in parentheses happens at once, at the frame of the opening one. Spaces take no frame. A time
/// between spaces takes as many as it lasts.
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
  }

  var events: [Event] = []

  init(events: [Event]) { self.events = events }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - frames: How many frames a time takes; `nil` if it is no whole number of them.
  init(_ text: String, frames: (MarbleTime) -> Int? = { _ in nil }) throws(MarbleError) {
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
        guard let number = frames(time), let end = frame.adding(number) else {
          throw fail("this time is no whole number of frames")
        }
        frame = end
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
        subscription = group ?? frame
      case "|": sign = .finish
      case "#": sign = .failure
      case "!": sign = .cancellation
      default: sign = .value(character)
      }
      if let sign {
        if isOver { throw fail("nothing comes after the end") }
        if case .value = sign {} else { isOver = true }
        events.append(Event(frame: MarbleFrame(number: group ?? frame), sign: sign))
      }
      frame += 1
    }
    if group != nil { throw MarbleError("the group is not closed", in: text, at: text.count) }
    if let subscription { for index in events.indices { events[index].frame.number -= subscription } }
  }

  /// The events as text; `nil` where there is no such text, as for something that comes in the frames that a group takes up.
  var text: String? {
    var text = ""
    var index = 0
    while index < events.count {
      let frame = events[index].frame
      let together = events[index...].prefix { $0.frame == frame }
      guard frame.isExact, frame.number >= text.count else { return nil }
      text += String(repeating: "-", count: frame.number - text.count)
      let signs = String(together.map(\.sign.character))
      text += signs.count == 1 ? signs : "(\(signs))"
      index += together.count
    }
    return text
  }

  /// The events one by one, for where there is no text.
  var list: String {
    events.map { event in
      "\(event.sign.character) at frame \(event.frame.number)\(event.frame.isExact ? "" : " and a bit")"
    }
    .joined(separator: ", ")
  }

  /// Says how what came differs from this.
  func difference(from actual: Marbles) -> String? {
    guard self != actual else { return nil }
    let same = zip(events, actual.events).prefix { $0 == $1 }.count
    let frames = [events, actual.events].compactMap { $0.dropFirst(same).first?.frame.number }
    let head = "the stream differs from its marbles at frame \(frames.min() ?? 0)"
    guard let expectedText = text, let actualText = actual.text else {
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
