// The one place where atomic memory is touched, so that orderings are seen together and another memory can be swapped
// in: with WEIR_EXPLORER that of `Explored.swift` takes its place.

import CMachine
import Synchronization

/// A number never handed out before in this process, odd so that it differs from every object's address. Numbers come
/// in blocks per thread: no shared atomic operation per call.
@usableFromInline
package func nextIdentity() -> UInt64 { machine_next_identity() }

/// How many forks lie between the process that was started and the caller's. If it has grown, the threads of before are
/// gone, but for the one that called `fork`: what they held they never give back.
@usableFromInline
package func forkCount() -> Int { Int(machine_fork_count()) }

/// Returns what it is given, and has the compiler find that out before whatever comes after this call.
///
/// For what is asked of an object that is held by its address alone: the optimiser takes an object's type and its
/// constants for memory that never changes, and may otherwise read them once the object is freed.
@inlinable @inline(__always)
package func reckonedHere(_ isTrue: Bool) -> Bool { machine_reckoned(isTrue ? 1 : 0) != 0 }

#if !WEIR_EXPLORER

  /// A machine word that threads share.
  ///
  /// Every atomic word in Swift code of the package is one of these; pointers are stored as their bit patterns. The
  /// orderings are in the names: *acquire* loads see what a *release* wrote before, *relaxed* promises nothing beyond
  /// the word itself, and *sequential* operations on all words have one order, in which each thread's come as the
  /// thread does them. That is for two threads that each write one word and then read the other's: one of them sees
  /// what the other wrote. Any thread may call all of them. All are wait-free on x86, and on arm64 if the program is
  /// built for ARMv8.1 or later; earlier ones repeat an exchange or an addition that other threads have disturbed.
  /// `WeirVerify` explores code that is written on these; the page on threads lists the operations of this package for
  /// which it has been shown that they need their ordering.
  ///
  /// There is deliberately no plain releasing store. Swift's optimiser may move a `swift_retain` past an atomic store,
  /// even a releasing one, so that a value is published before it is retained; `publish` puts a compiler barrier before
  /// the store, and exchanging operations are not affected.
  @frozen
  public struct AtomicWord: ~Copyable {
    @usableFromInline let word: Atomic<Int>

    /// Creates a word.
    @inlinable @inline(__always)
    public init(_ value: Int) { word = Atomic(value) }

    /// Reads the word and nothing else: what its writer did before may not be seen yet.
    @inlinable @inline(__always)
    public func relaxedLoad() -> Int { word.load(ordering: .relaxed) }

    /// Reads the word and sees everything that its writer released with it.
    @inlinable @inline(__always)
    public func acquireLoad() -> Int { word.load(ordering: .acquiring) }

    /// Reads the word like `acquireLoad`, as a sequential operation; x86 has one instruction for both.
    @inlinable @inline(__always)
    public func sequentialLoad() -> Int { word.load(ordering: .sequentiallyConsistent) }

    /// Writes the word and nothing else: who reads it may not see yet what was written before.
    @inlinable @inline(__always)
    public func relaxedStore(_ value: Int) { word.store(value, ordering: .relaxed) }

    /// Writes the word and releases everything written before. The barrier keeps reference counting on its side.
    @inlinable @inline(__always)
    public func publish(_ value: Int) {
      machine_compiler_barrier()
      word.store(value, ordering: .releasing)
    }

    /// Writes the word, releases everything written before and acquires what the former writer released.
    @inlinable @inline(__always)
    public func exchange(_ value: Int) -> Int { word.exchange(value, ordering: .acquiringAndReleasing) }

    /// Writes the word like `exchange`, as a sequential operation; x86 and arm64 have the same instructions for both.
    @inlinable @inline(__always)
    public func sequentialExchange(_ value: Int) -> Int { word.exchange(value, ordering: .sequentiallyConsistent) }

    /// Writes `desired` if the word is `expected`: releases everything written before, acquires what the word's writer
    /// released, also when it fails.
    ///
    /// - Returns: Whether it wrote, and the word as it was.
    @inlinable @inline(__always)
    public func compareExchange(
      expected: Int, desired: Int
    ) -> (exchanged: Bool, original: Int) {
      word.compareExchange(
        expected: expected, desired: desired, successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
    }

    /// Writes the word like `compareExchange`, as a sequential operation if it writes.
    @inlinable @inline(__always)
    public func sequentialCompareExchange(
      expected: Int, desired: Int
    ) -> (exchanged: Bool, original: Int) {
      word.compareExchange(
        expected: expected, desired: desired, successOrdering: .sequentiallyConsistent, failureOrdering: .acquiring)
    }

    /// Adds to the word, releasing and acquiring.
    ///
    /// - Returns: The word as it was.
    @inlinable @inline(__always)
    public func add(_ value: Int) -> Int { word.wrappingAdd(value, ordering: .acquiringAndReleasing).oldValue }

    /// Where the word is, for a table of words that others keep.
    @safe
    package struct Place {
      let address: UnsafePointer<Atomic<Int>>

      // SAFETY: whoever keeps a place takes it out of the table before the word goes.
      package func relaxedLoad() -> Int { unsafe address.pointee.load(ordering: .relaxed) }
    }

    /// The word's place, for as long as its owner lives: atomic words don't move.
    package var place: Place { unsafe withUnsafePointer(to: word) { unsafe Place(address: $0) } }
  }

  extension AtomicWord: Sendable {}

  /// The running thread's identity: not zero, and different from that of every other live thread.
  @inlinable @inline(__always)
  package func currentThreadIdentity() -> Int { Int(bitPattern: machine_thread_identity()) }

  /// Tells the core that this is a spin loop: to be called in each round of a loop that waits for another thread.
  @inlinable @inline(__always)
  public func spinHint() { machine_pause() }

  /// Lets another thread run: for a wait that spinning has not ended.
  @usableFromInline
  package func yieldToOthers() { machine_yield() }

  /// Sleeps for fifty microseconds or somewhat more, unless a signal comes: for a wait that letting others run has not
  /// ended.
  @usableFromInline
  package func nap() { machine_nap() }

  /// The time of a clock that never goes back, in nanoseconds.
  @usableFromInline
  package func monotonicNanoseconds() -> Int { Int(machine_monotonic_nanoseconds()) }

  /// Writes a line to the standard error output: for what a program that is stuck has to say.
  @usableFromInline
  package func complain(_ line: String) { unsafe line.withCString { unsafe machine_complain($0) } }

  /// Tells the interleaving explorer, in its own builds only, that a queue's slot is filled or emptied.
  @inlinable @inline(__always)
  package func noteSlotAccess(_ slot: UnsafeRawPointer) {}

  /// Forbids the compiler to move memory accesses across this point; one half of an asymmetric fence.
  @inlinable @inline(__always)
  package func compilerBarrier() { machine_compiler_barrier() }

  /// Makes every running thread of the process pass a full memory barrier: the other half of an asymmetric fence.
  ///
  /// - Returns: `false` where the system can't, from the beginning (no Linux, no permission, `WEIR_OWNED_GATES=0`):
  ///   nothing was ordered. After a first `true` it is always `true`, if need be after some milliseconds.
  @usableFromInline
  package func heavyBarrier() -> Bool { machine_heavy_barrier() != 0 }

  /// Like `heavyBarrier`, but gives up where that would take milliseconds: for what can be done another way.
  @usableFromInline
  package func quickHeavyBarrier() -> Bool { machine_quick_heavy_barrier() != 0 }
#endif
