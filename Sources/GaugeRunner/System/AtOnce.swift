// Work on several threads at once, for what waits for child processes.

import Foundation
import Synchronization

/// Does something to every item, at once as far as there are processors.
///
/// - Parameters:
///   - items: What it is done to.
///   - body: What is done; called once for each item, on several threads.
/// - Returns: What the calls returned, in the order of the items.
/// - Throws: What the call for the first item throws whose call does. All calls end before.
func atOnce<Item: Sendable, Value: Sendable, Failure: Error>(
  _ items: [Item], _ body: @Sendable (Item) throws(Failure) -> Value
) throws(Failure) -> [Value] {
  let outcomes = Mutex<[Int: Result<Value, Failure>]>([:])
  DispatchQueue.concurrentPerform(iterations: items.count) { index in
    let outcome = Result { () throws(Failure) in try body(items[index]) }
    outcomes.withLock { $0[index] = outcome }
  }
  var values: [Value] = []
  for entry in outcomes.withLock({ $0 }).sorted(by: { $0.key < $1.key }) { values.append(try entry.value.get()) }
  return values
}
