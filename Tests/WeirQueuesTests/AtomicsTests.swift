// Tests of the atomic word and of what the machine layer offers beside it.

import CSandbox
import TestKit
import Testing
import WeirQueues

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite struct AtomicsTests {
  @Test func readsWhatWasWritten() {
    let word = AtomicWord(3)
    #expect(word.relaxedLoad() == 3)
    #expect(word.acquireLoad() == 3)
    word.relaxedStore(4)
    #expect(word.acquireLoad() == 4)
    word.publish(5)
    #expect(word.acquireLoad() == 5)
  }

  @Test func sequentialOperationsDoAsTheOthers() {
    let word = AtomicWord(1)
    #expect(word.sequentialExchange(2) == 1)
    let first = word.sequentialCompareExchange(expected: 2, desired: 3)
    #expect(first.exchanged && first.original == 2)
    let second = word.sequentialCompareExchange(expected: 2, desired: 4)
    #expect(!second.exchanged && second.original == 3)
    #expect(word.sequentialLoad() == 3)
  }

  @Test func exchangeReturnsTheFormerWord() {
    let word = AtomicWord(.min)
    #expect(word.exchange(7) == .min)
    #expect(word.relaxedLoad() == 7)
  }

  @Test func compareExchangeWritesOnlyOverTheExpectedWord() {
    let word = AtomicWord(1)
    let first = word.compareExchange(expected: 1, desired: 2)
    #expect(first.exchanged)
    #expect(first.original == 1)
    let second = word.compareExchange(expected: 1, desired: 3)
    #expect(!second.exchanged)
    #expect(second.original == 2)
    #expect(word.relaxedLoad() == 2)
  }

  @Test func addWrapsAndReturnsTheFormerWord() {
    let word = AtomicWord(.max)
    #expect(word.add(1) == .max)
    #expect(word.relaxedLoad() == .min)
    #expect(word.add(-1) == .min)
    #expect(word.relaxedLoad() == .max)
  }

  @Test func noAdditionIsLostBetweenThreads() {
    let word = AtomicWord(0)
    onThreads(4) { _ in for _ in 0..<5_000 { _ = word.add(1) } }
    #expect(word.acquireLoad() == 20_000)
  }

  @Test func publishShowsWhatWasWrittenBefore() {
    let turn = AtomicWord(0)
    let payload = Shared("")
    let seen = Shared([String]())
    let rounds = 500
    onThreads([
      {
        for round in 1...rounds {
          payload.value = "payload number \(round)"
          turn.publish(round)
          while turn.acquireLoad() != -round {
            spinHint()
            yieldThread()
          }
        }
      },
      {
        for round in 1...rounds {
          while turn.acquireLoad() != round {
            spinHint()
            yieldThread()
          }
          seen.value.append(payload.value)
          turn.publish(-round)
        }
      },
    ])
    #expect(seen.value == (1...rounds).map { "payload number \($0)" })
  }

  @Test func threadIdentityIsStableAndDiffersBetweenLiveThreads() {
    let identities = Shared([Int](repeating: 0, count: 8))
    let repeated = Shared([Int](repeating: 0, count: 8))
    let arrived = Counter()
    let lock = Lock(())
    onThreads(8) { number in
      let first = currentThreadIdentity()
      let again = currentThreadIdentity()
      lock.withLock { _ in
        identities.value[number] = first
        repeated.value[number] = again
      }
      arrived.add()
      arrived.wait(for: 8)
    }
    #expect(Set(identities.value).count == 8)
    #expect(!identities.value.contains(0))
    #expect(identities.value == repeated.value)
  }

  @Test func identitiesAreOddAndNeverRepeatAcrossThreads() {
    let lock = Lock([UInt64]())
    onThreads(4) { _ in
      let mine = (0..<3_000).map { _ in nextIdentity() }
      lock.withLock { $0 += mine }
    }
    let all = lock.withLock { $0 }
    #expect(Set(all).count == 12_000)
    #expect(all.allSatisfy { $0 % 2 == 1 })
  }

  @Test func aChildKnowsThatItWasForked() {
    let count = forkCount()
    #expect(forkCount() == count)
    #expect(sandbox_in_fork { Int32(forkCount()) } == count + 1)
    #expect(forkCount() == count)
  }

  #if os(Linux)
    @Test func theHeavyBarrierWorksAgainAndAgain() {
      let first = heavyBarrier()
      compilerBarrier()
      #expect(heavyBarrier() == first)
    }

    /// The first two threads to meet stood still for 8 ms meanwhile.
    @Test(.enabled(if: sandbox_membarrier_is_registered() >= 0, "the kernel can't tell what is registered"))
    func heavyBarriersAreRegisteredBeforeTheProgramBegins() async {
      await #expect(processExitsWith: .success) { precondition(sandbox_membarrier_is_registered() == 1) }
    }

    @Test(.enabled(if: canForbidMembarrier, "seccomp filters are not permitted here"))
    func theHeavyBarrierKeepsItsPromiseOnceMembarrierIsForbidden() async {
      await #expect(processExitsWith: .success) {
        guard heavyBarrier() else { return }
        let missed = roundsMissed(of: 2_000) {
          precondition(sandbox_forbid_membarrier() == 0)
          for _ in 1...3 { precondition(heavyBarrier()) }
        }
        precondition(missed == 0)
      }
    }

    // It forbids what ThreadSanitizer itself needs.
    #if !WEIR_TSAN
      @Test(.enabled(if: canForbidMembarrier, "seccomp filters are not permitted here"))
      func theHeavyBarrierWaitsWhereNothingElseIsLeft() async {
        await #expect(processExitsWith: .success) {
          guard heavyBarrier() else { return }
          let missed = roundsMissed(of: 20) {
            precondition(sandbox_forbid_all_barriers() == 0)
            precondition(!quickHeavyBarrier())
            precondition(heavyBarrier())
          }
          precondition(missed == 0)
        }
      }
    #endif

    @Test(.enabled(if: canForbidMembarrier, "seccomp filters are not permitted here"))
    func thereIsNoHeavyBarrierIfMembarrierWasForbiddenBefore() async {
      await #expect(processExitsWith: .success) {
        precondition(sandbox_forbid_membarrier() == 0)
        precondition(!heavyBarrier() && !quickHeavyBarrier())
      }
    }

    @Test func aVariableOfTheEnvironmentForbidsHeavyBarriers() async {
      await #expect(processExitsWith: .success) {
        setenv("WEIR_OWNED_GATES", "0", 1)
        precondition(!heavyBarrier() && !quickHeavyBarrier())
        setenv("WEIR_OWNED_GATES", "1", 1)
        precondition(!heavyBarrier(), "it is read once")
      }
    }
  #endif
}

#if os(Linux)
  private let canForbidMembarrier = sandbox_obstacle() == 0

  /// Two threads each write a word and then read the other's; only one of them makes a heavy barrier in between.
  ///
  /// - Parameters:
  ///   - rounds: How often.
  ///   - first: What happens once both threads are there.
  /// - Returns: In how many rounds each missed the other's write.
  private func roundsMissed(of rounds: Int, after first: @escaping () -> Void) -> Int {
    final class Words: @unchecked Sendable {
      let arrived = AtomicWord(0)
      let padding = CacheLinePadding()
      let light = AtomicWord(0)
      let morePadding = CacheLinePadding()
      let heavy = AtomicWord(0)

      func meet(_ round: Int) {
        _ = arrived.add(1)
        while arrived.acquireLoad() < 2 * round { yieldThread() }
      }
    }
    let words = Words()
    let seen = [Shared([Bool]()), Shared([Bool]())]
    onThreads([
      {
        words.meet(1)
        for round in 1...rounds {
          words.meet(round + 1)
          words.light.relaxedStore(round)
          compilerBarrier()
          let isSeen = words.heavy.relaxedLoad() == round
          seen[0].value.append(isSeen)
        }
      },
      {
        first()
        words.meet(1)
        for round in 1...rounds {
          words.meet(round + 1)
          words.heavy.relaxedStore(round)
          precondition(heavyBarrier())
          let isSeen = words.light.relaxedLoad() == round
          seen[1].value.append(isSeen)
        }
      },
    ])
    return zip(seen[0].value, seen[1].value).count { !$0 && !$1 }
  }
#endif
