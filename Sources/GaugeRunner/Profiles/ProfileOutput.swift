// Where profiles go: tables on the terminal, and files for tools.

/// A form that a profile is shown in.
enum ProfileFormat: String, CaseIterable {
  /// The functions that weigh most, on the terminal.
  case table
  /// Folded stacks, for flame graph tools.
  case folded

  /// What a file of it ends with; `nil` for what is printed.
  var ending: String? {
    switch self {
    case .table: nil
    case .folded: "folded"
    }
  }

  /// A profile in this form; empty for what is printed.
  ///
  /// - Parameter profiles: Profiles of one benchmark and one kind of launch, the one that is asked for first.
  func text(_ profile: Profile, title: String) -> String {
    switch self {
    case .table: ""
    case .folded: FoldedStacks.text(profile)
    }
  }
}

/// Writes profiles.
struct ProfileOutput {
  /// The forms that are asked for.
  var formats: [ProfileFormat]
  /// The folder that files are written to; `nil` prints them.
  var folder: String?
  /// Where tables are printed.
  var console: Console

  /// Writes the profiles of one launch.
  ///
  /// - Parameters:
  ///   - profiles: One for each kind that the launch has weighed.
  ///   - types: What was counted, by function and by name of the type.
  ///   - title: The benchmark.
  /// - Returns: Paths of the files.
  /// - Throws: `CommandFailure` with code `cannotWrite`.
  func write(
    _ profiles: [Profile], types: [String: [String: Int]] = [:], title: String
  ) throws(CommandFailure) -> [String] {
    var paths: [String] = []
    for format in formats {
      for profile in profiles {
        guard let ending = format.ending else {
          print(profile, types, title)
          continue
        }
        let text = format.text(profile, title: "\(title): \(profile.kind.rawValue)")
        guard let folder else {
          console.output.write(text)
          continue
        }
        let path = "\(folder)/\(Self.fileName(title)).\(profile.kind.rawValue).\(ending)"
        do throws(SystemError) {
          try Files.makeFolder(folder)
          try Descriptor.appending(to: path, emptied: true).append(Array(text.utf8))
        } catch {
          throw CommandFailure(code: .cannotWrite, message: "\(error)")
        }
        paths.append(path)
      }
    }
    return paths
  }

  private func print(_ profile: Profile, _ types: [String: [String: Int]], _ title: String) {
    let table = ProfileTable(profile: profile, types: types)
    console.output.line(console.output.bold(title))
    for line in table.text(width: console.output.columns ?? 120, colour: console.output.colour) {
      console.output.line(line)
    }
    console.output.line()
  }

  /// A benchmark's title as the name of a file.
  static func fileName(_ title: String) -> String {
    String(title.map { $0.isLetter || $0.isNumber || "._=-".contains($0) ? $0 : "-" })
  }
}
