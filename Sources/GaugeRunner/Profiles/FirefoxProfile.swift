// Timelines for the Firefox Profiler (https://profiler.firefox.com), in version 58 of its processed format.

/// The processed format of the Firefox Profiler.
///
/// Each event is a sample with its stack and a marker; allocations are its table of native allocations, by which it
/// shows what is left; the bytes that live are a counter. Times are in milliseconds.
struct FirefoxProfile {
  /// The version of the format.
  static let version = 58

  private typealias Fields = [(name: String, value: JSONText)]
  private let timeline: Timeline
  private var strings: [String: Int] = [:]
  private var texts: [JSONText] = []
  private var sources: [String: Int] = [:]
  private var sourceNames: [JSONText] = []

  /// A timeline as one file.
  static func text(_ timeline: Timeline) -> String {
    var profile = FirefoxProfile(timeline: timeline)
    return profile.file().text() + "\n"
  }

  private init(timeline: Timeline) { self.timeline = timeline }

  private mutating func string(_ text: String) -> JSONText {
    if let known = strings[text] { return .number(Double(known)) }
    strings[text] = texts.count
    texts.append(.string(text))
    return .number(Double(texts.count - 1))
  }

  private mutating func source(_ file: String?) -> JSONText {
    guard let file else { return .null }
    if let known = sources[file] { return .number(Double(known)) }
    sources[file] = sourceNames.count
    sourceNames.append(string(file))
    return .number(Double(sourceNames.count - 1))
  }

  private static func number(_ value: Int?) -> JSONText { value.map { .number(Double($0)) } ?? .null }
  private static func time(_ nanoseconds: Int) -> JSONText { .number(Double(nanoseconds) / 1e6) }

  private mutating func file() -> JSONText {
    var threads: [JSONText] = []
    for place in timeline.threads.indices { threads.append(thread(place)) }
    let bytes = [(time: 0, bytes: 0)] + timeline.liveBytes
    // A counter tells by how much it changes.
    let changes = zip(bytes, [(time: 0, bytes: 0)] + bytes).map { $0.bytes - $1.bytes }
    let counter = JSONText.object([
      ("name", "malloc"), ("category", "Memory"), ("description", "Bytes of blocks that the operation has allocated"),
      ("pid", "1"), ("mainThreadIndex", 0),
      (
        "samples",
        .object([
          ("time", .array(bytes.map { Self.time($0.time) })), ("count", .array(changes.map { .number(Double($0)) })),
          ("length", .number(Double(bytes.count))),
        ])
      ),
    ])
    return .object([
      ("meta", meta), ("libs", .array([])), ("counters", .array(threads.isEmpty ? [] : [counter])),
      (
        "shared",
        .object([
          ("stringArray", .array(texts)),
          (
            "sources",
            .object([
              ("uuid", .array(sourceNames.map { _ in .null })), ("filename", .array(sourceNames)),
              ("length", .number(Double(sourceNames.count))),
            ])
          ),
        ])
      ),
      ("threads", .array(threads)),
    ])
  }

  // MARK: What it is about

  private var meta: JSONText {
    let categories = [("Other", "grey"), ("Program", "yellow"), ("Library", "lightblue")].map { name, colour in
      JSONText.object([
        ("name", .string(name)), ("color", .string(colour)), ("subcategories", .array(["Other"])),
      ])
    }
    let notes: [JSONText] =
      timeline.notes.isEmpty
      ? []
      : [
        .object([
          ("label", "Notes"),
          (
            "entries",
            .array(
              timeline.notes.enumerated().map { place, note in
                .object([("label", .string("\(place + 1)")), ("format", "string"), ("value", .string(note))])
              })
          ),
        ])
      ]
    return .object([
      ("interval", .number(0.001)), ("startTime", 0), ("endTime", Self.time(timeline.span)), ("processType", 0),
      ("categories", .array(categories)), ("product", .string(timeline.title)), ("importedFrom", "gauge"),
      ("stackwalk", 1), ("debug", .boolean(false)), ("version", 31),
      ("preprocessedProfileVersion", .number(Double(Self.version))), ("symbolicated", .boolean(true)),
      ("symbolicationNotSupported", .boolean(true)), ("usesOnlyOneStackType", .boolean(true)),
      ("sourceCodeIsNotOnSearchfox", .boolean(true)), ("keepProfileThreadOrder", .boolean(true)),
      ("sampleUnits", .object([("time", "ms"), ("eventDelay", "ms"), ("threadCPUDelta", "ns")])),
      ("extra", .array(notes)), ("markerSchema", .array(Self.schemas)),
    ])
  }

  /// What markers have, by their type.
  private static var schemas: [JSONText] {
    func schema(_ name: String, _ label: String, _ fields: [(String, String, String)]) -> JSONText {
      .object([
        ("name", .string(name)), ("tooltipLabel", "{marker.name}"), ("chartLabel", "{marker.name}"),
        ("tableLabel", .string(label)), ("display", .array(["marker-chart", "marker-table", "timeline-overview"])),
        (
          "fields",
          .array(
            fields.map { key, label, format in
              .object([("key", .string(key)), ("label", .string(label)), ("format", .string(format))])
            })
        ),
      ])
    }
    let block = [("order", "Order", "integer"), ("block", "Block", "integer"), ("objectType", "Type", "string")]
    let site = [("site", "Site", "string")]
    return [
      schema(
        "GaugeHeap", "block {marker.data.block}, {marker.data.bytes}: {marker.data.site}",
        block + [("bytes", "Bytes", "bytes")] + site),
      schema(
        "GaugeReference", "block {marker.data.block} {marker.data.objectType}: {marker.data.site}",
        block + [("times", "Times", "integer")] + site),
      schema(
        "GaugeWait", "{marker.data.object}: {marker.data.site}",
        [("order", "Order", "integer"), ("object", "For", "string"), ("endedBy", "Ended by", "string")] + site),
      schema("GaugeOperation", "{marker.name}", [("order", "Order", "integer")]),
    ]
  }

  // MARK: A thread

  /// The functions and stacks of one thread.
  private struct Stacks {
    var functions: [ProfileFrame: Int] = [:]
    var functionRows: [(name: JSONText, source: JSONText)] = []
    var frames: [ProfileFrame: Int] = [:]
    var frameRows: [(frame: ProfileFrame, function: Int)] = []
    var places: [[Int]: Int] = [:]
    var rows: [(frame: Int, prefix: Int?)] = []
  }

  private mutating func place(of stack: [ProfileFrame], in stacks: inout Stacks) -> JSONText {
    var prefix: Int?
    for frame in stack {
      let number = self.frame(frame, in: &stacks)
      let key = [prefix ?? -1, number]
      if let known = stacks.places[key] {
        prefix = known
      } else {
        stacks.rows.append((number, prefix))
        stacks.places[key] = stacks.rows.count - 1
        prefix = stacks.rows.count - 1
      }
    }
    return Self.number(prefix)
  }

  private mutating func frame(_ frame: ProfileFrame, in stacks: inout Stacks) -> Int {
    if let known = stacks.frames[frame] { return known }
    let function: Int
    if let known = stacks.functions[frame.withoutLine] {
      function = known
    } else {
      stacks.functionRows.append((string(frame.function), source(frame.file)))
      function = stacks.functionRows.count - 1
      stacks.functions[frame.withoutLine] = function
    }
    stacks.frameRows.append((frame, function))
    stacks.frames[frame] = stacks.frameRows.count - 1
    return stacks.frameRows.count - 1
  }

  private mutating func thread(_ place: Int) -> JSONText {
    let thread = timeline.threads[place]
    var stacks = Stacks()
    let events = timeline.events.enumerated().filter { $1.thread == place }
    let samples = events.map { (event: $1, stack: self.place(of: $1.stack, in: &stacks)) }
    let heap = samples.filter { $0.event.kind.isOfHeap && $0.event.block != nil }
    let markers = markers(place, events: events, stacks: samples.map(\.stack))
    var fields: Fields = [
      ("processType", "default"), ("processStartupTime", 0), ("processShutdownTime", .null), ("registerTime", 0),
      ("unregisterTime", .null), ("pausedRanges", .array([])), ("showMarkersInTimeline", .boolean(true)),
      ("name", .string(thread.name.isEmpty ? "thread \(place + 1)" : thread.name)),
      ("isMainThread", .boolean(place == 0)), ("processName", .string(timeline.title)), ("pid", "1"),
      ("tid", .number(Double(place + 1))),
      (
        "samples",
        .object([
          ("stack", .array(samples.map(\.stack))), ("time", .array(samples.map { Self.time($0.event.time) })),
          ("weight", .null), ("weightType", "samples"), ("length", .number(Double(samples.count))),
        ])
      ),
    ]
    if !heap.isEmpty { fields.append(("nativeAllocations", allocations(heap))) }
    fields += [("markers", markers)]
    return .object(fields + Self.tables(stacks))
  }

  /// Blocks with their bytes, negative where they are freed; one that is reallocated is freed and allocated.
  private func allocations(_ heap: [(event: Timeline.Event, stack: JSONText)]) -> JSONText {
    var (times, weights, stacks, addresses): ([JSONText], [JSONText], [JSONText], [JSONText]) = ([], [], [], [])
    var known: [Int: Int] = [:]
    func add(_ event: Timeline.Event, _ weight: Int, _ stack: JSONText) {
      times.append(Self.time(event.time))
      weights.append(.number(Double(weight)))
      stacks.append(stack)
      addresses.append(.number(Double(timeline.blocks[event.block ?? 0].number)))
    }
    for (event, stack) in heap where !event.hasFailed {
      if event.kind != .allocate { add(event, -(event.oldSize ?? known[event.block ?? 0] ?? event.size), stack) }
      if event.kind != .free { add(event, event.size, stack) }
      if let block = event.block { known[block] = event.size }
    }
    return .object([
      ("time", .array(times)), ("weight", .array(weights)), ("weightType", "bytes"), ("stack", .array(stacks)),
      ("memoryAddress", .array(addresses)),
      ("threadId", .array(heap.isEmpty ? [] : times.map { _ in .number(Double(heap[0].event.thread + 1)) })),
      ("length", .number(Double(times.count))),
    ])
  }

  private mutating func markers(
    _ place: Int, events: [(offset: Int, element: Timeline.Event)], stacks: [JSONText]
  ) -> JSONText {
    var (names, starts, ends, phases, data): ([JSONText], [JSONText], [JSONText], [JSONText], [JSONText]) =
      ([], [], [], [], [])
    func add(_ name: JSONText, _ start: Int, _ end: Int?, _ fields: Fields) {
      names.append(name)
      starts.append(Self.time(start))
      ends.append(end.map(Self.time) ?? .null)
      phases.append(end == nil ? 0 : 1)
      data.append(.object(fields))
    }
    if place == 0 {
      for (number, operation) in timeline.operations.enumerated() {
        let order = timeline.firstOperation + number
        add(
          string("operation \(order)"), operation.lowerBound, operation.upperBound,
          [("type", "GaugeOperation"), ("order", .number(Double(order)))])
      }
    }
    for wait in timeline.waits where wait.thread == place {
      var fields: Fields = [("type", "GaugeWait"), ("object", .string(wait.object))]
      if let waker = wait.waker.map({ timeline.events[$0] }) {
        fields.append(("endedBy", .string("thread \(waker.thread + 1): \(TimelineText.site(waker))")))
      }
      add(string("wait: \(wait.object)"), wait.begin ?? 0, wait.end ?? timeline.span, fields)
    }
    for ((order, event), stack) in zip(events, stacks) where event.kind != .wait && event.kind != .resume {
      var fields: Fields = [
        ("type", .string(event.kind.isOfHeap ? "GaugeHeap" : event.object == nil ? "GaugeReference" : "GaugeWait")),
        ("order", .number(Double(order + 1))), ("site", .string(TimelineText.site(event))),
        ("cause", .object([("tid", .number(Double(place + 1))), ("time", Self.time(event.time)), ("stack", stack)])),
      ]
      if let block = event.block.map({ timeline.blocks[$0] }) {
        fields.append(("block", .number(Double(block.number))))
        if let type = block.type { fields.append(("objectType", .string(type))) }
        fields.append((event.kind.isOfHeap ? "bytes" : "times", .number(Double(event.size))))
      }
      if let object = event.object { fields.append(("object", .string(object))) }
      add(string(event.kind.rawValue), event.time, nil, fields)
    }
    return .object([
      ("name", .array(names)), ("startTime", .array(starts)), ("endTime", .array(ends)), ("phase", .array(phases)),
      ("category", .array(names.map { _ in 0 })), ("data", .array(data)), ("length", .number(Double(names.count))),
    ])
  }

  private static func tables(_ stacks: Stacks) -> Fields {
    let frames = stacks.frameRows
    let functions = stacks.functionRows
    func length(_ count: Int) -> (name: String, value: JSONText) { ("length", .number(Double(count))) }
    return [
      (
        "stackTable",
        .object([
          ("frame", .array(stacks.rows.map { number($0.frame) })),
          ("prefix", .array(stacks.rows.map { number($0.prefix) })),
          length(stacks.rows.count),
        ])
      ),
      (
        "frameTable",
        .object([
          ("address", .array(frames.map { _ in -1 })),
          ("inlineDepth", .array(frames.map { $0.frame.isInlined ? 1 : 0 })),
          ("category", .array(frames.map { $0.frame.isLibrary ? 2 : 1 })),
          ("subcategory", .array(frames.map { _ in 0 })),
          ("func", .array(frames.map { number($0.function) })),
          ("nativeSymbol", .array(frames.map { _ in .null })), ("innerWindowID", .array(frames.map { _ in 0 })),
          ("line", .array(frames.map { number($0.frame.line) })),
          ("column", .array(frames.map { _ in .null })), length(frames.count),
        ])
      ),
      (
        "funcTable",
        .object([
          ("name", .array(functions.map(\.name))), ("isJS", .array(functions.map { _ in .boolean(false) })),
          ("relevantForJS", .array(functions.map { _ in .boolean(false) })),
          ("resource", .array(functions.map { _ in -1 })), ("source", .array(functions.map(\.source))),
          ("lineNumber", .array(functions.map { _ in .null })), ("columnNumber", .array(functions.map { _ in .null })),
          length(functions.count),
        ])
      ),
      (
        "resourceTable",
        .object([
          ("lib", .array([])), ("name", .array([])), ("host", .array([])), ("type", .array([])), length(0),
        ])
      ),
      (
        "nativeSymbols",
        .object([
          ("libIndex", .array([])), ("address", .array([])), ("name", .array([])), ("functionSize", .array([])),
          length(0),
        ])
      ),
    ]
  }
}
