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
}
