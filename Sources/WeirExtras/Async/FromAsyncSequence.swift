// An asynchronous sequence as a publisher.

public import Weir
import WeirQueues

extension AnyPublisher {
  /// Makes a publisher of an asynchronous sequence.
  ///
  /// Unlike the commonly copied version, it starts when a subscriber first asks for a value, takes one element per unit
  /// of demand, makes an iterator for each subscriber, and cancels its task when the subscription is cancelled.
  ///
  /// - Parameter sequence: Where the elements come from.
  public static func fromAsyncSequence<Source: AsyncSequence>(
    _ sequence: Source
  ) -> AnyPublisher<Source.Element, any Error> where Output == Source.Element, Failure == any Error {
    AsyncElements(sequence: sequence).eraseToAnyPublisher()
  }
}

private struct AsyncElements<Source: AsyncSequence>: Publisher {
  typealias Output = Source.Element
  typealias Failure = any Error

  let sequence: Source

  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    subscriber.receive(subscription: AsyncElementsLink(sequence, .of(subscriber)))
  }
}

/// One subscriber's walk along a sequence. Any thread may ask and cancel; one task at a time takes elements, as long as
/// there is demand.
private final class AsyncElementsLink<Source: AsyncSequence>: Subscription, CustomStringConvertible {
  private typealias Downstream = ErasedSubscriber<Source.Element, any Error>

  private struct State {
    var elements: AsyncElementsIterator<Source>?
    var downstream: Downstream?
    var task: Task<Void, Never>?
    /// Whether a task takes elements, and which.
    var isRunning = false
    var run = 0
  }

  private let ledger = DemandLedger()
  private let state: Lock<State>

  init(_ sequence: Source, _ downstream: ErasedSubscriber<Source.Element, any Error>) {
    state = Lock(State(elements: AsyncElementsIterator(sequence), downstream: downstream))
  }

  func request(_ demand: Subscribers.Demand) {
    precondition(demand > .none, "API violation: an asynchronous sequence was asked for no value")
    ledger.add(demand)
    let run = state.withLock { state -> Int? in
      guard state.downstream != nil, !state.isRunning else { return nil }
      state.isRunning = true
      state.run += 1
      return state.run
    }
    guard let run else { return }
    let job = Unchecked({ () async -> Void in await self.takeElements() })
    let task = Task { await job.value() }
    let isWanted = state.withLock { state in
      if state.downstream != nil, state.run == run { state.task = task }
      return state.downstream != nil
    }
    if !isWanted { task.cancel() }
  }

  private func takeElements() async {
    while true {
      while ledger.take() {
        guard let elements = state.withLock({ $0.elements }) else { return }
        do {
          guard let element = try await elements.next() else { return end(.finished) }
          guard let downstream = state.withLock({ $0.downstream }) else { return }
          let more = downstream.receiveValue(element)
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

  private func end(_ completion: Subscribers.Completion<any Error>) {
    takeAll().downstream?.receiveCompletion(completion)
  }

  func cancel() { takeAll().task?.cancel() }

  private func takeAll() -> State {
    _ = ledger.cancel()
    return state.withLock { state in
      defer { state = State() }
      return state
    }
  }

  var description: String { "AsyncSequence" }
}

/// An iterator that is made when it is first used. One task at a time uses it.
private final class AsyncElementsIterator<Source: AsyncSequence> {
  private let sequence: Source
  private var iterator: Source.AsyncIterator?

  init(_ sequence: Source) { self.sequence = sequence }

  func next() async throws -> Source.Element? {
    // Taken out, so that an iterator that shares its storage with copies of it does not have to copy that.
    var iterator = self.iterator.take() ?? sequence.makeAsyncIterator()
    defer { self.iterator = iterator }
    return try await iterator.next()
  }
}
