// A program that uses the core alone: sends as many values as it is told through two operators, and prints their sum;
// with the word `isolated` by closures of the main actor.

import Weir

@main struct Core {
  static func main() {
    let count = Int(CommandLine.arguments.last ?? "") ?? 0
    print(CommandLine.arguments.contains("isolated") ? isolatedSum(of: count) : sum(of: count))
  }

  nonisolated static func sum(of count: Int) -> Int {
    var sum = 0
    let numbers = PassthroughSubject<Int, Never>()
    let sums = numbers.map { $0 * 2 }.filter { $0 > 0 }.sink { sum += $0 }
    for number in 0...count { numbers.send(number) }
    sums.cancel()
    return sum
  }

  /// The same, written where the main actor is isolated.
  @MainActor static func isolatedSum(of count: Int) -> Int {
    var sum = 0
    let numbers = PassthroughSubject<Int, Never>()
    let sums = numbers.map { $0 * 2 }.filter { $0 > 0 }.sink { sum += $0 }
    for number in 0...count { numbers.send(number) }
    sums.cancel()
    return sum
  }
}
