// Instructions of a fixed number of operations, counted by callgrind.

/// Two batches: one for warm-up, which is not counted, then one between two requests to callgrind.
final class InstructionBatches: Batches {
  private enum Stage {
    case warmUp
    case counting
    case done
  }

  private let operations: Int
  private let counter: InstructionCounter
  private var stage = Stage.warmUp

  /// - Parameters:
  ///   - operations: Operations to count, after a tenth as many, but two at least, for warm-up: an operation's first
  ///     run may build metadata and bind symbols, and its second use what the first has cached.
  ///   - subject: What the operations are.
  init(operations: Int, of subject: CountedInstructions.Subject) {
    self.operations = operations
    counter = InstructionCounter(name: CountedInstructions(subject, operations: operations).name)
  }

  override func begin() -> Int {
    switch stage {
    case .warmUp: return max(2, operations / 10)
    case .counting:
      counter.start()
      return operations
    case .done: return 0
    }
  }

  override func end() {
    if stage == .warmUp {
      stage = .counting
    } else {
      counter.stop()
      stage = .done
    }
  }
}
