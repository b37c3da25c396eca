// One run of `gauge top`: looks at the streams of a program, one table of them, or a view that is refreshed.

/// How live streams are shown.
enum LiveFormat: String, CaseIterable {
  case table, json
}

/// What `gauge top` was asked for, and what it has seen.
struct LiveSession {
  let console: Console
  let order: LiveOrder
  let interval: Duration
  /// The interval in seconds, as people read it.
  let words: String
  /// The stream whose graph was asked for.
  let stream: Int?
  let format: LiveFormat
  let signals: PendingSignals
  private var streams = LiveStreams()

  init(
    console: Console, order: LiveOrder, interval: Duration, words: String, stream: Int?, format: LiveFormat,
    signals: PendingSignals
  ) {
    self.console = console
    self.order = order
    self.interval = interval
    self.words = words
    self.stream = stream
    self.format = format
    self.signals = signals
  }

  // MARK: Once

  /// Takes two looks, and prints what they show.
  mutating func look(_ process: LiveProcess) throws(LiveProcess.Failure) -> Int32 {
    let signals = signals
    streams.take(try process.snapshot { signals.first != nil })
    guard signals.isCalm(for: interval) else { throw .interrupted }
    streams.take(try process.snapshot { signals.first != nil })
    return try show(process.title, process.number)
  }

  /// Prints what was seen last.
  func show(_ title: String, _ number: Int?) throws(LiveProcess.Failure) -> Int32 {
    if let stream, streams.tree(of: stream) == nil { throw .noStream(stream) }
    if format == .json {
      console.output.file(json(number).text() + "\n")
      return ExitCode.same.rawValue
    }
    let width = console.output.columns ?? Console.usualColumns
    if let stream {
      guard let tree = streams.tree(of: stream) else { throw .noStream(stream) }
      for line in tree { console.output.line(line) }
      return ExitCode.same.rawValue
    }
    let rows = streams.ordered(by: order)
    console.output.line("\(title): " + LiveText.summary(streams, rows))
    guard !rows.isEmpty else {
      console.output.line(LiveText.nothing)
      return ExitCode.same.rawValue
    }
    // To a file as wide as it needs to be: nobody has to guess what was cut.
    let isTerminal = console.output.columns != nil
    let table = LiveTable(streams: rows, order: order, colour: console.output.colour)
    console.output.marked(table.lines(width: isTerminal ? width : 1000))
    return ExitCode.same.rawValue
  }

  private func json(_ number: Int?) -> JSONText {
    let rows = streams.ordered(by: order).filter { row in
      stream.map { streams.graph?.end(of: $0)?.id == row.id } ?? true
    }
    return .object([
      ("process", number.map { .number(Double($0)) } ?? .null),
      ("time", .number(Double(streams.graph?.time ?? 0))),
      ("streams", .array(rows.map(json))),
    ])
  }

  private func json(_ stream: LiveStream) -> JSONText {
    func number(_ value: Double?) -> JSONText { value.map(JSONText.number) ?? .null }
    return .object([
      ("id", .number(Double(stream.id))), ("stream", .string(stream.path)), ("rate", number(stream.rate)),
      ("waiting", number(stream.waiting.map(Double.init))), ("dropped", number(stream.dropped.map(Double.init))),
      ("latency", number(stream.latency)), ("age", .number(Double(stream.age))),
      ("findings", .array(stream.findings.map(JSONText.string))),
    ])
  }

  // MARK: On a terminal

  /// Shows the streams until somebody has seen enough.
  mutating func watch(_ process: LiveProcess) throws(LiveProcess.Failure) -> Int32 {
    guard let keyboard = RawTerminal(Terminal.input) else { return try look(process) }
    let signals = signals
    streams.take(try process.snapshot { signals.first != nil })
    if let stream, streams.tree(of: stream) == nil { throw .noStream(stream) }
    var screen = LiveScreen(
      title: process.title, order: order, interval: words, colour: console.output.colour, opening: stream)
    // The other screen of the terminal, without its cursor; what was there before comes back with the first one.
    console.output.write("\u{1b}[?1049h\u{1b}[?25l")
    defer { console.output.write("\u{1b}[?25h\u{1b}[?1049l") }
    var last = ContinuousClock.now
    // Rates need two looks: the second one comes soon.
    var due = min(interval, .milliseconds(300))
    draw(&screen)
    while true {
      let left = due - (ContinuousClock.now - last)
      guard let bytes = keyboard.keys(within: Int(max(0, min(50, left / .milliseconds(1))))) else { return 0 }
      if signals.first != nil { throw .interrupted }
      if console.output.failure() != nil { return ExitCode.same.rawValue }
      let keys = LiveKey.keys(in: bytes)
      if keys.contains(.quit) { return ExitCode.same.rawValue }
      if keys.contains(.interrupt) { throw .interrupted }
      for key in keys { screen.press(key, streams) }
      let isDue = ContinuousClock.now - last >= due
      if isDue {
        last = ContinuousClock.now
        due = interval
        streams.take(try process.snapshot { signals.first != nil })
      }
      if isDue || !keys.isEmpty { draw(&screen) }
    }
  }

  private func draw(_ screen: inout LiveScreen) {
    let size = Terminal.size(Terminal.output)
    let height = size.map(\.lines).flatMap { $0 > 0 ? $0 : nil } ?? 24
    let lines = screen.lines(streams, width: size?.columns ?? Console.usualColumns, height: height)
    // Each line over what was there before, so that nothing flickers.
    console.output.write(
      "\u{1b}[H" + lines.map { $0 + "\u{1b}[K" }.joined(separator: "\r\n") + "\u{1b}[J")
  }
}
