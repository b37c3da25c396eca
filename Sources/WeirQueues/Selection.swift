// Waits for whichever of several channels is ready first.

/// One of several things to wait for with `select`: an element of a channel, or room in one.
///
/// A choice is for one call; it belongs to the thread or task that makes that. One that has sent its element, or got it
/// back, has none for another call, in which it is never made.
public struct Choice<Result> {
  @usableFromInline let candidate: Candidate
  /// Calls the body with what the candidate's attempt has come to.
  @usableFromInline let finish: () -> Result

  @inlinable
  init(_ candidate: Candidate, _ finish: @escaping () -> Result) {
    self.candidate = candidate
    self.finish = finish
  }

  /// To receive from a channel.
  ///
  /// - Parameters:
  ///   - receiver: The channel's end.
  ///   - body: Gets the element, or `closed` if none will ever come; called if this is the choice that is made. It has
  ///     the element alone.
  /// - Returns: The choice.
  @inlinable
  public static func receive<Element>(
    from receiver: Channel<Element>.Receiver, _ body: @escaping (consuming Received<Element>) -> Result
  ) -> Choice {
    var received: Received<Element>?
    let candidate = Candidate(receiver.core, .receiving) {
      let made = receiver.tryReceive()
      guard !made.isEmpty else { return false }
      received = made
      return true
    }
    // Taken out, so that whoever changes the element doesn't copy it.
    return Choice(candidate) { body(received.take()!) }
  }

  /// To send to a channel.
  ///
  /// - Parameters:
  ///   - element: What to send; it is sent only if this is the choice that is made.
  ///   - sender: The channel's end.
  ///   - body: Learns that the element is sent, or gets it back if the channel is closed; called if this is the choice
  ///     that is made.
  /// - Returns: The choice.
  @inlinable
  public static func send<Element>(
    _ element: Element, to sender: Channel<Element>.Sender, _ body: @escaping (Offer<Element>) -> Result
  ) -> Choice {
    // Taken out to be sent: whoever receives it has it alone.
    var waiting: Element? = element
    var offer: Offer<Element>?
    let candidate = Candidate(sender.core, .sending) {
      guard let element = waiting.take() else { return nil }
      let made = sender.trySend(element)
      if case .full(let back) = made {
        waiting = back
        return false
      }
      offer = made
      return true
    }
    return Choice(candidate) { body(offer.take()!) }
  }
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
@inlinable
@discardableResult
public func select<Result>(
  _ first: Choice<Result>, _ others: Choice<Result>..., isolation actor: isolated (any Actor)? = #isolation
) async -> Result? {
  var selection = Selection(first.candidate)
  for other in others { selection.add(other.candidate) }
  while true {
    if let index = selection.attempt() { return (index == 0 ? first : others[index - 1]).finish() }
    if let waiter = selection.next() {
      await selection.suspend(as: waiter)
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
@inlinable
@discardableResult
public func selectBlocking<Result>(
  for time: Duration? = nil, _ first: Choice<Result>, _ others: Choice<Result>...
) -> Result? {
  let end = time.map(deadline(after:)) ?? .max
  var selection = Selection(first.candidate)
  for other in others { selection.add(other.candidate) }
  while true {
    if let index = selection.attempt() { return (index == 0 ? first : others[index - 1]).finish() }
    if selection.isOver { return nil }
    if let waiter = selection.next() {
      waiter.park(until: end)
      selection.wokeUp()
    }
  }
}

/// What a choice can be asked for. Its closure is compiled where the elements' type is known, unlike methods of a
/// generic class, which look for that type's description at each call.
@usableFromInline
struct Candidate {
  /// Does it if that is possible now, and says whether it was done; the choice's body is called then. `nil` if it never
  /// will be.
  fileprivate let attempt: () -> Bool?
  private let channel: any SelectableChannel
  private let end: ChannelWaiters.End

  @usableFromInline
  init(_ channel: any SelectableChannel, _ end: ChannelWaiters.End, attempt: @escaping () -> Bool?) {
    self.channel = channel
    self.end = end
    self.attempt = attempt
  }

  /// Stands in line.
  ///
  /// - Returns: The place.
  fileprivate func join(for waiter: Waiter) -> Waiter { channel.waiters.join(end, for: waiter) }

  /// Leaves the line.
  ///
  /// - Returns: Whether nobody had taken the place out to wake the waiter.
  fileprivate func leave(_ place: Waiter) -> Bool { channel.waiters.leave(place) }

  /// Leaves the line for a task that is cancelled.
  fileprivate func giveUp(_ place: Waiter) { channel.giveUp(place) }

  /// Wakes those who may go on instead.
  fileprivate func settle() { channel.settle() }
}

/// The state of a channel, whatever its elements are.
@usableFromInline
protocol SelectableChannel: AnyObject {
  /// Those who wait at both ends.
  var waiters: ChannelWaiters { get }
  /// Wakes those who may go on after somebody was woken who doesn't.
  func settle()
  /// Leaves a line for a task that is cancelled, on any thread. If the waiter has been woken, others may go on instead.
  func giveUp(_ waiter: Waiter)
}

extension ChannelCore: SelectableChannel {}

/// The attempts of one `select`, and its places in the lines of all channels between them: as `Wait` does for one, it
/// looks once more when it stands in line, before it sleeps.
@usableFromInline
struct Selection {
  /// `nil` in the place of one that will never be made: it would be woken in vain, and others not.
  private var candidates: [Candidate?]
  private var waiter: Waiter?
  private var places: [(candidate: Candidate, waiter: Waiter)] = []
  /// Whose channels have taken out its places, to wake it.
  private var wakers: [Candidate] = []
  /// Whether it has waited long enough: nobody has woken it, so the time is over, or its task cancelled.
  @usableFromInline private(set) var isOver = false

  @usableFromInline
  init(_ first: Candidate) { candidates = [first] }

  @usableFromInline
  mutating func add(_ candidate: Candidate) { candidates.append(candidate) }

  /// Does the first thing that can be done, and leaves the lines then.
  ///
  /// - Returns: Its place among the candidates; `nil` if nothing was done.
  @usableFromInline
  mutating func attempt() -> Int? {
    for index in candidates.indices {
      guard let isMade = candidates[index]?.attempt() else {
        candidates[index] = nil
        continue
      }
      guard isMade else { continue }
      leave()
      // It goes on with one channel.
      passOn()
      return index
    }
    return nil
  }

  /// Lets others go on with the channels that have woken it.
  @usableFromInline
  func passOn() { for waker in wakers { waker.settle() } }

  /// What to do after an attempt that came to nothing.
  ///
  /// - Returns: Whom to sleep as, before `wokeUp`, or `nil` if the next attempt is due at once.
  @usableFromInline
  mutating func next() -> Waiter? {
    if waiter != nil { return waiter }
    let waiter = Waiter()
    self.waiter = waiter
    places = candidates.compactMap { $0.map { ($0, $0.join(for: waiter)) } }
    return nil
  }

  /// Suspends the task until one of the channels has woken it, or it is cancelled.
  @usableFromInline
  nonisolated(nonsending) func suspend(as waiter: Waiter) async {
    // SAFETY: whoever cancels wakes others, and calls no attempt.
    let selection = Unchecked(self)
    await waiter.suspend { selection.value.giveUp() }
  }

  private func giveUp() { for place in places { place.candidate.giveUp(place.waiter) } }

  /// Leaves the lines after a sleep. The next attempt is due whoever has ended it.
  @usableFromInline
  mutating func wokeUp() {
    wakers = []
    leave()
    isOver = wakers.isEmpty
  }

  private mutating func leave() {
    guard waiter != nil else { return }
    for place in places where !place.candidate.leave(place.waiter) { wakers.append(place.candidate) }
    places = []
    waiter = nil
  }
}
