// What it takes to have the same run again, also from a process that has crashed meanwhile.

/// A run of a scenario.
package struct Schedule: Equatable {
  /// What was chosen.
  package var choices: [UInt16] = []
  /// The words that were known to be shared: there is a choice at these only.
  package var shared: [Int] = []

  package init() {}
}

/// The schedule of the present run, in memory that other processes see.
@safe
package struct ScheduleCopy {
  // SAFETY: `size` bytes that live longer than this, and every access is within them.
  private let memory: UnsafeMutablePointer<UInt8>

  /// How many choices there may be.
  static let choices = 20_000
  /// How many words may be shared; one that several threads write counts twice.
  package static let words = 8_000
  /// How many bytes it takes.
  package static let size = wordStart + words * 6 + 6
  private static let wordStart = 2 + choices * 2 + 2
  private static let runStart = size - 6

  /// - Parameter memory: `size` bytes, all zero.
  package init(_ memory: UnsafeMutablePointer<UInt8>) { unsafe self.memory = unsafe memory }

  /// The schedule.
  package var schedule: Schedule {
    var schedule = Schedule()
    schedule.choices = (0..<number(at: 0)).map { UInt16(number(at: 2 + 2 * $0)) }
    schedule.shared = (0..<number(at: Self.wordStart - 2)).map { index in
      (0..<3).reduce(0) { key, part in key | number(at: Self.wordStart + index * 6 + part * 2) << (16 * part) }
    }
    return schedule
  }

  /// How many runs there were with as many preemptions at most, this one included, and how many preemptions that are.
  package var run: (number: Int, bound: Int) {
    (number(at: Self.runStart) | number(at: Self.runStart + 2) << 16, number(at: Self.runStart + 4))
  }

  func note(run: Int, bound: Int) {
    set(run & 0xFFFF, at: Self.runStart)
    set(run >> 16 & 0xFFFF, at: Self.runStart + 2)
    set(min(bound, 0xFFFF), at: Self.runStart + 4)
  }

  func note(_ choice: Int, at index: Int) {
    set(choice, at: 2 + 2 * index)
    set(index + 1, at: 0)
  }

  func note(_ shared: [Int]) {
    precondition(shared.count <= Self.words, "whoever notes shared words has counted them")
    set(shared.count, at: Self.wordStart - 2)
    for (index, key) in shared.enumerated() {
      for part in 0..<3 { set(key >> (16 * part) & 0xFFFF, at: Self.wordStart + index * 6 + part * 2) }
    }
  }

  private func number(at offset: Int) -> Int { unsafe Int(memory[offset]) | Int(memory[offset + 1]) << 8 }

  private func set(_ number: Int, at offset: Int) {
    unsafe memory[offset] = UInt8(number & 255)
    unsafe memory[offset + 1] = UInt8(number >> 8)
  }
}
