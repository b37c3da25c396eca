// Where profiles go: tables on the terminal, and files for tools.

/// A form that a profile is shown in.
enum ProfileFormat: String, CaseIterable, RecordedFormat {
  /// The functions that weigh most, on the terminal.
  case table
  /// Flame graphs, as a page to open.
  case html
  /// Folded stacks, for flame graph tools.
  case folded
  /// For speedscope.
  case speedscope
  /// For pprof.
  case pprof

  var isDocument: Bool { self == .html || self == .speedscope }

  /// A file of a form: what its name ends with, and its content.
  typealias File = (ending: String, bytes: [UInt8])

  /// The files of profiles; none of what is printed.
  ///
  /// - Parameters:
  ///   - profiles: Profiles of one benchmark and one kind of launch, the one that is asked for first.
  ///   - base: Those that they are compared with, of the same kinds; flame graphs show the difference.
  ///   - waits: What waits come to, where they are weighed.
  ///   - text: What pages say above the graphs otherwise.
  ///   - title: The benchmark.
  func files(
    _ profiles: [Profile], against base: [Profile] = [], waits: WaitReport? = nil, text: [String] = [], title: String
  ) -> [File] {
    guard let kind = profiles.first?.kind.rawValue else { return [] }
    switch self {
    case .table: return []
    case .html:
      let graphs = profiles.map { profile in
        FlameGraph(profile, against: base.first { $0.kind == profile.kind }, title: profile.kind.rawValue)
      }
      let text = waits.map { WaitText(report: $0).text(width: 160, colour: false) } ?? text
      return [("\(kind).html", Array(flameGraphPage(graphs, title: title, text: text).utf8))]
    case .folded: return profiles.map { ("\($0.kind.rawValue).folded", Array(FoldedStacks.text($0).utf8)) }
    case .speedscope: return [("\(kind).speedscope.json", Array(Speedscope.text(profiles, title: title).utf8))]
    case .pprof: return [("\(kind).pb.gz", Pprof.bytes(profiles))]
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
  /// What the files of each benchmark are called.
  var names: [String: String] = [:]

  /// Why a file of bytes is not printed.
  static let unprintable = CommandFailure.usage("a pprof file can't be printed: name a folder by --output DIR")

  /// Writes the profiles of one launch.
  ///
  /// - Parameters:
  ///   - profiles: One for each kind that the launch has weighed.
  ///   - base: Those that they are compared with, of the same kinds.
  ///   - types: What was counted, by function and by name of the type.
  ///   - waits: What waits come to, where they are weighed.
  ///   - text: What is said above tables and graphs otherwise.
  ///   - title: The benchmark.
  /// - Returns: Paths of the files.
  /// - Throws: `CommandFailure` with code `cannotWrite`, or `usage` for a file that can't be printed.
  func write(
    _ profiles: [Profile], against base: [Profile] = [], types: [String: [String: Int]] = [:],
    waits: WaitReport? = nil, text: [String] = [], title: String
  ) throws(CommandFailure) -> [String] {
    var paths: [String] = []
    for format in formats {
      if format == .table {
        if let waits {
          console.output.line(marked: console.output.bold(title))
          let text = WaitText(report: waits)
          console.output.marked(text.text(width: console.output.columns ?? 120, colour: console.output.colour))
          console.output.line()
        }
        if !text.isEmpty {
          console.output.marked(text)
          console.output.line()
        }
        for profile in profiles {
          print(profile, against: base.first { $0.kind == profile.kind }, types, title)
        }
      }
      for file in format.files(profiles, against: base, waits: waits, text: text, title: title) {
        guard folder != nil || format != .pprof else { throw Self.unprintable }
        paths += try write(file, title: title)
      }
    }
    return paths
  }

  /// Writes one file into the folder, or prints it.
  ///
  /// - Returns: Its path; none where it is printed.
  /// - Throws: `CommandFailure` with code `cannotWrite`.
  func write(_ file: ProfileFormat.File, title: String) throws(CommandFailure) -> [String] {
    guard let folder else {
      console.output.file(String(decoding: file.bytes, as: UTF8.self))
      return []
    }
    let path = "\(folder)/\(names[title] ?? Files.name(of: title)).\(file.ending)"
    do throws(SystemError) {
      try Files.makeFolder(folder)
      try Files.replace(path, with: file.bytes)
    } catch {
      throw CommandFailure(code: .cannotWrite, message: "\(error)")
    }
    return [path]
  }

  private func print(
    _ profile: Profile, against base: Profile?, _ types: [String: [String: Int]], _ title: String
  ) {
    let table = ProfileTable(profile: profile, types: types)
    console.output.line(marked: console.output.bold(title))
    console.output.marked(table.text(width: console.output.columns ?? 120, colour: console.output.colour))
    if let base {
      for line in ProfileDifference(base: base, new: profile).lines {
        for part in wrapped(line, indent: 2, width: console.output.columns ?? 120) { console.output.line(part) }
      }
    }
    console.output.line()
  }
}
