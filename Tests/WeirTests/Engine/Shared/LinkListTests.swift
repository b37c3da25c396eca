// Tests of the list of streams to be cancelled.

import TestKit
import Testing

@testable import Weir

@Suite struct LinkListTests {
  private let log = Shared([Int]())

  private func link(_ number: Int) -> Link {
    let subscription = RecordingSubscription()
    subscription.onCancel = { [log] in log.value.append(number) }
    return Link.of(subscription)
  }

  @Test(arguments: 0...5)
  func cancelsEachOnceInOrder(_ count: Int) {
    var list = LinkList()
    for number in 0..<count { list.append(link(number)) }
    list.cancel()
    #expect(log.value == Array(0..<count))
  }

  @Test func takesTwoThatMayBeMissing() {
    LinkList(link(1), link(2)).cancel()
    LinkList(link(3), nil).cancel()
    LinkList(nil, link(4)).cancel()
    LinkList(nil, nil).cancel()
    #expect(log.value == [1, 2, 3, 4])
  }

  @Test func whatIsMissingTakesNoPlace() {
    var list = LinkList(nil, link(1))
    for number in 2...3 { list.append(link(number)) }
    list.cancel()
    #expect(log.value == [1, 2, 3])
  }
}
