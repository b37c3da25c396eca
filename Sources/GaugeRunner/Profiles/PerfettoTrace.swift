// Timelines for Perfetto (https://ui.perfetto.dev) and whatever else reads Chrome's JSON of trace events.

/// The JSON of trace events.
///
/// Operations and waits are slices of their threads, other events are instants; each block's life is an asynchronous
/// slice, and the bytes that live are a counter. Times are in microseconds.
enum PerfettoTrace {
  private typealias Fields = [(name: String, value: JSONText)]
  private static let process = 1

  /// A timeline as one file.
  static func text(_ timeline: Timeline) -> String {
    let notes = timeline.notes.map { JSONText.string($0) }
    return JSONText.object([
      ("displayTimeUnit", "ns"),
      (
        "otherData", .object([("benchmark", .string(timeline.title)), ("exporter", "gauge"), ("notes", .array(notes))])
      ),
      (
        "traceEvents",
        .array(names(timeline) + slices(timeline) + instants(timeline) + lives(timeline) + bytes(timeline))
      ),
    ]).text() + "\n"
  }

  private static func time(_ nanoseconds: Int) -> JSONText { .number(Double(nanoseconds) / 1000) }

  private static func event(
    _ phase: String, _ name: String, _ category: String, at time: Int, thread: Int, _ more: Fields = [],
    arguments: Fields = []
  ) -> JSONText {
    var fields: Fields = [
      ("ph", .string(phase)), ("name", .string(name)), ("cat", .string(category)), ("ts", Self.time(time)),
      ("pid", .number(Double(process))), ("tid", .number(Double(thread + 1))),
    ]
    fields += more
    if !arguments.isEmpty { fields.append(("args", .object(arguments))) }
    return .object(fields)
  }

  private static func names(_ timeline: Timeline) -> [JSONText] {
    func name(_ kind: String, _ text: String, thread: Int) -> JSONText {
      .object([
        ("ph", "M"), ("name", .string(kind)), ("pid", .number(Double(process))), ("tid", .number(Double(thread))),
        ("args", .object([("name", .string(text))])),
      ])
    }
    return [name("process_name", timeline.title, thread: 0)]
      + timeline.threads.enumerated().map { place, thread in
        name("thread_name", thread.name.isEmpty ? "thread \(place + 1)" : thread.name, thread: place + 1)
      }
  }

  private static func slices(_ timeline: Timeline) -> [JSONText] {
    let operations = timeline.operations.enumerated().map { place, operation in
      event(
        "X", "operation \(timeline.firstOperation + place)", "operation", at: operation.lowerBound, thread: 0,
        [("dur", time(operation.count))])
    }
    let waits = timeline.waits.map { wait in
      let begin = wait.begin ?? 0
      var arguments: Fields = []
      if wait.begin == nil { arguments.append(("begin", "before the operation")) }
      if wait.end == nil { arguments.append(("end", "after the operation")) }
      if let waker = wait.waker.map({ timeline.events[$0] }) {
        arguments.append(("ended by", .string("thread \(waker.thread + 1): \(TimelineText.site(waker))")))
      }
      return event(
        "X", "wait: \(wait.object)", "wait", at: begin, thread: wait.thread,
        [("dur", time(max(0, (wait.end ?? timeline.span) - begin)))], arguments: arguments)
    }
    return operations + waits
  }

  private static func instants(_ timeline: Timeline) -> [JSONText] {
    timeline.events.enumerated().map { place, made in
      let block = made.block.map { timeline.blocks[$0] }
      var arguments: Fields = [("order", .number(Double(place + 1)))]
      if let block { arguments.append(("block", .number(Double(block.number)))) }
      if made.kind.isOfHeap { arguments.append(("bytes", .number(Double(made.size)))) }
      if made.kind == .retain || made.kind == .release {
        arguments.append(("times", .number(Double(max(1, made.size)))))
      }
      if let old = made.oldSize { arguments.append(("bytes before", .number(Double(old)))) }
      if let type = block?.type { arguments.append(("type", .string(type))) }
      if let object = made.object { arguments.append(("object", .string(object))) }
      arguments.append(("site", .string(TimelineText.site(made))))
      arguments.append(("stack", .array(made.stack.reversed().map { .string($0.function) })))
      let category = made.kind.isOfHeap ? "heap" : made.object == nil ? "references" : "wait"
      return event(
        "i", made.kind.rawValue, category, at: made.time, thread: made.thread, [("s", "t")], arguments: arguments)
    }
  }

  private static func lives(_ timeline: Timeline) -> [JSONText] {
    timeline.blocks.filter(\.hasLife).flatMap { block in
      let name = "block \(block.number)" + (block.type.map { " \($0)" } ?? "")
      let identifier: Fields = [("id2", .object([("local", .string("0x\(String(block.number, radix: 16))"))]))]
      var first: Fields = []
      if let size = block.size { first.append(("bytes", .number(Double(size)))) }
      if block.begin == nil { first.append(("begin", "before the operation")) }
      let last: Fields =
        block.end == nil
        ? [("end", timeline.lost > 0 ? "unavailable: events were left out" : "after the operation")]
        : block.endedUnseen ? [("end", "while nothing was recorded")] : []
      return [
        event("b", name, "block", at: block.begin ?? 0, thread: 0, identifier, arguments: first),
        event("e", name, "block", at: block.end ?? timeline.span, thread: 0, identifier, arguments: last),
      ]
    }
  }

  private static func bytes(_ timeline: Timeline) -> [JSONText] {
    ([(time: 0, bytes: 0)] + timeline.liveBytes).map { time, bytes in
      event("C", "live bytes", "heap", at: time, thread: 0, arguments: [("bytes", .number(Double(bytes)))])
    }
  }
}
