// One subscriber's walk along an asynchronous sequence.
// No test file: FromAsyncSequenceTests of WeirExtras does what is here.

import WeirQueues

/// The subscription of one subscriber to the elements of an asynchronous sequence.
///
/// Any thread may ask and cancel; one task at a time takes elements, as long as there is demand. The lock guards the
/// state; neither the subscriber nor the iterator is called under it.
@usableFromInline
package final class ElementsLink<Source: AsyncSequence, Downstream: Subscriber>: AsyncLink
where Downstream.Input == Source.Element, Downstream.Failure == any Error {
  @usableFromInline
  struct State {
    @usableFromInline var elements: ElementsIterator<Source>?
    /// Who is to be told; nobody after the end.
    @usableFromInline var downstream: Downstream?
    @usableFromInline var task: Task<Void, Never>?
    /// Whether a task takes elements, and which.
    @usableFromInline var isRunning = false
    @usableFromInline var number = 0

    @inlinable
    init(elements: ElementsIterator<Source>? = nil, downstream: Downstream? = nil) {
      self.elements = elements
      self.downstream = downstream
    }
  }

  @usableFromInline let ledger = DemandLedger()
  @usableFromInline let state: Lock<State>

  @inlinable
  package init(_ sequence: Source, downstream: Downstream) {
    state = Lock(State(elements: ElementsIterator(sequence), downstream: downstream))
    super.init(
      run: { link in await link.downcast(to: ElementsLink.self).deliverElements() },
      onRequest: { link, demand in link.downcast(to: ElementsLink.self).demand(demand) },
      onCancel: { link in link.downcast(to: ElementsLink.self).takeAll().task?.cancel() })
  }

  @inlinable
  func demand(_ demand: Subscribers.Demand) {
    demand.requireSome("AsyncSequence")
    ledger.add(demand)
    let number = state.withLock { state -> Int? in
      guard state.downstream != nil, !state.isRunning else { return nil }
      state.isRunning = true
      state.number += 1
      return state.number
    }
    guard let number else { return }
    let task = makeTask(priority: nil)
    let isWanted = state.withLock { state in
      if state.downstream != nil, state.number == number { state.task = task }
      return state.downstream != nil
    }
    if !isWanted { task.cancel() }
  }

  @inlinable
  func deliverElements() async {
    while true {
      while ledger.take() {
        guard let elements = state.withLock({ $0.elements }) else { return }
        do {
          guard let element = try await elements.next() else { return end(.finished) }
          guard let downstream = state.withLock({ $0.downstream }) else { return }
          let more = downstream.receive(element)
          if more != .none { ledger.add(more) }
        } catch {
          return end(.failure(error))
        }
      }
      // Who asks later finds that nobody runs; who asked before is seen here.
      let isDone = state.withLock { state in
        if ledger.demand == .none { state.isRunning = false }
        return !state.isRunning
      }
      if isDone { return }
    }
  }

  @inlinable
  func end(_ completion: Subscribers.Completion<any Error>) {
    takeAll().downstream?.receive(completion: completion)
  }

  @inlinable
  func takeAll() -> State {
    _ = ledger.cancel()
    return state.withLock { state in
      defer { state = State() }
      return state
    }
  }

  @usableFromInline
  package override var description: String { "AsyncSequence" }
}

/// An iterator that is made when it is first used. One task at a time uses it.
@usableFromInline
final class ElementsIterator<Source: AsyncSequence> {
  @usableFromInline let sequence: Source
  @usableFromInline var iterator: Source.AsyncIterator?

  @inlinable
  init(_ sequence: Source) { self.sequence = sequence }

  @inlinable
  func next() async throws -> Source.Element? {
    // Taken out, so that an iterator that shares its storage with copies of it does not have to copy that.
    var iterator = self.iterator.take() ?? sequence.makeAsyncIterator()
    defer { self.iterator = iterator }
    return try await iterator.next()
  }
}
