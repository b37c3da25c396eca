// What lies beside an address that code or data has: a compiler reckons some addresses from an object that they aren't
// in. The file that was linked doesn't tell which.

extension CodeComparison {
  /// How far from an object an address is at most that was reckoned from it. One past the end is what languages allow,
  /// and optimizers begin loops some elements before or behind a table.
  static let reach: UInt64 = 64

  /// Whether what lies beside two addresses is the same, as far as it is the beginning or the end of what may be meant.
  ///
  /// An object that lies elsewhere in the other executable isn't meant: the address hasn't gone with it.
  func hasSameNeighbours(_ target: UInt64, _ other: UInt64) -> Bool {
    if base.unnamedCount(before: target) > 0, new.unnamedCount(before: other) > 0 {
      led.append(number(of: .unnamedBefore(target, other)))
    }
    let sides = [
      (Self.neighbour(before: target, in: base), Self.neighbour(before: other, in: new)),
      (Self.neighbour(behind: target, in: base), Self.neighbour(behind: other, in: new)),
    ]
    return sides.allSatisfy { mine, its in
      guard let mine, let its, mine.distance == its.distance else { return true }
      guard Self.isData(mine.object, of: base) || Self.isData(its.object, of: new) else { return true }
      let (key, otherKey) = (base.key(of: mine.object), new.key(of: its.object))
      if key == otherKey {
        led.append(number(of: .objects(mine.object, its.object)))
        return true
      }
      return new.object(key) != nil && base.object(otherKey) != nil
    }
  }

  private typealias Neighbour = (object: Int, distance: UInt64)

  private static func neighbour(before address: UInt64, in image: ProgramImage) -> Neighbour? {
    guard let object = image.objectBefore(address) else { return nil }
    let distance = address - image.objects[object].end
    return distance <= reach ? (object, distance) : nil
  }

  private static func neighbour(behind address: UInt64, in image: ProgramImage) -> Neighbour? {
    guard let object = image.objectBehind(address) else { return nil }
    let distance = image.objects[object].start - address
    return distance <= reach ? (object, distance) : nil
  }

  /// Whether code may go through an object by addresses that it reckons,
  /// and find something there when the program begins.
  private static func isData(_ object: Int, of image: ProgramImage) -> Bool {
    let section = image.objects[object].section
    return !image.isCode(section) && !image.isZero(section) && !isMetadata(object, of: image)
  }

  /// Whether an object is what the compiler of Swift tells the runtime of types: whoever uses it has its address, and
  /// so do its own pointers lead to where something begins.
  static func isMetadata(_ object: Int, of image: ProgramImage) -> Bool {
    let name = image.objects[object].name
    if image.elf.sections[image.objects[object].section].name.hasPrefix("swift5_") { return true }
    return name.hasPrefix("symbolic ")
      || name.hasPrefix("$s") && metadataSuffixes.contains(where: name.hasSuffix)
  }

  /// What the names of metadata, descriptors, conformances, witness tables and caches end with. After
  /// docs/ABI/Mangling.rst of the Swift repository.
  private static let metadataSuffixes = [
    "N", "Mn", "Mf", "Mp", "Mm", "MF", "MB", "Mc", "MC", "MD", "ML", "Mo", "MP", "MQ", "MV", "MXE", "MXM", "MXX", "MXY",
    "Mz", "TL", "Tl", "Tn", "Tq", "WI", "WL", "WP", "WV", "Wp",
  ]
}
