// Names in a place where no two may be the same.

/// Names that are given out once each.
struct UnlikeNames {
  private var taken: Set<String> = []
  private var numbers: [String: Int] = [:]
  private let key: (String) -> String

  /// - Parameter key: What must differ of two names.
  init(by key: @escaping (String) -> String = { $0 }) { self.key = key }

  /// Names of files for titles, none of which is another's, also where capital letters are no others than small ones.
  static func ofFiles(for titles: some Sequence<String>) -> [String: String] {
    var names = UnlikeNames { $0.lowercased() }
    return titles.reduce(into: [:]) { files, title in
      if files[title] == nil { files[title] = names.give(Files.name(of: title)) }
    }
  }

  /// The name itself for the first one that has it, for others with `_2` and so on behind it.
  ///
  /// - Complexity: O(1) on average, however many have one name.
  mutating func give(_ name: String) -> String {
    var given = name
    while !taken.insert(key(given)).inserted {
      let number = (numbers[key(name)] ?? 1) + 1
      numbers[key(name)] = number
      given = "\(name)_\(number)"
    }
    return given
  }
}
