// What a thread holds as long as it runs.
// No test file: compiled for builds with the trait Verification, and tested in Tests/ConsumerTests/Verification.

import CExplorer

/// The objects that a thread can't lose while its body runs: what that has captured, and what those hold for ever, as
/// constants of their classes or in arrays. Nobody can be the last to release one of them before the body has returned,
/// so what the thread itself retains and releases of them meanwhile says nothing. A build for debugging does so around
/// every access, and one with optimisation hardly ever: both are to give the same schedules.
struct Captures {
  private var objects: [UInt] = []
  private static let most = 64

  init() { objects.reserveCapacity(Self.most) }

  /// Whether the thread holds an object anyway.
  func hold(_ object: UInt) -> Bool { objects.contains(object) }

  mutating func removeAll() { objects.removeAll(keepingCapacity: true) }

  /// Begins anew with what a closure has captured.
  mutating func take(from body: @escaping () -> Void, _ types: inout ObjectTypes) {
    struct Closure { let body: () -> Void }
    removeAll()
    // SAFETY: a closure is the address of its code and that of what it holds.
    note(unsafe unsafeBitCast(Closure(body: body), to: (UInt, UInt).self).1, &types)
    var next = 0
    while next < objects.count {
      noteHeld(by: objects[next], isFirst: next == 0, &types)
      next += 1
    }
  }

  /// Notes an object, if a word is the address of one.
  private mutating func note(_ word: UInt, _ types: inout ObjectTypes) {
    guard objects.count < Self.most, !objects.contains(word), types.shape(ofWhatIsAt: word) != nil else { return }
    objects.append(word)
  }

  private mutating func noteHeld(by address: UInt, isFirst: Bool, _ types: inout ObjectTypes) {
    // SAFETY: an object that lives, of this shape.
    guard let object = unsafe UnsafePointer<UInt>(bitPattern: address), let shape = unsafe types.knownShape(of: object)
    else { return }
    // Of one that never dies, as the program's file has it, the heap knows no size.
    let isOfHeap = unsafe object[1] & 0xFFFF_FFFF != 0xFFFF_FFFF
    switch shape {
    case .constants(let words): for word in words { note(unsafe object[word], &types) }
    case .array:
      // The count, the capacity, and the elements.
      for index in 0..<min(unsafe Int(object[2]), Self.most) { note(unsafe object[4 + index], &types) }
    case .context where isFirst && isOfHeap:
      for word in unsafe 2..<max(explorer_block_size(object) / 8, 2) { note(unsafe object[word], &types) }
    case .context, .opaque: break
    }
  }
}
