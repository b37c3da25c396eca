// Puts the simulated machine behind the package's atomic words, in builds with WEIR_EXPLORER.

import WeirQueues

#if WEIR_EXPLORER
  /// Whether the package's types run on the simulated machine.
  package let explorerIsBuiltIn = true

  /// Puts the simulated machine behind every atomic word made from now on.
  package func installSimulatedMachine() { exploredMemory = SimulatedMemory() }

  private final class SimulatedMemory: ExploredMemory {
    private func place(_ site: WeirQueues.Site) -> Place { Place(site.file, site.function, site.line) }
    private func word(_ object: AnyObject) -> Word { unsafeDowncast(object, to: Word.self) }

    func makeWord(_ value: Int) -> AnyObject { machine.makeWord(value) }

    func load(_ word: AnyObject, _ ordering: AccessOrdering, _ site: WeirQueues.Site) -> Int {
      machine.load(self.word(word), Ordering(ordering), place(site))
    }

    func store(_ word: AnyObject, _ value: Int, _ ordering: AccessOrdering, _ site: WeirQueues.Site) {
      machine.store(self.word(word), value, Ordering(ordering), place(site))
    }

    func exchange(_ word: AnyObject, _ value: Int, _ ordering: AccessOrdering, _ site: WeirQueues.Site) -> Int {
      machine.exchange(self.word(word), value, Ordering(ordering), place(site))
    }

    func compareExchange(
      _ word: AnyObject, expected: Int, desired: Int, _ ordering: AccessOrdering, _ site: WeirQueues.Site
    ) -> (exchanged: Bool, original: Int) {
      machine.compareExchange(
        self.word(word), expected: expected, desired: desired, Ordering(ordering), place(site))
    }

    func add(_ word: AnyObject, _ value: Int, _ site: WeirQueues.Site) -> Int {
      machine.add(self.word(word), value, place(site))
    }

    func lock(_ word: AnyObject, _ site: WeirQueues.Site) { machine.lock(self.word(word), place(site)) }
    func unlock(_ word: AnyObject, _ site: WeirQueues.Site) { machine.unlock(self.word(word), place(site)) }
    func threadIdentity(_ site: WeirQueues.Site) -> Int { machine.threadIdentity(place(site)) }
    func spin(_ site: WeirQueues.Site) { machine.spin(place(site)) }

    func goesOnSpinning(after step: Int, _ site: WeirQueues.Site) -> Bool {
      machine.goesOnSpinning(after: step, place(site))
    }

    func heavyBarrier(_ site: WeirQueues.Site) -> Bool { machine.heavyBarrier(place(site)) }
    func compilerBarrier(_ site: WeirQueues.Site) { machine.lightBarrier(place(site)) }
    func sleep(until condition: @escaping () -> Bool) { _ = machine.wait(until: condition) }
    func noteSlotAccess(_ slot: UnsafeRawPointer) { machine.noteSlotAccess(slot) }
  }

  extension Ordering {
    fileprivate init(_ asked: AccessOrdering) {
      switch asked {
      case .relaxed: self = .relaxed
      case .acquire: self = .acquire
      case .release: self = .release
      case .acquireRelease: self = .acquireRelease
      case .sequential: self = .sequentiallyConsistent
      }
    }
  }
#else
  /// Whether the package's types run on the simulated machine.
  package let explorerIsBuiltIn = false

  /// Does nothing in this build.
  package func installSimulatedMachine() {}
#endif
