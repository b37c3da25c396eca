// The verbs of `gauge`, each of which is a value in a file of its own.

/// All verbs.
enum Verbs {
  /// In the order of the help page.
  static let all: [Verb] = [
    .initialise, .list, .run, .compare, .ab, .bisect, .baseline, .check, .history, .merge, .report, .scaling, .profile,
    .timeline, .whatif, .top, .completions,
  ]
}
