// The main run loop, turned for a while, before the main thread ends: what is for it goes on, on the main queue.

import Combine
import Foundation

nonisolated(unsafe) var order: [Int] = []

/// Schedules on the main loop, and turns it in between.
func turnForAWhile() -> AnyCancellable {
  for number in 0..<3 { RunLoop.main.schedule { order.append(number) } }
  RunLoop.main.run(until: Date() + 0.05)
  precondition(order == [0, 1, 2], "the loop was not turned")
  let timer = Timer.publish(every: 0.001, on: .main, in: .common).autoconnect().prefix(3).sink { _ in order.append(-1) }
  // Too late for a turn of the loop.
  for number in 3..<6 { RunLoop.main.schedule { order.append(number) } }
  RunLoop.main.schedule(after: RunLoop.main.now.advanced(by: .milliseconds(20))) { order.append(6) }
  return timer
}

func finish() {
  let numbers = order.filter { $0 >= 0 }
  let ticks = order.count - numbers.count
  guard numbers == Array(0...6), ticks == 3 else { return }
  print("all of it, in order")
  exit(0)
}

@main
struct Main {
  static func main() async {
    let timer = turnForAWhile()
    for await _ in Just(1).delay(for: .milliseconds(30), scheduler: RunLoop.main).values {}
    while true {
      await MainActor.run { finish() }
      await Task.yield()
      withExtendedLifetime(timer) {}
    }
  }
}
