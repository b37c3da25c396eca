// Types of objects that a program releases, and what steps that do so are told apart by.
// No test file: compiled for builds with the trait Verification, and tested in Tests/ConsumerTests/Verification.

import CExplorer

/// What is known of types, by the addresses of their metadata, which differ from process to process: nothing that is
/// decided depends on them.
struct ObjectTypes {
  /// What of an object holds others, and stays as it is.
  enum Shape {
    /// Words that are constants.
    case constants([Int])
    /// The memory of an array whose elements have a word at least.
    case array
    /// What a closure holds: all of it.
    case context
    /// Nothing that is known.
    case opaque
  }

  private var areOwn: [UInt: Bool] = [:]
  private var shapes: [UInt: Shape?] = [:]
  private var bits: [UInt: UInt64] = [:]

  /// A bit for a type, in the order in which types are met: the same in all processes, as runs are.
  mutating func bit(of type: UInt) -> UInt64 {
    if let bit = bits[type] { return bit }
    let bit = UInt64(1) << UInt64(bits.count & 63)
    bits[type] = bit
    return bit
  }

  /// Whether nobody can tell who frees an object of a type: it is the explorer's own, which frees it as it likes; it
  /// has one holder, and others in passing only; or it holds numbers and text, as many arrays do.
  mutating func isOwn(_ type: UInt) -> Bool {
    if let isOwn = areOwn[type] { return isOwn }
    // SAFETY: metadata is never freed, and its first word is its kind, or of a class something greater. Boxes and what
    // closures hold have no class.
    let kind = unsafe UnsafePointer<UInt>(bitPattern: type)!.pointee
    var isOwn = false
    if kind == 0 || kind > 0x7FF {
      let name = String(reflecting: unsafe unsafeBitCast(type, to: AnyClass.self))
      isOwn =
        Self.own.contains { name.hasPrefix($0) } && !name.contains("WeirVerify.Payload")
        || name.hasPrefix("Swift._ContiguousArrayStorage<") && Self.elements(of: type).arePlain
    }
    areOwn[type] = isOwn
    return isOwn
  }

  private static let own = [
    "WeirVerify.", "Swift._ContiguousArrayStorage<WeirVerify.", "WeirQueues.LockedState<",
    "Swift.ReferenceWritableKeyPath<", "Swift.__StringStorage",
  ]

  // MARK: What objects hold

  /// - Parameter word: Anything.
  /// - Returns: `nil` if it is no address of an object.
  mutating func shape(ofWhatIsAt word: UInt) -> Shape? {
    // SAFETY: only what can be read is: the first word of an object is its type.
    guard word & 15 == 0, let object = unsafe UnsafePointer<UInt>(bitPattern: word),
      unsafe explorer_can_read(object) != 0
    else { return nil }
    let type = unsafe object.pointee
    if let shape = shapes[type] { return shape }
    let shape = Self.shape(of: type)
    shapes[type] = .some(shape)
    return shape
  }

  /// The shape of an object that was found to be one.
  func knownShape(of object: UnsafePointer<UInt>) -> Shape? { unsafe shapes[object.pointee] ?? nil }

  /// Where the metadata of a class has the address of its description, in words, where there are no classes of
  /// Objective-C.
  private static let description = 5

  private static func shape(of type: UInt) -> Shape? {
    // SAFETY: only what can be read is; from there on these are metadata, as the Swift ABI has them.
    guard type & 7 == 0, let metadata = unsafe UnsafePointer<UInt>(bitPattern: type),
      unsafe explorer_can_read(metadata) != 0
    else { return nil }
    switch unsafe metadata.pointee {
    case 0:
      guard isClass(type) else { return nil }
      guard unsafe metadata[description] == descriptionOfArrays else { return .constants(constants(of: type)) }
      return elements(of: type).stride >= 8 ? .array : .opaque
    case 0x400:
      // Behind the kind there is the offset of what it holds, and a description, which begins with the count. A
      // variable that closures share is of the same kind, with one: it may be given another value.
      guard unsafe explorer_can_read(metadata + 2) != 0,
        let description = unsafe UnsafePointer<UInt32>(bitPattern: metadata[2]), unsafe metadata[2] & 3 == 0,
        unsafe explorer_can_read(UnsafeRawPointer(bitPattern: metadata[2] & ~7)) != 0
      else { return .opaque }
      return unsafe description.pointee > 1 ? .context : .opaque
    case 0x401...0x7FF: return .opaque
    default: return nil
    }
  }

  /// By what is known of the values of a type, in front of its metadata, which all classes share: a word that looks
  /// like an address by chance is taken for no object.
  private static func isClass(_ type: UInt) -> Bool {
    // SAFETY: only what can be read is.
    guard let metadata = unsafe UnsafePointer<UInt>(bitPattern: type), unsafe explorer_can_read(metadata - 1) != 0,
      unsafe valuesOfClasses.contains(metadata[-1]),
      unsafe explorer_can_read(metadata + description) != 0, unsafe metadata[description] & 3 == 0,
      let flags = unsafe UnsafePointer<UInt32>(bitPattern: metadata[description]),
      unsafe explorer_can_read(UnsafeRawPointer(bitPattern: metadata[description] & ~7)) != 0
    else { return false }
    return unsafe flags.pointee & 0x1F == 16
  }

  /// The elements of an array, of which this is the type of the memory: how far apart they are, and whether they hold
  /// nothing that has to be released.
  private static func elements(of type: UInt) -> (stride: Int, arePlain: Bool) {
    // SAFETY: metadata of a generic class, as the Swift ABI has them: the description says how many words there are,
    // and how many of them, the last, are the class's own; the first is the argument. In front of its metadata there is
    // what is known of its values.
    let metadata = unsafe UnsafePointer<UInt>(bitPattern: type)!
    let description = unsafe UnsafePointer<UInt32>(bitPattern: metadata[Self.description])!
    let argument = unsafe UnsafePointer<UInt>(bitPattern: metadata[Int(description[7] - description[8])])!
    let values = unsafe UnsafePointer<UInt>(bitPattern: argument[-1])!
    return unsafe (Int(values[9]), isPlain(argument))
  }

  /// The constants of a class that hold something, as words of an object.
  private static func constants(of type: UInt) -> [Int] {
    var words: [Int] = []
    var type = type
    // SAFETY: metadata of a class and its description, as the Swift ABI has them: the count of its fields, where their
    // offsets are in the metadata, and an entry of 12 bytes for each.
    while let metadata = unsafe UnsafePointer<UInt>(bitPattern: type), isClass(type) {
      let description = unsafe UnsafeRawPointer(bitPattern: metadata[Self.description])!
      let hasUnknownSuperclass = unsafe description.load(as: UInt32.self) >> 29 & 1 == 1
      let fields = unsafe Int(description.load(fromByteOffset: 16, as: Int32.self))
      if hasUnknownSuperclass || fields == 0 { break }
      let count = unsafe Int(description.load(fromByteOffset: 36, as: UInt32.self))
      let offsets = unsafe Int(description.load(fromByteOffset: 40, as: UInt32.self))
      for index in 0..<count {
        let entry = unsafe description + 16 + fields + 16 + 12 * index
        let isVariable = unsafe entry.load(as: UInt32.self) & 2 != 0
        let offset = unsafe Int(metadata[offsets + index])
        if unsafe !isVariable && offset & 7 == 0 && isStrong(entry + 4, description, type) { words.append(offset / 8) }
      }
      type = unsafe metadata[1]
    }
    return words
  }

  /// Whether the type that an entry names, by a distance, holds what it names: it is no weak or unowned one, and none
  /// of nothing but numbers and addresses, as `Unmanaged` is.
  private static func isStrong(_ entry: UnsafeRawPointer, _ description: UnsafeRawPointer, _ type: UInt) -> Bool {
    // SAFETY: a mangled name, which ends with a zero; some characters are followed by an address.
    let distance = unsafe Int(entry.load(as: Int32.self))
    guard distance != 0 else { return false }
    let start = unsafe entry + distance
    var end = unsafe start
    var last: (UInt8, UInt8) = (0, 0)
    while case let character = unsafe end.load(as: UInt8.self), character != 0 {
      last = (last.1, character)
      unsafe end += character < 0x18 ? 5 : character < 0x20 ? 9 : 1
    }
    if last.0 == UInt8(ascii: "X"), [UInt8(ascii: "o"), UInt8(ascii: "u"), UInt8(ascii: "w")].contains(last.1) {
      return false
    }
    let metadata = unsafe UnsafePointer<UInt>(bitPattern: type)!
    let words = unsafe description.assumingMemoryBound(to: UInt32.self)
    let field = unsafe explorer_type_named(
      start.assumingMemoryBound(to: CChar.self), end - start, description, metadata + Int(words[7] - words[8]))
    guard let field = unsafe field else { return true }
    return unsafe !isPlain(field.assumingMemoryBound(to: UInt.self))
  }

  /// Whether values of a type hold nothing that has to be released: it says so in front of its metadata.
  private static func isPlain(_ metadata: UnsafePointer<UInt>) -> Bool {
    unsafe UnsafePointer<UInt>(bitPattern: metadata[-1])![10] & 0x1_0000 == 0
  }

  private final class Element {}

  /// The metadata of an array's memory.
  private static let array: UInt = {
    let array = [Element()]
    // SAFETY: an array is the address of its memory, which is an object.
    let object = unsafe UnsafePointer<UInt>(bitPattern: unsafeBitCast(array, to: UInt.self))!
    return withExtendedLifetime(array) { unsafe object.pointee }
  }()

  // SAFETY: metadata of a class is never freed.
  private static let descriptionOfArrays = unsafe UnsafePointer<UInt>(bitPattern: array)![description]

  /// A program may have its own, beside that of the standard library.
  private static let valuesOfClasses: [UInt] = {
    // SAFETY: a class is the address of its metadata.
    let types = unsafe [unsafeBitCast(Element.self as AnyClass, to: UInt.self), array]
    return types.map { unsafe UnsafePointer<UInt>(bitPattern: $0)![-1] }
  }()
}
