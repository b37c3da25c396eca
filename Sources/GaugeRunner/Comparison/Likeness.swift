// Whether two runs come from one machine, so that their times may be compared.

/// What the environments of two runs have in common.
enum Likeness {
  /// Environment fields that must agree before times are compared.
  static let fields = ["machine_id", "cpu_model", "cpu_count", "microcode", "kernel", "libc"]

  /// The fields that differ; one that a side lacks differs, and is marked as missing.
  static func differences(_ base: Results, _ new: Results) -> [String] {
    fields.compactMap { field in
      guard let before = base.environment(field), let after = new.environment(field), !before.isEmpty, !after.isEmpty
      else { return field + " missing" }
      return before == after ? nil : field
    }
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
