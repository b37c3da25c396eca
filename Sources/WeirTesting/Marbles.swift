// Streams as text. The signs are those of RxJS.

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

/// A stream as text.
///
/// Each sign takes one frame: `-` nothing, `|` the end, `#` a failure, `^` the subscription, any other sign a value. What
/// stands in parentheses happens at once, at the frame of the opening one. Spaces take no frame.
struct Marbles: Equatable {
  enum Sign: Equatable {
    case value(Character)
    case finish
    case failure
    /// A value that no sign stands for.
    case unknown

    var character: Character {
      switch self {
      case .value(let character): character
      case .finish: "|"
      case .failure: "#"
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
  init(_ text: String) throws(MarbleError) {
    var frame = 0
    var group: Int?
    var subscription: Int?
    var isOver = false
    for (offset, character) in text.enumerated() {
      func fail(_ problem: String) -> MarbleError { MarbleError(problem, in: text, at: offset) }
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
