// What a queue or a channel answers: what became of an element that was offered, and of a request for one.

/// What became of an element that was offered to a queue or a channel: it is there, or it comes back with the reason.
///
/// Elements that can't be copied come back as well.
@frozen
public enum Offer<Element: ~Copyable>: ~Copyable {
  /// The queue has taken the element.
  case taken
  /// There was no room, or the slot that comes next was still being emptied: the element comes back. If a channel was
  /// told to wait, the time is over or the task was cancelled.
  case full(Element)
  /// The queue is closed: the element comes back.
  case closed(Element)

  /// `true` if the queue has taken the element.
  @inlinable
  public var isTaken: Bool {
    switch self {
    case .taken: true
    case .full: false
    case .closed: false
    }
  }

  /// The element that came back, if one did.
  ///
  /// - Returns: The element, or `nil` if it was taken.
  /// - Complexity: O(1).
  @inlinable
  public consuming func returned() -> Element? {
    switch consume self {
    case .taken: return nil
    case .full(let element): return element
    case .closed(let element): return element
    }
  }
}

extension Offer: Copyable where Element: Copyable {}
extension Offer: Sendable where Element: Sendable & ~Copyable {}
extension Offer: Equatable where Element: Equatable {}

/// What became of an element that goes into a queue even if an older one has to leave.
@frozen
public enum Overwrite<Element: ~Copyable>: ~Copyable {
  /// There was room.
  case appended
  /// The queue was full: this was its oldest element, which nobody else gets.
  case replaced(Element)
  /// The queue is closed: the new element comes back.
  case closed(Element)

  /// Whether the new element is in the queue.
  @inlinable
  var isTaken: Bool {
    switch self {
    case .appended: true
    case .replaced: true
    case .closed: false
    }
  }
}

extension Overwrite: Copyable where Element: Copyable {}
extension Overwrite: Sendable where Element: Sendable & ~Copyable {}
extension Overwrite: Equatable where Element: Equatable {}

/// What a channel answers when it is asked for an element.
@frozen
public enum Received<Element: ~Copyable>: ~Copyable {
  /// The next element.
  case element(Element)
  /// There was none: now, until the time was over, or until the task was cancelled. One that is still being sent is not
  /// there yet, and none behind it.
  case empty
  /// The channel is closed, and every element taken: none will ever come.
  case closed

  /// Whether there was none, and the channel is not closed.
  @inlinable
  var isEmpty: Bool {
    switch self {
    case .element: false
    case .empty: true
    case .closed: false
    }
  }

  /// The element, if one came.
  ///
  /// - Returns: The element, or `nil` if there was none.
  /// - Complexity: O(1).
  @inlinable
  public consuming func taken() -> Element? {
    switch consume self {
    case .element(let element): return element
    case .empty: return nil
    case .closed: return nil
    }
  }
}

extension Received: Copyable where Element: Copyable {}
extension Received: Sendable where Element: Sendable & ~Copyable {}
extension Received: Equatable where Element: Equatable {}

/// What a producer gets that asks a bounded queue for a place.
@frozen
@usableFromInline
enum Claim {
  /// The place is the caller's: its ticket.
  case slot(Int)
  case full
  case closed
}
