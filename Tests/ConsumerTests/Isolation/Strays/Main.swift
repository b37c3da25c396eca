// Closures of the main actor that a stream calls on another thread: each has to stop the program. Without an argument
// it lists them.

import Combine
import Foundation
import WeirExtras

@MainActor
final class Model {
  private(set) var number = 0 {
    didSet { print("ran off the main actor: \(number)") }
  }
  private var token: AnyCancellable?

  /// Runs a closure of the main actor by way of an operator, off the main actor, and returns when it has.
  func stray(_ way: String) async {
    let numbers = PassthroughSubject<Int, Never>()
    let queue = DispatchQueue(label: "elsewhere")
    let elsewhere = numbers.receive(on: queue)
    token =
      switch way {
      case "sink": elsewhere.sink { self.number = $0 }
      case "completion":
        elsewhere.sink { _ in
          self.number = -1
        } receiveValue: { @Sendable _ in
        }
      case "map": elsewhere.map { number -> Int in self.keep(number) }.sink { @Sendable _ in }
      case "filter": elsewhere.filter { self.keep($0) > 0 }.sink { @Sendable _ in }
      case "flatMap": elsewhere.flatMap { Just(self.keep($0)) }.sink { @Sendable _ in }
      case "handleEvents": elsewhere.handleEvents(receiveOutput: { self.number = $0 }).sink { @Sendable _ in }
      case "scan": elsewhere.scan(0) { self.keep($0 + $1) }.sink { @Sendable _ in }
      case "pairwise": elsewhere.pairwise().map { self.keep($0.0) }.sink { @Sendable _ in }
      default: nil
      }
    for number in 1...2 { numbers.send(number) }
    numbers.send(completion: .finished)
    // Behind all that the stream has put there.
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }

  private func keep(_ number: Int) -> Int {
    self.number = number
    return number
  }
}

@main
struct Main {
  static let ways = ["sink", "completion", "map", "filter", "flatMap", "handleEvents", "scan", "pairwise"]

  @MainActor
  static func main() async {
    guard let way = CommandLine.arguments.dropFirst().first else { return print(ways.joined(separator: " ")) }
    let model = Model()
    await model.stray(way)
    print("was not stopped: \(model.number)")
  }
}
