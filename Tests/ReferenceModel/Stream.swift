// What streams of the model are made of: plain closures, one thread, no code of the library under test.

/// How many values are asked for.
package struct Want: Equatable, CustomStringConvertible, Sendable {
  package var count: Int

  package init(_ count: Int) { self.count = count }

  package static let none = Want(0)
  package static let all = Want(.max)

  package var isSome: Bool { count > 0 }

  package static func += (lhs: inout Want, rhs: Want) { lhs = lhs + rhs }

  package static func + (lhs: Want, rhs: Want) -> Want {
    if lhs == .all || rhs == .all { return .all }
    return Want(lhs.count + rhs.count)
  }

  package static func * (lhs: Want, rhs: Int) -> Want { lhs == .all ? .all : Want(lhs.count * rhs) }

  /// Takes one.
  ///
  /// - Returns: Whether there was one.
  package mutating func take() -> Bool {
    guard isSome else { return false }
    if self != .all { count -= 1 }
    return true
  }

  package var description: String { self == .all ? "all" : "\(count)" }
}

/// The error that the model's streams fail with.
package struct Fault: Error, Hashable, CustomStringConvertible {
  package let code: Int

  package init(_ code: Int) { self.code = code }

  package var description: String { "fault \(code)" }
}

/// How a stream ends.
package enum End: Equatable, CustomStringConvertible, Sendable {
  case finished
  case failed(Fault)

  package var description: String {
    switch self {
    case .finished: "finished"
    case .failed(let fault): "failed with \(fault)"
    }
  }
}

/// What a subscriber may do to a stream.
package struct Control {
  package let request: (Want) -> Void
  package let cancel: () -> Void

  package init(request: @escaping (Want) -> Void, cancel: @escaping () -> Void) {
    self.request = request
    self.cancel = cancel
  }

  /// The subscription of a stream that has ended already.
  static var empty: Control { Control(request: { _ in }, cancel: {}) }
}

/// What a stream may do to its subscriber.
package struct Receiver {
  package let begin: (Control) -> Void
  package let value: (Int) -> Want
  package let end: (End) -> Void

  package init(begin: @escaping (Control) -> Void, value: @escaping (Int) -> Want, end: @escaping (End) -> Void) {
    self.begin = begin
    self.value = value
    self.end = end
  }
}

/// A stream: something that can be subscribed to.
package typealias Stream = (Receiver) -> Void

/// What happened, in order, and whether the model has an opinion on it at all.
package final class Journal {
  package private(set) var lines: [String] = []
  /// Where Combine traps, or breaks its own rules, if anywhere: the rest is not comparable.
  package private(set) var violation: String?

  /// Called with each line.
  package var look: ((String) -> Void)?
  private var isClosed = false

  package init() {}

  package func note(_ line: String) {
    if isClosed { return }
    lines.append(line)
    look?(line)
  }

  /// Has a last look; what comes then, as everybody lets go of everything, is not noted.
  func close() {
    look?("> the end")
    isClosed = true
  }

  /// Notes that an operator was sent something that it had not asked for, and where Combine therefore traps.
  func violate(_ operator: String) { if violation == nil { violation = `operator` } }
}

/// A stream of values that are known beforehand.
func sequence(_ values: [Int]) -> Stream {
  { down in
    if values.isEmpty {
      down.begin(.empty)
      return down.end(.finished)
    }
    var rest = values[...]
    var wanted = Want.none
    var isOver = false
    var isDelivering = false
    down.begin(
      Control(
        request: { more in
          wanted += more
          if isDelivering { return }
          isDelivering = true
          while !isOver, wanted.take() {
            wanted += down.value(rest.removeFirst())
            if !isOver, rest.isEmpty {
              isOver = true
              down.end(.finished)
            }
          }
          isDelivering = false
        }, cancel: { isOver = true }))
  }
}

/// A stream that fails at once.
func fail(_ fault: Fault) -> Stream {
  { down in
    down.begin(.empty)
    down.end(.failed(fault))
  }
}
