// An executable or library that a stack passes through: its functions by address, and how their frames are left.

/// What is known of a file that was loaded.
final class LoadedObject {
  /// Path of the file.
  let path: String
  /// The file.
  let elf: ElfFile
  /// How frames are left; `nil` where the file doesn't say.
  let frames: CallFrameTable?
  /// Whether it has lines of source files.
  let hasLines: Bool
  /// Whether it has a table of all its functions, not only of those that the loader needs.
  private(set) lazy var namesAll = functions.areAll
  /// Why some stacks can't be followed through it: what its table of frames asks for, with its place; `nil` where
  /// nothing was met.
  private(set) var complaint: String?
  private lazy var functions = Self.functions(elf, names)
  /// Another file that names its functions; `nil` for itself.
  private let names: ElfFile?
  private lazy var chosen = ChosenFunctions.names(elf.chosenFunctions(), path: path)

  /// Reads a file; `nil` where it can't be read, or is of another format.
  convenience init?(path: String) {
    guard let bytes = try? Files.contents(of: path) else { return nil }
    self.init(path: path, bytes: bytes)
  }

  /// Reads a stripped file whose functions another one names; `nil` where it can't be read, or is of another format.
  convenience init?(path: String, names: ElfFile) {
    guard let bytes = try? Files.contents(of: path) else { return nil }
    self.init(path: path, bytes: bytes, names: names)
  }

  /// Takes a file that was read.
  init?(path: String, bytes: [UInt8], names: ElfFile? = nil) {
    guard let elf = ElfFile(bytes) else { return nil }
    self.path = path
    self.elf = elf
    self.names = names
    frames = CallFrameTable(elf)
    hasLines =
      elf.section(".debug_line") != nil
      || Files.stamp(of: DebugStripper.path(ofDebugInformationOf: path)) != nil
  }

  /// The functions of a file, and the file that has their names: what was stripped of a system's library may be
  /// installed beside it.
  private static func functions(
    _ elf: ElfFile, _ names: ElfFile?
  ) -> (symbols: [ElfFile.Symbol], areAll: Bool, file: FileBytes) {
    if let names, case let all = names.functions(), !all.symbols.isEmpty {
      return (all.symbols, all.areAll, names.file)
    }
    let own = elf.functions()
    if !own.areAll, let identifier = elf.buildIdentifier, identifier.count > 2,
      let bytes = try? Files.contents(
        of: "\(debugFolder)/\(identifier.prefix(2))/\(identifier.dropFirst(2)).debug"),
      let debug = ElfFile(bytes), case let all = debug.functions(), all.areAll
    {
      return (all.symbols, true, debug.file)
    }
    return (own.symbols, own.areAll, elf.file)
  }

  /// Where systems install what was stripped, by the number of the build.
  private static let debugFolder = "/usr/lib/debug/.build-id"

  /// How the frame at an address is left; `nil` where the file doesn't say,
  /// and where it asks for too much, which is noted.
  ///
  /// The toolchain's own libraries that are linked statically have functions without a row: what these push tells.
  func row(at address: UInt64) -> CallFrameRow? {
    do throws(CallFrameTable.Excess) {
      if let row = try frames?.row(at: address) { return row }
    } catch {
      complaint = complaint ?? "\(name), \(error)"
      return nil
    }
    // 62 is x86-64.
    guard elf.file.number(UInt16.self, at: 18) == 62, let function = function(at: address),
      let section = elf.section(at: function.address), section.size > 0
    else { return nil }
    let place = section.offset &+ Int(function.address - section.address)
    return FunctionPrologue.row(elf.file.bytes, function: function.address, place: place, at: address)
  }

  /// Last part of the path.
  var name: String { Self.name(ofPath: path) }

  /// Last part of a path.
  static func name(ofPath path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The symbol of the function at an address; `nil` where no table names it.
  func symbol(at address: UInt64) -> String? {
    if let stub = elf.stub(at: address) { return Self.stubPrefix + stub }
    if let symbol = function(at: address) { return unversioned(functions.file.text(at: symbol.nameOffset)) }
    guard !namesAll, let start = row(at: address)?.start else { return nil }
    return chosen[start]
  }

  /// The code of the function at an address: as a table of symbols has it, or as the row of its
  /// frame has it; `nil` where neither does.
  func code(at address: UInt64) -> Range<UInt64>? {
    if let symbol = function(at: address), symbol.size > 0 {
      return symbol.address..<symbol.address &+ symbol.size
    }
    guard let row = row(at: address), row.start <= address, row.end > address else { return nil }
    return row.start..<row.end
  }

  /// The function at an address; `nil` where no table names it.
  private func function(at address: UInt64) -> ElfFile.Symbol? {
    let symbols = functions.symbols
    var low = 0
    var high = symbols.count
    while low < high {
      let middle = (low + high) / 2
      if symbols[middle].address <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0, case let symbol = symbols[low - 1] else { return nil }
    let isInside =
      symbol.size > 0
      ? address - symbol.address < symbol.size : elf.section(at: address).map { $0.address <= symbol.address } ?? true
    return isInside ? symbol : nil
  }

  /// A symbol without the version that a library may give it, such as `@@GLIBC_2.17`.
  private func unversioned(_ symbol: String) -> String {
    symbol.firstIndex(of: "@").map { $0 == symbol.startIndex ? symbol : String(symbol[..<$0]) } ?? symbol
  }

  /// What the symbols of stubs begin with.
  static let stubPrefix = "stub of "
}
