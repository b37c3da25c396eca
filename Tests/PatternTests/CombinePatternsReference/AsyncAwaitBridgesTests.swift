// "Complete Combine Patterns Reference", the section "Combine + Async/Await Bridges".
//
// Corrected: `fromAsync` has no type parameter beside `Output`, which it was the same as. Declarations are private to
// this file. What the document's `firstValue()` does with a stream without a value (it waits for ever, and says so on
// the console) can't be run to its end: see `FirstValueTests` of `WeirExtras`, which has all of these without their
// mistakes.

import Combine
import Testing

// MARK: - Publisher to Async

extension Publisher {

  /// Get first value from publisher
  fileprivate func firstValue() async throws -> Output {
    try await withCheckedThrowingContinuation { continuation in
      var cancellable: AnyCancellable?
      var didResume = false

      cancellable = first()
        .sink(
          receiveCompletion: { completion in
            guard !didResume else { return }

            switch completion {
            case .finished:
              // Value should have been received
              break
            case .failure(let error):
              didResume = true
              continuation.resume(throwing: error)
            }
            cancellable?.cancel()
          },
          receiveValue: { value in
            guard !didResume else { return }
            didResume = true
            continuation.resume(returning: value)
          }
        )
    }
  }

  /// Collect all values into array
  fileprivate func collectValues() async throws -> [Output] {
    try await withCheckedThrowingContinuation { continuation in
      var values: [Output] = []
      var cancellable: AnyCancellable?

      cancellable = sink(
        receiveCompletion: { completion in
          switch completion {
          case .finished:
            continuation.resume(returning: values)
          case .failure(let error):
            continuation.resume(throwing: error)
          }
          cancellable?.cancel()
        },
        receiveValue: { value in
          values.append(value)
        }
      )
    }
  }
}

extension Publisher where Failure == Never {

  /// Get first value (never throws)
  fileprivate func firstValue() async -> Output? {
    await withCheckedContinuation { continuation in
      var cancellable: AnyCancellable?
      var didResume = false

      cancellable = first()
        .sink { value in
          guard !didResume else { return }
          didResume = true
          continuation.resume(returning: value)
          cancellable?.cancel()
        }
    }
  }
}

// MARK: - Async to Publisher

extension AnyPublisher {

  /// Create publisher from async function
  fileprivate static func fromAsync(
    _ operation: @escaping () async throws -> Output
  ) -> AnyPublisher<Output, Error> where Failure == Error {
    Deferred {
      Future { promise in
        Task {
          do {
            let result = try await operation()
            promise(.success(result))
          } catch {
            promise(.failure(error))
          }
        }
      }
    }
    .eraseToAnyPublisher()
  }

  /// Create publisher from async sequence
  fileprivate static func fromAsyncSequence<S: AsyncSequence>(
    _ sequence: S
  ) -> AnyPublisher<S.Element, Error> where Output == S.Element, Failure == Error {
    let subject = PassthroughSubject<S.Element, Error>()

    Task {
      do {
        for try await element in sequence {
          subject.send(element)
        }
        subject.send(completion: .finished)
      } catch {
        subject.send(completion: .failure(error))
      }
    }

    return subject.eraseToAnyPublisher()
  }
}

// MARK: - Task-Cancellable Bridge

private final class CancellableTask<Output>: Cancellable {
  private var task: Task<Output, Error>?

  init(operation: @escaping () async throws -> Output) {
    task = Task {
      try await operation()
    }
  }

  func cancel() {
    task?.cancel()
  }

  var value: Output {
    get async throws {
      guard let task = task else {
        throw CancellationError()
      }
      return try await task.value
    }
  }
}

extension Publisher where Failure == Error {

  /// Subscribe with async handler
  fileprivate func sinkAsync(
    receiveValue: @escaping (Output) async -> Void
  ) -> AnyCancellable {
    sink(
      receiveCompletion: { _ in },
      receiveValue: { value in
        Task {
          await receiveValue(value)
        }
      }
    )
  }
}

@Suite struct AsyncAwaitBridgesTests {
  @Test func publisherToAsync() async throws {
    #expect(try await [4, 5].publisher.setFailureType(to: ExampleError.self).firstValue() == 4)
    await #expect(throws: ExampleError()) { try await Fail<Int, ExampleError>(error: ExampleError()).firstValue() }
    #expect(try await [4, 5].publisher.setFailureType(to: ExampleError.self).collectValues() == [4, 5])
    await #expect(throws: ExampleError()) { try await Fail<Int, ExampleError>(error: ExampleError()).collectValues() }
    let value: Int? = await Just(6).firstValue()
    #expect(value == 6)
  }

  @Test func asyncToPublisher() async {
    let (values, _) = await events(of: AnyPublisher<Int, Error>.fromAsync { 7 })
    #expect(values == [7])
    let (none, completion) = await events(of: AnyPublisher<Int, Error>.fromAsync { throw ExampleError() })
    guard case .failure(let error) = completion else { return #expect(Bool(false), "it should fail") }
    #expect(none == [] && error is ExampleError)
  }

  /// The elements come once the subscriber has asked for them: the document's code loses those that come before.
  @Test func asyncSequenceToPublisher() async {
    let (elements, continuation) = AsyncStream.makeStream(of: Int.self)
    let publisher = AnyPublisher<Int, Error>.fromAsyncSequence(elements)
    var (received, cancellable): ([Int], AnyCancellable?) = ([], nil)
    await withCheckedContinuation { ended in
      cancellable = publisher.sink(receiveCompletion: { _ in ended.resume() }, receiveValue: { received.append($0) })
      for number in 1...3 { continuation.yield(number) }
      continuation.finish()
    }
    #expect(received == [1, 2, 3])
    withExtendedLifetime(cancellable) {}
  }

  @Test func taskCancellableBridge() async throws {
    #expect(try await CancellableTask { 7 }.value == 7)
    let task = CancellableTask { while !Task.isCancelled { await Task.yield() } }
    var cancellables = Set<AnyCancellable>()
    task.store(in: &cancellables)
    cancellables = []
    try await task.value
  }

  @Test func sinkWithAsyncHandler() async {
    let (handled, continuation) = AsyncStream.makeStream(of: Int.self)
    let cancellable = [1, 2].publisher.setFailureType(to: Error.self).sinkAsync { value in
      await Task.yield()
      continuation.yield(value)
    }
    var seen: Set<Int> = []
    for await value in handled {
      seen.insert(value)
      if seen.count == 2 { break }
    }
    #expect(seen == [1, 2])
    cancellable.cancel()
  }
}
