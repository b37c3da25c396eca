// Reading a command line: options with and without values, and plain arguments, against what a verb knows. Ours, as a
// package that reads them would come along with everybody's benchmarks.

/// An option of a verb.
struct OptionSyntax: Hashable, Sendable {
  /// The option as it is typed, for example `--filter`.
  var name: String
  /// What stands for its value in help texts, for example `GLOB`; `nil` for an option without one.
  var placeholder: String?
  /// What it does, for help texts; lines are wrapped by hand.
  var help: String
  /// The words that its value is one of, or some of; empty where it may be anything.
  var words: [String] = []
}

/// The arguments of a verb, sorted.
struct Arguments: Hashable {
  /// The options that the verb knows.
  let options: [OptionSyntax]
  private var values: [String: [String]] = [:]
  /// Arguments that belong to no option, in order.
  private(set) var plain: [String] = []

  /// Sorts arguments. `--name value` and `--name=value` are the same; behind `--` everything is plain.
  ///
  /// - Parameters:
  ///   - arguments: The arguments behind the verb.
  ///   - options: The options that the verb knows.
  /// - Throws: `CommandFailure` with code `usage` for an option that is unknown, lacks its value, or has one too many.
  init(_ arguments: [String], options: [OptionSyntax]) throws(CommandFailure) {
    self.options = options
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        plain += rest
        return
      }
      guard argument.hasPrefix("-"), argument != "-" else {
        plain.append(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let option = options.first(where: { $0.name == parts[0] }) else {
        throw .usage("unknown option '\(parts[0])'", unknown: parts[0], known: options.map(\.name))
      }
      guard option.placeholder != nil else {
        guard parts.count == 1 else { throw .usage("option '\(option.name)' takes no value") }
        values[option.name, default: []].append("")
        continue
      }
      // An empty name of a folder, as an unset variable gives, would be the root of all.
      let isPath = ["DIR", "FILE", "PATH"].contains(option.placeholder)
      guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !isPath || !value.isEmpty else {
        throw .usage("option '\(option.name)' needs a value: \(option.name) \(option.placeholder ?? "")")
      }
      values[option.name, default: []].append(value)
    }
  }

  /// Whether an option was given.
  func has(_ option: String) -> Bool { values[option] != nil }

  /// All values of an option, in order.
  func all(_ option: String) -> [String] { values[option] ?? [] }

  /// The value of an option; the last where it was given several times.
  func last(_ option: String) -> String? { values[option]?.last }

  /// The values of an option that takes several, joined by commas or given one by one.
  func list(_ option: String) -> [String] {
    all(option).flatMap { $0.split(separator: ",").map(String.init) }
  }

  /// The value of an option as a number within bounds.
  ///
  /// - Throws: `CommandFailure` with code `usage` where it is something else.
  func number<Number: LosslessStringConvertible & Comparable>(
    _ option: String, in range: ClosedRange<Number>, expected: String
  ) throws(CommandFailure) -> Number? {
    guard let text = last(option) else { return nil }
    guard let number = Number(text), range.contains(number) else {
      throw .usage("option '\(option)' needs \(expected), not '\(text)'")
    }
    return number
  }

  /// Values of an option as some of known words.
  ///
  /// - Throws: `CommandFailure` with code `usage` for another word.
  func words<Word: RawRepresentable & CaseIterable>(
    _ option: String, as type: Word.Type
  ) throws(CommandFailure) -> [Word] where Word.RawValue == String {
    let known = Word.allCases.map(\.rawValue)
    var words: [Word] = []
    for text in list(option) {
      guard let word = Word(rawValue: text) else {
        throw .usage(
          "option '\(option)' knows \(known.joined(separator: ", ")), not '\(text)'", unknown: text, known: known)
      }
      words.append(word)
    }
    return words
  }

  /// The action that a verb is asked for by its first plain argument.
  func action<Action: RawRepresentable & CaseIterable>(
    as type: Action.Type
  ) throws(CommandFailure) -> Action where Action.RawValue == String {
    let known = Action.allCases.map(\.rawValue)
    guard let word = plain.first else { throw .usage("what? one of " + known.joined(separator: ", ")) }
    guard let action = Action(rawValue: word) else {
      throw .usage("'\(word)' is none of \(known.joined(separator: ", "))", unknown: word, known: known)
    }
    return action
  }

  /// Refuses another number of plain arguments.
  func expect(plain range: ClosedRange<Int>, usage: String) throws(CommandFailure) {
    guard range.contains(plain.count) else {
      throw .usage("expected \(usage), found \(plain.count) arguments")
    }
  }
}
