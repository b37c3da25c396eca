// Files with symbols that somebody names for those of a recording: copies that weren't stripped, and what was stripped.

/// Files that are read in place of recorded ones, or for their names.
struct RecordedSymbols {
  /// Paths of whole files, by the recorded path.
  private(set) var others: [String: String] = [:]
  /// Files that have debug information alone, by the path of the file whose functions they name.
  private var names: [String: ElfFile] = [:]

  /// Why a file is of no use.
  struct Failure: Error, Hashable {
    /// Whether something isn't there, rather than wrong.
    var isMissing: Bool
    var message: String
    var advice: String
  }

  /// Finds what each file is for: the recorded file of its build, or else of its name.
  ///
  /// - Parameters:
  ///   - files: Paths of the files.
  ///   - recording: The recording.
  /// - Throws: `Failure` for a file that can't be read, is none of symbols, or is for no recorded file; and for one
  ///   of debug information alone whose other half isn't there.
  init(_ files: [String], of recording: Recording) throws(Failure) {
    var paths = Set(recording.maps.joined().map(\.path).filter { $0.hasPrefix("/") }).union(recording.builds.keys)
    if !recording.program.isEmpty { paths.insert(recording.program) }
    var separate: [(file: String, elf: ElfFile, paths: [String])] = []
    for file in files {
      let elf = try Self.read(file)
      var meant = paths.filter { elf.buildIdentifier != nil && recording.builds[$0] == elf.buildIdentifier }
      if meant.isEmpty {
        let name = LoadedObject.name(ofPath: file)
        let names: Set<String> = [name, name.hasSuffix(".debug") ? String(name.dropLast(6)) : name]
        meant = paths.filter { names.contains(LoadedObject.name(ofPath: $0)) }
      }
      guard !meant.isEmpty else {
        let known = paths.sorted().prefix(10).map(LoadedObject.name).joined(separator: ", ")
        throw Failure(
          isMissing: false, message: "--symbols \(file): no recorded file is of its build or has its name",
          advice: "Name a copy of one of these with symbols: \(known).")
      }
      if elf.hasCode { for path in meant { others[path] = file } } else { separate.append((file, elf, meant.sorted())) }
    }
    for (file, elf, meant) in separate {
      for recorded in meant {
        let path = others[recorded] ?? recorded
        guard Files.stamp(of: path) != nil else {
          throw Failure(
            isMissing: true,
            message: "--symbols \(file) has debug information alone, and \(path), its other half, can't be read",
            advice: "Name a copy of \(LoadedObject.name(ofPath: recorded)) by another --symbols.")
        }
        names[path] = elf
      }
    }
  }

  private static func read(_ file: String) throws(Failure) -> ElfFile {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try Files.contents(of: file)
    } catch {
      throw Failure(
        isMissing: true, message: "\(error)", advice: "Name a file with symbols by --symbols.")
    }
    guard let elf = ElfFile(bytes) else {
      throw Failure(
        isMissing: false, message: "--symbols \(file): no executable or library (ELF, 64 bits)",
        advice: "Name a copy of the program, or of a library of it, that wasn't stripped.")
    }
    return elf
  }

  /// Reads a file that stacks pass through, after the others were put in place of recorded ones.
  func load(_ path: String) -> LoadedObject? {
    guard let elf = names[path] else { return Symboliser.load(path) }
    return LoadedObject(path: path, names: elf)
  }
}
