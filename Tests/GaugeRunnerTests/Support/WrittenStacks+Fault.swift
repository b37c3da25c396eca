// What is said of a file of stacks that tests have damaged.

import HostileFiles

@testable import GaugeRunner

extension WrittenStacks {
  /// Why the file can't be read once it was changed; `nil` if it can.
  func fault(after change: (inout WrittenStacks) -> Void) -> String? {
    var stacks = self
    change(&stacks)
    do {
      _ = try SampleFile(stacks.bytes)
      return nil
    } catch {
      return error.description
    }
  }
}
