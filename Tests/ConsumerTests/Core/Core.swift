// A program that uses the core alone: sends as many values as it is told through two operators, and prints their sum.

import Weir

@main struct Core {
  static func main() {
    var sum = 0
    let numbers = PassthroughSubject<Int, Never>()
    let sums = numbers.map { $0 * 2 }.filter { $0 > 0 }.sink { sum += $0 }
    for number in 0...(Int(CommandLine.arguments.last ?? "") ?? 0) { numbers.send(number) }
    sums.cancel()
    print(sum)
  }
}
