// Tests of data tasks as publishers, on a protocol that answers without a network.

import Foundation
import TestKit
import Testing
import Weir
import WeirFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Answers as the request's host says. One test alone asks `never` and meets the signals.
private final class StubProtocol: URLProtocol {
  static let started = DispatchSemaphore(value: 0)
  static let stopped = DispatchSemaphore(value: 0)

  override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "stub" }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    switch request.url?.host {
    case "data": respond(Data("answer".utf8))
    case "nothing": respond(nil)
    case "lost": client?.urlProtocol(self, didFailWithError: URLError(.networkConnectionLost))
    case "other": client?.urlProtocol(self, didFailWithError: TestFailure.first)
    case "never": Self.started.signal()
    default: break
    }
  }

  override func stopLoading() {
    if request.url?.host == "never" { Self.stopped.signal() }
  }

  private func respond(_ data: Data?) {
    let response = URLResponse(
      url: request.url!, mimeType: "text/plain", expectedContentLength: data?.count ?? 0, textEncodingName: nil)
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    if let data { client?.urlProtocol(self, didLoad: data) }
    client?.urlProtocolDidFinishLoading(self)
  }
}

@Suite struct URLSessionPublisherTests {
  typealias Output = URLSession.DataTaskPublisher.Output
  typealias Recorder = RecordingSubscriber<Output, URLError>

  private let lifetimes = Lifetimes()
  private let session: URLSession = {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [StubProtocol.self]
    return URLSession(configuration: configuration)
  }()

  private func publisher(_ host: String) -> URLSession.DataTaskPublisher {
    session.dataTaskPublisher(for: URL(string: "stub://\(host)/")!)
  }

  /// Subscribes, asks, and waits for the end.
  private func answer(_ host: String, _ demands: [Subscribers.Demand] = [.max(1)]) -> Recorder {
    let ended = DispatchSemaphore(value: 0)
    let recorder = Recorder()
    recorder.onCompletion = { _ in ended.signal() }
    publisher(host).subscribe(recorder)
    for demand in demands { recorder.request(demand) }
    ended.wait()
    return recorder
  }

  @Test func publishesDataAndResponse() {
    let recorder = answer("data", [.max(1), .unlimited])
    #expect(recorder.values.map { String(decoding: $0.data, as: UTF8.self) } == ["answer"])
    #expect(recorder.values[0].response.url == URL(string: "stub://data/"))
    #expect(recorder.completions == [.finished])
    recorder.request(.max(1))
    recorder.cancel()
    #expect(recorder.history.count == 3)
  }

  @Test func publishesNoDataAsEmptyData() {
    let recorder = answer("nothing")
    #expect(recorder.values.map(\.data) == [Data()])
    #expect(recorder.completions == [.finished])
  }

  @Test func passesOnAnErrorOfTheNetwork() {
    let recorder = answer("lost")
    #expect(recorder.values.isEmpty)
    guard case .failure(let error) = recorder.completions.first else {
      Issue.record("no failure")
      return
    }
    #expect(error.code == .networkConnectionLost)
  }

  @Test func makesAnyOtherErrorAnUnknownOne() {
    let recorder = answer("other")
    guard case .failure(let error) = recorder.completions.first else {
      Issue.record("no failure")
      return
    }
    #expect(error.code == .unknown)
  }

  @Test func makesATaskWhenItIsAskedForTheFirstTime() {
    let recorder = Recorder()
    publisher("silent").subscribe(recorder)
    func task() -> String? { Mirror(reflecting: recorder.subscriptions[0]).descendant("task") as? String }
    #expect(task() == nil)
    recorder.request(.max(1))
    let first = task()
    #expect(first != nil)
    recorder.request(.max(1))
    #expect(task() == first)
    recorder.cancel()
    recorder.request(.max(1))
    #expect(task() == nil)
    #expect(recorder.history.count == 1)
  }

  @Test func cancellingCancelsTheTaskAndLetsGoOfTheSubscriber() {
    weak var weakRecorder: Recorder?
    do {
      let recorder = Recorder(.max(1))
      weakRecorder = recorder
      publisher("never").subscribe(recorder)
      StubProtocol.started.wait()
      recorder.cancel()
      recorder.cancel()
      recorder.forgetSubscriptions()
      StubProtocol.stopped.wait()
      #expect(recorder.history.count == 1)
    }
    while weakRecorder != nil { yieldThread() }
  }

  @Test(arguments: ["data", "lost"]) func letsGoOfTheSubscriberAtTheEnd(_ host: String) {
    weak var weakRecorder: Recorder?
    do {
      let recorder = answer(host)
      recorder.forgetSubscriptions()
      weakRecorder = recorder
    }
    while weakRecorder != nil { yieldThread() }
  }

  @Test func cancellingWithinTheValueKeepsTheCompletionAway() {
    let received = DispatchSemaphore(value: 0)
    let recorder = Recorder(.unlimited)
    recorder.onValue = { _ in
      recorder.cancel()
      received.signal()
    }
    publisher("data").subscribe(recorder)
    received.wait()
    #expect(answer("data").completions == [.finished])
    #expect(recorder.completions.isEmpty)
  }

  @Test func trapsWhenItIsAskedForNothing() async {
    await #expect(processExitsWith: .failure) {
      let recorder = RecordingSubscriber<URLSession.DataTaskPublisher.Output, URLError>(Subscribers.Demand.none)
      URLSession.shared.dataTaskPublisher(for: URL(string: "stub://silent/")!).subscribe(recorder)
    }
  }

  @Test func describesItself() {
    let recorder = Recorder()
    publisher("silent").subscribe(recorder)
    let subscription = recorder.subscriptions[0]
    #expect("\(subscription)" == "DataTaskPublisher")
    #expect(Mirror(reflecting: subscription).children.map { $0.label } == ["task", "downstream", "parent", "demand"])
    recorder.cancel()
    #expect(publisher("data").request.url == URL(string: "stub://data/"))
    #expect(publisher("data").session === session)
  }

  @Test func reflectionShowsNothingSecretOfTheRequest() {
    var request = URLRequest(url: URL(string: "stub://user:secret@silent/place?key=secret#secret")!)
    request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
    request.httpMethod = "PUT"
    request.httpBody = Data("secret".utf8)
    let publisher = session.dataTaskPublisher(for: request)
    let recorder = Recorder()
    publisher.subscribe(recorder)
    recorder.request(.max(1))
    defer { recorder.cancel() }
    var text = ""
    dump(publisher, to: &text)
    dump(recorder.subscriptions[0], to: &text)
    print(publisher, recorder.subscriptions[0], to: &text)
    #expect(text.contains("PUT stub://silent/place"))
    #expect(!text.contains("secret") && !text.contains("Authorization"), "\(text)")
  }

  /// What such a URL has was shown.
  @Test func reflectionShowsNoDataOfADataURL() {
    var text = ""
    dump(session.dataTaskPublisher(for: URL(string: "Data:text/plain,secret")!), to: &text)
    #expect(text.contains("GET Data:\"") && !text.contains("secret"), "\(text)")
  }

  /// Without slashes, user and password are part of the path, which was shown.
  @Test(arguments: ["http:user:secret@host/place", "mailto:secret@host", "http:///user:secret@host/place"])
  func reflectionShowsNothingOfAURLWithoutAHost(address: String) throws {
    var text = ""
    dump(session.dataTaskPublisher(for: try #require(URL(string: address))), to: &text)
    #expect(text.contains("GET ") && !text.contains("secret"), "\(text)")
  }
}
