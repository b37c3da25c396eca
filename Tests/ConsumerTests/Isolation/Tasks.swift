// Snippets of everyday use: asynchronous code that reads streams, feeds them, and is called by them.

import Combine
import Foundation
import WeirExtras

nonisolated enum LoadError: Error, Equatable { case offline }

func double(_ number: Int) async -> Int {
  await Task.yield()
  return 2 * number
}

func load(_ succeeds: Bool) async throws -> String {
  await Task.yield()
  if !succeeds { throw LoadError.offline }
  return "loaded"
}

/// The error of a stream, by its own type.
func failure(of stream: some Publisher<Int, LoadError>) async -> String {
  do {
    for try await _ in stream.values {}
    return "no error"
  } catch {
    let typed: LoadError = error
    return "\(typed)"
  }
}

/// A function without an actor that reads a stream.
func sum<Numbers: AsyncSequence>(_ numbers: Numbers) async throws -> Int where Numbers.Element == Int {
  var sum = 0
  for try await number in numbers { sum += number }
  return sum
}

@MainActor
enum TaskSnippets {
  static var all: [Snippet] {
    [
      Snippet("for await over a sequence", expected: "6") {
        var sum = 0
        for await number in [1, 2, 3].publisher.values { sum += number }
        return "\(sum)"
      },
      Snippet("for await behind operators", expected: "[20, 40]") {
        var seen: [Int] = []
        let numbers = (1...4).publisher.filter { $0 % 2 == 0 }.map { $0 * 10 }
        for await number in numbers.values { seen.append(number) }
        return "\(seen)"
      },
      Snippet("for await over a burst of a subject", expected: "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]") {
        let numbers = PassthroughSubject<Int, Never>()
        var iterator = numbers.values(buffering: .unbounded).makeAsyncIterator()
        for number in 0..<10 { numbers.send(number) }
        numbers.send(completion: .finished)
        var seen: [Int] = []
        while let number = await iterator.next() { seen.append(number) }
        return "\(seen)"
      },
      Snippet("the newest of a burst", expected: "[8, 9]") {
        let numbers = PassthroughSubject<Int, Never>()
        var iterator = numbers.values(buffering: .newest(2)).makeAsyncIterator()
        for number in 0..<10 { numbers.send(number) }
        numbers.send(completion: .finished)
        var seen: [Int] = []
        while let number = await iterator.next() { seen.append(number) }
        return "\(seen)"
      },
      Snippet("a failing stream throws its own error", expected: "offline") {
        await failure(of: Fail<Int, LoadError>(error: .offline))
      },
      Snippet("a stream in a function without an actor", expected: "6") {
        "\(try await sum([1, 2, 3].publisher.values))"
      },
      Snippet("a stream by its protocol", expected: "3") {
        let numbers: any AsyncSequence<Int, Never> = [1, 2].publisher.values
        var sum = 0
        for await number in numbers { sum += number }
        return "\(sum)"
      },
      Snippet("the first value", expected: "1") {
        let first = await [1, 2].publisher.firstValue()
        return "\(first ?? 0)"
      },
      Snippet("the value of a future", expected: "5") {
        let future = Future<Int, Never> { promise in promise(.success(5)) }
        return "\(await future.value)"
      },
      Snippet("the failure of a future", expected: "offline") {
        let future = Future<Int, LoadError> { promise in promise(.failure(.offline)) }
        do { return "\(try await future.value)" } catch { return "\(error)" }
      },
      Snippet("a task's result as a stream", expected: "loaded") {
        let loaded = Deferred { asyncToPublisher { try await load(true) } }
        return try await loaded.firstValue()
      },
      Snippet("a task's failure as a stream", expected: "offline") {
        do { return try await asyncToPublisher { try await load(false) }.firstValue() } catch {
          return "\(error)"
        }
      },
      Snippet("an asynchronous sequence as a stream", expected: "[1, 2, 3]") {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        for number in 1...3 { continuation.yield(number) }
        continuation.finish()
        var seen: [Int] = []
        for try await number in AnyPublisher<Int, any Error>.fromAsyncSequence(stream).values { seen.append(number) }
        return "\(seen)"
      },
      Snippet("mapAsync keeps the order and loses nothing", expected: "[2, 4, 6]") {
        var seen: [Int] = []
        for await number in (1...3).publisher.mapAsync(double).values { seen.append(number) }
        return "\(seen)"
      },
      Snippet("mapAsync takes several at once", expected: "[2, 4, 6]") {
        var seen: [Int] = []
        let doubled = (1...3).publisher.mapAsync(maxConcurrent: 2) { await double($0) }
        for await number in doubled.values { seen.append(number) }
        return "\(seen.sorted())"
      },
      Snippet("sinkAsync handles a burst", expected: "45") {
        let numbers = PassthroughSubject<Int, Never>()
        let (done, end) = AsyncStream.makeStream(of: Void.self)
        let sum = CurrentValueSubject<Int, Never>(0)
        let token = numbers.sinkAsync(receiveCompletion: { @Sendable _ in end.finish() }) { @Sendable number in
          sum.value += await double(number) / 2
        }
        for number in 0..<10 { numbers.send(number) }
        numbers.send(completion: .finished)
        for await _ in done {}
        token.cancel()
        return "\(sum.value)"
      },
      Snippet("sinkAsync on the main actor", expected: "[0, 1, 2]") {
        let numbers = PassthroughSubject<Int, Never>()
        var seen: [Int] = []
        let token = numbers.sinkAsync { number in seen.append(number) }
        for number in 0..<3 { numbers.send(number) }
        await until { seen.count == 3 }
        token.cancel()
        return "\(seen)"
      },
      Snippet("a task of one's own context", expected: "1") {
        var count = 0
        let task = CancellableTask { count += 1 }
        await until { count == 1 }
        task.cancel()
        return "\(count)"
      },
      Snippet("a task that reads is cancelled", expected: "true") {
        let numbers = PassthroughSubject<Int, Never>()
        let task = Task { for await _ in numbers.values {} }
        await Task.yield()
        task.cancel()
        await task.value
        return "\(task.isCancelled)"
      },
      Snippet("a loop that is left", expected: "1") {
        var first = 0
        for await number in (1...100).publisher.values {
          first = number
          break
        }
        return "\(first)"
      },
      Snippet("two tasks read one subject", expected: "[1, 2] [1, 2]") {
        let numbers = PassthroughSubject<Int, Never>()
        let (one, two) = (numbers.values(buffering: .unbounded), numbers.values(buffering: .unbounded))
        var (first, second) = (one.makeAsyncIterator(), two.makeAsyncIterator())
        for number in 1...2 { numbers.send(number) }
        let a = [await first.next() ?? 0, await first.next() ?? 0]
        let b = [await second.next() ?? 0, await second.next() ?? 0]
        return "\(a) \(b)"
      },
      Snippet("many tasks send, one reads", expected: "1000") {
        let numbers = PassthroughSubject<Int, Never>()
        var iterator = numbers.values(buffering: .unbounded).makeAsyncIterator()
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<10 { group.addTask { for number in 0..<100 { numbers.send(number) } } }
        }
        numbers.send(completion: .finished)
        var count = 0
        while await iterator.next() != nil { count += 1 }
        return "\(count)"
      },
      Snippet("a stream with a deadline", expected: "late") {
        let silent = PassthroughSubject<Int, LoadError>()
          .timeout(.milliseconds(1), scheduler: DispatchQueue.main, customError: { .offline })
        do { for try await _ in silent.values {} } catch { return "late" }
        return "ended"
      },
      Snippet("retries of asynchronous work", expected: "loaded after 3") {
        let tries = CurrentValueSubject<Int, Never>(0)
        let loaded = Deferred { @Sendable in
          asyncToPublisher { @Sendable () async throws -> String in
            tries.value += 1
            return try await load(tries.value == 3)
          }
        }
        .retry(2)
        let text = try await loaded.firstValue()
        return "\(text) after \(tries.value)"
      },
    ]
  }
}
