// One upstream after another for one subscriber: the subscription of append, prepend, catch and retry.

import WeirQueues

/// Where in its life a succession is, in this order.
@frozen
@usableFromInline
package enum SuccessionLife: Int {
  /// There has been no subscription.
  case awaiting
  /// An upstream is current that may have a successor.
  case active
  /// An upstream has ended, and its successor has given no subscription yet.
  case between
  /// The last upstream is current: demand needs no account any more.
  case last
  /// The last upstream has ended while it was being subscribed to; whoever does that will pass the end on.
  case ending
  /// The stream has ended.
  case over
}

/// Passes a downstream's demand and cancellation to whichever upstream is current, and carries what was asked for and
/// not received over to the next one (RxJava's `SubscriptionArbiter`).
///
/// Upstreams follow each other: a new one is subscribed when the former has ended, so values need no gate. What needs
/// one step is that a request reaches either the upstream of the moment or the demand that the next one is asked for,
/// never both and never neither; a lock, under which no user code runs, sees to that. Values only touch the ledger.
///
/// It refers to the upstream and to what is kept, never to the downstream: a downstream that keeps it after the end
/// keeps nothing alive.
@usableFromInline
package final class SuccessionLink<Kept, Ending>: Link {
  @usableFromInline
  struct State {
    @usableFromInline var upstream: Link?
    /// What is to be done when the upstream ends; `nil` once that is done, and after the end.
    @usableFromInline var kept: Kept?
    /// The last upstream's end, until it is passed on.
    @usableFromInline var ending: Ending?
    /// Whether the last upstream is being subscribed to.
    @usableFromInline var isOpening = false

    @inlinable
    init(kept: Kept? = nil) { self.kept = kept }
  }

  /// What was asked for and not received, as far as it may have to be carried over; cancelled when that is past.
  @usableFromInline let ledger = DemandLedger()
  /// The operator's name, as Combine shows it; not a `StaticString`, which takes 8 bytes more.
  @usableFromInline let name: String
  /// Where in its life the link is, for readers without the lock; changed with the lock only.
  @usableFromInline let lifeWord = AtomicWord(SuccessionLife.awaiting.rawValue)
  @usableFromInline let state: Lock<State>

  @inlinable
  init(name: String, refusesNone: Bool, kept: Kept) {
    self.name = name
    state = Lock(State(kept: kept))
    super.init(
      onRequest: refusesNone
        ? { link, demand in
          let link = link.downcast(to: SuccessionLink.self)
          demand.requireSome(link.name)
          link.demand(demand)
        }
        : { link, demand in link.downcast(to: SuccessionLink.self).demand(demand) },
      onCancel: { link in link.downcast(to: SuccessionLink.self).disconnect() })
  }

  /// Whether the life is at this point, at some time before now.
  @inlinable @inline(__always)
  func isAt(_ life: SuccessionLife) -> Bool { lifeWord.relaxedLoad() == life.rawValue }

  /// Moves from one point in the life to a later one. With the lock only.
  ///
  /// - Returns: Whether the life was there.
  @inlinable
  func move(from former: SuccessionLife, to life: SuccessionLife) -> Bool {
    guard isAt(former) else { return false }
    lifeWord.relaxedStore(life.rawValue)
    return true
  }

  // MARK: From downstream

  /// Notes a demand and asks the upstream of the moment, if there is one.
  @inlinable
  func demand(_ demand: Subscribers.Demand) {
    let (upstream, same) = note(demand)
    upstream?.request(same)
  }

  /// Notes a demand. Not inlined: a request passes through a whole chain of operators, and needs little stack without
  /// this.
  ///
  /// - Returns: The upstream of the moment, if there is one, and the demand itself: the caller then keeps only one of
  ///   the two on its stack.
  @inlinable @inline(never)
  func note(_ demand: Subscribers.Demand) -> (Link?, Subscribers.Demand) {
    state.withLock { state in
      ledger.add(demand)
      return (state.upstream, demand)
    }
  }

  /// Ends the stream and cancels the upstream of the moment. What is kept is freed before it returns.
  @inlinable
  func disconnect() { end(at: nil)?.upstream?.cancel() }

  /// Ends the stream.
  ///
  /// - Parameter life: Where in its life the link has to be; anywhere before the end if `nil`.
  /// - Returns: What the link held, or `nil` if this call didn't end it.
  @inlinable
  func end(at life: SuccessionLife?) -> State? {
    let former = state.withLock { state -> State? in
      guard !isAt(.over), life == nil || isAt(life!) else { return nil }
      lifeWord.relaxedStore(SuccessionLife.over.rawValue)
      return emptied(&state)
    }
    if former != nil { _ = ledger.cancel() }
    return former
  }

  /// Empties the state. What it returns is freed outside the lock, as that may be user code.
  @inlinable
  func emptied(_ state: inout State) -> State {
    var former = State()
    swap(&former, &state)
    return former
  }

  // MARK: From upstream

  /// Takes the first upstream's subscription.
  ///
  /// - Returns: `false` if there has been one or the stream is over; the subscription was cancelled then.
  @inlinable @inline(never)
  func connect(_ subscription: any Subscription) -> Bool {
    let upstream = Link.of(subscription)
    let isAccepted = state.withLock { state in
      guard move(from: .awaiting, to: .active) else { return false }
      state.upstream = upstream
      return true
    }
    if !isAccepted { upstream.cancel() }
    return isAccepted
  }

  /// Takes a subscription of an upstream that may fail.
  ///
  /// - Returns: Whether it is the first, and what it is to be asked for; `nil` if it was not expected.
  @inlinable
  func reconnect(_ subscription: any Subscription) -> (isFirst: Bool, carried: Subscribers.Demand)? {
    let upstream = Link.of(subscription)
    return state.withLock { state -> (isFirst: Bool, carried: Subscribers.Demand)? in
      let isFirst = isAt(.awaiting)
      guard isFirst || isAt(.between) else { return nil }
      _ = move(from: isFirst ? .awaiting : .between, to: .active)
      state.upstream = upstream
      return (isFirst, ledger.demand)
    }
  }

  /// Takes the last upstream's subscription, and asks it for what was asked for and not received.
  @inlinable
  func connectLast(_ subscription: any Subscription) {
    let (upstream, carried) = begin(last: subscription)
    if carried != 0 { upstream.request(DemandLedger.demand(carried)) }
  }

  /// Takes the last upstream's subscription. Not inlined: the request passes through a whole chain of operators.
  ///
  /// - Returns: That, and what it is to be asked for.
  @inlinable @inline(never)
  func begin(last subscription: any Subscription) -> (Link, Int) {
    let upstream = Link.of(subscription)
    let carried = state.withLock { state -> Int? in
      guard move(from: .between, to: .last) else { return nil }
      state.upstream = upstream
      return ledger.cancel()
    }
    if carried == nil { upstream.cancel() }
    return (upstream, carried ?? 0)
  }

  /// Subscribes to the last upstream.
  ///
  /// An end that comes from within is left to the caller, who passes it on when the stack is unwound.
  ///
  /// - Returns: That end, if the stream has not ended otherwise.
  @inlinable
  func openLast(_ subscribe: () -> Void) -> Ending? {
    state.withLock { $0.isOpening = true }
    subscribe()
    return state.withLock { state in
      state.isOpening = false
      return state.ending.take()
    }.flatMap { complete(at: .ending) ? $0 : nil }
  }

  /// Takes the end of the last upstream.
  ///
  /// - Returns: Whether the caller is to pass it on.
  @inlinable
  func completeLast(_ ending: Ending) -> Bool {
    let (isLeft, former) = state.withLock { state -> (Bool, Link?) in
      guard state.isOpening, move(from: .last, to: .ending) else { return (false, nil) }
      state.ending = ending
      return (true, state.upstream.take())
    }
    withExtendedLifetime(former) {}
    return !isLeft && complete(at: .last)
  }

  /// Takes demand for one value of an upstream that isn't the last.
  @inlinable @inline(__always)
  func take() -> Bool { isAt(.active) && ledger.take() }

  /// Notes what a subscriber has returned for a value of an upstream that isn't the last.
  ///
  /// - Returns: What to return to that upstream: nothing if the last one has begun meanwhile and was asked instead.
  @inlinable @inline(__always)
  func giveBack(_ demand: Subscribers.Demand) -> Subscribers.Demand {
    demand == .none ? demand : giveBackSome(demand)
  }

  /// Not inlined: a subscriber on the way of a value needs less stack without this.
  @inlinable @inline(never)
  func giveBackSome(_ demand: Subscribers.Demand) -> Subscribers.Demand {
    guard ledger.add(demand) == DemandLedger.cancelled else { return demand }
    self.demand(demand)
    return .none
  }

  /// Takes what is kept when the first upstream has ended.
  ///
  /// - Returns: `nil` if there was no upstream, or the stream is over.
  @inlinable
  func beginSuccession() -> Kept? {
    state.withLock { state -> State in move(from: .active, to: .between) ? emptied(&state) : State() }.kept
  }

  /// Ends the stream from upstream.
  ///
  /// - Parameter life: Where in its life the link has to be; anywhere before the end if `nil`.
  /// - Returns: Whether this call ended it: only then is the completion passed on.
  @inlinable
  func complete(at life: SuccessionLife?) -> Bool { end(at: life) != nil }

  @usableFromInline
  package override var description: String { name }
}

extension DemandLedger {
  /// The demand that a word stands for.
  @inlinable
  static func demand(_ word: Int) -> Subscribers.Demand { word == unlimited ? .unlimited : .max(max(word, 0)) }
}
