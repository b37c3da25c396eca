// Tests that a project's own subscripts go before ours of the same name.

import Testing
import WeirState

/// What a subscript of a project returns here.
private struct Own {}

extension Collection {
  fileprivate subscript(safe index: Index) -> Own { Own() }
}

@Suite struct OwnSubscriptsTests {
  /// Of arrays, ours went first, as it is for fewer collections.
  @Test func aProjectsOwnElementsGoBeforeOurs() {
    let all: [Any] = [[1, 2][safe: 1], (5..<7)[safe: 6]]
    for result in all { #expect(result is Own) }
  }
}
