// What it takes to have the same run again, also from a process that has crashed meanwhile.
// No test file: the tests of Machine and Reduction, and the litmus tests, go through all of it.

/// A run of a scenario.
package struct Schedule: Equatable {
  /// What was chosen.
  package var choices: [UInt8] = []
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
  static let choices = 6_000
  private static let words = 600
  /// How many bytes it takes.
  package static let size = 2 + choices + 2 + words * 3

  /// - Parameter memory: `size` bytes, all zero.
  package init(_ memory: UnsafeMutablePointer<UInt8>) { unsafe self.memory = unsafe memory }

  /// The schedule.
  package var schedule: Schedule {
    var schedule = Schedule()
    schedule.choices = (0..<number(at: 0)).map { unsafe memory[2 + $0] }
    schedule.shared = (0..<number(at: 2 + Self.choices)).map {
      let word = 4 + Self.choices + $0 * 3
      return unsafe Int(memory[word]) << 32 | number(at: word + 1)
    }
    return schedule
  }

  func note(_ choice: Int, at index: Int) {
    unsafe memory[2 + index] = UInt8(choice)
    set(index + 1, at: 0)
  }

  func note(_ shared: [Int]) {
    precondition(shared.count <= Self.words, "a scenario shares too many words")
    set(shared.count, at: 2 + Self.choices)
    for (index, key) in shared.enumerated() {
      let word = 4 + Self.choices + index * 3
      unsafe memory[word] = UInt8(key >> 32)
      set(key & 0xFFFF_FFFF, at: word + 1)
    }
  }

  private func number(at offset: Int) -> Int { unsafe Int(memory[offset]) | Int(memory[offset + 1]) << 8 }

  private func set(_ number: Int, at offset: Int) {
    unsafe memory[offset] = UInt8(number & 255)
    unsafe memory[offset + 1] = UInt8(number >> 8)
  }
}
