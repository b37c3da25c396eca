// Reading all of a callgrind dump: what each function costs by address, and what it calls (valgrind manual, "Callgrind
// Format Specification").

import Gauge

/// The functions of a dump and the calls among them.
///
/// Dumps are made with `--separate-callers`: a function has a node of its own for each chain of callers, up to a
/// length, so that costs belong to call stacks instead of being shared out by guess. What is behind the longest chains
/// is shared out in proportion to what the calls cost.
struct CallgrindGraph: Hashable {
  /// Calls of one function from one address.
  struct Call: Hashable {
    /// Address of the call within its object.
    var address: UInt64
    /// Index of the node that is called.
    var callee: Int
    /// How often.
    var count: Int
    /// Instructions of all those calls, with what they called in turn.
    var inclusive: Int
  }

  /// A function behind a chain of callers.
  struct Node: Hashable {
    /// Its symbol; empty where the dump doesn't know it.
    var symbol = ""
    /// Path of the executable or library that it is in.
    var object = ""
    /// Instructions of its own by address within its object.
    var own: [UInt64: Int] = [:]
    /// What it calls.
    var calls: [Call] = []

    /// Instructions of its own.
    var ownTotal: Int { own.values.reduce(0, boundedSum) }
  }

  /// What was counted.
  private(set) var counted: CountedInstructions
  /// The functions.
  private(set) var nodes: [Node] = []

  /// Reads a dump.
  ///
  /// - Returns: `nil` for one that no launch asked for.
  /// - Complexity: Linear in the text.
  init?(_ text: String) {
    var reader = Reader()
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) { reader.read(line) }
    guard let counted = reader.counted else { return nil }
    self.counted = counted
    nodes = reader.nodes
  }

  /// The functions of a dump that no launch asked for: of all that a process executed.
  ///
  /// - Complexity: Linear in the text.
  static func nodes(ofProcess text: String) -> [Node] {
    var reader = Reader()
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) { reader.read(line) }
    return reader.nodes
  }

  /// Reads line by line.
  private struct Reader {
    var counted: CountedInstructions?
    var nodes: [Node] = []
    /// Nodes by the number that the dump gives them.
    private var numbers: [Substring: Int] = [:]
    private var objects: [Substring: String] = [:]
    private var current: Int?
    private var object = ""
    private var callee: Int?
    private var count: Int?
    private var address: UInt64 = 0

    mutating func read(_ line: Substring.UTF8View) {
      guard let first = line.first else { return }
      switch first {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "*"): cost(line)
      default: field(Substring(line))
      }
    }

    private mutating func field(_ line: Substring) {
      if line.hasPrefix("fn=") {
        let node = node(line.dropFirst(3))
        current = node
        nodes[node].object = object
      } else if line.hasPrefix("cfn=") {
        callee = node(line.dropFirst(4))
      } else if line.hasPrefix("calls=") {
        count = Int(line.dropFirst(6).prefix { $0 != " " }).map { max(0, $0) }
      } else if line.hasPrefix("ob=") {
        object = name(line.dropFirst(3), in: &objects)
      } else if line.hasPrefix("cob=") || line.hasPrefix("cobj=") {
        _ = name(line.drop { $0 != "=" }.dropFirst(), in: &objects)
      } else if line.hasPrefix("desc: Trigger: Client Request: ") {
        counted = CountedInstructions(name: line.dropFirst("desc: Trigger: Client Request: ".count))
      }
    }

    /// A name, which is a number in parentheses, followed by the name itself where it first comes.
    private func name(_ text: Substring, in names: inout [Substring: String]) -> String {
      let number = text.prefix { $0 != " " }
      guard number.first == "(" else { return String(text) }
      if number.count < text.count { names[number] = String(text.dropFirst(number.count + 1)) }
      return names[number] ?? ""
    }

    private mutating func node(_ text: Substring) -> Int {
      let bytes = text.utf8
      let number = bytes.first == UInt8(ascii: "(") ? bytes.prefix { $0 != UInt8(ascii: " ") } : bytes[...]
      if let known = numbers[Substring(number)] { return known }
      var symbol = bytes.dropFirst(number.count == bytes.count ? 0 : number.count + 1)
      // Callers follow behind apostrophes.
      symbol = symbol.prefix { $0 != UInt8(ascii: "'") }
      nodes.append(Node())
      let name = String(Substring(symbol))
      // Where there is no symbol callgrind writes the address.
      nodes[nodes.count - 1].symbol = name.hasPrefix("0x") || name == "???" ? "" : name
      numbers[Substring(number)] = nodes.count - 1
      return nodes.count - 1
    }

    /// `0x4005d0 3`, `+4 3`, `* 3`: an address, or its distance from the one before, and instructions.
    private mutating func cost(_ line: Substring.UTF8View) {
      guard let current else { return }
      let words = line.split(separator: UInt8(ascii: " "))
      guard words.count >= 2, let instructions = Int(Substring(words[words.count - 1])),
        instructions >= 0
      else { return }
      address = position(Substring(words[0]))
      if let count, let callee {
        nodes[current].calls.append(Call(address: address, callee: callee, count: count, inclusive: instructions))
        self.count = nil
        self.callee = nil
      } else {
        nodes[current].own[address] = boundedSum(nodes[current].own[address] ?? 0, instructions)
      }
    }

    private func position(_ word: Substring) -> UInt64 {
      switch word.first {
      case "*": address
      case "+": address &+ number(word.dropFirst())
      case "-": address &- number(word.dropFirst())
      default: number(word)
      }
    }

    private func number(_ word: Substring) -> UInt64 {
      (word.hasPrefix("0x") ? UInt64(word.dropFirst(2), radix: 16) : UInt64(word)) ?? 0
    }
  }
}
