// All scenarios as they are, then every mutant against the scenarios that pass its place. Weaker orderings are mutants
// on the memory of C++20 only: x86 does not know most of them.

import CExplorer
import WeirVerify

/// Explores what the options ask for, and prints what comes of it.
struct Explorations {
  let options: Options
  private let scenarios: [Scenario]
  private var findings: [Finding] = []
  private var problems = 0
  /// Mutants with what has noticed them, as lines of `linesOfNoticedMutants`.
  private var noticed: [String] = []

  init(_ options: Options, _ scenarios: [Scenario]) {
    self.options = options
    self.scenarios = scenarios
  }

  /// - Returns: How many scenarios failed and mutants survived, or `nil` if there was nothing to do.
  mutating func run() -> Int? {
    // Mutants need the places that scenarios come to: of all, where mutants are asked for by name and no scenario is.
    let mutants = (options.usesRC11 ? mutants + weakOrderings : mutants).filter { options.wants($0.name) }
    let named = scenarios.filter { options.wants($0.name) }
    let explored = named.isEmpty && !mutants.isEmpty ? scenarios : named
    guard !explored.isEmpty else { return nil }
    let start = explorer_seconds()
    if named.isEmpty, options.usesRC11 { survey(explored) } else { explore(explored) }
    if !mutants.isEmpty { hunt(mutants, explored) }
    if options.remembers { for line in noticed { print("noticed: " + line) } }
    let schedules = findings.reduce(0) { $0 + $1.schedules }
    let steps = findings.reduce(0) { $0 + $1.steps }
    print("\(explored.count) scenarios, \(schedules) schedules, \(steps) steps")
    print("\(mutants.count) mutants, \(problems) failures, \(format(explorer_seconds() - start)) s")
    return problems
  }

  // MARK: Scenarios

  private mutating func explore(_ explored: [Scenario]) {
    if case .rc11(let stale) = options.memory {
      let orders = options.triesAllOrders ? "all orders" : "one of the orders that no step can tell apart"
      print("memory: that of C++20 (RC11), \(stale) stale reads in a run at most; \(orders)")
    }
    print(pad("scenario", 44) + right("bound", 5) + right("schedules", 12) + right("steps", 14) + right("seconds", 9))
    let (memory, orders) = (options.memory, options.orders)
    let (bound, mostSchedules) = (options.bound, options.mostSchedules)
    inChildren(explored.count, parallel: options.parallel, seconds: options.seconds) { number, region in
      Exploration(
        explored[number], memory: memory, orders: orders, bound: bound, mostSchedules: mostSchedules,
        copy: region.schedule
      ).explore().write(to: region)
    } done: { number, ended in
      report(explored[number], ended)
    }
  }

  /// Finds out to which places scenarios come, on x86 as that takes less time.
  private mutating func survey(_ explored: [Scenario]) {
    inChildren(explored.count, parallel: options.parallel, seconds: options.seconds) { number, region in
      Exploration(explored[number], mostSchedules: 2_000, copy: region.schedule).explore().write(to: region)
    } done: { _, ended in
      findings.append(Finding(of: ended))
    }
  }

  private mutating func report(_ scenario: Scenario, _ ended: Ended) {
    let finding = Finding(of: ended)
    findings.append(finding)
    print(
      pad(scenario.name, 44) + right("\(finding.bound)", 5) + right("\(finding.schedules)", 12)
        + right("\(finding.steps)", 14) + right(format(finding.seconds), 9))
    guard let failure = finding.failure else { return }
    problems += 1
    print("  FAILED: \(failure)")
    for line in schedule(of: scenario, nil, finding.schedule) { print("    " + line) }
  }

  // MARK: Mutants

  private mutating func hunt(_ mutants: [Mutant], _ explored: [Scenario]) {
    print("\n" + pad("mutant", 52) + pad("caught by", 34) + right("bound", 5) + right("steps", 7) + right("seconds", 9))
    let all = Set(findings.flatMap(\.sites))
    let sites = mutants.map { $0.site(among: all) }
    // Scenarios that pass the place, the mutant's own family first, then the quick ones.
    let candidates = zip(mutants, sites).map { mutant, site in
      let family = mutant.family
      func key(_ index: Int) -> (Int, Int, Int) {
        (explored[index].name.hasPrefix(family + "/") ? 0 : 1, findings[index].schedules, index)
      }
      return explored.indices.filter { index in site.site.map { findings[index].sites.contains($0) } ?? false }
        .sorted { key($0) < key($1) }
    }
    let (known, memory, orders, bound) = (Self.noticedBefore, options.memory, options.orders, options.bound)
    inChildren(mutants.count, parallel: options.parallel, seconds: options.seconds) { number, region in
      guard let site = sites[number].site else { return }
      let mutation = Mutation(mutants[number].behaviour, at: site)
      Self.hunt(
        mutation, on: memory, orders, atMost: bound, of: mutants[number].family,
        candidates[number].map { explored[$0] },
        before: known[mutants[number].name], region)
    } done: { number, ended in
      guard sites[number].site != nil else {
        if let reason = mutants[number].reasonToStay {
          return print(pad(mutants[number].name, 52) + "stays: \(reason); \(sites[number].problem)")
        }
        problems += 1
        print(pad(mutants[number].name, 52) + "FAILED: " + sites[number].problem)
        return
      }
      let mutation = Mutation(mutants[number].behaviour, at: sites[number].site!)
      report(mutants[number], mutation, candidates[number].map { explored[$0] }, ended)
    }
  }

  /// What has noticed each mutant before, by the mutant's name.
  private static var noticedBefore: [String: (scenario: String, bound: Int)] {
    var noticed: [String: (scenario: String, bound: Int)] = [:]
    for line in linesOfNoticedMutants.split(separator: "\n") {
      let fields = line.split(separator: " ", maxSplits: 2).map(String.init)
      if fields.count == 3, let bound = Int(fields[1]) { noticed[fields[2]] = (fields[0], bound) }
    }
    return noticed
  }

  /// Tries what noticed the mutant the last time; then every scenario with few preemptions before any with more, but
  /// those of the mutant's own family first.
  private static func hunt(
    _ mutation: Mutation, on memory: MemoryModel, _ orders: Orders, atMost most: Int?, of family: String,
    _ candidates: [Scenario],
    before: (scenario: String, bound: Int)?, _ region: Region
  ) {
    let bounds = candidates.map { most ?? $0.bound }
    func explore(_ part: Int, _ bound: Int) -> Finding {
      region.part = part
      return Exploration(
        candidates[part], memory: memory, orders: orders, bound: bound, mutation: mutation, copy: region.schedule
      ).explore(from: bound)
    }
    if let (name, bound) = before, let part = candidates.firstIndex(where: { $0.name == name }),
      bound <= bounds[part]
    {
      let finding = explore(part, bound)
      if finding.failure != nil { return finding.write(to: region) }
    }
    var last = Finding()
    let relatives = candidates.prefix { $0.name.hasPrefix(family + "/") }.count
    for parts in [0..<relatives, relatives..<candidates.count] {
      for bound in 0...(bounds[parts].max() ?? 0) {
        for part in parts where bound <= bounds[part] {
          let finding = explore(part, bound)
          if finding.failure != nil { return finding.write(to: region) }
          last.hasUsedMutation = last.hasUsedMutation || finding.hasUsedMutation
        }
      }
    }
    last.write(to: region)
  }

  private mutating func report(_ mutant: Mutant, _ mutation: Mutation, _ candidates: [Scenario], _ ended: Ended) {
    var finding = Finding(of: ended)
    if ended.isOutOfTime { finding.failure = nil }
    guard let failure = finding.failure else {
      if let reason = mutant.reasonToStay { return print(pad(mutant.name, 52) + "stays: " + reason) }
      problems += 1
      let why =
        ended.isOutOfTime
        ? "not noticed in \(options.seconds) s"
        : finding.hasUsedMutation ? "no scenario notices it" : "no scenario comes there"
      print(pad(mutant.name, 52) + "SURVIVED: \(why) (\(mutation.site.file):\(mutation.site.line))")
      return
    }
    let scenario = candidates[ended.region.part]
    noticed.append("\(scenario.name) \(finding.bound) \(mutant.name)")
    let lines = schedule(of: scenario, mutation, finding.schedule)
    let steps = lines.count { !$0.hasPrefix("***") }
    if steps == lines.count { problems += 1 }
    print(
      pad(mutant.name, 52) + pad(scenario.name, 34) + right(finding.bound == 0 ? "" : "\(finding.bound)", 5)
        + right("\(steps)", 7) + right(format(finding.seconds), 9)
        + (steps == lines.count ? "  FAILED: its schedule does not fail again" : ""))
    guard options.isVerbose || steps == lines.count else { return }
    print("  \(failure)")
    for line in lines { print("    " + line) }
  }

  // MARK: Schedules

  /// A schedule as a list of steps: it is run again, in a child too, as it may crash again.
  private func schedule(of scenario: Scenario, _ mutation: Mutation?, _ schedule: Schedule) -> [String] {
    let memory = options.memory
    let lines = inChild(seconds: 20) { region in
      _ = Exploration(scenario, memory: memory, mutation: mutation).replay(schedule) { region.print("\($0)") }
    } done: { ended in
      ended.region.lines.map(String.init) + (ended.crash.map { ["*** \($0)"] } ?? [])
    }
    return shortened(lines)
  }

  /// A program without end needs not be read to its end.
  private func shortened(_ lines: [String]) -> [String] {
    lines.count <= 400 ? lines : lines.prefix(200) + ["... \(lines.count - 300) more steps ..."] + lines.suffix(100)
  }
}

private func print(_ line: String) { explorer_print(line + "\n") }

private func right(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(width - text.count, 1)) + text
}

private func format(_ seconds: Double) -> String {
  let hundredths = Int((seconds * 100).rounded())
  return "\(hundredths / 100)." + (hundredths % 100 < 10 ? "0" : "") + "\(hundredths % 100)"
}
