// Tests of the tokens of observers.

import Foundation
import TestKit
import Testing
import WeirState

@Suite struct NotificationTokenTests {
  private final class Holder {
    var any: Any?
    var token: NotificationToken?
  }

  private let name = Notification.Name("NotificationTokenTests")

  @Test func aTokenIsKeptWhereItIsPut() {
    let center = NotificationCenter()
    let count = Counter()
    let holder = Holder()
    var tokens: [NotificationToken] = []
    center.add(forName: name) { _ in count.add() }.assign(to: \.any, on: holder)
    center.add(forName: name) { _ in count.add() }.assign(to: \.token, on: holder)
    center.add(forName: name) { _ in count.add() }.store(in: &tokens)
    center.post(name: name)
    #expect(count.value == 3)
    holder.any = nil
    holder.token = nil
    tokens = []
    center.post(name: name)
    #expect(count.value == 3)
  }

  @Test func onlyTheNamedObjectIsHeard() {
    let center = NotificationCenter()
    let count = Counter()
    let holder = Holder()
    let token = center.add(forName: name, object: holder) { _ in count.add() }
    center.post(name: name)
    center.post(name: name, object: holder)
    withExtendedLifetime(token) {}
    #expect(count.value == 1)
  }

  /// The centre freed the block under its lock, and stopped the program.
  @Test func whatABlockHoldsMayUseTheCentreAsItGoes() {
    final class Inner: @unchecked Sendable {
      let center: NotificationCenter
      var token: NotificationToken?
      init(_ center: NotificationCenter, _ name: Notification.Name) {
        self.center = center
        token = center.add(forName: name) { _ in }
      }
      deinit {
        token = nil
        center.post(name: Notification.Name("last"))
      }
    }
    let center = NotificationCenter()
    let count = Counter()
    let last = center.add(forName: Notification.Name("last")) { _ in count.add() }
    var outer: NotificationToken?
    do {
      let inner = Inner(center, name)
      outer = center.add(forName: name) { _ in withExtendedLifetime(inner) {} }
    }
    #expect(count.value == 0)
    outer = nil
    #expect(count.value == 1)
    withExtendedLifetime((last, outer)) {}
  }

  /// Nobody else keeps the queue.
  @Test func aQueueIsKeptByTheToken() {
    let center = NotificationCenter()
    let count = Counter()
    let token = center.add(forName: name, queue: OperationQueue()) { _ in count.add() }
    center.post(name: name)
    count.wait(for: 1)
    withExtendedLifetime(token) {}
  }
}
