// Folded stacks: one line a stack, as flame graph tools read it.

/// Profiles as folded stacks: `root;caller;leaf weight`.
enum FoldedStacks {
  /// A profile as text; functions without lines, the lines sorted.
  static func text(_ profile: Profile) -> String {
    var weights: [String: Int] = [:]
    for (stack, weight) in profile.weights where weight != 0 {
      weights[stack.map { field($0.function) }.joined(separator: ";"), default: 0] += weight
    }
    return weights.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined()
  }

  /// A name that neither ends a frame nor a line.
  private static func field(_ name: String) -> String {
    var field = ""
    for scalar in legible(name).unicodeScalars { field.unicodeScalars.append(scalar == ";" ? ":" : scalar) }
    return field
  }
}
