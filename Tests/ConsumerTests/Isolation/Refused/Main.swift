// Closures that streams may run several times at once, and what they must not touch: the compiler has to refuse the
// lines that say so, and no others.

import Combine
import WeirExtras

final class Total {
  var value = 0
}

func transforms() -> AnyCancellable {
  let total = Total()
  return (1...3).publisher.mapAsync(maxConcurrent: 2) { number -> Int in
    total.value += number  // refused
    return number
  }.sink { print($0) }
}

func transformsThatMayReturnNothing() -> AnyCancellable {
  var count = 0
  return (1...3).publisher.compactMapAsync(maxConcurrent: 2) { number -> Int? in
    count += 1  // refused
    return number
  }.sink { print($0) }
}

func handlers() -> AnyCancellable {
  let total = Total()
  return (1...3).publisher.sinkAsync(maxConcurrent: 2) { number in
    total.value += number  // refused
  }
}

func handlersThatAreToldOfTheEnd() -> AnyCancellable {
  let total = Total()
  return (1...3).publisher.sinkAsync(maxConcurrent: 2, receiveCompletion: { _ in print("over") }) { number in
    total.value += number  // refused
  }
}

func oneTransformAtATime() -> AnyCancellable {
  let total = Total()
  return (1...3).publisher.mapAsync { number -> Int in
    total.value += number
    return total.value
  }.sink { print($0) }
}

func oneHandlerAtATime() -> AnyCancellable {
  let total = Total()
  return (1...3).publisher.sinkAsync { number in total.value += number }
}
