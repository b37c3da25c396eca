// Timelines as a page to open: lanes by thread, the lives of blocks, the bytes that live.

/// A page that draws a timeline; it needs nothing from outside.
func timelinePage(_ timeline: Timeline) -> String {
  let text = TimelineText(timeline: timeline)
  let keys =
    "Timeline: arrow keys go from event to event and along a block, plus and minus zoom, Shift with arrows moves, T changes "
    + "the scale, Escape resets"
  let page: Markup = """
    \(htmlHead(title: timeline.title, style: TimelineScript.style, script: TimelineScript.script))
    <body>
    <header>
    <h1>\(timeline.title)</h1>
    <p>\(text.head.joined(separator: "; "))</p>
    \(timeline.notes.map { "<p class=\"faint\">note: \($0)</p>" as Markup })
    <div class="bar" role="toolbar" aria-label="Timeline">
    <button id="closer" title="Zoom in (+)">Closer</button>
    <button id="farther" title="Zoom out (-)">Farther</button>
    <button id="reset" title="Show everything (Esc)">Reset</button>
    <button id="scale" title="Time, or events in equal steps (T)">Scale: time</button>
    <input id="search" type="search" placeholder="Search (/)" aria-label="Search for functions and types"
     spellcheck="false">
    <output id="matched"></output>
    <span id="key"></span>
    </div>
    </header>
    <main id="lanes" tabindex="0" aria-label="\(keys)"><canvas id="canvas"></canvas></main>
    <p id="detail" aria-live="polite"></p>
    <p id="about" class="faint"></p>
    <details id="all"><summary>All events</summary><div class="wide"><table>
    <thead><tr><th class="number">#</th><th class="number">time</th><th class="number">thread</th><th>what</th>
    <th class="number">block</th><th class="number">bytes</th><th>type</th><th>site</th></tr></thead>
    <tbody id="rows"></tbody></table></div></details>
    <noscript><p>This page draws with a script.</p></noscript>
    <script type="application/json" id="data">
    \(json: TimelineData(timeline: timeline).json.text())
    </script>
    <script>\(constant: TimelineScript.script)</script>
    </body>
    </html>

    """
  return page.text
}

/// A timeline as the page's script takes it: rows of numbers, and lists of what these count.
struct TimelineData {
  /// The timeline.
  let timeline: Timeline

  /// The data.
  var json: JSONText {
    var frames = Places<ProfileFrame>()
    var stacks = Places<[Int]>()
    var types = Places<String>()
    let events = timeline.events.map { event in
      row([
        event.time, event.thread, Timeline.Kind.allCases.firstIndex(of: event.kind), event.block, event.size,
        stacks.place(of: event.stack.map { frames.place(of: $0) }), event.wait, event.operation,
      ])
    }
    let text = TimelineText(timeline: timeline)
    let blocks = timeline.blocks.map { block in
      row([block.size, block.begin, block.end, block.type.map { types.place(of: $0) }, block.hasLife ? 1 : 0])
    }
    let waits = timeline.waits.map { wait in
      JSONText.array([
        number(wait.thread), number(wait.begin), number(wait.end), .string(wait.object), number(wait.waker),
      ])
    }
    return .object([
      ("span", number(timeline.span)), ("first", number(timeline.firstOperation)),
      ("kinds", .array(Timeline.Kind.allCases.map { .string($0.rawValue) })),
      (
        "threads",
        .array(timeline.threads.enumerated().map { .string($1.name.isEmpty ? "\($0 + 1)" : "\($0 + 1) \($1.name)") })
      ),
      ("operations", .array(timeline.operations.map { row([$0.lowerBound, $0.upperBound]) })),
      ("events", .array(events)), ("words", .array(timeline.events.map { .string(text.what($0)) })),
      ("blocks", .array(blocks)), ("waits", .array(waits)),
      ("bytes", .array(timeline.liveBytes.map { row([$0.time, $0.bytes]) })),
      ("types", .array(types.values.map { .string($0) })),
      ("stacks", .array(stacks.values.map { row($0) })),
      (
        "frames",
        .array(
          frames.values.map { frame in
            .array([.string(frame.function), .string(Self.place(of: frame)), number(frame.isLibrary ? 1 : 0)])
          })
      ),
    ])
  }

  private static func place(of frame: ProfileFrame) -> String {
    frame.file.map { "\($0)\(frame.line.map { ":\($0)" } ?? "")" } ?? frame.object
  }

  private func number(_ value: Int?) -> JSONText { value.map { .number(Double($0)) } ?? .null }
  private func row(_ values: [Int?]) -> JSONText { .array(values.map(number)) }

  /// Values with their places, each once.
  private struct Places<Value: Hashable> {
    private(set) var values: [Value] = []
    private var known: [Value: Int] = [:]

    mutating func place(of value: Value) -> Int {
      if let place = known[value] { return place }
      known[value] = values.count
      values.append(value)
      return values.count - 1
    }
  }
}
