// "Combine Deep Dive", the sections "Publishers" and "Subjects".
//
// Corrected: the document says of `Empty<Int, Never>()` that it never completes; it completes at once, unless made with
// `completeImmediately: false`. `URLSession` is in FoundationNetworking, and its network a stand-in. Types that the
// document leaves out, and those of UIKit and CoreLocation (`UIApplication`, `CLLocationManager`, `spinner`), stand at
// the top, in the least form that the examples need. The statements stand in tests; subscriptions that it drops are
// kept; `print` is the tests' own.
// Left out: `object.publisher(for: \.someProperty)`: key-value observing needs the Objective-C runtime.

import Combine
import Foundation
import Testing
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private struct User: Decodable, Equatable { let name: String }

private enum UIApplication { static let didBecomeActiveNotification = Notification.Name("didBecomeActive") }

private struct CLLocation: Equatable { let latitude: Double }
private final class CLLocationManager { weak var delegate: CLLocationManagerDelegate? }
private protocol CLLocationManagerDelegate: AnyObject {
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
}

private final class Spinner { var isHidden = false }

// Common use: bridging delegate/callback patterns
private class LocationBridge: NSObject, CLLocationManagerDelegate {
  let locationPublisher = PassthroughSubject<CLLocation, Never>()

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    locations.forEach { locationPublisher.send($0) }
  }
}

@Suite struct PublishersAndSubjectsTests {
  @Test func singleValueThenComplete() {
    #expect(printed { _ = Just(42).sink { print($0) } } == ["42"])
  }

  @Test func sequenceOfValues() {
    #expect(printed { _ = [1, 2, 3].publisher.sink { print($0) } } == ["1", "2", "3"])
  }

  @Test func failImmediately() async {
    let (values, completion) = await events(of: Fail<Int, URLError>(error: URLError(.badURL)))
    #expect(values == [] && completion == .failure(URLError(.badURL)))
  }

  @Test func neverEmit() async {
    let (values, completion) = await events(of: Empty<Int, Never>())
    #expect(values == [] && completion == .finished)
    var hasEnded = false
    let cancellable = Empty<Int, Never>(completeImmediately: false).sink(
      receiveCompletion: { _ in hasEnded = true }, receiveValue: { _ in })
    #expect(!hasEnded)
    cancellable.cancel()
  }

  @Test func futureWrapsASingleCallback() async {
    func fetchUser(_ completion: @escaping (Result<User, Error>) -> Void) { completion(.success(User(name: "Ann"))) }

    let future = Future<User, Error> { promise in
      fetchUser { result in promise(result) }
    }
    #expect(await events(of: future).0 == [User(name: "Ann")])
  }

  @Test func urlSession() async {
    let url = StubProtocol.url("200", #"{"name": "Ann"}"#)
    let user = StubProtocol.session.dataTaskPublisher(for: url)
      .map(\.data)
      .decode(type: User.self, decoder: JSONDecoder())
    #expect(await events(of: user).0 == [User(name: "Ann")])
  }

  @Test func notificationCenter() {
    var refreshes = 0
    func refreshData() { refreshes += 1 }

    let cancellable = NotificationCenter.default
      .publisher(for: UIApplication.didBecomeActiveNotification)
      .sink { _ in refreshData() }
    NotificationCenter.default.post(name: UIApplication.didBecomeActiveNotification, object: nil)
    #expect(refreshes == 1)
    cancellable.cancel()
  }

  @Test func passthroughSubject() {
    let lines = printed {
      let subject = PassthroughSubject<String, Never>()

      let subscription = subject.sink { print("Received: \($0)") }

      subject.send("hello")  // prints "Received: hello"
      subject.send("world")  // prints "Received: world"
      subject.send(completion: .finished)
      subject.send("nobody")
      subscription.cancel()
    }
    #expect(lines == ["Received: hello", "Received: world"])
  }

  @Test func bridgingDelegates() {
    let (manager, bridge) = (CLLocationManager(), LocationBridge())
    manager.delegate = bridge
    var locations: [CLLocation] = []
    let cancellable = bridge.locationPublisher.sink { locations.append($0) }
    manager.delegate?.locationManager(manager, didUpdateLocations: [.init(latitude: 1), .init(latitude: 2)])
    #expect(locations == [.init(latitude: 1), .init(latitude: 2)])
    cancellable.cancel()
  }

  @Test func currentValueSubject() {
    var cancellables = Set<AnyCancellable>()
    let spinner = Spinner()
    let isLoading = CurrentValueSubject<Bool, Never>(false)

    // Access current value
    #expect(printed { print(isLoading.value) } == ["false"])

    // Send new value
    isLoading.send(true)
    isLoading.value = true  // equivalent

    // Subscribe
    isLoading.sink { loading in
      spinner.isHidden = !loading
    }.store(in: &cancellables)
    #expect(!spinner.isHidden)
    isLoading.send(false)
    #expect(spinner.isHidden)
  }
}

/// Timers of the main run loop, which XCTest serves while it waits.
final class TimerPublisherTests: XCTestCase {
  private var cancellables = Set<AnyCancellable>()

  func testTimerPublisher() {
    let expectation = expectation(description: "a tick")
    Timer.publish(every: 0.001, on: .main, in: .common)
      .autoconnect()
      .first()
      .sink { _ in expectation.fulfill() }
      .store(in: &cancellables)
    wait(for: [expectation], timeout: 3600)
  }

  /// From the section "Schedulers": "Use RunLoop.main for Timer.publish and other RunLoop-dependent sources".
  func testRunLoopForTimers() {
    let expectation = expectation(description: "a tick on the run loop")
    Timer.publish(every: 0.001, on: .main, in: .common).autoconnect()
      .receive(on: RunLoop.main)
      .first()
      .sink { _ in expectation.fulfill() }
      .store(in: &cancellables)
    wait(for: [expectation], timeout: 3600)
  }
}
