// What `gauge bisect` tells at its end: the commit, its change, what that leaves, and the way to it.
// No test file: BisectVerbTests reads what it says.

import Gauge

/// A search for a commit that has come to its end, for people.
struct BisectText {
  /// The search.
  let search: CommitSearch
  /// The commits, the good one first.
  let commits: [Revisions.Commit]
  /// The benchmark, with parameters.
  let title: String
  /// The metric.
  let metric: Metric

  /// Characters of a commit's name.
  private static let shortest = 12

  /// The text as lines.
  ///
  /// - Parameters:
  ///   - finding: How the search ended.
  ///   - width: Characters of a line of the table.
  ///   - colour: Whether ANSI colours are used.
  func lines(_ finding: CommitSearch.Finding, width: Int, colour: Bool) -> [String] {
    var lines = verdict(finding).map(legible)
    let course = search.course
    if course.count > 2 {
      var table = Table(columns: [
        Table.Column(title: "commit"), Table.Column(title: metric.name, isNumber: true),
        Table.Column(title: "subject", minimum: 20),
      ])
      table.rows = course.map { commit, change in
        let text = commit == 0 ? "" : changeText(change, of: metric)
        return Table.Row(cells: [name(commit), text, commits[commit].subject])
      }
      lines += [""] + table.text(width: width, colour: colour)
    }
    let skipped = search.unusable.sorted { $0.key < $1.key }.map { "\(name($0.key)) is skipped: \($0.value)" }
    if !skipped.isEmpty { lines += [""] + skipped.map(legible) }
    lines += ["", "built \(search.builds) of \(commits.count) commits"]
    return lines
  }

  private func name(_ commit: Int) -> String { String(commits[commit].hash.prefix(Self.shortest)) }

  /// What the search is of, in front of what was found.
  private var subject: String { "\(metric.name) of \(title)" }

  /// The change from the good to the bad commit.
  private func whole(_ change: Change) -> String {
    "the change from \(name(0)) to \(name(search.last)), \(changeText(change, of: metric))"
  }

  private func verdict(_ finding: CommitSearch.Finding) -> [String] {
    switch finding {
    case .unusable(let commit, let reason): return ["\(name(commit)) can't be measured: \(reason)"]
    case .identical: return ["\(subject): the same, as the executables of both ends are identical"]
    case .unchanged(let change, let within):
      let isSame = within != nil || search.rules.isExact
      let limit = within.map { " within \(digits($0 * 100)) %" } ?? ""
      return ["\(subject): \(isSame ? "the same" + limit : "not enough data"): \(changeText(change, of: metric))"]
    case .drift(let change):
      return ["\(subject): \(changeText(change, of: metric)) bit by bit: no commit accounts for \(whole(change))"]
    case .unclear(let change):
      return ["\(subject): \(changeText(change, of: metric)): the launches don't tell which commit accounts for it"]
    case .culprit(let culprit): return verdict(culprit)
    }
  }

  /// The command that searches between two revisions.
  private func command(_ good: String, _ bad: String) -> String {
    let option = metric.name == Metric.time.name ? "" : " --metric \(shellWord(metric.name))"
    return "gauge bisect\(option) \(good) \(bad) \(shellWord(title))"
  }

  private func verdict(_ culprit: CommitSearch.Culprit) -> [String] {
    let suspects = culprit.before + 1...culprit.after
    let number = suspects.count == 1 ? "one commit" : "one of \(suspects.count) commits"
    var lines = ["\(subject): \(changeText(culprit.change, of: metric)) by \(number)", ""]
    lines += suspects.map { "  \(name($0))  \(excerpt(of: commits[$0].subject, atMost: 200))" }
    lines.append("")
    switch culprit.rest {
    case .nothing: lines.append("That is \(whole(culprit.whole)).")
    case .changes(let before, let after):
      lines += [
        "That is not all of \(whole(culprit.whole)). There are more changes:",
        "  \(changeText(before, of: metric)) before: " + command(name(0), name(culprit.before)),
        "  \(changeText(after, of: metric)) behind: " + command(name(culprit.after), name(search.last)),
      ]
    case .unclear(let change):
      lines.append(
        "Whether that is all of \(whole(culprit.whole)) isn't clear: the rest is \(changeText(change, of: metric)).")
    }
    // The one that was searched along is measured, whichever of the parents it is.
    let others = commits[culprit.after].parents.filter { $0 != commits[culprit.before].hash }
    if suspects.count == 1, let other = others.first?.prefix(Self.shortest) {
      lines += [
        "It is a merge. To search the branch:",
        "  " + command("$(git merge-base \(name(culprit.before)) \(other))", String(other)),
      ]
    }
    let grew = culprit.change.estimate.value > (culprit.change.scale == .ratio ? 1 : 0)
    // What got better is explained by the way back.
    let ends = grew == (metric.polarity != .higher) ? (culprit.before, culprit.after) : (culprit.after, culprit.before)
    lines += [
      "To see which functions account for it:",
      "  gauge ab --base \(AbBase.revisionPrefix)\(name(ends.0)) --new \(name(ends.1)) --explain \(shellWord(title))",
    ]
    return lines
  }
}
