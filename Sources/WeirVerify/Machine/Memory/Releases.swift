// What reference counts order: whoever releases an object last, and frees it, or finds that nobody else has it, comes
// behind all that others did before they released it.
// No test file: compiled for builds with the trait Verification, and tested in Tests/ConsumerTests/Verification.

import CExplorer

/// Who has released an object and left it to others, and what they knew then: by the addresses of objects that live.
/// When one is freed, by whomever, what was known of it is no more.
final class Releases {
  private struct Former {
    var known = Clock.zero
    /// Bit per thread.
    var threads = 0
  }

  private var formers: [UInt: Former] = [:]
  private var types = ObjectTypes()
  /// An object that never dies has more holders.
  private static let mostHolders = 1 << 28

  /// Begins to observe, as threads start: what one holds as long as it runs it can't be the last to release.
  func observe(_ threads: ArraySlice<SimulatedThread>) {
    for thread in threads {
      if let body = thread.body { ours { thread.captures.take(from: body, &types) } }
    }
    unsafe explorer_observe_releases { object, left in
      if let object = unsafe object { unsafe machine.releases.noteRelease(object, left: left, by: machine.current) }
    }
    unsafe explorer_observe_frees { block in ours { machine.releases.noteFree(UInt(bitPattern: block)) } }
  }

  func reset() {
    observeNothing()
    formers.removeAll(keepingCapacity: true)
  }

  func observeNothing() {
    explorer_observe_releases(nil)
    explorer_observe_frees(nil)
  }

  private func noteRelease(_ object: UnsafeMutableRawPointer, left: Int, by thread: SimulatedThread) {
    guard !isOwnWork, !thread.isInMachine, left < Self.mostHolders else { return }
    ours {
      // SAFETY: an object that lives, whose first word is its type.
      let type = unsafe object.load(as: UInt.self)
      let address = UInt(bitPattern: object)
      guard !types.isOwn(type), left == 0 || !thread.captures.hold(address) else { return }
      let former = formers[address]
      let others = (former?.threads ?? 0) & ~(1 << thread.number)
      machine.reduction?.noteRelease(of: address, types.bit(of: type), left: left, areOthers: others != 0)
      if left != 0 {
        formers[address, default: Former()].known.join(thread.clock)
        formers[address]?.threads |= 1 << thread.number
        machine.memory.noteRelease(by: thread)
        unsafe explorer_await_free(object)
      } else if let former {
        takeOver(address, former.known, thread)
      }
    }
  }

  /// A thread is at a field of an object. If it is in its `deinit`, whoever has released it last may have been the
  /// runtime, which isn't seen.
  func noteAccess(toFieldOf object: UnsafeRawPointer, _ thread: SimulatedThread) {
    let address = UInt(bitPattern: object)
    guard let former = formers[address], unsafe explorer_is_being_freed(object) != 0 else { return }
    ours {
      // SAFETY: an object that lives, whose first word is its type.
      let bit = types.bit(of: unsafe object.load(as: UInt.self))
      let others = former.threads & ~(1 << thread.number)
      machine.reduction?.noteRelease(of: address, bit, left: 0, areOthers: others != 0)
      takeOver(address, former.known, thread)
    }
  }

  private func takeOver(_ object: UInt, _ known: Clock, _ thread: SimulatedThread) {
    formers[object] = nil
    machine.memory.learn(known, thread, on: machine)
  }

  /// A thread asks whether anybody else has an object. What others do behind the answer may be another one's reason.
  ///
  /// - Parameter object: The object that nobody else has; `nil` if somebody has it.
  func noteSoleHolder(of object: UInt?, _ thread: SimulatedThread) {
    guard thread.number != 0 else { return }
    let former = object.flatMap { formers[$0] }
    if object == nil || former != nil { machine.reduction?.noteOpen() }
    if let former { ours { machine.memory.learn(former.known, thread, on: machine) } }
  }

  private func noteFree(_ block: UInt) {
    formers[block] = nil
    machine.reduction?.forget(block)
  }
}
