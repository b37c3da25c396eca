// Whether a task lets others run.

/// Runs work on the main actor, beside another task there that does nothing but come to its turn.
///
/// - Parameter work: What to run.
/// - Returns: How often the other task had its turn meanwhile.
@MainActor
package func turnsOfAnother(during work: @MainActor () async -> Void) async -> Int {
  var turns = 0
  let other = Task { @MainActor in
    while !Task.isCancelled {
      turns += 1
      await Task.yield()
    }
  }
  while turns == 0 { await Task.yield() }
  let before = turns
  await work()
  other.cancel()
  return turns - before
}
