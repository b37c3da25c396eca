// Why a benchmark got worse: the functions that account for it, in words.

import GaugeStatistics

/// What accounts for the change of a benchmark.
struct Explanation: Sendable {
  /// A quantity of an operation before and after.
  struct Quantity: Hashable, Sendable {
    /// What is counted.
    var kind: Profile.Kind
    /// By operation, before.
    var before: Double
    /// By operation, after.
    var after: Double
    /// After less before.
    var delta: Double { after - before }
  }

  /// A function of the program that accounts for a part of the change.
  struct Site: Hashable, Sendable {
    /// The function.
    var function: String
    /// Its file and the line with most of the change; empty where debug information doesn't tell.
    var place: String
    /// Change by operation of each quantity that began with it.
    var deltas: [Profile.Kind: Double]
    /// Its share of the change that the sites are ranked by.
    var share: Double
    /// Between which shares that is, where it was sampled; `nil` where it was counted.
    var shares: Interval?
    /// What it does more, and less, the largest first.
    var causes: [String]
  }

  /// What changed.
  var quantities: [Quantity] = []
  /// What the sites are ranked by; `nil` where nothing that is counted grew.
  var leading: Profile.Kind?
  /// Those that account for most, the culprit first.
  var sites: [Site] = []
  /// What is missing, and what to do about it.
  var notes: [String] = []
  /// The profiles of both sides, by kind; none where there is no explanation.
  private(set) var profiles: [(base: Profile, new: Profile)] = []

  /// An explanation that there is none.
  ///
  /// - Parameter reason: Why.
  init(unavailable reason: String) { notes = [Self.refusal + reason] }

  /// Explains.
  ///
  /// - Parameters:
  ///   - base: The operation before.
  ///   - new: The operation after.
  init(base: InstructionProfile, new: InstructionProfile) {
    let differences = zip(base.profiles, new.profiles).map {
      ProfileDifference(base: $0, new: $1, entries: (base.entries, new.entries))
    }
    profiles = Array(zip(base.profiles, new.profiles))
    quantities = differences.map { Quantity(kind: $0.kind, before: $0.before, after: $0.after) }
    notes = new.instructions.notes
    for note in base.instructions.notes where !notes.contains(note) { notes.append(note) }
    // Instructions are what takes time; the others matter by themselves where those stay.
    guard let leading = differences.first(where: { $0.delta > max(0.5, 0.001 * $0.before) }) else {
      notes.insert(
        "as many instructions, allocations, retains and releases as before: look for what does not show in counts, such as "
          + "caches, branches, contention or the layout of the code", at: 0)
      return
    }
    self.leading = leading.kind
    let ranked = leading.sites.filter { leading.share(of: $0) >= Self.least }.prefix(Self.most)
    sites = ranked.map { site in
      var deltas: [Profile.Kind: Double] = [:]
      for difference in differences {
        deltas[difference.kind] = difference.sites.first { $0.function == site.function }?.delta
      }
      return Site(
        function: site.function,
        place: site.place, deltas: deltas,
        share: leading.share(of: site), causes: site.words)
    }
    if sites.isEmpty { notes.append("the change is spread over many functions") }
  }

  /// Explains a time by samples, where counts don't.
  ///
  /// - Parameters:
  ///   - sampled: What was sampled.
  ///   - counted: What counts have said.
  init(_ sampled: SampledDifference, profiles: [(base: Profile, new: Profile)], after counted: Explanation) {
    self.profiles = profiles
    notes = profiles.reduce(into: []) { notes, pair in
      for note in pair.base.notes + pair.new.notes where !notes.contains(note) { notes.append(note) }
    }
    let kinds = sampled.before.keys.sorted { $0.rawValue < $1.rawValue }
    quantities = kinds.map { Quantity(kind: $0, before: sampled.before[$0] ?? 0, after: sampled.after[$0] ?? 0) }
    let reasons = counted.notes.map { $0.hasPrefix(Self.refusal) ? String($0.dropFirst(Self.refusal.count)) : $0 }
    guard sampled.isLonger, let first = quantities.max(by: { $0.delta < $1.delta }) else {
      let told = sampled.change.interval == .unbounded ? "too few to tell" : "which show no certain difference"
      notes = reasons + [Self.refusal + "\(sampled.pairs) pairs of launches were sampled, \(told)"] + notes
      return
    }
    leading = first.kind
    sites = sampled.sites.filter { sampled.share(of: $0) >= Self.least }.prefix(Self.most).map { site in
      Site(
        function: site.function, place: site.place, deltas: site.deltas, share: sampled.share(of: site),
        shares: sampled.shares(of: site), causes: site.causes)
    }
    let rest = 1 - sites.map(\.share).reduce(0, +)
    notes = reasons + [Self.refusal + "\(boundedCount(max(0, rest) * 100)) % of the change"] + notes
  }

  /// How a note begins that says what is not explained.
  private static let refusal = "not explained: "
  /// Sites that account for less than this share are left out.
  private static let least = 0.05
  /// The most sites that are named.
  private static let most = 3

  /// The difference as flame graphs, one of each kind that changed.
  func flameGraphs() -> [FlameGraph] {
    profiles.filter { $0.base.total > 0 || $0.new.total > 0 }.map {
      FlameGraph($0.new, against: $0.base, title: $0.new.kind.rawValue)
    }
  }

  /// The explanation as lines of text: what changed, then each site, then notes.
  var lines: [String] {
    var lines: [String] = []
    if leading != nil {
      let changes = quantities.filter { abs($0.delta) >= 0.05 }.map { Self.amount($0.delta, $0.kind) }
      lines.append("why: \(changes.joined(separator: ", ")) by operation")
    }
    for (number, site) in sites.enumerated() { lines.append("\(number + 1). \(text(site))") }
    return lines + notes
  }

  private func text(_ site: Site) -> String {
    let place = site.place.isEmpty ? "" : " (\(site.place))"
    let deltas = quantities.compactMap { quantity in
      site.deltas[quantity.kind].flatMap { abs($0) < 0.05 ? nil : Self.amount($0, quantity.kind) }
    }
    let causes = site.causes.isEmpty ? "" : ": " + site.causes.joined(separator: ", ")
    let range = site.shares.map { " (\(boundedCount($0.lower * 100)) to \(boundedCount($0.upper * 100)) %)" } ?? ""
    return "\(site.function)\(place): \(boundedCount(site.share * 100)) % of the change\(range), "
      + "\(deltas.joined(separator: ", "))\(causes)"
  }

  /// The explanation for scripts.
  ///
  /// - Parameter title: The benchmark.
  func json(title: String) -> JSONText {
    .object([
      ("benchmark", .string(title)), ("ranked_by", leading.map { .string($0.rawValue) } ?? .null),
      (
        "changes",
        .array(
          quantities.map {
            .object([
              ("kind", .string($0.kind.rawValue)), ("before", .number($0.before)), ("after", .number($0.after)),
            ])
          })
      ),
      (
        "sites",
        .array(
          sites.map { site in
            .object(
              [
                ("function", .string(site.function)), ("place", .string(site.place)), ("share", .number(site.share)),
                ("causes", .array(site.causes.map { .string($0) })),
              ]
                + (site.shares.map { [("shares", .array([.number($0.lower), .number($0.upper)]))] } ?? [])
                + site.deltas.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key.rawValue, .number($0.value)) })
          })
      ), ("notes", .array(notes.map { .string($0) })),
    ])
  }

  private static func amount(_ number: Double, _ kind: Profile.Kind) -> String {
    switch kind {
    case .cpu: "\(signed(number)) ns on a processor"
    case .waits: "\(signed(number)) ns of waiting"
    default: plural(number, kind.unit)
    }
  }

  /// A signed number with its noun, which stands in the plural.
  static func plural(_ number: Double, _ nouns: String) -> String {
    let text = signed(number)
    return text.dropFirst() == "1" ? "\(text) \(nouns.dropLast())" : "\(text) \(nouns)"
  }

  /// A number with its sign, with at most one digit behind the point.
  static func signed(_ number: Double) -> String {
    let tenths = (abs(number) * 10).rounded() / 10
    let text = tenths == tenths.rounded() || tenths >= 100 ? "\(boundedCount(tenths))" : "\(tenths)"
    return (number < 0 ? "-" : "+") + text
  }
}
