// Names of functions as people know them: demangled, without modules, types and what the compiler has added. The
// demangler is the runtime's, which is there without a toolchain; shortening what it says is ours, as it takes no
// options, and that of C++ is not in every program.

import Foundation

/// A function's name, taken from its symbol.
struct FunctionName: Hashable, Sendable {
  /// The name as it is shown, for example `Series.rank(_:of:)` or `closure #1 in Series.summary()`.
  var text: String
  /// The module that it is declared in; `nil` for a symbol that is not Swift's.
  var module: String?
  /// Whether the compiler has made it: a thunk, a forwarder, a copy or destruction outlined, an accessor of metadata.
  var isGlue = false

  /// Reads a symbol.
  ///
  /// - Parameter symbol: As the linker knows it, mangled or not.
  init(symbol: String) {
    if let declaration = SwiftDemangling.declaration(of: symbol) {
      self.init(declaration: declaration)
    } else {
      self.init(plain: symbol.isEmpty ? ProfileFrame.unknown : Self.pathOfC(symbol) ?? symbol)
    }
  }

  /// A name of C, without the version that the linker knows it by.
  private init(plain name: String) { text = String(name.prefix { $0 != "@" }) }

  /// Most characters of a declaration that are read.
  /// Symbols of bounded length may stand for longer ones, as parts of them repeat.
  static let longestDeclaration = 20_000
  /// How many functions within others are told, from the innermost outwards; what is around these is left out.
  static let deepest = 20

  /// Reads a demangled declaration.
  init(declaration: String) {
    self.init(Substring(declaration.unicodeScalars.prefix(Self.longestDeclaration)), within: 0)
  }

  /// Reads what is within as many functions.
  private init(_ declaration: Substring, within depth: Int) {
    var rest = declaration
    if let conformance = Self.place(of: " in conformance ", in: rest) {
      let conforming = rest[rest.index(conformance, offsetBy: " in conformance ".count)...]
      rest = rest[..<conformance]
      if let witness = Self.witness(rest, conforming) {
        (text, module) = witness
        return
      }
    }
    var prefix = ""
    var isGlue = false
    peeling: while true {
      for word in Self.dropped where rest.hasPrefix(word) {
        rest = rest.dropFirst(word.count)
        continue peeling
      }
      for word in Self.specialisations where rest.hasPrefix(word) {
        // `generic specialization <Swift.Int> of Module.function`
        // Where a closure was propagated the demangler leaves a bracket open.
        rest =
          Self.behind(" of ", in: rest) ?? rest.range(of: "> of ").map { rest[$0.upperBound...] }
          ?? rest.dropFirst(word.count)
        continue peeling
      }
      for (word, shown) in Self.glue where rest.hasPrefix(word) {
        isGlue = true
        prefix += shown
        rest = rest.dropFirst(word.count)
        continue peeling
      }
      break
    }
    self.isGlue = isGlue
    var (name, module) = Self.entity(rest, within: depth)
    if isGlue, rest.hasPrefix(Self.optional + "<") {
      // Of all that may be there or not, what it is says more.
      name = Self.path(Self.bracket(rest.dropFirst(Self.optional.count)).dropFirst().dropLast()).name + "?"
    }
    text = prefix + name
    self.module = module
    // What is written by hand is an `init` or a `deinit` of its own, within these.
    if name.hasSuffix(".__deallocating_deinit") || name.contains(".__allocating_init(") { self.isGlue = true }
  }

  /// Whether it belongs to the program that is looked at, rather than to the language, the system, or the harness.
  var isProgram: Bool {
    guard let module, !isGlue else { return false }
    return !Self.libraries.contains(module)
  }

  /// The name without what may differ between two builds of one source: the numbers of closures and local functions.
  static func stable(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let mark = rest.firstIndex(of: "#") {
      result += rest[..<mark]
      rest = rest[rest.index(after: mark)...].drop { $0.isNumber }
      if result.hasSuffix(" "), rest.first == " " { rest = rest.dropFirst() }
    }
    return result + rest
  }

  /// Modules that come with the toolchain, and the harness.
  static let libraries: Set<String> = [
    "Swift", "_Concurrency", "Synchronization", "_StringProcessing", "Foundation", "FoundationEssentials", "Dispatch",
    "Glibc", "Musl", "Darwin", "Gauge", "GaugeStatistics", "__C", "__C_Synthesized", "_RegexParser", "Builtin",
  ]

  // MARK: Reading

  private static let optional = "Swift.Optional"
  private static let dropped = ["merged ", "specialized ", "static ", "@objc ", "@nonobjc ", "dynamic "]
  private static let specialisations = [
    "generic specialization <", "generic not re-abstracted specialization <", "function signature specialization <",
    "generic partial specialization <", "inlined generic function <", "generic pre-specialization <",
  ]
  private static let glue = [
    ("protocol witness for ", "witness of "), ("dispatch thunk of ", "dispatch of "),
    ("partial apply forwarder for ", "forwarder of "), ("partial apply for ", "forwarder of "),
    ("reabstraction thunk helper ", "reabstraction thunk "), ("reabstraction thunk ", "reabstraction thunk "),
    ("outlined init with copy of ", "copy of "), ("outlined init with take of ", "move of "),
    ("outlined assign with copy of ", "copy of "), ("outlined assign with take of ", "move of "),
    ("outlined copy of ", "copy of "), ("outlined consume of ", "destruction of "),
    ("outlined destroy of ", "destruction of "),
    ("outlined ", "outlined "), ("lazy protocol witness table ", "witness table "), ("type metadata ", "metadata "),
    ("metadata ", "metadata "), ("value witness ", "value witness "), ("protocol conformance ", "conformance "),
    ("generic protocol witness table ", "witness table "), ("associated type ", "associated type "),
    ("method lookup function for ", "method look-up of "), ("implicit closure ", "implicit closure "),
    ("curry thunk of ", "curry thunk of "), ("instantiation function for ", "instantiation of "),
    ("demangling cache variable ", "demangling cache "), ("accessor for ", "accessor of "),
  ]

  /// The function of a type of the program by which it meets a requirement of a protocol: that, or what leads to it.
  ///
  /// - Parameters:
  ///   - requirement: `protocol witness for Module.Protocol.name(Type) -> Type`.
  ///   - conforming: `Module.Type : Module.Protocol in Module`, perhaps with generic parameters in front.
  /// - Returns: `nil` for a type of the library: what its functions cost belongs to who uses it.
  private static func witness(_ requirement: Substring, _ conforming: Substring) -> (text: String, module: String?)? {
    guard let start = requirement.range(of: "protocol witness for ") else { return nil }
    var name = requirement[start.upperBound...]
    if name.hasPrefix("static ") { name = name.dropFirst("static ".count) }
    var type = conforming
    if type.first == "<" { type = type.dropFirst(bracket(type).count).drop { $0 == " " } }
    let (owner, module) = path(type)
    guard let module, !libraries.contains(module) else { return nil }
    let parts = path(name).name.split(separator: ".", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    return ("\(owner).\(parts[1])", module)
  }

  /// What stands behind the first occurrence of a word outside of all brackets.
  private static func behind(_ word: String, in text: Substring) -> Substring? {
    place(of: word, in: text).map { text[text.index($0, offsetBy: word.count)...] }
  }

  private static func place(of word: String, in text: Substring) -> Substring.Index? {
    var depth = 0
    var before: Character = " "
    var index = text.startIndex
    while index < text.endIndex {
      let character = text[index]
      switch character {
      case "(", "[", "<", "{": depth += 1
      case ")", "]", "}": depth -= 1
      case ">" where before != "-": depth -= 1
      default: if depth == 0, text[index...].hasPrefix(word) { return index }
      }
      before = character
      index = text.index(after: index)
    }
    return nil
  }

  private static func entity(_ text: Substring, within depth: Int) -> (name: String, module: String?) {
    if depth < deepest, let inside = place(of: " in ", in: text) {
      let outer = FunctionName(text[text.index(inside, offsetBy: 4)...], within: depth + 1)
      // `closure #1 (Swift.Int) -> Swift.Int`, or a local function: `digit #1 (Swift.UInt8) -> ()`
      let words = text[..<inside].split(separator: " ", maxSplits: 2).prefix(2).joined(separator: " ")
      return ("\(words) in \(outer.text)", outer.module)
    }
    return path(text)
  }

  /// `Module.Type<A>.name<B where B: P>(label: Type, Type) -> Type` as `Type.name(label:_:)`.
  private static func path(_ text: Substring) -> (name: String, module: String?) {
    var rest = text
    var module: String?
    if rest.hasPrefix("(extension in ") {
      rest = rest.dropFirst("(extension in ".count)
      module = String(rest.prefix { $0 != ")" })
      rest = rest.drop { $0 != ")" }.dropFirst(2)
    }
    var parts: [String] = [""]
    var labels = ""
    scanning: while let character = rest.first {
      switch character {
      case ".":
        if parts.count == 1, parts[0].isEmpty { return (String(text), module) }
        parts.append("")
        rest = rest.dropFirst()
        // An operator may have points of its own.
        if let next = rest.first, next == "." {
          parts[parts.count - 1] += rest.prefix { $0 != "(" && $0 != " " && $0 != "<" }
          rest = rest.drop { $0 != "(" && $0 != " " && $0 != "<" }
        }
      case "<"
      where parts.last?.last?.isLetter ?? false || parts.last?.last?.isNumber ?? false || parts.last?.last == ")":
        rest = rest.dropFirst(bracket(rest).count)
      case "(":
        let inside = bracket(rest)
        if inside.contains(" in _"), parts.last == "" || parts.last == nil {
          // A private name: `(name in _0123456789ABCDEF)`.
          parts[parts.count - 1] += inside.dropFirst().prefix { $0 != " " }
          rest = rest.dropFirst(inside.count)
        } else {
          labels = Self.labels(of: inside)
          break scanning
        }
      case " ": break scanning
      default:
        parts[parts.count - 1].append(character)
        rest = rest.dropFirst()
      }
    }
    if rest.hasPrefix(" infix(") || rest.hasPrefix(" prefix(") || rest.hasPrefix(" postfix(") { labels = "" }
    if parts.count > 1 {
      if module == nil { module = parts[0] }
      parts.removeFirst()
    }
    return (parts.joined(separator: ".") + labels, module)
  }

  /// The names in a symbol of C++, without template arguments: `swift::RefCounts::doDecrementSlow`.
  private static func pathOfC(_ symbol: String) -> String? {
    guard symbol.hasPrefix("_Z") else { return nil }
    var rest = symbol.dropFirst(2).drop { $0 == "Z" }
    let isPath = rest.first == "N"
    var names: [Substring] = []
    /// What is open: paths, arguments of templates, and constants among these, which end with a number.
    var open: [Character] = []
    var before: Character = " "
    while let character = rest.first {
      rest = rest.dropFirst()
      if character.isNumber {
        let digits = String(character) + rest.prefix { $0.isNumber }
        rest = rest.dropFirst(digits.count - 1)
        let isName = open.last != "L" || before == "L"
        if isName {
          let name = rest.prefix(Int(digits) ?? 0)
          if open.count == (isPath ? 1 : 0) { names.append(name) }
          rest = rest.dropFirst(name.count)
          if !isPath { break }
        }
      } else if "NIJX".contains(character) || character == "L" && open.count > 1 {
        open.append(character)
      } else if character == "E" {
        _ = open.popLast()
        if open.isEmpty { break }
      }
      before = character
    }
    let known = names.filter { !$0.hasPrefix("_GLOBAL__N") }
    return known.isEmpty ? nil : known.joined(separator: "::")
  }

  /// A text's first bracket with everything in it.
  private static func bracket(_ text: Substring) -> Substring {
    var depth = 0
    var before: Character = " "
    for index in text.indices {
      switch text[index] {
      case "(", "[", "<", "{": depth += 1
      case ")", "]", "}": depth -= 1
      case ">" where before != "-": depth -= 1
      default: break
      }
      before = text[index]
      if depth == 0 { return text[...index] }
    }
    return text
  }

  /// `(a: Swift.Int, Swift.Int)` as `(a:_:)`.
  private static func labels(of parameters: Substring) -> String {
    var rest = parameters.dropFirst().dropLast()
    guard !rest.isEmpty else { return "()" }
    var labels = "("
    while true {
      let end = place(of: ", ", in: rest) ?? rest.endIndex
      let parameter = rest[..<end]
      let name = parameter.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      let isLabelled = !name.isEmpty && parameter.dropFirst(name.count).hasPrefix(": ")
      labels += isLabelled ? "\(name):" : "_:"
      guard end < rest.endIndex else { break }
      rest = rest[rest.index(end, offsetBy: 2)...]
    }
    return labels + ")"
  }
}
