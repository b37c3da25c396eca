// Profiles as pprof reads them: profile.proto of github.com/google/pprof, compressed as gzip files are.

/// The file format of pprof.
enum Pprof {
  /// Profiles of one program as one file, with a value of each kind for every stack.
  ///
  /// - Parameter profiles: Profiles of different kinds; at least one.
  static func bytes(_ profiles: [Profile]) -> [UInt8] { Gzip.stored(message(profiles)) }

  /// The message alone.
  static func message(_ profiles: [Profile]) -> [UInt8] {
    var tables = Tables()
    var message = ProtobufMessage()
    for profile in profiles { message.add(1, tables.valueType(profile.kind)) }
    var values: [[ProfileFrame]: [Int]] = [:]
    for (index, profile) in profiles.enumerated() {
      for (stack, weight) in profile.weights {
        values[stack, default: Array(repeating: 0, count: profiles.count)][index] += weight
      }
    }
    for (stack, weights) in values.sorted(by: { $0.key.precedes($1.key) }) {
      var sample = ProtobufMessage()
      // From the leaf to the root; what was inlined is part of the place that it was put into.
      sample.add(1, packed: tables.locations(of: stack).reversed())
      sample.add(2, packed: weights)
      message.add(2, sample)
    }
    for mapping in tables.mappings { message.add(3, mapping) }
    for location in tables.places { message.add(4, location) }
    for function in tables.declarations { message.add(5, function) }
    // Everything that is an index of a string has been made by now.
    let comments = Set(profiles.flatMap(\.notes)).sorted().map { tables.string($0) }
    let leading = tables.string(profiles.first?.kind.rawValue ?? "")
    for string in tables.strings { message.add(6, Array(string.utf8)) }
    if !comments.isEmpty { message.add(13, packed: comments) }
    message.add(14, leading)
    return message.bytes
  }

  /// What samples refer to by number.
  private struct Tables {
    /// The first is empty, as the format wants it.
    private(set) var strings = [""]
    private(set) var mappings: [ProtobufMessage] = []
    private(set) var places: [ProtobufMessage] = []
    private(set) var declarations: [ProtobufMessage] = []
    private var stringNumbers = ["": 0]
    private var mappingNumbers: [String: Int] = [:]
    private var placeNumbers: [[ProfileFrame]: Int] = [:]
    private var functionNumbers: [[String]: Int] = [:]

    mutating func string(_ text: String) -> Int {
      if let known = stringNumbers[text] { return known }
      strings.append(text)
      stringNumbers[text] = strings.count - 1
      return strings.count - 1
    }

    mutating func valueType(_ kind: Profile.Kind) -> ProtobufMessage {
      var type = ProtobufMessage()
      type.add(1, string(kind.rawValue))
      type.add(2, string(kind.unit == "bytes" || kind.unit == "nanoseconds" ? kind.unit : "count"))
      return type
    }

    /// Numbers of the places on a stack, from the root.
    mutating func locations(of stack: [ProfileFrame]) -> [Int] {
      var numbers: [Int] = []
      var rest = stack[...]
      while let first = rest.first {
        let inlined = rest.dropFirst().prefix { $0.isInlined && $0.object == first.object }
        numbers.append(location([first] + inlined))
        rest = rest.dropFirst(1 + inlined.count)
      }
      return numbers
    }

    private mutating func location(_ frames: [ProfileFrame]) -> Int {
      if let known = placeNumbers[frames] { return known }
      var place = ProtobufMessage()
      place.add(1, places.count + 1)
      place.add(2, mapping(frames[0].object))
      for frame in frames.reversed() {
        var line = ProtobufMessage()
        line.add(1, function(frame))
        line.add(2, frame.line ?? 0)
        place.add(4, line)
      }
      places.append(place)
      placeNumbers[frames] = places.count
      return places.count
    }

    private mutating func function(_ frame: ProfileFrame) -> Int {
      let key = [frame.function, frame.file ?? ""]
      if let known = functionNumbers[key] { return known }
      var function = ProtobufMessage()
      function.add(1, declarations.count + 1)
      function.add(2, string(frame.function))
      function.add(3, string(frame.function))
      function.add(4, string(frame.file ?? ""))
      declarations.append(function)
      functionNumbers[key] = declarations.count
      return declarations.count
    }

    private mutating func mapping(_ object: String) -> Int {
      if let known = mappingNumbers[object] { return known }
      var mapping = ProtobufMessage()
      mapping.add(1, mappings.count + 1)
      mapping.add(5, string(object))
      // Functions, files, lines and inlined frames are here already: nobody has to look for the object.
      for field in 7...10 { mapping.add(field, 1) }
      mappings.append(mapping)
      mappingNumbers[object] = mappings.count
      return mappings.count
    }
  }
}
