// Puts the simulated machine behind the package's atomic words, in builds with the trait Verification.
// No test file: the tests of Machine and Reduction, and the litmus tests, go through all of it.

import WeirQueues

#if WEIR_EXPLORER
  /// Whether the package's types run on the simulated machine.
  package let explorerIsBuiltIn = true

  /// Puts the simulated machine behind every atomic word made from now on.
  package func installSimulatedMachine() { exploredMemory = SimulatedMemory() }

  private final class SimulatedMemory: ExploredMemory {
    private func place(_ site: AccessSite) -> Place { Place(site.file, site.function, site.line) }
    private func word(_ object: AnyObject) -> Word { unsafe unsafeDowncast(object, to: Word.self) }

    func makeWord(_ value: Int) -> AnyObject { inMachine { machine.makeWord(value) } }
    func freeWord(_ word: AnyObject) { inMachine { machine.retire(self.word(word)) } }

    func load(_ word: AnyObject, _ ordering: AccessOrdering, _ site: AccessSite) -> Int {
      inMachine { machine.load(self.word(word), Ordering(ordering), place(site)) }
    }

    func store(_ word: AnyObject, _ value: Int, _ ordering: AccessOrdering, _ site: AccessSite) {
      inMachine { machine.store(self.word(word), value, Ordering(ordering), place(site)) }
    }

    func exchange(_ word: AnyObject, _ value: Int, _ ordering: AccessOrdering, _ site: AccessSite) -> Int {
      inMachine { machine.exchange(self.word(word), value, Ordering(ordering), place(site)) }
    }

    func compareExchange(
      _ word: AnyObject, expected: Int, desired: Int, _ ordering: AccessOrdering, _ site: AccessSite
    ) -> (exchanged: Bool, original: Int) {
      inMachine {
        machine.compareExchange(
          self.word(word), expected: expected, desired: desired, Ordering(ordering), place(site))
      }
    }

    func add(_ word: AnyObject, _ value: Int, _ site: AccessSite) -> Int {
      inMachine { machine.add(self.word(word), value, place(site)) }
    }

    func lock(_ word: AnyObject, _ site: AccessSite) { inMachine { machine.lock(self.word(word), place(site)) } }
    func unlock(_ word: AnyObject, _ site: AccessSite) { inMachine { machine.unlock(self.word(word), place(site)) } }
    func threadIdentity(_ site: AccessSite) -> Int { inMachine { machine.threadIdentity(place(site)) } }
    func spin(_ site: AccessSite) { inMachine { machine.spin(place(site)) } }

    func goesOnSpinning(after step: Int, _ site: AccessSite) -> Bool {
      inMachine { machine.goesOnSpinning(after: step, place(site)) }
    }

    func heavyBarrier(_ site: AccessSite) -> Bool { inMachine { machine.heavyBarrier(place(site)) } }
    func compilerBarrier(_ site: AccessSite) { inMachine { machine.lightBarrier(place(site)) } }
    func sleep(forever: Bool, until condition: @escaping () -> Bool) {
      inMachine { machine.sleep(forever: forever, until: condition) }
    }

    func noteSlotAccess(_ slot: UnsafeRawPointer) { inMachine { unsafe machine.noteSlotAccess(slot) } }

    func makeField(_ site: AccessSite) -> AnyObject {
      inMachine {
        let field = Guarded("the field at", nil, place(site))
        note("first value", of: field)
        field.noteWrite()
        return field
      }
    }

    func noteAccess(to field: AnyObject, of object: UnsafeRawPointer, writes: Bool) {
      inMachine {
        machine.releases.noteAccess(machine.current)
        let field = self.field(field)
        note(writes ? "write" : "read", of: field)
        if writes { field.noteWrite() } else { field.noteRead() }
      }
    }

    func noteReadOfCopy(of field: AnyObject) {
      inMachine {
        let field = self.field(field)
        note("read", of: field)
        field.noteReadOfCopy()
      }
    }

    func rewritten(_ field: AnyObject) -> AnyObject {
      inMachine {
        let field = self.field(field)
        note("write", of: field)
        return field.rewritten()
      }
    }

    func isSoleHolder(_ look: () -> ObjectIdentifier?) -> Bool {
      inMachine {
        let object = look()
        return machine.releases.isSoleHolder(of: object.map { UInt(bitPattern: $0) }, machine.current)
      }
    }

    private func field(_ object: AnyObject) -> Guarded { unsafe unsafeDowncast(object, to: Guarded.self) }

    private func note(_ what: String, of field: Guarded) {
      machine.log?.note(machine.current, "\(what) of \(field.name)")
    }
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
