// Small programs made at random, the same ones every time.

import WeirVerify

/// A generator of numbers with a seed (S. Vigna, SplitMix64).
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// What random programs are made of.
enum Ingredients: String, CaseIterable, Sendable {
  case relaxed, acquireRelease, sequentiallyConsistent, readModifyWrites, asymmetric, plain
  /// What the package's atomic words offer.
  case packageOperations
}

/// The text of a program of two or three threads, with two locations, and up to eight steps in all.
func randomProgram(_ ingredients: Ingredients, seed: UInt64) -> String {
  var random = SplitMix(seed: seed)
  func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
  func oneOf<Element>(_ elements: [Element]) -> Element { elements.randomElement(using: &random)! }
  var registers = 0, value = 0

  func ordering(_ kinds: [String]) -> String {
    switch ingredients {
    case .relaxed: chance(80) ? "rlx" : oneOf(kinds)
    case .acquireRelease, .readModifyWrites, .asymmetric, .packageOperations:
      oneOf(["rlx"] + kinds.filter { $0 != "sc" })
    case .sequentiallyConsistent: chance(60) ? "sc" : oneOf(["rlx"] + kinds)
    case .plain: chance(40) ? "na" : oneOf(kinds)
    }
  }
  func step() -> String {
    let location = oneOf(["x", "y"])
    let fences = ingredients == .asymmetric ? 40 : ingredients == .sequentiallyConsistent ? 25 : 15
    if chance(fences) {
      if ingredients == .asymmetric { return oneOf(["light", "light", "heavy", "fence sc"]) }
      if ingredients == .packageOperations { return oneOf(["light", "heavy"]) }
      return "fence "
        + oneOf(ingredients == .sequentiallyConsistent ? ["sc", "sc", "acqrel"] : ["acq", "rel", "acqrel"])
    }
    registers += 1
    if ingredients == .packageOperations, chance(30) {
      value += 1
      let change = oneOf(["add \(location) 1", "xchg \(location) \(value)", "cas \(location) 0 \(value) acqrel"])
      return "r\(registers) = \(change) " + (change.hasPrefix("cas") ? "acq" : "acqrel")
    }
    if ingredients != .packageOperations, chance(ingredients == .readModifyWrites ? 60 : 10) {
      let orderings = ["acq", "rel", "acqrel", "sc"]
      let plainless = ["rlx"] + (ingredients == .sequentiallyConsistent ? orderings : orderings.dropLast())
      switch oneOf([0, 1, 2]) {
      case 0: return "r\(registers) = add \(location) 1 \(oneOf(plainless))"
      case 1:
        value += 1
        return "r\(registers) = xchg \(location) \(value) \(oneOf(plainless))"
      default:
        value += 1
        return "r\(registers) = cas \(location) \(oneOf([0, 1])) \(value) \(oneOf(plainless)) \(oneOf(["rlx", "acq"]))"
      }
    }
    if chance(50) { return "r\(registers) = \(location) \(ordering(["acq", "sc"]))" }
    value += 1
    return "\(location) = \(value) \(ordering(["rel", "sc"]))"
  }

  let lengths = oneOf([[2, 2], [2, 3], [3, 3], [1, 2, 2], [2, 2, 2], [1, 1, 3], [4, 2]])
  return lengths.map { (0..<$0).map { _ in step() }.joined(separator: "; ") }.joined(separator: " | ")
}
