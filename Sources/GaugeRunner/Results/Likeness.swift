// Whether two runs come from one machine, so that their times may be compared.

/// What the environments of two runs have in common.
enum Likeness {
  /// Environment fields that must agree before times are compared.
  static let fields = ["machine_id", "cpu_model", "cpu_count", "microcode", "kernel", "libc"]

  /// The fields that differ; one that a side lacks differs, and is marked as missing.
  ///
  /// Where a machine does not tell a field (an ARM core has no microcode) both sides say so in the same words, and are
  /// alike in it; but a machine that can't be identified is like no other.
  static func differences(_ base: Results, _ new: Results) -> [String] {
    differences(base.environment, new.environment)
  }

  /// Whether an earlier run is of the machine of another.
  static func isLike(_ earlier: [(name: String, value: String)], _ new: [(name: String, value: String)]) -> Bool {
    differences(earlier, new).isEmpty
  }

  private static func differences(
    _ base: [(name: String, value: String)], _ new: [(name: String, value: String)]
  ) -> [String] {
    fields.compactMap { field in
      guard let before = base.first(where: { $0.name == field })?.value,
        let after = new.first(where: { $0.name == field })?.value,
        !before.isEmpty, !after.isEmpty,
        field != "machine_id" || !before.hasPrefix("unavailable")
      else { return field + " missing" }
      return before == after ? nil : field
    }
  }

  /// What served the allocations of two runs, where that differs: how large a block is, and so how often an array
  /// grows, depends on it.
  static func allocators(_ base: Results, _ new: Results) -> (before: String, after: String)? {
    let (before, after) = (
      allocators(named: base.environment("allocator") ?? ""), allocators(named: new.environment("allocator") ?? "")
    )
    return before != after && !before.isEmpty && !after.isEmpty ? (before, after) : nil
  }

  /// What served the allocations of a run, without the places of libraries; empty where that isn't known.
  ///
  /// - Parameter field: What its environment says. Files that were merged,
  ///   and executables of one run, may have several.
  static func allocators(named field: String) -> String {
    let kinds = field.split { "|;".contains($0) }.map {
      String($0.prefix { $0 != "(" }).trimmingCharacters(in: .whitespaces)
    }
    // Nothing is counted where there are no hooks.
    return Set(kinds.filter { !$0.hasPrefix("unavailable") }).sorted().joined(separator: "; ")
  }

  /// The differences as a sentence's end: `machine_id, kernel differ; libc missing`.
  static func sentence(_ differences: [String]) -> String {
    let missing = differences.filter { $0.hasSuffix(" missing") }.map { String($0.dropLast(" missing".count)) }
    let unlike = differences.filter { !$0.hasSuffix(" missing") }
    return [
      unlike.isEmpty ? nil : unlike.joined(separator: ", ") + (unlike.count == 1 ? " differs" : " differ"),
      missing.isEmpty ? nil : missing.joined(separator: ", ") + " missing",
    ].compactMap { $0 }.joined(separator: "; ")
  }
}
