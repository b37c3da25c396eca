// What accounts for the difference of two profiles: functions of the program, ranked by how much of it began with them.

/// The difference of two profiles of one kind, by operation, and the call sites that it comes from.
///
/// Only functions of the program are named. What the library, the runtime and the system do belongs to the function
/// that called them, and what that function's own code does is with it: an added retain is a change of the function
/// that has it, not of `swift_retain`. Functions are the same on both sides where their names are, without types,
/// specialisations and the numbers of closures.
///
/// A function's costs change because it costs more each time, or because it is called more often. Going down from the
/// operation, calls that were added or dropped are charged to the caller, at what a call cost before; what the rest of
/// the calls cost more is charged to where, further down, it begins in the same way. So every unit of the difference is
/// charged once, and to the deepest place that can have caused it.
struct ProfileDifference {
  /// What has changed within a function of the program.
  struct Cause: Hashable {
    /// The function that it calls; `nil` for its own code.
    var callee: String?
    /// Change of the weight by operation.
    var delta: Double
    /// Change of the number of calls by operation, where that is known.
    var calls: Double?
  }

  /// A function of the program, and what of the difference began with it.
  struct Site: Hashable {
    /// The function.
    var function: String
    /// Its file, where debug information names it.
    var file: String?
    /// The line with most of the change, where debug information names it.
    var line: Int?
    /// The weight by operation that began with it, after less before.
    var delta: Double
    /// The same with all that it calls.
    var inclusive = 0.0
    /// What it consists of, the largest first.
    var causes: [Cause]
    /// Whether the compiler had put it into its caller before and does no longer.
    var isNoLongerInlined = false
    /// The function that the compiler has put it into, where it has.
    var host: String?
  }

  /// The kind of both profiles.
  let kind: Profile.Kind
  /// Weight by operation before.
  let before: Double
  /// Weight by operation after.
  let after: Double
  /// Where the difference comes from, those first that add most to it.
  private(set) var sites: [Site] = []

  /// After less before.
  var delta: Double { after - before }

  /// The share of the difference that a site explains: above 1 where others made up for some of it.
  func share(of site: Site) -> Double { delta == 0 ? 0 : site.delta / delta }

  /// How often functions are entered, by stack.
  typealias Entries = [[ProfileFrame]: InstructionProfile.Entries]

  /// Compares two profiles of one kind.
  ///
  /// - Parameters:
  ///   - base: The profile that is compared with.
  ///   - new: The profile that is explained.
  ///   - entries: How often the functions of each were entered, where that is known: without it, what is called more
  ///     often is charged as if it cost more.
  init(base: Profile, new: Profile, entries: (base: Entries, new: Entries) = ([:], [:])) {
    precondition(base.kind == new.kind, "profiles of two kinds have no difference")
    kind = new.kind
    let old = Tree(base, entries.base)
    let now = Tree(new, entries.new)
    before = old.root.inclusive
    after = now.root.inclusive
    var charges = Charges(known: old.root.names)
    charges.compare(old.root, now.root, times: 1)
    let sign: Double = after < before ? -1 : 1
    sites = charges.sites.sorted { ($1.delta * sign, $0.function) < ($0.delta * sign, $1.function) }
  }
}

extension ProfileDifference {
  /// A function of the program behind a chain of others.
  fileprivate final class Node {
    let name: String
    var frame: ProfileFrame?
    /// Weight of its own code by line.
    var lines: [Int: Double] = [:]
    /// Weight of its own code, and of what it calls of the library, by the latter's name; empty for its own.
    var causes: [String: Double] = [:]
    /// Calls of the library.
    var calls: [String: Double] = [:]
    /// Weight by the line of the caller that it is called from.
    var places: [Int: Double] = [:]
    var children: [String: Node] = [:]
    var inclusive = 0.0
    var entries = 0.0
    var size = 0
    var isCalled = false
    var isInlined = false

    init(_ name: String) { self.name = name }

    /// Names of all functions behind it.
    var names: Set<String> { children.values.reduce(into: [name]) { $0.formUnion($1.names) } }

    /// Whether another node is behind it.
    func holds(_ other: Node) -> Bool { children.values.contains { $0 === other || $0.holds(other) } }

    var own: Double { causes.values.reduce(0, +) }

    func child(_ name: String) -> Node {
      if let known = children[name] { return known }
      let made = Node(name)
      children[name] = made
      return made
    }
  }

  /// The functions of the program as a tree; recursive calls are those of the first.
  private struct Tree {
    let root = Node("")

    init(_ profile: Profile, _ entries: Entries) {
      let scale = 1 / profile.amount
      for (stack, weight) in profile.weights { add(Double(weight) * scale, stack) }
      for (stack, entry) in entries { enter(entry, scale, stack) }
    }

    private func add(_ weight: Double, _ stack: [ProfileFrame]) {
      var path = [root]
      var callee: ProfileFrame?
      var line = 0
      root.inclusive += weight
      for frame in stack {
        if frame.isLibrary {
          callee = callee ?? frame
          continue
        }
        let name = FunctionName.stable(frame.function)
        callee = nil
        if let place = path.firstIndex(where: { $0.name == name }) {
          path.removeSubrange((place + 1)...)
        } else {
          let node = path[path.count - 1].child(name)
          node.places[line, default: 0] += weight
          path.append(node)
          node.inclusive += weight
        }
        let node = path[path.count - 1]
        if node.frame?.line == nil { node.frame = frame }
        line = frame.line ?? 0
      }
      let owner = path[path.count - 1]
      owner.causes[callee?.function ?? "", default: 0] += weight
      owner.lines[line, default: 0] += weight
    }

    private func enter(_ entry: InstructionProfile.Entries, _ scale: Double, _ stack: [ProfileFrame]) {
      guard let last = stack.last else { return }
      var node = root
      var names: Set<String> = []
      var isBehindLibrary = false
      for frame in stack.dropLast() {
        isBehindLibrary = frame.isLibrary
        guard !frame.isLibrary else { continue }
        let name = FunctionName.stable(frame.function)
        if !names.insert(name).inserted { return }
        guard let child = node.children[name] else { return }
        node = child
      }
      if last.isLibrary {
        if last.isInlined { node.size += entry.size }
        if !isBehindLibrary { node.calls[last.function, default: 0] += entry.count * scale }
        return
      }
      let name = FunctionName.stable(last.function)
      guard !names.contains(name), let child = node.children[name] else { return }
      child.entries += entry.count * scale
      child.size += entry.size
      if entry.isCalled { child.isCalled = true }
      if last.isInlined { child.isInlined = true }
    }
  }

  /// What has been charged to whom.
  fileprivate struct Charges {
    fileprivate struct Charge {
      var frame: ProfileFrame?
      var delta = 0.0
      var inclusive = 0.0
      var lines: [Int: Double] = [:]
      var causes: [String: Double] = [:]
      var calls: [String: Double] = [:]
      var isNoLongerInlined = false
      var hosts: [String: Double] = [:]
    }

    private var charges: [String: Charge] = [:]
    /// Functions that are seen before.
    private let known: Set<String>

    /// Functions of both sides that are compared though they are not called by the same function.
    private var paired: Set<ObjectIdentifier> = []

    init(known: Set<String>) { self.known = known }

    /// - Parameters:
    ///   - times: How often the function runs for each time that it ran before: this has been charged.
    ///   - host: The function of the program that calls it.
    mutating func compare(_ base: Node, _ new: Node, times: Double, host: String = "") {
      var charge = Charge()
      charge.frame = new.frame
      charge.inclusive = new.inclusive - base.inclusive
      for (cause, weight) in new.causes { charge.causes[cause, default: 0] += weight }
      for (cause, weight) in base.causes { charge.causes[cause, default: 0] -= weight * times }
      for (cause, calls) in new.calls { charge.calls[cause, default: 0] += calls }
      for (cause, calls) in base.calls { charge.calls[cause, default: 0] -= calls * times }
      charge.lines = Self.difference(new.lines, base.lines, times: times)
      for (old, now) in pair(base, new) {
        let ratio = Self.ratio(old, now) ?? times
        let more = (ratio - times) * old.inclusive
        if more != 0 { charge.add(more, of: now.name, at: now, calls: now.entries - old.entries * times) }
        compare(old, now, times: ratio, host: new.name)
      }
      for name in Set(base.children.keys).union(new.children.keys).sorted() {
        switch (base.children[name], new.children[name]) {
        case (let old?, let now?):
          let ratio = Self.ratio(old, now) ?? times
          let more = (ratio - times) * old.inclusive
          if more != 0 { charge.add(more, of: name, at: now, calls: now.entries - old.entries * times) }
          compare(old, now, times: ratio, host: new.name)
        case (let old?, nil):
          charge.add(-times * remaining(old), of: name, at: old, calls: -times * old.entries)
        case (nil, let now?) where paired.contains(ObjectIdentifier(now)): break
        case (nil, let now?) where !now.isCalled && !known.contains(name):
          // Nothing of it is seen before: it is new, or had no code of its own. Either way it begins there.
          compare(Node(name), now, times: 1, host: new.name)
        case (nil, let now?): charge.add(remaining(now), of: name, at: now, calls: now.entries)
        case (nil, nil): break
        }
      }
      for (name, now) in new.children {
        guard let old = base.children[name], Self.lostInlining(old, now) else { continue }
        // What the caller's own code costs more is then the price of the calls:
        // of registers saved and loops not merged.
        let inlined = charge.causes.filter { $0.value > 0 && !(charge.calls[$0.key].map { abs($0) > 0.01 } ?? false) }
          .filter { base.children[$0.key] == nil && new.children[$0.key] == nil }
        let price = min(inlined.values.reduce(0, +), Self.callPrice * now.entries)
        let whole = inlined.values.reduce(0, +)
        for (cause, delta) in inlined where whole > 0 { charge.causes[cause] = delta * (1 - price / whole) }
        var moved = Charge()
        moved.causes = ["": price]
        moved.delta = price
        charges[name, default: Charge()].add(moved)
      }
      charge.delta = charge.causes.values.reduce(0, +)
      charge.isNoLongerInlined = Self.lostInlining(base, new)
      if new.isInlined, !new.isCalled, !host.isEmpty { charge.hosts[host] = charge.delta }
      charges[new.name, default: Charge()].add(charge)
    }

    /// How often several functions of the library are called for each time before,
    /// where it is one factor for all of them.
    private static func callRatio(_ base: Node, _ new: Node) -> Double? {
      let ratios = base.calls.compactMap { callee, calls in new.calls[callee].map { $0 / calls } }.sorted()
      guard ratios.count > 1, ratios.count == base.calls.count, ratios.count == new.calls.count,
        let low = ratios.first, let high = ratios.last, low > 0, high / low < 1.05
      else { return nil }
      return low
    }

    private static func lostInlining(_ base: Node, _ new: Node) -> Bool {
      base.isInlined && !base.isCalled && new.isCalled && !new.isInlined
    }

    /// Instructions that a call costs its caller at most.
    private static let callPrice = 12.0

    /// Finds functions that are there on both sides, but behind others: a function between them and their caller has
    /// been added or dropped, or bears another name.
    private mutating func pair(_ base: Node, _ new: Node) -> [(old: Node, now: Node)] {
      var lost: [String: Node] = [:]
      var waiting = base.children.values.filter { new.children[$0.name] == nil }
      while let node = waiting.popLast() {
        // The heaviest, where there are several.
        if lost[node.name].map({ $0.inclusive < node.inclusive }) ?? true { lost[node.name] = node }
        waiting += node.children.values
      }
      guard !lost.isEmpty else { return [] }
      var found: [(old: Node, now: Node)] = []
      waiting = new.children.values.filter { base.children[$0.name] == nil }.sorted { $0.name > $1.name }
      while let node = waiting.popLast() {
        if let old = lost.removeValue(forKey: node.name) {
          found.append((old, node))
        } else {
          waiting += node.children.values.sorted { $0.name > $1.name }
        }
      }
      // What is within one that has been paired is compared there.
      let outer = found.filter { pair in !found.contains { $0.old !== pair.old && $0.old.holds(pair.old) } }
      for (old, now) in outer {
        paired.insert(ObjectIdentifier(old))
        paired.insert(ObjectIdentifier(now))
      }
      return outer
    }

    /// The weight of a function with what it calls, less what is compared elsewhere.
    private func remaining(_ node: Node) -> Double {
      guard !paired.contains(ObjectIdentifier(node)) else { return 0 }
      return node.own + node.children.values.reduce(0) { $0 + remaining($1) }
    }

    /// How often a function is entered for each time before; `nil` where that can't be told.
    ///
    /// Of code that was put into its caller the entries are not counted. It has been entered more often where all of it
    /// ran more often, by one factor, and it is the same code: unrolling and vectors change how often code runs, too.
    private static func ratio(_ base: Node, _ new: Node) -> Double? {
      guard base.entries > 0, new.entries > 0 else { return nil }
      let ratio = new.entries / base.entries
      if base.isCalled, new.isCalled, !base.isInlined, !new.isInlined { return ratio }
      guard !base.isCalled, !new.isCalled, base.own > 0 else { return nil }
      if let ratio = callRatio(base, new) { return ratio }
      let growth = new.own / base.own
      let isSame = abs(new.size - base.size) <= max(1, base.size / 20)
      return abs(growth / ratio - 1) < 0.05 && isSame ? ratio : nil
    }

    /// Differences by line; those of the base are taken to have moved with the function's first line.
    private static func difference(_ new: [Int: Double], _ base: [Int: Double], times: Double) -> [Int: Double] {
      let first = { (lines: [Int: Double]) in lines.keys.filter { $0 > 0 }.min() ?? 0 }
      let shift = first(new) - first(base)
      var lines = new
      for (line, weight) in base { lines[line > 0 ? line + shift : 0, default: 0] -= weight * times }
      return lines
    }

    /// The sites, in no order; what is within the rounding is left out.
    var sites: [Site] {
      charges.compactMap { name, charge in
        guard !name.isEmpty, abs(charge.delta) >= 0.01 else { return nil }
        let line = charge.lines.filter { $0.key > 0 }.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        let causes = charge.causes.filter { abs($0.value) >= 0.01 }.map { callee, delta in
          Cause(callee: callee.isEmpty ? nil : callee, delta: delta, calls: charge.calls[callee])
        }
        return Site(
          function: charge.frame?.function ?? name, file: charge.frame?.file, line: line, delta: charge.delta,
          inclusive: charge.inclusive,
          causes: causes.sorted { (abs($1.delta), $0.callee ?? "") < (abs($0.delta), $1.callee ?? "") },
          isNoLongerInlined: charge.isNoLongerInlined,
          host: charge.hosts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key)
      }
    }
  }
}

extension ProfileDifference.Charges.Charge {
  /// Charges calls of a function of the program.
  fileprivate mutating func add(_ delta: Double, of callee: String, at node: ProfileDifference.Node, calls: Double) {
    causes[callee, default: 0] += delta
    if node.isCalled { self.calls[callee, default: 0] += calls }
    let whole = node.places.values.reduce(0, +)
    for (line, weight) in node.places where whole > 0 { lines[line, default: 0] += delta * weight / whole }
  }

  /// Adds what was charged to the same function behind another chain.
  fileprivate mutating func add(_ other: Self) {
    frame = frame?.line == nil ? other.frame : frame
    delta += other.delta
    inclusive += other.inclusive
    lines.merge(other.lines, uniquingKeysWith: +)
    causes.merge(other.causes, uniquingKeysWith: +)
    calls.merge(other.calls, uniquingKeysWith: +)
    hosts.merge(other.hosts, uniquingKeysWith: +)
    isNoLongerInlined = isNoLongerInlined || other.isNoLongerInlined
  }
}

extension ProfileDifference.Site {
  /// Its file and line, and the function that it was put into; empty where nothing is known.
  var place: String {
    let source = [file, line.map { "\($0)" }].compactMap(\.self).joined(separator: ":")
    return [source.isEmpty ? nil : source, host.map { "inlined into \($0)" }].compactMap(\.self).joined(separator: ", ")
  }

  /// What it does more, and less, in words: the largest first.
  var words: [String] {
    let inlining = isNoLongerInlined ? ["is no longer inlined"] : []
    return inlining
      + causes.prefix(3).map { cause in
        guard let callee = cause.callee else { return "own code \(Explanation.signed(cause.delta))" }
        guard let calls = cause.calls, abs(calls) >= 0.05 else { return "\(callee) \(Explanation.signed(cause.delta))" }
        return "\(callee) \(Explanation.signed(cause.delta)) (\(Explanation.plural(calls, "calls")))"
      }
  }
}

extension ProfileDifference {
  /// The difference as lines of text, with the functions that account for most of it.
  var lines: [String] {
    let head =
      "against \(ProfileTable.quantity(before)) \(kind.unit) by operation: \(Explanation.plural(delta, kind.unit))"
    return [head]
      + sites.filter { share(of: $0) >= 0.05 }.prefix(5).map { site in
        return "\(Explanation.signed(site.delta)) \(site.function)\(site.place.isEmpty ? "" : " (\(site.place))"), "
          + "\(boundedCount(share(of: site) * 100)) %: \(site.words.joined(separator: ", "))"
      }
  }
}
