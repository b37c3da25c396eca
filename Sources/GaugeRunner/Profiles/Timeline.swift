// What happened within a few operations of a benchmark, event by event: blocks with numbers in place of addresses,
// waits with their ends, and who ended them.

/// The events of some operations, in order.
struct Timeline: Sendable {
  /// What an event is.
  enum Kind: String, CaseIterable, Sendable {
    /// A block is allocated.
    case allocate
    /// A block is reallocated.
    case reallocate
    /// A block is freed.
    case free
    /// An object is retained.
    case retain
    /// An object is released.
    case release
    /// A thread begins to wait.
    case wait
    /// A thread goes on.
    case resume
    /// A thread ends waits for something.
    case wake

    /// Whether it is an event of the heap.
    var isOfHeap: Bool { self == .allocate || self == .reallocate || self == .free }
  }

  /// One event.
  struct Event: Hashable, Sendable {
    /// Its operation, counted from 1 for the first that was recorded.
    var operation: Int
    /// Nanoseconds from the begin of the first operation.
    var time: Int
    /// Place of the thread.
    var thread: Int
    /// What it is.
    var kind: Kind
    /// Place of the block or object; `nil` for none.
    var block: Int?
    /// Bytes that were asked for, or how often an object was retained or released; 0 where neither is known.
    var size = 0
    /// Bytes before, of a reallocation of a known block.
    var oldSize: Int?
    /// Whether there was no memory for a reallocation.
    var hasFailed = false
    /// What is waited for.
    var object: String?
    /// Place of the wait.
    var wait: Int?
    /// The functions, from the root to the leaf.
    var stack: [ProfileFrame] = []

    /// Where it is in the program: the innermost function of the program's own, with a line if one has any.
    var site: ProfileFrame? {
      stack.last { !$0.isLibrary && $0.line != nil } ?? stack.last { !$0.isLibrary } ?? stack.last
    }
  }

  /// A block of memory, or an object that was there before.
  struct Block: Hashable, Sendable {
    /// Its name: it counts from 1 in the order of the first events.
    var number: Int
    /// Bytes that were asked for last; `nil` for a block from before.
    var size: Int?
    /// Name of the type of the object in it.
    var type: String?
    /// Nanoseconds to its allocation; `nil` for a block from before.
    var begin: Int?
    /// Nanoseconds to its end; `nil` for a block that outlives the operations.
    var end: Int?
    /// Whether it was freed while nothing was recorded: its end is when its address was another block's.
    var endedUnseen = false

    /// Whether its life is known at one end at least.
    var hasLife: Bool { begin != nil || end != nil }
  }

  /// A wait.
  struct Wait: Hashable, Sendable {
    /// Place of the thread.
    var thread: Int
    /// What it is for.
    var object: String
    /// Nanoseconds to its begin; `nil` for a wait from before.
    var begin: Int?
    /// Nanoseconds to its end; `nil` for one that outlasts the operations.
    var end: Int?
    /// Place of the event by which another thread ended it; `nil` where nobody is known to have.
    var waker: Int?
  }

  /// A thread.
  struct Thread: Hashable, Sendable {
    /// Its name; empty where it is unknown.
    var name: String
    /// The system's number.
    var id: UInt64
  }

  /// The benchmark.
  var title: String
  /// The first operation, counted from 1 behind the warm-up.
  var firstOperation = 1
  /// Nanoseconds to the begin and the end of each operation.
  var operations: [Range<Int>] = []
  /// The threads, in the order of their first events; the one that measures is the first.
  var threads: [Thread] = []
  /// The events.
  var events: [Event] = []
  /// The blocks, in the order of their numbers.
  var blocks: [Block] = []
  /// The waits, in the order of their begins.
  var waits: [Wait] = []
  /// Events that there was no room for, behind those that there are: what lives at the end isn't known then.
  var lost = 0
  /// What is missing, and why.
  var notes: [String] = []

  /// Nanoseconds to the end of the last operation.
  var span: Int { max(operations.last?.upperBound ?? 0, events.last?.time ?? 0) }

  /// Bytes of blocks that were allocated within the operations and are there still, behind each event of the heap.
  var liveBytes: [(time: Int, bytes: Int)] {
    var bytes = 0
    var known: [Int: Int] = [:]
    return events.compactMap { event in
      guard event.kind.isOfHeap, let block = event.block else { return nil }
      switch event.kind {
      case .allocate: known[block] = event.size
      case .reallocate where known[block] != nil && !event.hasFailed:
        bytes -= known[block] ?? 0
        known[block] = event.size
      case .free:
        bytes -= known.removeValue(forKey: block) ?? 0
        return (event.time, bytes)
      default: return (event.time, bytes)
      }
      bytes += event.size
      return (event.time, bytes)
    }
  }

  /// How many events are of a kind, of retains and releases how often.
  func count(_ kind: Kind) -> Int {
    events.reduce(0) {
      $0 + ($1.kind != kind ? 0 : kind == .retain || kind == .release ? max(1, $1.size) : 1)
    }
  }
}

extension Timeline {
  /// Makes a timeline of what was recorded.
  ///
  /// - Parameters:
  ///   - record: The events.
  ///   - stacks: The functions of each stack, from the root to the leaf; `nil` for what the harness does by itself.
  ///   - types: Names of types, and of causes of waits.
  ///   - title: The benchmark.
  init(_ record: TimelineRecord, stacks: [[ProfileFrame]?], types: [UInt64: String], title: String) {
    var builder = TimelineBuilder(stacks: stacks, types: types, title: title)
    builder.build(record)
    self = builder.timeline
  }
}

/// Reads events one after the other.
private struct TimelineBuilder {
  let stacks: [[ProfileFrame]?]
  let types: [UInt64: String]
  var timeline: Timeline
  private var threads: [UInt64: Int] = [:]
  /// Blocks by their addresses.
  private var live: [UInt64: Int] = [:]
  /// Blocks that threads are reallocating, and where these were.
  private var moving: [UInt64: (block: Int, address: UInt64)] = [:]
  /// Waits of threads that last; `nil` for the harness's.
  private var lasting: [UInt64: Int?] = [:]
  /// What is waited for, by address.
  private var objects: [UInt64: String] = [:]
  private var causes: [UInt64: UInt64] = [:]
  private var objectCounts: [String: Int] = [:]
  /// The last event that ended waits for an object.
  private var wakes: [UInt64: Int] = [:]
  private var begin: Int?
  private var stragglers = 0

  init(stacks: [[ProfileFrame]?], types: [UInt64: String], title: String) {
    self.stacks = stacks
    self.types = types
    timeline = Timeline(title: title)
  }

  mutating func build(_ record: TimelineRecord) {
    let names = Dictionary(record.threads.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    for event in record.events where event.address != 0 && (event.kind == .beginWaiting || event.kind == .endWaiting) {
      causes[event.address] = event.type
    }
    for event in record.events {
      switch event.kind {
      case .beginOperation:
        _ = thread(event.thread)
        begin = event.time
      case .endOperation:
        if let begin { timeline.operations.append(begin..<max(begin, event.time)) }
        begin = nil
      default: take(event)
      }
    }
    if let begin { timeline.operations.append(begin..<max(begin, record.events.last?.time ?? begin)) }
    for (id, place) in threads { timeline.threads[place].name = names[id] ?? "" }
    note(record)
  }

  private mutating func note(_ record: TimelineRecord) {
    if record.lost > 0 {
      timeline.lost = record.lost
      let marks = record.events.count { $0.kind == .beginOperation || $0.kind == .endOperation }
      timeline.notes.append(
        "\(record.lost) events beyond the first \(record.events.count - marks) were left out: there was no room for more"
      )
    }
    if stragglers > 0 {
      timeline.notes.append("\(stragglers) events of other threads were left out: they came as an operation had ended")
    }
    if !moving.isEmpty {
      timeline.notes.append("\(moving.count) reallocations were not over as the operation ended, and are left out")
    }
  }

  private mutating func thread(_ id: UInt64) -> Int {
    if let known = threads[id] { return known }
    threads[id] = timeline.threads.count
    timeline.threads.append(Timeline.Thread(name: "", id: id))
    return timeline.threads.count - 1
  }

  private mutating func take(_ event: TimelineRecord.Event) {
    let stack = event.stack.map { stacks.indices.contains($0) ? stacks[$0] : [] } ?? []
    guard begin != nil, let stack else {
      if begin == nil { stragglers += 1 }
      follow(event)
      return
    }
    switch event.kind {
    case .allocate, .free, .beginReallocating, .endReallocating: takeHeap(event, stack)
    case .retain, .release: takeReference(event, stack)
    case .beginWaiting, .endWaiting, .wake: takeWait(event, stack)
    case .beginOperation, .endOperation: break
    }
  }

  /// An event that is no part of the timeline, but of what later ones are of.
  private mutating func follow(_ event: TimelineRecord.Event) {
    switch event.kind {
    case .allocate: close(event.address, at: event.time)
    case .free: close(event.address, at: event.time)
    case .beginReallocating: close(event.address, at: event.time)
    case .endReallocating:
      moving[event.thread] = nil
      if event.address != 0 { close(event.address, at: event.time) }
    case .beginWaiting: lasting[event.thread] = .some(nil)
    case .endWaiting:
      if let wait = lasting.removeValue(forKey: event.thread), let wait { timeline.waits[wait].end = event.time }
    case .retain, .release, .wake, .beginOperation, .endOperation: break
    }
  }

  /// The block of an address is gone: nobody has seen how.
  private mutating func close(_ address: UInt64, at time: Int) {
    guard let block = live.removeValue(forKey: address) else { return }
    timeline.blocks[block].end = time
    timeline.blocks[block].endedUnseen = true
  }

  private mutating func append(
    _ kind: Timeline.Kind, _ event: TimelineRecord.Event, _ stack: [ProfileFrame],
    _ change: (inout Timeline.Event) -> Void = { _ in }
  ) {
    var made = Timeline.Event(
      operation: timeline.operations.count + 1, time: event.time, thread: thread(event.thread), kind: kind,
      stack: stack)
    change(&made)
    timeline.events.append(made)
  }

  // MARK: Blocks

  private mutating func newBlock(at address: UInt64, _ size: Int? = nil, begin: Int? = nil, type: UInt64 = 0) -> Int {
    timeline.blocks.append(
      Timeline.Block(number: timeline.blocks.count + 1, size: size, type: types[type], begin: begin))
    live[address] = timeline.blocks.count - 1
    return timeline.blocks.count - 1
  }

  private mutating func takeHeap(_ event: TimelineRecord.Event, _ stack: [ProfileFrame]) {
    switch event.kind {
    case .allocate:
      close(event.address, at: event.time)
      let block = newBlock(at: event.address, event.size, begin: event.time, type: event.type)
      append(.allocate, event, stack) {
        $0.block = block
        $0.size = event.size
      }
    case .free:
      let block = live[event.address] ?? newBlock(at: event.address)
      live[event.address] = nil
      end(block, event, stack)
    case .beginReallocating:
      let block = live[event.address] ?? newBlock(at: event.address)
      live[event.address] = nil
      moving[event.thread] = (block, event.address)
    default: endReallocating(event, stack)
    }
  }

  private mutating func end(_ block: Int, _ event: TimelineRecord.Event, _ stack: [ProfileFrame]) {
    timeline.blocks[block].end = event.time
    let size = timeline.blocks[block].size ?? 0
    append(.free, event, stack) {
      $0.block = block
      $0.size = size
    }
  }

  private mutating func endReallocating(_ event: TimelineRecord.Event, _ stack: [ProfileFrame]) {
    let moved = moving.removeValue(forKey: event.thread)
    if event.address == 0 {
      // Without a beginning nobody knows of which block.
      guard let moved else { return }
      // Nothing is left of a block that is made one of no bytes; one that there was no memory for stays.
      if event.size == 0 { return end(moved.block, event, stack) }
      live[moved.address] = moved.block
      append(.reallocate, event, stack) {
        $0.block = moved.block
        $0.size = event.size
        $0.hasFailed = true
      }
      return
    }
    close(event.address, at: event.time)
    let block = moved?.block ?? newBlock(at: event.address)
    live[event.address] = block
    let oldSize = timeline.blocks[block].size
    timeline.blocks[block].size = event.size
    append(.reallocate, event, stack) {
      $0.block = block
      $0.size = event.size
      $0.oldSize = oldSize
    }
  }

  private mutating func takeReference(_ event: TimelineRecord.Event, _ stack: [ProfileFrame]) {
    var block: Int?
    if event.address != 0 {
      let known = live[event.address] ?? newBlock(at: event.address)
      if timeline.blocks[known].type == nil { timeline.blocks[known].type = types[event.type] }
      block = known
    }
    append(event.kind == .retain ? .retain : .release, event, stack) {
      $0.block = block
      $0.size = event.size
    }
  }

  // MARK: Waits

  /// The name of what is waited for: its cause, and a number where it is a thing.
  private mutating func object(_ address: UInt64, _ cause: UInt64) -> String {
    let name = types[cause] ?? "unknown"
    guard address != 0 else { return name }
    if let known = objects[address] { return known }
    objectCounts[name, default: 0] += 1
    let object = "\(name) \(objectCounts[name] ?? 0)"
    objects[address] = object
    return object
  }

  private mutating func takeWait(_ event: TimelineRecord.Event, _ stack: [ProfileFrame]) {
    switch event.kind {
    case .beginWaiting:
      let object = object(event.address, event.type)
      timeline.waits.append(Timeline.Wait(thread: thread(event.thread), object: object, begin: event.time))
      let wait = timeline.waits.count - 1
      lasting[event.thread] = .some(wait)
      append(.wait, event, stack) {
        $0.object = object
        $0.wait = wait
      }
    case .endWaiting: endWait(event, stack)
    default:
      // What nobody waits for here had its waiters before, or has the place of such a thing in a table.
      guard let cause = causes[event.address] else { return }
      let object = object(event.address, cause)
      append(.wake, event, stack) { $0.object = object }
      wakes[event.address] = timeline.events.count - 1
    }
  }

  private mutating func endWait(_ event: TimelineRecord.Event, _ stack: [ProfileFrame]) {
    let object = object(event.address, event.type)
    let thread = thread(event.thread)
    let place: Int
    switch lasting.removeValue(forKey: event.thread) {
    case .some(nil): return
    case .some(let known?): place = known
    case nil:
      timeline.waits.append(Timeline.Wait(thread: thread, object: object))
      place = timeline.waits.count - 1
    }
    timeline.waits[place].end = event.time
    if event.size == 0, let waker = wakes[event.address], timeline.events[waker].thread != thread,
      timeline.events[waker].time >= timeline.waits[place].begin ?? 0
    {
      timeline.waits[place].waker = waker
    }
    append(.resume, event, stack) {
      $0.object = object
      $0.wait = place
    }
  }
}
