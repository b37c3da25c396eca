// From a launch's events to a timeline: their stacks unwound, named, and cut off where the harness begins.

/// The timeline that one launch makes.
enum TimelineStacks {
  /// Reads a launch's events.
  ///
  /// - Parameters:
  ///   - file: The events with their stacks.
  ///   - title: The benchmark, which becomes the root of all stacks.
  ///   - executable: Path of its executable.
  ///   - symboliser: What names addresses.
  /// - Returns: `nil` where the file has no events at all.
  static func timeline(
    _ file: SampleFile, title: String, executable: String, symboliser: Symboliser
  ) -> Timeline? {
    guard let record = file.timeline else { return nil }
    let unwinder = StackUnwinder(file, objects: symboliser.object)
    let stacks = file.records.map { record in
      unwinder.unwind(record) { address in
        unwinder.place(of: address).flatMap(symboliser.symbol).map(Symboliser.isAsynchronous) ?? false
      }
    }
    symboliser.name(Set(Set(stacks).flatMap(\.frames)).compactMap { unwinder.place(of: $0.address) })
    let root = ProfileFrame(function: title, object: LoadedObject.name(ofPath: executable))
    var kept: [StackUnwinder.Stack: [ProfileFrame]?] = [:]
    for stack in stacks where kept[stack] == nil {
      kept[stack] = .some(
        frames(StackProfiles.names(on: stack, unwinder, symboliser, executable)).map { [root] + $0 })
    }
    var types = file.types.mapValues(StackProfiles.typeName)
    types[0] = nil
    var timeline = Timeline(record, stacks: stacks.map { kept[$0] ?? nil }, types: types, title: title)
    if file.lost > 0 {
      timeline.notes.append("\(file.lost) events have no stack: there was no room for more stacks")
    }
    if let complaint = symboliser.complaint(about: executable, isMain: true, hasUnknown: false) {
      timeline.notes.append(complaint)
    }
    return timeline
  }

  /// The benchmark's part of a stack; `nil` for what the harness does between operations,
  /// or to bring its threads together.
  private static func frames(_ names: [Symboliser.Name]) -> [ProfileFrame]? {
    if names.contains(where: { StackProfiles.isBetweenBatches($0.symbol) }) { return nil }
    if let crew = names.lastIndex(where: { isOfCrew($0.symbol) }) {
      // Behind it stands the operation of a thread, or what the crew itself calls.
      let isOperation = names[(crew + 1)...].contains { !$0.frame.isLibrary && !StackProfiles.isHarness($0.symbol) }
      guard isOperation else { return nil }
    }
    // What is recorded is what happens within the operation, whether its function can be told or not.
    return StackProfiles.cut(names, leavesOutRuntime: true)?.map(\.frame) ?? []
  }

  /// Whether a function is of how threads of a group wait for each other.
  private static func isOfCrew(_ symbol: String) -> Bool {
    symbol == "serve" || symbol.hasPrefix("probe_") || symbol.hasPrefix("$s5Gauge") && symbol.contains("GroupCrew")
  }
}
