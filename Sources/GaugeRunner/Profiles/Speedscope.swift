// Profiles as JSON for speedscope (https://www.speedscope.app), by its published schema.

/// The file format of speedscope.
enum Speedscope {
  /// Profiles as one file; speedscope shows them one at a time.
  ///
  /// - Parameters:
  ///   - profiles: The profiles.
  ///   - title: What they are of.
  static func text(_ profiles: [Profile], title: String) -> String {
    var places: [ProfileFrame: Int] = [:]
    var frames: [JSONText] = []
    func place(of frame: ProfileFrame) -> Int {
      if let known = places[frame] { return known }
      var fields: [(name: String, value: JSONText)] = [("name", .string(frame.function))]
      if let file = frame.file { fields.append(("file", .string(file))) }
      if let line = frame.line { fields.append(("line", .number(Double(line)))) }
      frames.append(.object(fields))
      places[frame] = frames.count - 1
      return frames.count - 1
    }
    let sampled = profiles.map { profile in
      let stacks = profile.weights.filter { $0.value > 0 }.sorted {
        $0.value == $1.value ? $0.key.precedes($1.key) : $0.value > $1.value
      }
      let samples = stacks.map { stack in JSONText.array(stack.key.map { .number(Double(place(of: $0))) }) }
      return JSONText.object([
        ("type", "sampled"), ("name", .string("\(title): \(profile.kind.rawValue)")),
        ("unit", .string(unit(profile.kind))),
        ("startValue", 0), ("endValue", .number(Double(stacks.reduce(0) { $0 + $1.value }))),
        ("samples", .array(samples)), ("weights", .array(stacks.map { .number(Double($0.value)) })),
      ])
    }
    return JSONText.object([
      ("$schema", "https://www.speedscope.app/file-format-schema.json"), ("name", .string(title)),
      ("exporter", "gauge"), ("activeProfileIndex", 0), ("shared", .object([("frames", .array(frames))])),
      ("profiles", .array(sampled)),
    ]).text() + "\n"
  }

  /// The schema's own word for a unit; it has none for counts.
  private static func unit(_ kind: Profile.Kind) -> String {
    switch kind {
    case .cpu, .waits, .wakers: "nanoseconds"
    case .allocatedBytes, .liveBytes: "bytes"
    case .allocations, .liveAllocations, .retains, .releases, .instructions: "none"
    }
  }
}
