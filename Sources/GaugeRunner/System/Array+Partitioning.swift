// Looking up a place in sorted elements.
// No test file: ProgramImageTests and InstructionProfileTests look up what is found by it.

extension Array {
  /// The first place from which on all elements fulfil a condition, of an array in which none does before it.
  ///
  /// - Complexity: O(log *n*).
  func partitioningIndex(_ isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
