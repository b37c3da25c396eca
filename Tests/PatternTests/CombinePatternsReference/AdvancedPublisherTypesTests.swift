// "Complete Combine Patterns Reference", the section "Advanced Publisher Types".
//
// Corrected: `URLSession` is in FoundationNetworking on Linux. Declarations are private to this file; the language mode
// is Swift 5, which the document is written in. `WeirExtras` has `NetworkPublisher` without the mistakes of this one.

import Combine
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// MARK: - Custom Publisher for Network Requests

private struct NetworkPublisher<Output: Decodable>: Publisher {
  typealias Failure = NetworkError

  let request: URLRequest
  let session: URLSession
  let decoder: JSONDecoder

  func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
    let subscription = NetworkSubscription(
      subscriber: subscriber,
      request: request,
      session: session,
      decoder: decoder
    )
    subscriber.receive(subscription: subscription)
  }
}

private final class NetworkSubscription<S: Subscriber, Output: Decodable>: Subscription
where S.Input == Output, S.Failure == NetworkError {

  private var subscriber: S?
  private var task: URLSessionDataTask?
  private let request: URLRequest
  private let session: URLSession
  private let decoder: JSONDecoder

  init(subscriber: S, request: URLRequest, session: URLSession, decoder: JSONDecoder) {
    self.subscriber = subscriber
    self.request = request
    self.session = session
    self.decoder = decoder
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > 0, subscriber != nil else { return }

    task = session.dataTask(with: request) { [weak self] data, response, error in
      guard let self = self, let subscriber = self.subscriber else { return }

      if let error = error {
        subscriber.receive(completion: .failure(.underlying(error)))
        return
      }

      guard let httpResponse = response as? HTTPURLResponse else {
        subscriber.receive(completion: .failure(.invalidResponse))
        return
      }

      guard (200...299).contains(httpResponse.statusCode) else {
        subscriber.receive(completion: .failure(.httpError(httpResponse.statusCode)))
        return
      }

      guard let data = data else {
        subscriber.receive(completion: .failure(.noData))
        return
      }

      do {
        let decoded = try self.decoder.decode(Output.self, from: data)
        _ = subscriber.receive(decoded)
        subscriber.receive(completion: .finished)
      } catch {
        subscriber.receive(completion: .failure(.decodingError(error)))
      }
    }

    task?.resume()
  }

  func cancel() {
    task?.cancel()
    subscriber = nil
  }
}

private enum NetworkError: Error {
  case invalidResponse
  case httpError(Int)
  case noData
  case decodingError(Error)
  case underlying(Error)
}

@Suite struct AdvancedPublisherTypesTests {
  private struct Greeting: Decodable, Equatable { let text: String }

  private func load(_ url: URL) async -> (value: [Greeting], error: String?) {
    let publisher = NetworkPublisher<Greeting>(
      request: URLRequest(url: url), session: StubProtocol.session, decoder: JSONDecoder())
    let (values, completion) = await events(of: publisher)
    guard case .failure(let error) = completion else { return (values, nil) }
    return (values, String("\(error)".prefix { $0 != "(" }))
  }

  @Test func customPublisherForNetworkRequests() async {
    let answer = await load(StubProtocol.url("200", #"{"text": "hello"}"#))
    #expect(answer.value == [Greeting(text: "hello")] && answer.error == nil)
    #expect(await load(StubProtocol.url("404")).error == "httpError")
    #expect(await load(StubProtocol.url("200", "nonsense")).error == "decodingError")
    #expect(await load(StubProtocol.url("nowhere")).error == "underlying")
  }

  /// Each request loads again, though the subscription ends with the first answer.
  @Test func whatIsWrongWithIt() async {
    let publisher = NetworkPublisher<Greeting>(
      request: URLRequest(url: StubProtocol.url("404")), session: StubProtocol.session, decoder: JSONDecoder())
    let recorder = Twice()
    let ends: Int = await withCheckedContinuation { continuation in
      recorder.onSecondEnd = { continuation.resume(returning: 2) }
      publisher.subscribe(recorder)
    }
    withExtendedLifetime(recorder) {}
    withKnownIssue("the document's code loads for each request") { #expect(ends == 1) }
  }

  /// Asks twice.
  private final class Twice: Subscriber {
    var onSecondEnd: () -> Void = {}
    private var ends = 0
    private var subscription: Subscription?

    func receive(subscription: Subscription) {
      self.subscription = subscription
      subscription.request(.max(1))
      subscription.request(.max(1))
    }

    func receive(_ input: Greeting) -> Subscribers.Demand { .none }

    func receive(completion: Subscribers.Completion<NetworkError>) {
      ends += 1
      if ends == 2 { onSecondEnd() }
    }
  }
}
