// The axioms of RC11 and of x86-TSO, as relations.

import WeirVerify

extension Execution {
  /// Whether RC11 allows it: O. Lahav, V. Vafeiadis, J. Kang, C.-K. Hur, D. Dreyer, PLDI 2017; release sequences of
  /// C++20; light and heavy fences of P1202R5.
  var isAllowedByRC11: Bool {
    guard (programOrder | readsFrom).isAcyclic, eco.isIrreflexive, (readsBefore * modificationOrder).isIrreflexive
    else { return false }
    let hb = happensBefore, eco = eco
    guard hb.isIrreflexive, (hb * eco).isIrreflexive else { return false }
    guard actions.contains(where: { $0.ordering == .sequentiallyConsistent }) else { return true }
    return (psc(hb, eco) | asymmetric(hb, eco)).isAcyclic
  }

  /// Whether two accesses, one plain and one writing, are not ordered.
  var hasRace: Bool {
    let hb = happensBefore
    return actions.indices.contains { one in
      actions.indices.contains { other in
        one < other && actions[one].location >= 0 && actions[one].location == actions[other].location
          && (actions[one].writes || actions[other].writes)
          && (actions[one].ordering == .plain || actions[other].ordering == .plain)
          && !hb.contains(one, other) && !hb.contains(other, one)
      }
    }
  }

  /// Whether x86 allows it: S. Sarkar and others, "The Semantics of x86-CC Multiprocessor Machine Code" (2009), as J.
  /// Alglave, L. Maranget, M. Tautschnig write it in "Herding Cats" (2014). Without asymmetric fences.
  var isAllowedByTSO: Bool {
    let count = actions.count
    let communication = readsFrom | modificationOrder | readsBefore
    let sameLocation = Relation(count) { isSameLocation($0, $1) }
    guard ((programOrder & sameLocation) | communication).isAcyclic,
      (readsBefore * modificationOrder).isIrreflexive
    else { return false }
    let fence = identity { actions[$0].kind == .fence && actions[$0].ordering == .sequentiallyConsistent }
    let locked = identity { actions[$0].isLocked }
    let preserved =
      programOrder & Relation(count) { !(actions[$0].kind == .write && actions[$1].kind == .read) }
    let accesses = identity { actions[$0].location >= 0 }
    let kept =
      (accesses * preserved * accesses) | programOrder * fence * programOrder | programOrder * locked
      | locked * programOrder
    let outside = Relation(count) { threads[$0] != threads[$1] }
    return (kept | (readsFrom & outside) | modificationOrder | readsBefore).isAcyclic
  }

  // MARK: Relations

  private func identity(where isIn: (Int) -> Bool) -> Relation { .identity(actions.count, where: isIn) }

  private func isSameLocation(_ one: Int, _ other: Int) -> Bool {
    actions[one].location >= 0 && actions[one].location == actions[other].location
  }

  /// rb = rf^-1; mo, without the pairs of an update with itself.
  private var readsBefore: Relation { readsFrom.inverse * modificationOrder - identity { _ in true } }

  /// eco = (rf | mo | rb)+
  private var eco: Relation { (readsFrom | modificationOrder | readsBefore).closure }

  /// hb = (sb | sw)+, with
  /// sw = [rel]; ([F]; sb)?; rs; rf; [R, not plain]; (sb; [F])?; [acq] and rs = [W, not plain]; (rf; [update])*
  private var happensBefore: Relation {
    let fence = identity { actions[$0].kind == .fence || actions[$0].kind == .heavyFence }
    let light = identity { actions[$0].kind == .lightFence }
    let heavy = identity { actions[$0].kind == .heavyFence }
    let releasing = identity { actions[$0].ordering.releases && actions[$0].kind != .lightFence }
    let acquiring = identity { actions[$0].ordering.acquires && actions[$0].kind != .lightFence }
    let write = identity { actions[$0].writes && actions[$0].ordering != .plain }
    let read = identity { actions[$0].reads && actions[$0].ordering != .plain }
    let update = identity { actions[$0].kind == .update }
    let carried = write * (readsFrom * update).closure.optional * readsFrom * read
    let usual =
      releasing * (fence * programOrder).optional * carried * (programOrder * fence).optional * acquiring
    let asymmetric =
      light * programOrder * carried * programOrder * heavy | heavy * programOrder * carried * programOrder * light
    return (programOrder | usual | asymmetric).closure
  }

  private func psc(_ hb: Relation, _ eco: Relation) -> Relation {
    let count = actions.count
    let events = identity { actions[$0].ordering == .sequentiallyConsistent && actions[$0].kind != .lightFence }
    let fences = identity {
      actions[$0].ordering == .sequentiallyConsistent && actions[$0].kind == .fence || actions[$0].kind == .heavyFence
    }
    let sameLocation = Relation(count) { isSameLocation($0, $1) }
    let elsewhere = programOrder - sameLocation
    let scb =
      programOrder | elsewhere * hb * elsewhere | (hb & sameLocation) | modificationOrder | readsBefore
    let base = (events | fences * hb.optional) * scb * (events | hb.optional * fences)
    let ofFences = fences * (hb | hb * eco * hb) * fences
    return base | ofFences
  }

  private func asymmetric(_ hb: Relation, _ eco: Relation) -> Relation {
    let light = identity { actions[$0].kind == .lightFence }
    let heavy = identity { actions[$0].kind == .heavyFence }
    let between = hb | hb * eco * hb
    return light * between * heavy | heavy * between * light
  }
}
