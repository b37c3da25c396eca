// Profiles as flame graphs: a tree of functions, and the page that draws it.

/// A profile as a tree of functions, by itself or beside the one that it is compared with.
struct FlameGraph {
  /// A function behind a chain of callers.
  final class Node {
    /// Place of the function in `frames`.
    let frame: Int
    /// Weight with all that it calls, for all operations.
    fileprivate(set) var weight = 0
    /// The same in the profile that is compared with.
    fileprivate(set) var base = 0
    /// What it calls, by place of the function.
    fileprivate(set) var children: [Int: Node] = [:]

    fileprivate init(_ frame: Int) { self.frame = frame }

    /// What it calls, in a fixed order.
    var ordered: [Node] { children.values.sorted { $0.frame < $1.frame } }
  }

  /// What is drawn, in words.
  let title: String
  /// What is weighed.
  let kind: Profile.Kind
  /// Operations of the profile.
  let operations: Double
  /// What an operation is called.
  let per: String
  /// Operations of the profile that it is compared with; `nil` where there is none.
  let baseOperations: Double?
  /// The functions, sorted by name, without lines.
  let frames: [ProfileFrame]
  /// The whole profile; its function is none.
  let root: Node
  /// What is missing in the profile.
  let notes: [String]

  /// Makes the tree.
  ///
  /// - Parameters:
  ///   - profile: The profile that is drawn.
  ///   - base: One of the same kind that it is compared with.
  ///   - title: What is drawn, in words.
  init(_ profile: Profile, against base: Profile? = nil, title: String) {
    self.title = title
    kind = profile.kind
    per = profile.per
    operations = profile.amount
    baseOperations = base.map(\.amount)
    notes = profile.notes
    var known: Set<ProfileFrame> = []
    for side in [profile, base].compactMap(\.self) {
      for stack in side.weights.keys { known.formUnion(stack.lazy.map(Self.shown)) }
    }
    frames = known.sorted {
      ($0.function, $0.object, $0.isInlined ? 1 : 0) < ($1.function, $1.object, $1.isInlined ? 1 : 0)
    }
    let places = Dictionary(uniqueKeysWithValues: zip(frames, frames.indices))
    root = Node(-1)
    for (stack, weight) in profile.weights { Self.add(weight, stack, places, to: root, \.weight) }
    for (stack, weight) in base?.weights ?? [:] { Self.add(weight, stack, places, to: root, \.base) }
  }

  /// A frame as it is told from others: some of a function's code has no file in the debug information.
  private static func shown(_ frame: ProfileFrame) -> ProfileFrame {
    var frame = frame.withoutLine
    frame.file = nil
    return frame
  }

  private static func add(
    _ weight: Int, _ stack: [ProfileFrame], _ places: [ProfileFrame: Int], to root: Node,
    _ side: ReferenceWritableKeyPath<Node, Int>
  ) {
    var node = root
    node[keyPath: side] += weight
    for frame in stack {
      guard let place = places[shown(frame)] else { continue }
      let child = node.children[place] ?? Node(place)
      node.children[place] = child
      child[keyPath: side] += weight
      node = child
    }
  }

  /// The tree for the page's script: `[function, weight, base, children...]`, on one line.
  var json: String {
    let names = frames.map { frame in
      let flags = (frame.isInlined ? 1 : 0) + (frame.isLibrary ? 2 : 0)
      return "[\(Self.text(frame.function)),\(Self.text(frame.object)),\(flags)]"
    }
    return "{\"title\":\(Self.text(title)),\"kind\":\(Self.text(kind.rawValue)),\"unit\":\(Self.text(kind.unit)),"
      + "\"operations\":\(Self.number(operations)),\"baseOperations\":\(baseOperations.map(Self.number) ?? "null"),"
      + (per == "operation" ? "" : "\"per\":\(Self.text(per)),")
      + "\"notes\":[\(notes.map(Self.text).joined(separator: ","))],"
      + "\"frames\":[\(names.joined(separator: ","))],\"root\":\(Self.text(of: root))}"
  }

  private static func text(of node: Node) -> String {
    var text = ""
    append(node, to: &text)
    return text
  }

  /// Into one text: that of a callee is not written again for each of its callers.
  private static func append(_ node: Node, to text: inout String) {
    text += "[\(node.frame),\(node.weight),\(node.base)"
    for child in node.ordered {
      text += ","
      append(child, to: &text)
    }
    text += "]"
  }

  private static func text(_ string: String) -> String { JSONText.string(string).text() }
  private static func number(_ value: Double) -> String { JSONText.number(value).text() }
}

/// A page that draws flame graphs; it needs nothing from outside.
///
/// - Parameters:
///   - graphs: At least one; the first is shown first.
///   - title: Title of the page.
///   - text: Lines about the graphs, to be shown above them; empty for none.
func flameGraphPage(_ graphs: [FlameGraph], title: String, text: [String] = []) -> String {
  let words: Markup =
    text.isEmpty
    ? "" : "<details open><summary>In words</summary><pre>\(text.joined(separator: "\n"))</pre></details>\n"
  let page: Markup = """
    \(htmlHead(title: title, style: FlameGraphPage.style, script: FlameGraphPage.script))
    <body>
    <header>
    <h1>\(title)</h1>
    <div class="bar" role="toolbar" aria-label="Flame graph">
    <select id="which" aria-label="Profile"></select>
    <button id="reset" title="Show everything (Esc)">Reset</button>
    <button id="side" title="Widths of the profile before or after (B)" hidden>Widths: after</button>
    <input id="search" type="search" placeholder="Search (/)" aria-label="Search for functions" spellcheck="false">
    <output id="matched"></output>
    </div>
    <p id="about" class="faint"></p>
    \(words)</header>
    <main id="graph" tabindex="0" aria-label="Flame graph: arrow keys move, Enter zooms, Escape resets"></main>
    <p id="detail" aria-live="polite"></p>
    <noscript><p>This page draws with a script.</p></noscript>
    <script type="application/json" id="data">[
    \(json: graphs.map(\.json).joined(separator: ",\n"))
    ]</script>
    <script>\(constant: FlameGraphPage.script)</script>
    </body>
    </html>

    """
  return page.text
}
