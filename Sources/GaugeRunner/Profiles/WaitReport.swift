// From single waits to what a reader asks: where each thread's time went,
// and what the measured thread really waited for.

/// What the waits of a launch come to.
struct WaitReport: Sendable {
  /// What is known of a stack that waits, or that ends waits.
  struct Place: Hashable, Sendable {
    /// Whose wait it is.
    enum Owner: Hashable, Sendable {
      /// The program that is measured.
      case program
      /// A thread of a pool, or of a library, that has nothing to do.
      case idle
      /// The harness.
      case harness
    }

    /// Whose wait it is.
    var owner: Owner
    /// What it waits for, where the stack knows better than the call: `dispatch`.
    var cause: String?
    /// The innermost function of the program, `nil` where there is none.
    var function: ProfileFrame?
    /// Who calls it.
    var caller: ProfileFrame?
  }

  /// Where the time of a thread went, in nanoseconds.
  struct ThreadTime: Hashable, Sendable {
    /// Its name, with its number.
    var name: String
    /// Within the recording.
    var span = 0.0
    var running = 0.0
    /// Without a processor that it could have used.
    var ready = 0.0
    /// By cause, those that are `idle` or the `harness`'s by these names.
    var waiting: [String: Double] = [:]
    /// The rest: waits that nobody has seen.
    var unseen: Double { span - running - ready - waiting.values.reduce(0, +) }
  }

  /// A wait for something, wherever it happens.
  struct Site: Hashable, Sendable {
    /// Name of what is waited for.
    var cause: String
    /// Where the thread waits.
    var function: ProfileFrame?
    /// Who calls that.
    var caller: ProfileFrame?
    /// Where the thread that ended the wait was.
    var waker: ProfileFrame?
    /// Whether that was a thread of a pool which was through with its work.
    var isEndedByPool = false
    /// Who had woken that thread to do it.
    var poolWaker: ProfileFrame?
  }

  /// What was waited for, in the end.
  struct Entry: Hashable, Sendable {
    /// The wait that others are due to.
    var site: Site
    /// Nanoseconds.
    var time: Double
    /// The waits that this one has lengthened, from the outermost on.
    var chain: [Site]
  }

  /// Where the time of each thread went: that of the thread that measures first, then by their spans.
  private(set) var threads: [ThreadTime] = []
  /// What was waited for in the end, the longest first; waits for the ends of threads behind all others, unless these
  /// are hardly any.
  private(set) var entries: [Entry] = []
  /// Nanoseconds of waiting that the entries account for.
  private(set) var waited = 0.0
  /// Nanoseconds of the threads whose waits these are.
  private(set) var span = 0.0
  /// Whether they are the waits of the one thread that measures, and of those that it waits for.
  private(set) var isOfMeasuringThread = false
  /// Error number of the system for which the time that threads stood ready is unknown; 0 where it is known.
  let unaccounted: Int32
  /// Waits that the entries leave out, as they were too many to list.
  let unlisted: Int

  /// How many waits deep a wait is followed.
  static let deepest = 8
  /// Waits of a piece of work in a pool that are looked through, at most, for who has begun it.
  private static let mostBeforeIdle = 64
  /// Waits that are looked at, at most.
  private static let mostSteps = 4_000_000

  private let record: WaitRecord
  private var sites: [Site]
  private let owners: [Place.Owner]
  private let waitsOfThread: [[Int]]
  private let threadsOfMaker: [[Int]]
  private var tree: [Node] = [Node(parent: -1, site: Site(cause: ""), time: 0)]
  private var nodes: [NodeKey: Int] = [:]
  private var steps = 0

  private struct Node {
    var parent: Int
    var site: Site
    var time: Double
  }

  private struct NodeKey: Hashable {
    var parent: Int
    var site: Site
  }

  /// Makes a report.
  ///
  /// - Parameters:
  ///   - record: The waits.
  ///   - causes: Their names, by number.
  ///   - places: What is known of each stack.
  ///   - measuringThread: The system's number of the thread that measures; `nil` where it isn't a single one.
  /// - Complexity: O(n log n) in the number of waits, for programs; at most 4 million waits are looked at.
  init(_ record: WaitRecord, causes: [UInt64: String], places: [Place], measuringThread: UInt64?) {
    self.record = record
    unaccounted = record.unaccounted
    unlisted = record.unlisted
    func place(_ stack: Int?) -> Place? { stack.flatMap { places.indices.contains($0) ? places[$0] : nil } }
    sites = record.waits.map { wait in
      let (here, waker) = (place(wait.stack), place(wait.wakerStack))
      return Site(
        cause: here?.cause ?? causes[wait.cause] ?? "unknown", function: here?.function, caller: here?.caller,
        waker: waker?.function)
    }
    owners = record.waits.map { place($0.stack)?.owner ?? .program }
    var waitsOfThread = [[Int]](repeating: [], count: record.threads.count)
    for index in record.waits.indices { waitsOfThread[record.waits[index].thread].append(index) }
    for thread in waitsOfThread.indices {
      waitsOfThread[thread].sort { record.waits[$0].start < record.waits[$1].start }
    }
    self.waitsOfThread = waitsOfThread
    var threadsOfMaker = [[Int]](repeating: [], count: record.threads.count)
    for (index, thread) in record.threads.enumerated() {
      if let maker = thread.maker { threadsOfMaker[maker].append(index) }
    }
    self.threadsOfMaker = threadsOfMaker
    for (index, wait) in record.waits.enumerated() where place(wait.wakerStack)?.owner == .idle {
      sites[index].isEndedByPool = true
      sites[index].poolWaker = lastIdle(before: wait).flatMap { place(record.waits[$0].wakerStack)?.function }
    }
    let measuring = measuringThread.flatMap { id in record.threads.firstIndex { $0.id == id } }
    countThreads(measuring)
    follow(measuring)
  }

  /// The newest wait for work of the thread that has ended a wait.
  private func lastIdle(before wait: WaitRecord.Wait) -> Int? {
    guard let waits = wait.waker.map({ waitsOfThread[$0] }) else { return nil }
    let end = firstThatEnds(after: wait.woken, in: waits)
    return waits[..<end].suffix(Self.mostBeforeIdle).last { owners[$0] == .idle }
  }

  // MARK: Threads

  private mutating func countThreads(_ measuring: Int?) {
    var times = record.threads.map { thread in
      ThreadTime(
        name: thread.name.isEmpty ? "\(thread.id)" : "\(thread.name) \(thread.id)",
        span: Double(thread.end - thread.start), running: Double(thread.running), ready: Double(thread.ready))
    }
    var listed = [Double](repeating: 0, count: times.count)
    for (index, wait) in record.waits.enumerated() {
      let cause =
        switch owners[index] {
        case .program: sites[index].cause
        case .idle: "idle"
        case .harness: "harness"
        }
      times[wait.thread].waiting[cause, default: 0] += Double(wait.blocked)
      listed[wait.thread] += Double(wait.blocked)
    }
    for (index, thread) in record.threads.enumerated() where Double(thread.waiting) > listed[index] {
      times[index].waiting["unlisted", default: 0] += Double(thread.waiting) - listed[index]
    }
    let order = times.indices.sorted {
      ($0 == measuring ? 0 : 1, times[$1].span, record.threads[$0].id)
        < ($1 == measuring ? 0 : 1, times[$0].span, record.threads[$1].id)
    }
    threads = order.map { times[$0] }
  }

  /// All threads together.
  var allThreads: ThreadTime {
    threads.reduce(into: ThreadTime(name: "all threads")) { sum, thread in
      sum.span += thread.span
      sum.running += thread.running
      sum.ready += thread.ready
      sum.waiting.merge(thread.waiting, uniquingKeysWith: +)
    }
  }

  // MARK: Chains

  /// Below which part of its time a thread that measures is held not to wait.
  private static let leastShare = 0.01

  /// The part of all waiting from which on what threads wait for is told before the waits for their ends: what remains
  /// of these is work.
  private static let leastOfOthers = 0.1

  private mutating func follow(_ measuring: Int?) {
    if let measuring {
      span = Double(record.threads[measuring].end - record.threads[measuring].start)
      follow(waitsOfThread[measuring])
      isOfMeasuringThread = waited > span * Self.leastShare
    }
    if !isOfMeasuringThread {
      // It doesn't wait, or there are several: what each thread waits for counts.
      tree = [tree[0]]
      (nodes, steps, waited) = ([:], 0, 0)
      span = record.threads.reduce(0) { $0 + Double($1.end - $1.start) }
      for waits in waitsOfThread { follow(waits) }
    }
    var entries: [Site: Entry] = [:]
    var longest: [Site: Double] = [:]
    for node in tree.dropFirst() where node.time > 0 {
      var chain: [Site] = []
      var next = node.parent
      while next > 0 {
        chain.append(tree[next].site)
        next = tree[next].parent
      }
      entries[node.site, default: Entry(site: node.site, time: 0, chain: [])].time += node.time
      if node.time > longest[node.site, default: 0] {
        longest[node.site] = node.time
        entries[node.site]?.chain = chain.reversed()
      }
    }
    let sorted = entries.values.sorted {
      ($1.time, Self.text(of: $0.site)) < ($0.time, Self.text(of: $1.site))
    }
    let (joins, others) = (sorted.filter { $0.site.cause == "join" }, sorted.filter { $0.site.cause != "join" })
    let isWork = others.reduce(0) { $0 + $1.time } >= waited * Self.leastOfOthers
    self.entries = isWork ? others + joins : sorted
    (tree, nodes) = ([], [:])
  }

  private static func text(of site: Site) -> String { "\(site.cause) \(site.function?.function ?? "")" }

  private mutating func follow(_ waits: [Int]) {
    for index in waits where owners[index] == .program {
      let wait = record.waits[index]
      waited += Double(wait.blocked)
      let span = Double(wait.end - wait.start)
      let scale = span > 0 ? Double(wait.blocked) / span : 0
      spread(index, from: wait.start, to: wait.end, scale: scale, under: 0, depth: 0)
    }
  }

  /// Says what a part of a wait was due to.
  ///
  /// - Parameters:
  ///   - start: Begin of the part.
  ///   - end: Its end.
  ///   - scale: What a nanosecond of it counts.
  ///   - parent: The wait that this one lengthens, in the tree.
  ///   - depth: How many of these there are.
  private mutating func spread(_ index: Int, from start: Int, to end: Int, scale: Double, under parent: Int, depth: Int)
  {
    let key = NodeKey(parent: parent, site: sites[index])
    let node = nodes[key] ?? tree.count
    if node == tree.count {
      nodes[key] = node
      tree.append(Node(parent: parent, site: sites[index], time: 0))
    }
    let wait = record.waits[index]
    guard depth < Self.deepest, let waker = wait.waker, waker != wait.thread else {
      tree[node].time += Double(end - start) * scale
      return
    }
    if sites[index].cause != "join" {
      spread(over: waker, from: start, to: end, scale: scale, under: node, depth: depth)
      return
    }
    // Who waits for threads one after the other waits for all of them: what any of these waits for is as much a reason.
    let members = members(with: waker, from: start, to: end)
    let moments = Set(members.flatMap { [record.threads[$0].start, record.threads[$0].end] } + [start, end])
      .filter { start...end ~= $0 }.sorted()
    for (from, to) in zip(moments, moments.dropFirst()) {
      let present = members.filter { record.threads[$0].start <= from && record.threads[$0].end >= to }
      for member in present {
        spread(over: member, from: from, to: to, scale: scale / Double(present.count), under: node, depth: depth)
      }
      if present.isEmpty { tree[node].time += Double(to - from) * scale }
    }
  }

  /// The threads that a thread waits for which waits for the end of one: those of the same maker that end, too.
  private mutating func members(with thread: Int, from start: Int, to end: Int) -> [Int] {
    guard let maker = record.threads[thread].maker else { return [thread] }
    steps += threadsOfMaker[maker].count
    return threadsOfMaker[maker].filter { member in
      let times = record.threads[member]
      return member == thread || times.end < record.span && times.start < end && times.end > start
    }
  }

  /// Says what a part of a wait was due to that a thread has lengthened: to what that waited for,
  /// and to itself for the rest.
  private mutating func spread(
    over thread: Int, from start: Int, to end: Int, scale: Double, under node: Int, depth: Int
  ) {
    var own = end - start
    let others = waitsOfThread[thread]
    var place = firstThatEnds(after: start, in: others)
    while place < others.count, steps < Self.mostSteps {
      let other = record.waits[others[place]]
      guard other.start < end else { break }
      steps += 1
      let (from, to) = (max(start, other.start), min(end, other.woken))
      if from < to, own >= to - from, owners[others[place]] == .program {
        own -= to - from
        spread(others[place], from: from, to: to, scale: scale, under: node, depth: depth + 1)
      }
      place += 1
    }
    tree[node].time += Double(own) * scale
  }

  private func firstThatEnds(after moment: Int, in waits: [Int]) -> Int {
    var (low, high) = (0, waits.count)
    while low < high {
      let middle = (low + high) / 2
      if record.waits[waits[middle]].end <= moment { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
