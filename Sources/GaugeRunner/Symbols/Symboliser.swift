// From code addresses to what people know: functions, files and lines, with what can't be told said once.

/// Names addresses of several launches' stacks. What was read of files is kept, so that each is read once.
final class Symboliser {
  /// A name with what decides about its place in a profile.
  struct Name: Hashable, Sendable {
    /// As it is shown.
    var frame: ProfileFrame
    /// The symbol; empty where nothing names the function.
    var symbol: String
  }

  private let lines: SourceLines?
  private let scratch: String
  private let load: (String) -> LoadedObject?
  private var objects: [String: LoadedObject?] = [:]
  private var names: [StackUnwinder.Place: [Name]] = [:]
  private var functions: [String: FunctionName] = [:]
  private var files: [String: String] = [:]
  /// Why debug information is not read.
  private var complaint: String?

  /// - Parameters:
  ///   - lines: What reads debug information; `nil` where there is nothing.
  ///   - scratch: Path of a file that may be made.
  ///   - load: What reads a file that stacks pass through.
  init(lines: SourceLines?, scratch: String, load: @escaping (String) -> LoadedObject? = Symboliser.load) {
    self.lines = lines
    self.scratch = scratch
    self.load = load
  }

  /// What is known of a file; `nil` where it can't be read.
  func object(_ path: String) -> LoadedObject? {
    if let known = objects[path] { return known }
    let object = load(path)
    objects[path] = .some(object)
    return object
  }

  /// Reads a file of this machine, or the library that the kernel puts into every process.
  static func load(_ path: String) -> LoadedObject? {
    guard path == SystemImage.name else { return LoadedObject(path: path) }
    return SystemImage.bytes().flatMap { LoadedObject(path: path, bytes: $0) }
  }

  /// The symbol of the function at a place; `nil` where no table names it.
  func symbol(at place: StackUnwinder.Place) -> String? { object(place.path)?.symbol(at: place.address) }

  /// Names places, all at once.
  func name(_ places: some Sequence<StackUnwinder.Place>) {
    let new = Array(Set(places).filter { names[$0] == nil }).sorted { ($0.path, $0.address) < ($1.path, $1.address) }
    let asked = new.filter { object($0.path)?.hasLines ?? false }
    var entries: [StackUnwinder.Place: [SourceLines.Entry]] = [:]
    if let answers = lines?.entries(for: asked, scratch: scratch) {
      for (place, answer) in zip(asked, answers) { entries[place] = answer }
    } else if !asked.isEmpty {
      complaint =
        lines == nil
        ? "\(SourceLines.name) is not installed (it comes with Swift's toolchain)" : "\(SourceLines.name) failed"
    }
    // Code that the compiler has made is of no line; its function may have some elsewhere.
    for entry in entries.values.joined() where entry.file != nil { files[entry.symbol] = entry.file }
    for place in new { names[place] = names(at: place, entries[place] ?? []) }
  }

  /// The names of a place that was given before, from the outermost function to the innermost that was inlined.
  func names(at place: StackUnwinder.Place) -> [Name] { names[place] ?? names(at: place, []) }

  /// The names of a place in a function that was called from another place of the same file.
  ///
  /// Of functions whose code is the same the compiler makes one, which all of them jump to: that has the name of one of
  /// them, and the call tells which was meant.
  ///
  /// - Parameters:
  ///   - place: One that was given before.
  ///   - caller: Where the function returns to.
  func names(at place: StackUnwinder.Place, calledFrom caller: StackUnwinder.Place) -> [Name] {
    var names = names(at: place)
    guard caller.path == place.path, let merged = names.first?.symbol, merged.hasSuffix(Self.mergedMark),
      let object = object(place.path), let target = object.elf.callTarget(before: caller.address),
      let called = object.symbol(at: target), !called.hasPrefix(LoadedObject.stubPrefix), called != merged
    else { return names }
    var frame = ProfileFrame(function: ProfileFrame.unknown, object: names[0].frame.object)
    name(&frame, called, at: place, object)
    names[0] = Name(frame: frame, symbol: called)
    return names
  }

  /// What the symbol of a function ends with that several were merged to.
  private static let mergedMark = "Tm"

  private func names(at place: StackUnwinder.Place, _ entries: [SourceLines.Entry]) -> [Name] {
    let object = object(place.path)
    let symbol = object?.symbol(at: place.address) ?? ""
    var frame = ProfileFrame(function: ProfileFrame.unknown, object: LoadedObject.name(ofPath: place.path))
    guard let outermost = entries.last else {
      name(&frame, symbol, at: place, object)
      return [Name(frame: frame, symbol: symbol)]
    }
    return entries.reversed().enumerated().map { index, entry in
      // The table of symbols knows more than debug information: it names what the compiler has made, too.
      let symbol = index == 0 && !symbol.isEmpty ? symbol : entry.symbol
      name(&frame, symbol, at: place, object)
      let file = entry.file ?? files[entry.symbol]
      if let file, Self.isOfProgram(symbol, in: file, of: place) { frame.isLibrary = false }
      frame.file = file.map(LoadedObject.name)
      frame.line = entry.line
      frame.isInlined = index > 0
      return Name(frame: frame, symbol: symbol.isEmpty ? outermost.symbol : symbol)
    }
  }

  /// Whether a function of C or C++ is the program's: no other part of an executable has lines, but headers of the
  /// system, and what is Weir's.
  private static func isOfProgram(_ symbol: String, in file: String, of place: StackUnwinder.Place) -> Bool {
    !symbol.isEmpty && !symbol.hasPrefix("$s") && !place.path.contains(".so") && !file.hasPrefix("/usr/")
      && !["/usr/lib/", "/CMachine/", "/CRecorder/", "/GaugeHooks/"].contains(where: file.contains)
      && !StackProfiles.isHarness(symbol)
  }

  private func name(
    _ frame: inout ProfileFrame, _ symbol: String, at place: StackUnwinder.Place, _ object: LoadedObject?
  ) {
    // Where there is debug information, the program's own functions have names.
    frame.isLibrary = place.path.contains(".so") || object?.hasLines ?? false
    guard !symbol.isEmpty else {
      // Where nothing names a function its address tells it from others.
      let start = object?.row(at: place.address)?.start
      frame.function = start.map { "\(ProfileFrame.unknown) 0x\(String($0, radix: 16))" } ?? ProfileFrame.unknown
      return
    }
    guard !symbol.hasPrefix(LoadedObject.stubPrefix) else {
      frame.function = symbol
      frame.isLibrary = true
      return
    }
    let name = functions[symbol] ?? FunctionName(symbol: Self.whole(symbol))
    functions[symbol] = name
    frame.function = name.text
    frame.isLibrary = !name.isProgram
  }

  /// The symbol of an asynchronous function for that of a part of it, which goes on behind an `await`.
  static func whole(_ symbol: String) -> String {
    guard symbol.hasPrefix("$s"), symbol.hasSuffix("_") else { return symbol }
    let digits = symbol.dropLast().reversed().prefix { $0.isNumber }.count
    let rest = symbol.dropLast(1 + digits)
    return rest.hasSuffix("TY") || rest.hasSuffix("TQ") ? String(rest.dropLast(2)) : symbol
  }

  /// Whether a symbol is of an asynchronous function, or of a part of one.
  static func isAsynchronous(_ symbol: String) -> Bool {
    symbol.hasPrefix("$s") && (symbol.contains("Ya") || whole(symbol) != symbol)
  }

  /// What could not be told of a file, where something could not.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - isMain: Whether its lines matter: whether it is the benchmark's own.
  ///   - hasUnknown: Whether functions of it without a name weigh something.
  func complaint(about path: String, isMain: Bool, hasUnknown: Bool) -> String? {
    let name = LoadedObject.name(ofPath: path)
    let loss = "no lines, and what was inlined has the name of its caller"
    guard let object = object(path) else {
      return hasUnknown ? "\(path) can't be read: its functions have no names" : nil
    }
    if let complaint = object.complaint { return "\(complaint): stacks through it may end there" }
    if !object.namesAll, hasUnknown { return "\(name) is stripped: functions without a name are told by their address" }
    guard isMain else { return nil }
    if !object.hasLines { return "\(name) has no debug information: \(loss)" }
    return complaint.map { "\($0): \(loss)" }
  }
}
