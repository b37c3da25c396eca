// From async code to publishers and back.

import Combine
import Foundation

func square(_ number: Int) async -> Int {
  await Task.yield()
  return number * number
}

func future(of number: Int) -> Future<Int, Never> {
  Future { promise in
    nonisolated(unsafe) let promise = promise
    Task { promise(.success(await square(number))) }
  }
}

func bridges() async {
  print("bridges:", await future(of: 7).value)
  let lazily = Deferred { future(of: 8) }
  for await value in lazily.values { print("bridges:", value) }

  var squares: [Int] = []
  for await value in [3, 1, 2].publisher.flatMap(maxPublishers: .max(1), { future(of: $0) }).values {
    squares.append(value)
  }
  print("bridges:", squares)

  let failing = [1, 2].publisher.setFailureType(to: APIError.self).append(Fail(error: .unreachable))
  var received: [Int] = []
  do {
    for try await value in failing.values { received.append(value) }
  } catch { print("bridges:", received, error) }

  let current = CurrentValueSubject<Int, Never>(1)
  var seen: [Int] = []
  for await value in current.values {
    seen.append(value)
    if value == 4 { break }
    current.value += 1
  }
  print("bridges:", seen)
}
