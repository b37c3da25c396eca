// Waits for whichever of several channels is ready first.

/// One of several things to wait for with `select`: an element of a channel, or room in one.
///
/// A choice is for one call; it belongs to the thread or task that makes that.
public struct Choice<Result> {
  let candidate: any Candidate<Result>

  /// To receive from a channel.
  ///
  /// - Parameters:
  ///   - receiver: The channel's end.
  ///   - body: Gets the element, or `closed` if none will ever come; called if this is the choice that is made.
  /// - Returns: The choice.
  public static func receive<Element>(
    from receiver: Channel<Element>.Receiver, _ body: @escaping (Received<Element>) -> Result
  ) -> Choice { Choice(candidate: Receiving(receiver, body)) }

  /// To send to a channel.
  ///
  /// - Parameters:
  ///   - element: What to send; it is sent only if this is the choice that is made.
  ///   - sender: The channel's end.
  ///   - body: Learns that the element is sent, or gets it back if the channel is closed; called if this is the choice
  ///     that is made.
  /// - Returns: The choice.
  public static func send<Element>(
    _ element: Element, to sender: Channel<Element>.Sender, _ body: @escaping (Offer<Element>) -> Result
  ) -> Choice { Choice(candidate: Sending(element, sender, body)) }
}

/// Does the first of several things that can be done; the task is suspended until one of them can. Any task may call
/// this; it runs on the caller's actor.
///
/// It tries them in the order in which they are named, each time from the beginning, and does the first that can be
/// done when its turn comes (crossbeam's `select_biased!`): so a channel that never runs dry starves those behind it,
/// and one that becomes ready just behind its turn may come after one that is named later. A channel that is closed can
/// always be sent to, and once all its elements have been taken also be received from: it says that it is closed. One
/// body is called, and none if the task is cancelled while it is suspended; while it looks at the channels, one may be.
///
/// ```swift
/// let (orders, stops) = (Channel<Int>(), Channel<Void>())
/// Task {
///   _ = orders.sender.trySend(1)
///   stops.sender.close()
/// }
/// var isOpen = true
/// while isOpen {
///   await select(
///     .receive(from: orders.receiver) { order in print("order", order) },
///     .receive(from: stops.receiver) { _ in isOpen = false })
/// }
/// ```
///
/// - Parameters:
///   - first: A choice.
///   - others: Further choices.
///   - actor: The caller's actor.
/// - Returns: What the body of the choice returns; `nil` if the task was cancelled while it was suspended. One that was
///   cancelled before does what can be done, and does not wait.
/// - Complexity: O(n) in the number of choices for each time that it is woken, apart from races lost to other threads;
///   allocates for each choice, and where it has to wait.
@discardableResult
public func select<Result>(
  _ first: Choice<Result>, _ others: Choice<Result>..., isolation actor: isolated (any Actor)? = #isolation
) async -> Result? {
  var selection = Selection([first] + others)
  while true {
    if let body = selection.attempt() { return body() }
    if let waiter = selection.next() {
      await waiter.suspend()
      selection.wokeUp()
      if isTaskCancelled() {
        selection.passOn()
        return nil
      }
    }
  }
}

/// Does the first of several things that can be done; the thread sleeps until one of them can, for a time at most. Any
/// thread may call this, except one that runs a task.
///
/// As ``select(_:_:isolation:)`` otherwise.
///
/// - Parameters:
///   - time: How long to wait, by a clock that never goes back; without a limit if `nil`.
///   - first: A choice.
///   - others: Further choices.
/// - Returns: What the body of the choice returns; `nil` if none could be made until the time was over.
/// - Complexity: As of ``select(_:_:isolation:)``.
@available(*, noasync, message: "it would block a thread of the pool: use select(_:)")
@discardableResult
public func selectBlocking<Result>(
  for time: Duration? = nil, _ first: Choice<Result>, _ others: Choice<Result>...
) -> Result? {
  let end = time.map(deadline(after:)) ?? .max
  var selection = Selection([first] + others)
  while true {
    if let body = selection.attempt() { return body() }
    if selection.isOver { return nil }
    if let waiter = selection.next() {
      waiter.park(until: end)
      selection.wokeUp()
    }
  }
}

/// What a choice can be asked for.
protocol Candidate<Result>: AnyObject {
  associatedtype Result

  /// Does it if that is possible now.
  ///
  /// - Returns: The body, with what it is given; `nil` if nothing was done.
  func attempt() -> (() -> Result)?

  /// Stands in line.
  ///
  /// - Returns: The place.
  func join(for waiter: Waiter) -> Waiter

  /// Leaves the line.
  ///
  /// - Returns: Whether nobody had taken the place out to wake the waiter.
  func leave(_ place: Waiter) -> Bool

  /// Wakes those who may go on instead.
  func settle()
}

/// The attempts of one `select`, and its places in the lines of all channels between them: as `Wait` does for one, it
/// looks once more when it stands in line, before it sleeps.
struct Selection<Result> {
  private let candidates: [any Candidate<Result>]
  private var waiter: Waiter?
  private var places: [Waiter] = []
  /// Whose channels have taken out its places, to wake it.
  private var wakers: [any Candidate<Result>] = []
  /// Whether it has waited long enough: nobody has woken it, so the time is over, or its task cancelled.
  private(set) var isOver = false

  init(_ choices: [Choice<Result>]) { candidates = choices.map(\.candidate) }

  /// Does the first thing that can be done, and leaves the lines then.
  mutating func attempt() -> (() -> Result)? {
    for candidate in candidates {
      guard let body = candidate.attempt() else { continue }
      leave()
      // It goes on with one channel.
      passOn()
      return body
    }
    return nil
  }

  /// Lets others go on with the channels that have woken it.
  func passOn() { for waker in wakers { waker.settle() } }

  /// What to do after an attempt that came to nothing.
  ///
  /// - Returns: Whom to sleep as, before `wokeUp`, or `nil` if the next attempt is due at once.
  mutating func next() -> Waiter? {
    if waiter != nil { return waiter }
    let waiter = Waiter()
    self.waiter = waiter
    places = candidates.map { $0.join(for: waiter) }
    return nil
  }

  /// Leaves the lines after a sleep. The next attempt is due whoever has ended it.
  mutating func wokeUp() {
    wakers = []
    leave()
    isOver = wakers.isEmpty
  }

  private mutating func leave() {
    for (candidate, place) in zip(candidates, places) where !candidate.leave(place) { wakers.append(candidate) }
    places = []
    waiter = nil
  }
}

private final class Receiving<Element, Result>: Candidate {
  private let receiver: Channel<Element>.Receiver
  private let body: (Received<Element>) -> Result

  init(_ receiver: Channel<Element>.Receiver, _ body: @escaping (Received<Element>) -> Result) {
    self.receiver = receiver
    self.body = body
  }

  func attempt() -> (() -> Result)? {
    let received = receiver.tryReceive()
    if received.isEmpty { return nil }
    return { [body] in body(received) }
  }

  func join(for waiter: Waiter) -> Waiter { receiver.core.waiters.join(.receiving, for: waiter) }
  func leave(_ place: Waiter) -> Bool { receiver.core.waiters.leave(place) }
  func settle() { receiver.core.settle() }
}

private final class Sending<Element, Result>: Candidate {
  private var element: Element?
  private let sender: Channel<Element>.Sender
  private let body: (Offer<Element>) -> Result

  init(_ element: Element, _ sender: Channel<Element>.Sender, _ body: @escaping (Offer<Element>) -> Result) {
    self.element = element
    self.sender = sender
    self.body = body
  }

  func attempt() -> (() -> Result)? {
    guard let element = element.take() else { return nil }
    let offer = sender.trySend(element)
    if case .full(let back) = offer {
      self.element = back
      return nil
    }
    return { [body] in body(offer) }
  }

  func join(for waiter: Waiter) -> Waiter { sender.core.waiters.join(.sending, for: waiter) }
  func leave(_ place: Waiter) -> Bool { sender.core.waiters.leave(place) }
  func settle() { sender.core.settle() }
}
