// Litmus tests: programs of a few operations per thread, without loops, and all that may come of them.

import Testing
import WeirVerify

/// A program as text, and its exact set of outcomes.
struct Litmus: Sendable, CustomTestStringConvertible {
  let name: String
  /// Threads are parted by `|`, their steps by `;`. Registers begin with `r`, every other name is a location, zero at
  /// first. A step is one of
  ///
  ///     r0 = x acq                  a load
  ///     x = 1 rel                   a store of a number or of a register
  ///     r0 = xchg x 1 acqrel        an exchange
  ///     r0 = add x 1 rlx            an addition
  ///     r0 = cas x 0 1 acqrel acq   a compare-exchange of 0 for 1, and the ordering with which it fails
  ///     fence sc                    a fence
  ///     light, heavy                the halves of an asymmetric fence
  ///     when r0 1                   ends the thread unless the register is that
  let text: String
  /// Locations whose last value is a part of the outcome.
  let observed: String
  /// Of each outcome the digits of the registers in the order of their names, `-` if nothing was read, and those of the
  /// observed locations. `race` if two accesses race.
  let allowed: Set<String>
  /// What is allowed on x86, if an atomic access is a locked instruction where it must be.
  let allowedOnTSO: Set<String>

  init(_ name: String, _ text: String, _ observed: String = "", _ allowed: String, tso: String? = nil) {
    self.name = name
    self.text = text
    self.observed = observed
    self.allowed = Set(allowed.split(separator: " ").map(String.init))
    allowedOnTSO = tso.map { Set($0.split(separator: " ").map(String.init)) } ?? self.allowed
  }

  var testDescription: String { name }

  var program: Program { Program(text, observed: observed) }
}

/// A program of loads, stores and fences.
struct Program {
  enum Operand {
    case constant(Int)
    case register(Int)
  }

  enum Step {
    case load(register: Int, location: Int, Ordering)
    case store(location: Int, Operand, Ordering)
    case exchange(register: Int, location: Int, Operand, Ordering)
    case add(register: Int, location: Int, Operand, Ordering)
    case compareExchange(
      register: Int, location: Int, expected: Operand, desired: Operand, Ordering, failure: Ordering)
    case fence(Ordering)
    case lightFence
    case heavyFence
    case stopUnless(register: Int, is: Int)
  }

  private(set) var threads: [[Step]] = []
  private(set) var registers: [String] = []
  private(set) var locations: [String] = []
  private(set) var observed: [Int] = []

  /// - Parameters:
  ///   - text: As in `Litmus`.
  ///   - observed: Names of locations, one letter each.
  init(_ text: String, observed: String) {
    let threads = text.split(separator: "|").map { thread in
      thread.split(separator: ";").map { $0.split(separator: " ").map(String.init) }
    }
    let names = Set(threads.joined().joined().filter { $0.first?.isLetter == true && !Self.words.contains($0) })
    registers = names.filter { $0.hasPrefix("r") }.sorted()
    locations = names.filter { !$0.hasPrefix("r") }.union(observed.map(String.init)).sorted()
    self.threads = threads.map { $0.map(step) }
    self.observed = observed.map { location(String($0)) }
  }

  private static let words: Set<String> = Set(Ordering.allCases.map(\.rawValue)).union([
    "xchg", "add", "cas", "fence", "light", "heavy", "when",
  ])

  private func step(_ words: [String]) -> Step {
    switch (words.first, words.count) {
    case ("fence", 2): return .fence(ordering(words[1]))
    case ("light", 1): return .lightFence
    case ("heavy", 1): return .heavyFence
    case ("when", 3): return .stopUnless(register: register(words[1]), is: Int(words[2])!)
    default: break
    }
    precondition(words.count > 3 && words[1] == "=", "no such step: \(words)")
    let rest = Array(words[2...])
    switch (rest[0], rest.count) {
    case ("xchg", 4):
      return .exchange(
        register: register(words[0]), location: location(rest[1]), operand(rest[2]), ordering(rest[3]))
    case ("add", 4):
      return .add(register: register(words[0]), location: location(rest[1]), operand(rest[2]), ordering(rest[3]))
    case ("cas", 6):
      return .compareExchange(
        register: register(words[0]), location: location(rest[1]), expected: operand(rest[2]),
        desired: operand(rest[3]), ordering(rest[4]), failure: ordering(rest[5]))
    case (_, 2) where locations.contains(words[0]):
      return .store(location: location(words[0]), operand(rest[0]), ordering(rest[1]))
    case (_, 2):
      return .load(register: register(words[0]), location: location(rest[0]), ordering(rest[1]))
    default: preconditionFailure("no such step: \(words)")
    }
  }

  private func register(_ name: String) -> Int { registers.firstIndex(of: name)! }
  private func location(_ name: String) -> Int { locations.firstIndex(of: name)! }
  private func ordering(_ name: String) -> Ordering { Ordering(rawValue: name)! }
  private func operand(_ text: String) -> Operand { Int(text).map { .constant($0) } ?? .register(register(text)) }

  /// An outcome as `Litmus` writes it.
  func outcome(registers values: [Int?], final: (Int) -> Int) -> String {
    values.map { $0.map(String.init) ?? "-" }.joined() + observed.map { String(final($0)) }.joined()
  }
}

extension Program.Operand {
  func value(_ registers: [Int?]) -> Int {
    switch self {
    case .constant(let value): value
    case .register(let register): registers[register] ?? 0
    }
  }
}
