// The result of a future, and the subscribers that wait for it.

import WeirQueues

/// Holds a result once there is one, and hands it to every subscriber, early or late.
///
/// The lock guards the result and the list of those who wait; no subscriber is called under it. A subscriber's link
/// says for itself whether it wants the result and whether it has got it, in one word. Resolving writes the result and
/// then looks at that word; a request writes the word and then looks for the result: one of the two sees both.
@usableFromInline
package class PromiseCore<Output, Failure: Error> {
  @usableFromInline package typealias Outcome = Result<Output, Failure>

  @safe
  @usableFromInline
  struct State {
    @usableFromInline var outcome: Outcome?
    // These two have their place in what a small outcome leaves of a word.
    /// Whether nobody can resolve it any more.
    @usableFromInline var isAbandoned = false
    @usableFromInline var live: Int32 = 0
    /// In the order of their subscription; places are left empty by those who cancel, and closed up once half are.
    @usableFromInline var waiting: [PromiseLink<Output, Failure>?] = []
    /// Tasks that wait, the last one first; whoever takes them out resumes them.
    @usableFromInline var task: WaitingTask?

    @inlinable
    init() {}
  }

  @usableFromInline final let state = Lock(State())

  @inlinable
  package init() {}

  /// The publisher that stands on this promise, for mirrors.
  @usableFromInline
  package var publisher: Any? { nil }

  /// The result, once there is one.
  @inlinable
  final var outcome: Outcome? { state.withLock { $0.outcome } }

  /// Sets the result, unless there is one, and delivers it to those who wait.
  @inlinable
  package final func resolve(_ outcome: Outcome) {
    let waiting = state.withLock { state -> Waiting in
      guard state.outcome == nil else { return Waiting() }
      state.outcome = outcome
      return Self.takeAll(&state)
    }
    for link in waiting.links { link?.deliver(outcome) }
    waiting.task?.resumeAll()
  }

  /// Waits for the result. Cancelling the task does not end the wait.
  @inlinable
  nonisolated(nonsending) final func awaitedOutcome() async -> Outcome {
    // Read under the lock when the task is resumed, too: see `PullSubscriber.wait` for why.
    while true {
      if let outcome { return outcome }
      // SAFETY: the continuation goes into the list, or is resumed, once; the list's are resumed when they are taken
      // out.
      unsafe await withUnsafeContinuation { (continuation: WaitingTask.Continuation) in
        let isResolved = state.withLock { state in
          if state.outcome == nil { unsafe state.task = WaitingTask(continuation, before: state.task) }
          return state.outcome != nil
        }
        if isResolved { unsafe continuation.resume() }
      }
    }
  }

  /// Lets go of those who wait: there will be no result.
  @inlinable
  final func abandon() {
    let waiting = state.withLock { state in
      state.isAbandoned = true
      return Self.takeAll(&state)
    }
    waiting.task?.dropAll()
    for link in waiting.links { link?.drop() }
  }

  @usableFromInline
  struct Waiting {
    @usableFromInline var links: [PromiseLink<Output, Failure>?] = []
    @usableFromInline var task: WaitingTask?

    @inlinable
    init(links: [PromiseLink<Output, Failure>?] = [], task: WaitingTask? = nil) {
      self.links = links
      self.task = task
    }
  }

  @inlinable
  static func takeAll(_ state: inout State) -> Waiting {
    defer {
      state.waiting = []
      state.live = 0
      state.task = nil
    }
    return Waiting(links: state.waiting, task: state.task)
  }

  /// Attaches a subscriber.
  @inlinable
  package final func subscribe(_ subscriber: ErasedSubscriber<Output, Failure>) {
    let link = PromiseLink(core: self, downstream: subscriber)
    subscriber.receiveSubscription(link)
    if let outcome = add(link) {
      link.deliver(outcome)
    } else if link.isOver {
      // It was cancelled before it was in the list, or while it was being put there.
      remove(link)
    } else if state.withLock({ $0.isAbandoned && $0.outcome == nil }) {
      link.drop()
    }
  }

  /// Lets a link wait, if there is no result yet.
  @inlinable
  final func add(_ link: PromiseLink<Output, Failure>) -> Outcome? {
    state.withLock { state in
      guard state.outcome == nil, !state.isAbandoned else { return state.outcome }
      link.index = state.waiting.count
      state.waiting.append(link)
      state.live += 1
      return nil
    }
  }

  /// Takes a cancelled link out of the list.
  @inlinable
  final func remove(_ link: PromiseLink<Output, Failure>) {
    state.withLock { state in
      guard link.index < state.waiting.count, state.waiting[link.index] === link else { return }
      state.waiting[link.index] = nil
      state.live -= 1
      guard Int(state.live) * 2 < state.waiting.count - 8 else { return }
      state.waiting.removeAll { $0 == nil }
      for (index, link) in state.waiting.enumerated() { link?.index = index }
    }
  }
}

/// A task that waits for a promise, and those that began to before it.
@safe
@usableFromInline
final class WaitingTask {
  @usableFromInline typealias Continuation = UnsafeContinuation<Void, Never>

  private let continuation: Continuation
  private var former: WaitingTask?

  @usableFromInline
  init(_ continuation: Continuation, before former: WaitingTask?) {
    unsafe self.continuation = continuation
    self.former = former
  }

  /// Lets go of the others one by one: each inside the next, they would take the stack of all.
  @usableFromInline
  func dropAll() {
    var next = former.take()
    while let task = next { next = task.former.take() }
  }

  /// Resumes the tasks in the order in which they began to wait.
  @usableFromInline
  func resumeAll() {
    var first: WaitingTask?
    var next: WaitingTask? = self
    while let task = next {
      next = task.former
      task.former = first
      first = task
    }
    while let task = first {
      first = task.former
      // SAFETY: whoever has the list has taken it out, so that each task is resumed once.
      unsafe task.continuation.resume()
    }
  }
}

/// Whoever may resolve a promise holds this: when the last one is gone, there will be no result.
@usableFromInline
final class PromiseKeeper<Output, Failure: Error> {
  @usableFromInline let core: PromiseCore<Output, Failure>

  @inlinable
  init(_ core: PromiseCore<Output, Failure>) { self.core = core }

  @inlinable deinit { core.abandon() }
}

/// The subscription of one subscriber to a future.
@usableFromInline
package final class PromiseLink<Output, Failure: Error>: Link {
  /// Nothing was asked for yet.
  @usableFromInline static var idle: Int { 0 }
  /// The value is wanted.
  @usableFromInline static var wanting: Int { 1 }
  /// The value is being delivered.
  @usableFromInline static var delivering: Int { 2 }
  /// Cancelled, or all was delivered.
  @usableFromInline static var over: Int { 3 }

  @usableFromInline let phase = AtomicWord(0)

  /// Who may use `core` and `downstream`: any thread while it is active, and whoever ends it.
  @usableFromInline let life = SubscriptionState()

  // SAFETY (exclusivity) of the next two: read under `life`, and emptied by the last user after its end. Whoever moved
  // `phase` to `delivering`, and else to `over`, ends it, once.
  @safe @exclusivity(unchecked) @usableFromInline var core: PromiseCore<Output, Failure>?
  @safe @exclusivity(unchecked) @usableFromInline var downstream: ErasedSubscriber<Output, Failure>?

  /// Place among those who wait. SAFETY (exclusivity): touched under the core's lock only.
  @safe @exclusivity(unchecked) @usableFromInline var index = 0

  @inlinable
  init(core: PromiseCore<Output, Failure>, downstream: ErasedSubscriber<Output, Failure>) {
    self.core = core
    self.downstream = downstream
    super.init(
      onRequest: { link, demand in link.downcast(to: PromiseLink.self).demand(demand) },
      onCancel: { link in link.downcast(to: PromiseLink.self).end() })
    if life.beginActivation() { _ = life.endActivation() }
  }

  /// Whether the subscription is over, at some time before now.
  @inlinable var isOver: Bool { phase.relaxedLoad() == Self.over }

  @inlinable
  func demand(_ demand: Subscribers.Demand) {
    demand.requireSome("Future")
    guard phase.compareExchange(expected: Self.idle, desired: Self.wanting).exchanged else { return }
    if let outcome = withCore({ $0.outcome }) { deliver(outcome) }
  }

  /// Delivers an error at once, a value if it is wanted; what is delivered already is not delivered again.
  @inlinable
  func deliver(_ outcome: Result<Output, Failure>) {
    switch outcome {
    case .success(let output):
      guard phase.compareExchange(expected: Self.wanting, desired: Self.delivering).exchanged, let downstream else {
        return
      }
      _ = downstream.receiveValue(output)
      // Cancelled from within the value, it gets no completion.
      if phase.exchange(Self.over) != Self.over { downstream.receiveCompletion(.finished) }
      release()
    case .failure(let failure):
      guard phase.exchange(Self.over) < Self.delivering, let downstream else { return }
      downstream.receiveCompletion(.failure(failure))
      release()
    }
  }

  @inlinable
  func end() {
    guard phase.exchange(Self.over) < Self.delivering else { return }
    _ = withCore { $0.remove(self) }
    release()
  }

  /// Ends without a word: there will be no result, and a subscriber that keeps its subscription is not kept by it.
  @inlinable
  func drop() {
    if phase.exchange(Self.over) < Self.delivering { release() }
  }

  @inlinable
  func release() {
    if life.end() == .active { endUse() }
  }

  /// Asks the core something, unless the subscription is over.
  @inlinable
  func withCore<Answer>(_ question: (PromiseCore<Output, Failure>) -> Answer?) -> Answer? {
    guard life.beginUse() else { return nil }
    let answer = core.flatMap(question)
    endUse()
    return answer
  }

  @inlinable
  func endUse() {
    guard life.endUse() else { return }
    downstream = nil
    core = nil
  }

  @usableFromInline
  package override var description: String { "Future" }

  @usableFromInline
  package override var customMirror: Mirror {
    let wants = phase.relaxedLoad() == Self.wanting
    let ends = withCore { (parent: $0.publisher, downstream: downstream.map { $0.hidden() }) }
    return Mirror(
      of: self,
      children: [
        "parent": ends?.parent as Any, "downstream": ends?.downstream as Any, "hasAnyDemand": wants,
        "subject": ends?.parent as Any,
      ])
  }
}
