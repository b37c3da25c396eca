// Top-level code that awaits: what is for the main queue and the main loop comes there, on the main actor.

import Combine
import Foundation

/// Two values at once, and one after a while.
func numbers<Main: Scheduler>(on main: Main) -> some Publisher<Int, Never> {
  [1, 2].publisher.receive(on: main).append(Just(3).delay(for: .milliseconds(1), scheduler: main))
}

var received: [String: [Int]] = [:]
let tokens = [
  numbers(on: DispatchQueue.main).sink { received["DispatchQueue", default: []].append($0) },
  numbers(on: OperationQueue.main).sink { received["OperationQueue", default: []].append($0) },
  numbers(on: RunLoop.main).sink { received["RunLoop", default: []].append($0) },
]
while received.values.reduce(0, { $0 + $1.count }) < 9 { await Task.yield() }
for (name, numbers) in received { precondition(numbers == [1, 2, 3], "\(name) delivers \(numbers)") }
withExtendedLifetime(tokens) {}
print("DispatchQueue, OperationQueue, RunLoop: all of it, in order")
