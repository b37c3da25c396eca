// Tests of notifications as values.

import Foundation
import TestKit
import Testing
import Weir
import WeirFoundation

@Suite struct NotificationCenterPublisherTests {
  typealias Recorder = RecordingSubscriber<Notification, Never>

  private let lifetimes = Lifetimes()
  private let center = NotificationCenter()
  private let name = Notification.Name("test")
  private final class Poster {}

  private func post(_ number: Int, from object: AnyObject? = nil) {
    center.post(name: name, object: object, userInfo: ["number": number])
  }

  private func numbers(_ recorder: Recorder) -> [Int] { recorder.values.compactMap { $0.userInfo?["number"] as? Int } }

  @Test func publishesWhatIsPostedAndAskedFor() {
    let recorder = Recorder()
    center.publisher(for: name).subscribe(recorder)
    post(0)
    recorder.request(.none)
    recorder.request(.max(2))
    for number in 1...3 { post(number) }
    center.post(name: Notification.Name("other"), object: nil)
    #expect(numbers(recorder) == [1, 2])
    #expect(recorder.history.count == 3)
  }

  @Test func returnedDemandCounts() {
    let recorder = Recorder(.max(1))
    recorder.demandPerValue = { _ in recorder.values.count < 3 ? .max(1) : .none }
    center.publisher(for: name).subscribe(recorder)
    for number in 1...5 { post(number) }
    #expect(numbers(recorder) == [1, 2, 3])
  }

  @Test func heedsWhoPosts() {
    let poster = Poster()
    let recorder = Recorder(.unlimited)
    center.publisher(for: name, object: poster).subscribe(recorder)
    post(1, from: poster)
    post(2, from: Poster())
    post(3)
    #expect(numbers(recorder) == [1])
  }

  @Test func cancellingEndsTheObservation() {
    let recorder = Recorder(.unlimited)
    center.publisher(for: name).subscribe(recorder)
    post(1)
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(1))
    post(2)
    #expect(numbers(recorder) == [1])
  }

  @Test func cancellingWithinANotificationIsTheLast() {
    let recorder = Recorder(.unlimited)
    recorder.onValue = { _ in
      recorder.cancel()
      self.post(2)
    }
    center.publisher(for: name).subscribe(recorder)
    post(1)
    post(3)
    #expect(numbers(recorder) == [1])
  }

  @Test func acceptsNotificationsFromWithinANotification() {
    let recorder = Recorder(.unlimited)
    recorder.onValue = { _ in if recorder.values.count < 3 { self.post(recorder.values.count + 1) } }
    center.publisher(for: name).subscribe(recorder)
    post(1)
    #expect(numbers(recorder) == [1, 2, 3])
  }

  @Test func notificationsOfSeveralThreadsDoNotOverlap() {
    let recorder = Recorder(.unlimited)
    let inside = Counter()
    let overlaps = Counter()
    recorder.onValue = { _ in
      if inside.add() != 1 { overlaps.add() }
      inside.add(-1)
    }
    center.publisher(for: name).subscribe(recorder)
    onThreads(3) { _ in for number in 0..<300 { self.post(number) } }
    #expect(overlaps.value == 0)
    #expect(recorder.values.count == 900)
  }

  @Test func holdsItsObjectAndItsSubscriberUntilItIsCancelled() {
    weak var weakPoster: Poster?
    var cancellable: AnyCancellable?
    do {
      let poster = Poster()
      weakPoster = poster
      let tracked = lifetimes.track()
      cancellable = center.publisher(for: name, object: poster).sink { _ in tracked.touch() }
    }
    #expect(weakPoster != nil)
    #expect(lifetimes.live == 1)
    cancellable?.cancel()
    #expect(weakPoster == nil)
    #expect(lifetimes.live == 0)
  }

  @Test func aSubscriptionThatNobodyHoldsObservesNothing() {
    let recorder = Recorder(.unlimited)
    recorder.keepsSubscriptions = false
    center.publisher(for: name).subscribe(recorder)
    post(1)
    #expect(numbers(recorder) == [])
  }

  @Test func equalsWhatPublishesTheSame() {
    let poster = Poster()
    let publisher = center.publisher(for: name, object: poster)
    #expect(publisher == NotificationCenter.Publisher(center: center, name: name, object: poster))
    #expect(publisher != center.publisher(for: name))
    #expect(publisher != center.publisher(for: Notification.Name("other"), object: poster))
    #expect(publisher != NotificationCenter().publisher(for: name, object: poster))
  }

  @Test func describesItself() {
    let recorder = Recorder(.max(3))
    center.publisher(for: name).subscribe(recorder)
    let subscription = recorder.subscriptions[0]
    #expect("\(subscription)" == "NotificationCenter Observer")
    #expect(Mirror(reflecting: subscription).children.map { $0.label } == ["center", "name", "object", "demand"])
  }
}
