// Where a published property keeps its value, and what tells others of a new one before it is there.

import WeirQueues

/// The storage of one published property.
///
/// A new value goes to the object's publisher of changes first, then to the property's subscribers, and is stored last:
/// who is told of a change still reads the old value. The engine of subjects, which is made when somebody first wants
/// to subscribe, puts values into order and keeps the newest for new subscribers; `value` is what readers see.
///
/// A value set from within the delivery of another is delivered at once and stored; the outer value is stored behind
/// it, as in Combine, so the outer one stays. Where several threads set values, the one that was put last into order
/// stays, and each thread reads at least its own as soon as it has set it.
@usableFromInline
package final class PublishedStorage<Value> {
  @usableFromInline typealias Core = SubjectCore<Value, Never>

  @usableFromInline
  struct State {
    @usableFromInline var value: Value
    /// Place of `value` among the values sent through the engine, and the thread that stored it.
    @usableFromInline var version = 0
    @usableFromInline var writer = 0
    @usableFromInline var core: Core?
    @usableFromInline var willChange: ObservableObjectPublisher?
    /// What `assign(to:)` has attached; each takes itself out when its stream ends.
    @usableFromInline var sources: [ObjectIdentifier: PublishedSubscriber<Value>] = [:]

    @inlinable
    init(value: Value) { self.value = value }
  }

  @usableFromInline let state: Lock<State>

  @inlinable
  package init(_ value: Value) { state = Lock(State(value: value)) }

  deinit {
    for source in state.withLock({ $0.sources }).values { source.cancel() }
  }

  /// The value that readers see.
  @inlinable
  package var value: Value { state.withLock { $0.value } }

  /// The publisher that is told before a value is stored.
  @inlinable
  package var willChange: ObservableObjectPublisher? {
    get { state.withLock { $0.willChange } }
    set {
      var exchanged = newValue
      state.withLock { swap(&$0.willChange, &exchanged) }
    }
  }

  /// Tells of a new value, and stores it.
  @inlinable
  package func set(_ value: Value) {
    willChange?.send()
    // What is replaced is freed after the lock: its `deinit` may be user code.
    var exchanged = value
    let core = state.withLock { state -> Core? in
      if state.core == nil { swap(&state.value, &exchanged) }
      return state.core
    }
    guard let core else { return }
    let version = core.send(placing: value)
    let writer = currentThreadIdentity()
    let newest = state.withLock { state -> Int in
      guard version > state.version || state.writer == writer else { return version }
      swap(&state.value, &exchanged)
      state.version = max(version, state.version)
      state.writer = writer
      return state.version
    }
    // A newer one of this thread was set from within the delivery of this one, and is overwritten here.
    if newest > version { core.restore(value, unlessNewerThan: newest) }
  }

  /// Attaches a subscriber.
  @inlinable
  package func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Value, S.Failure == Never {
    let core = state.withLock { state -> Core in
      if let core = state.core { return core }
      let core = Core(name: "PublishedSubject", latest: LatestValue(state.value), keepsOuterValue: true)
      state.core = core
      return core
    }
    core.subscribe(subscriber, to: self)
  }

  /// Stores the values of a publisher until that ends, or this is gone.
  @usableFromInline
  package func follow<Source: Publisher>(_ source: Source) where Source.Output == Value, Source.Failure == Never {
    let subscriber = PublishedSubscriber(self)
    state.withLock { $0.sources[ObjectIdentifier(subscriber)] = subscriber }
    source.subscribe(subscriber)
  }

  func forget(_ subscriber: PublishedSubscriber<Value>) {
    let forgotten = state.withLock { $0.sources.removeValue(forKey: ObjectIdentifier(subscriber)) }
    withExtendedLifetime(forgotten) {}
  }
}

/// Stores each value of a stream in a published property, which it does not keep alive.
@usableFromInline
final class PublishedSubscriber<Value>: Subscriber, CustomStringConvertible {
  @usableFromInline typealias Input = Value
  @usableFromInline typealias Failure = Never

  let upstream = UpstreamSlot()
  weak let storage: PublishedStorage<Value>?

  init(_ storage: PublishedStorage<Value>) { self.storage = storage }

  @usableFromInline
  func receive(subscription: any Subscription) { upstream.connect(subscription)?.request(.unlimited) }

  @usableFromInline
  func receive(_ input: Value) -> Subscribers.Demand {
    if !upstream.state.isOver { storage?.set(input) }
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Never>) {
    if upstream.state.end() == .active { upstream.endUse() }
    storage?.forget(self)
  }

  func cancel() { upstream.disconnect(evenBefore: true) }

  @usableFromInline var description: String { "Published" }
}
