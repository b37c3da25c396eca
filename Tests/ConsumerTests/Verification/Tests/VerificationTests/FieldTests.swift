// What `@NonAtomic` finds: of objects that are handed over, of values and their copies, and of globals.

import Testing
import WeirVerify

private let memories = [MemoryModel.tso, .rc11(stale: 2)]

@Suite struct FieldTests {
  /// Only the initialiser writes it: who makes an object writes its fields.
  @Test(arguments: memories, [true, false])
  func aFieldOfAnObjectIsPublishedWithIt(memory: MemoryModel, isRight: Bool) throws {
    let reason = failure(memory) { run in
      let place = AtomicBox()
      run.thread("writer") {
        let object = Int(bitPattern: Unmanaged.passRetained(Config(42)).toOpaque())
        if isRight { place.word.publish(object) } else { place.word.relaxedStore(object) }
      }
      run.thread("reader") {
        guard let pointer = UnsafeRawPointer(bitPattern: place.word.acquireLoad()) else { return }
        run.expect(Unmanaged<Config>.fromOpaque(pointer).takeUnretainedValue().value, 42, "value")
      }
      run.check { place.release() }
    }
    #expect((reason == nil) == isRight)
    #expect(isRight || reason?.contains("read while not ordered after a write by writer") == true)
  }

  @Test(arguments: memories)
  func aRelaxedLoadOfAnObjectIsFound(memory: MemoryModel) throws {
    let reason = failure(memory) { run in
      let place = AtomicBox()
      run.thread("writer") { place.word.publish(Int(bitPattern: Unmanaged.passRetained(Config(42)).toOpaque())) }
      run.thread("reader") {
        guard let pointer = UnsafeRawPointer(bitPattern: place.word.relaxedLoad()) else { return }
        _ = Unmanaged<Config>.fromOpaque(pointer).takeUnretainedValue().value
      }
      run.check { place.release() }
    }
    #expect(reason?.contains("read while not ordered after a write by writer") == true)
  }

  @Test(arguments: memories)
  func whatIsMadeBeforeTheThreadsStartIsKnown(memory: MemoryModel) throws {
    let reason = failure(memory) { run in
      let config = Config(42)
      for name in ["A", "B"] { run.thread(name) { run.expect(config.value, 42, "value") } }
      run.check { run.expect(config.value, 42, "value") }
    }
    #expect(reason == nil)
  }

  @Test(arguments: memories)
  func aReadThatNothingOrdersBeforeAWriteIsFound(memory: MemoryModel) throws {
    let reason = failure(memory) { run in
      let config = Config(42)
      run.thread("reader") { _ = config.value }
      run.thread("writer") { config.value = 43 }
    }
    #expect(reason?.contains("not ordered after a read by reader") == true)
  }

  /// Each thread has a copy, which it reads and writes as it likes.
  @Test(arguments: memories)
  func aCopyOfAValueIsAnotherPlace(memory: MemoryModel) throws {
    let reason = failure(memory) { run in
      let shared = Lock(Settings())
      for name in ["A", "B"] {
        run.thread(name) {
          var mine = shared.withLock { $0 }
          mine.number += 1
          run.expect(mine.number, in: [1, 2], "mine")
          shared.withLock { $0.number = 1 }
          run.expect(mine.number, in: [1, 2], "mine, again")
        }
      }
      run.check { run.expect(shared.withLock { $0.number }, 1, "number") }
    }
    #expect(reason == nil)
  }

  @Test(arguments: memories)
  func aValueThatTwoThreadsWriteIsFound(memory: MemoryModel) throws {
    let reason = failure(memory) { run in
      let shared = SharedSettings()
      for name in ["A", "B"] { run.thread(name) { shared.settings.number += 1 } }
    }
    #expect(reason?.contains("not ordered after") == true)
  }

  /// The run that makes it is the first: for the others nobody has written it.
  @Test(arguments: memories)
  func aLazyGlobalIsNobodysWrite(memory: MemoryModel) throws {
    let reason = failure(memory) { run in
      let word = AtomicWord(0)
      for name in ["A", "B"] {
        run.thread(name) {
          run.expect(Config.shared.value, 1, "value")
          _ = word.add(1)
        }
      }
    }
    #expect(reason == nil)
  }

  private func failure(_ memory: MemoryModel, _ program: @escaping @Sendable (Run) -> Void) -> String? {
    do throws(VerificationFailure) {
      try verify(memory: memory, program)
      return nil
    } catch {
      return error.reason
    }
  }
}

private final class AtomicBox: Sendable {
  let word = AtomicWord(0)

  /// Lets go of the object whose address the word is.
  func release() {
    guard let pointer = UnsafeRawPointer(bitPattern: word.acquireLoad()) else { return }
    Unmanaged<Config>.fromOpaque(pointer).release()
  }
}

private final class Config: @unchecked Sendable {
  static let shared = Config(1)

  @NonAtomic var value: Int

  init(_ value: Int) { self.value = value }
}

private struct Settings {
  @NonAtomic var number = 0
}

private final class SharedSettings {
  var settings = Settings()
}
