// What `gauge ab --vary` changes about a side, as it is typed: `variable=NAME=VALUE`, and several joined by a plus.

import Foundation

/// A side that differs from the base in how it is built or launched.
struct Variant: Hashable {
  /// What was typed.
  let text: String
  /// How it is built otherwise.
  var build = BuildChange()
  /// How it is launched otherwise.
  var launch = LaunchChange()

  /// What a setting begins with.
  enum Word: String, CaseIterable {
    case toolchain
    case option
    case variable
    case preload
    case dependency

    /// What stands behind it.
    var form: String {
      switch self {
      case .toolchain: "toolchain=PATH, a toolchain's folder or its 'swift'"
      case .option: "option=WORDS that 'swift build' takes, such as option=-Xswiftc -Ounchecked"
      case .variable: "variable=NAME=VALUE"
      case .preload: "preload=PATH, a library"
      case .dependency: "dependency=NAME@VERSION or dependency=NAME=PATH"
      }
    }
  }

  /// The option.
  static let option = OptionSyntax(
    name: "--vary", placeholder: "SETTING",
    help: """
      Judge the same sources with this changed; may be repeated.
      toolchain=PATH, option=WORDS of 'swift build', preload=PATH,
      variable=NAME=VALUE, dependency=NAME@VERSION or NAME=PATH;
      joined by ' + ' they change together.
      """)

  /// What stands between settings that change together.
  static let separator = " + "

  /// Whether it is the same as another one, however it was typed.
  func isSame(as other: Variant) -> Bool { build == other.build && launch == other.launch }

  /// Reads a value of the option. Whether there is what it names is not looked at.
  ///
  /// - Throws: `CommandFailure` with code `usage` for what is no setting.
  init(_ text: String) throws(CommandFailure) {
    self.text = text
    guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) else {
      throw Self.failure(text, "a line feed or another control character can't be part of it")
    }
    for part in text.components(separatedBy: Self.separator) { try add(part) }
  }

  /// A wrong value of the option.
  static func failure(_ text: String, _ reason: String) -> CommandFailure {
    .usage("option '--vary' can't take '\(text)': \(reason)")
  }

  private mutating func add(_ part: String) throws(CommandFailure) {
    let known = Word.allCases.map(\.rawValue)
    guard let equals = part.firstIndex(of: "=") else {
      throw Self.failure(text, "'\(part)' has no '='; it takes " + known.map { $0 + "=..." }.joined(separator: ", "))
    }
    let name = String(part[..<equals])
    guard let word = Word(rawValue: name) else {
      var failure = CommandFailure.usage("", unknown: name, known: known)
      failure.message =
        Self.failure(text, "it knows \(known.joined(separator: ", ")), not '\(name)'").message
      throw failure
    }
    let value = String(part[part.index(after: equals)...])
    guard !value.trimmingCharacters(in: .whitespaces).isEmpty else {
      throw Self.failure(text, "what to take instead? \(word.form)")
    }
    switch word {
    case .toolchain:
      guard build.swift == nil else { throw Self.failure(text, "it names two toolchains") }
      build.swift = Self.path(value)
    case .option: try add(options: value)
    case .variable: try add(variable: value)
    case .preload:
      let path = Self.path(value)
      guard !launch.preloads.contains(path) else { throw Self.failure(text, "it preloads \(value) twice") }
      // Nothing can quote them.
      guard !path.contains(where: { $0 == ":" || $0 == " " }) else {
        throw Self.failure(text, "the loader takes no path with a colon or a blank; a link to it can have another name")
      }
      launch.preloads.append(path)
    case .dependency: try add(dependency: value)
    }
  }

  private mutating func add(options: String) throws(CommandFailure) {
    let words = options.split(separator: " ").map(String.init)
    guard words[0].hasPrefix("-") else {
      throw Self.failure(text, "'\(words[0])' is no option of 'swift build'; \(Word.option.form)")
    }
    // Behind these stands a word for another program.
    let passed = ["-Xswiftc", "-Xcc", "-Xlinker", "-Xcxx", "-Xbuild-tools-swiftc", "-Xmanifest"]
    for (index, word) in words.enumerated() where index == 0 || !passed.contains(words[index - 1]) {
      let name = word.prefix { $0 != "=" }
      guard !BuildChange.fixedOptions.contains(String(name)) else {
        throw Self.failure(
          text,
          "'\(name)' decides what is built and where, which gauge does"
            + (name == "--toolchain" ? "; toolchain=PATH takes another one" : ""))
      }
    }
    guard let last = words.last, !passed.contains(last) else {
      throw Self.failure(text, "'\(words.last ?? "")' needs a word behind it")
    }
    build.options += words
  }

  private mutating func add(variable: String) throws(CommandFailure) {
    guard let equals = variable.firstIndex(of: "="), equals != variable.startIndex else {
      throw Self.failure(text, "'\(variable)' is no variable with a value; \(Word.variable.form)")
    }
    let name = String(variable[..<equals])
    guard name != LaunchChange.preloadVariable else { throw Self.failure(text, "\(Word.preload.form), sets \(name)") }
    guard !name.hasPrefix("GAUGE_") else {
      throw Self.failure(text, "variables whose names begin with GAUGE_ are gauge's own")
    }
    guard launch.variables.updateValue(String(variable[variable.index(after: equals)...]), forKey: name) == nil else {
      throw Self.failure(text, "it sets \(name) twice")
    }
  }

  private mutating func add(dependency: String) throws(CommandFailure) {
    let end = dependency.firstIndex { $0 == "@" || $0 == "=" } ?? dependency.endIndex
    let name = String(dependency[..<end])
    let place = String(dependency[end...].dropFirst())
    guard !name.isEmpty, !name.hasPrefix("-"), !place.isEmpty else {
      throw Self.failure(text, "'\(dependency)' names no package and what to take for it; \(Word.dependency.form)")
    }
    guard !build.dependencies.contains(where: { $0.name.lowercased() == name.lowercased() }) else {
      throw Self.failure(text, "it changes \(name) twice")
    }
    guard dependency[end] == "@" else {
      build.dependencies.append(DependencyChange(name: name, folder: Self.path(place)))
      return
    }
    guard place.wholeMatch(of: /\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?/) != nil else {
      throw Self.failure(text, "'\(place)' is no version such as 1.2.3")
    }
    build.dependencies.append(DependencyChange(name: name, version: place))
  }

  /// A path as it is from everywhere.
  private static func path(_ text: String) -> String { URL(fileURLWithPath: text).standardizedFileURL.path }
}
