// Tests of `NetworkPublisher`, on a server on this machine.

import Foundation
import TestKit
import Testing
import Weir
import WeirExtras
import WeirQueues

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private struct Greeting: Decodable, Equatable { let text: String }

/// Answers with something that is not HTTP.
private final class PlainProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "plain" }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    let response = URLResponse(url: request.url!, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}
}

/// Answers with the bytes and the status that a request has.
private final class EchoProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "echo" }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    let answer = request.value(forHTTPHeaderField: "answer").flatMap { Data(base64Encoded: $0) } ?? Data()
    let status = request.value(forHTTPHeaderField: "status").flatMap { Int($0) } ?? 200
    let response = HTTPURLResponse(url: request.url!, statusCode: status, httpVersion: nil, headerFields: nil)!
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: answer)
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}
}

/// Never answers.
private final class SilentProtocol: URLProtocol {
  static let loads = Counter()

  override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "silent" }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  override func startLoading() { Self.loads.add() }
  override func stopLoading() {}
}

@Suite(.serialized) struct NetworkPublisherTests {
  private let server = LocalServer { path in
    func answer(_ status: String, _ body: String) -> String {
      "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
    }
    return switch path {
    case "/greeting": answer("200 OK", #"{"text": "hello"}"#)
    case "/nonsense": answer("200 OK", "nonsense")
    case "/empty": answer("204 No Content", "")
    case "/deep": answer("200 OK", String(repeating: "[", count: 513))
    case "/brackets": answer("200 OK", #"{"text": "\"\#(String(repeating: "[", count: 600))"}"#)
    case "/missing": answer("404 Not Found", "gone")
    case "/endless": "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
    case "/endless-failure": "HTTP/1.1 500 Oh\r\nConnection: close\r\n\r\n"
    case "/announced": "HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n{"
    case "/unsized": "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + #"{"text": "hello"}"#
    default: nil
    }
  }

  private let session: URLSession = {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [PlainProtocol.self, EchoProtocol.self, SilentProtocol.self]
    return URLSession(configuration: configuration)
  }()

  private func load(_ url: URL) async -> Result<Greeting, NetworkError> {
    do {
      let publisher = NetworkPublisher<Greeting>(
        request: URLRequest(url: url), session: session, decoder: JSONDecoder())
      return .success(try await publisher.firstValue())
    } catch {
      return .failure(error as! NetworkError)
    }
  }

  private func failure(_ path: String) async -> NetworkError? {
    if case .failure(let error) = await load(server.url(path)) { return error }
    return nil
  }

  @Test func reflectionShowsNothingSecretOfTheRequest() {
    var request = URLRequest(url: URL(string: "https://user:secret@example.com/place?key=secret")!)
    request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
    let publisher = NetworkPublisher<Greeting>(request: request)
    var text = ""
    dump(publisher, to: &text)
    print(publisher, to: &text)
    #expect(text.contains("GET https://example.com/place"))
    #expect(!text.contains("secret") && !text.contains("Authorization"), "\(text)")
  }

  @Test func decodesAnAnswer() async throws {
    #expect(try await load(server.url("/greeting")).get() == Greeting(text: "hello"))
    server.stop()
  }

  @Test func errorsAreTyped() async {
    if case .httpError(404)? = await failure("/missing") {} else { Issue.record("expected a status") }
    if case .decodingError(is DecodingError)? = await failure("/nonsense") {} else { Issue.record("expected nonsense") }
    if case .decodingError(is DecodingError)? = await failure("/empty") {} else { Issue.record("expected no text") }
    if case .underlying(is URLError)? = await failure("/hang-up") {} else { Issue.record("expected no answer") }
    if case .failure(.invalidResponse) = await load(URL(string: "plain://host/")!) {
    } else {
      Issue.record("expected an answer that is not HTTP")
    }
    server.stop()
    #expect(server.requests == 4)
  }

  /// Foundation's decoder stops the program at such an answer.
  @Test func anAnswerThatIsNestedWithoutEndIsRefused() async {
    guard case .failure(.decodingError(DecodingError.dataCorrupted(let context))) = await load(server.url("/deep"))
    else {
      Issue.record("expected no answer")
      return
    }
    #expect(context.debugDescription == "The answer ends with an opening bracket.")
    let text = String(repeating: "[", count: 600)
    #expect((try? await load(server.url("/brackets")).get()) == Greeting(text: "\"" + text))
    server.stop()
  }

  private func decode(_ answer: Data?, isJSON5: Bool = false) async -> Result<[String], NetworkError> {
    var request = URLRequest(url: URL(string: "echo://host/")!)
    request.setValue(answer?.base64EncodedString(), forHTTPHeaderField: "answer")
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = isJSON5
    do {
      return .success(
        try await NetworkPublisher<[String]>(request: request, session: session, decoder: decoder).firstValue())
    } catch {
      return .failure(error as! NetworkError)
    }
  }

  /// Half of the bytes of such characters were taken for quotes and brackets: good texts were refused, and bad ones let
  /// through, at which Foundation's decoder stops the program.
  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian])
  func answersComeInAnyEncoding(_ encoding: String.Encoding) async throws {
    let text = String(repeating: "\u{5B5B}", count: 300)
    #expect(try await decode("[\"\u{2200}\", \"\(text)\"]".data(using: encoding)).get() == ["\u{2200}", text])
    for count in 511...514 {
      let deep = "[\"\u{2200}\", " + String(repeating: "[", count: count)
      let result = await decode(deep.data(using: encoding))
      guard case .failure(.decodingError(is DecodingError)) = result else {
        Issue.record("expected no answer, not \(result)")
        continue
      }
    }
    server.stop()
  }

  /// The brackets in such texts counted.
  @Test func answersOfJSON5AreDecoded() async throws {
    let text = String(repeating: "[", count: 600)
    #expect(try await decode(Data("['\(text)'] // [".utf8), isJSON5: true).get() == [text])
    for count in 511...514 {
      let result = await decode(Data("/*'*/\(String(repeating: "[", count: count))".utf8), isJSON5: true)
      guard case .failure(.decodingError(is DecodingError)) = result else {
        Issue.record("expected no answer, not \(result)")
        continue
      }
    }
    server.stop()
  }

  @Test(arguments: ["/greeting", "/unsized"])
  func anAnswerHasALimit(path: String) async {
    func load(atMost bytes: Int) async -> Result<Greeting, NetworkError> {
      let publisher = NetworkPublisher<Greeting>(
        request: URLRequest(url: server.url(path)), session: session, mostBytes: bytes)
      do {
        return .success(try await publisher.firstValue())
      } catch {
        return .failure(error as! NetworkError)
      }
    }
    #expect(NetworkPublisher<Greeting>(request: URLRequest(url: server.url(path))).mostBytes == 67_108_864)
    // {"text": "hello"} takes 17 bytes.
    for bytes in [17, .max] {
      #expect((try? await load(atMost: bytes).get()) == Greeting(text: "hello"))
    }
    for bytes in [0, 16] {
      guard case .failure(.underlying(let error as URLError)) = await load(atMost: bytes) else {
        Issue.record("expected no answer")
        continue
      }
      #expect(error.code == .dataLengthExceedsMaximum)
    }
    server.stop()
  }

  /// The whole of an answer was collected before it was refused: these have no end.
  @Test(.timeLimit(.minutes(30)), arguments: ["/endless", "/endless-failure", "/announced"])
  func anAnswerIsRefusedAsSoonAsItIsTooLarge(path: String) async {
    let publisher = NetworkPublisher<Greeting>(
      request: URLRequest(url: server.url(path)), session: session, mostBytes: 1 << 16)
    do {
      _ = try await publisher.firstValue()
      Issue.record("expected no answer")
    } catch {
      guard case NetworkError.underlying(let error as URLError) = error else {
        Issue.record("expected another error than \(error)")
        return
      }
      #expect(error.code == .dataLengthExceedsMaximum)
    }
    server.stop()
  }

  /// It failed by its status where it came all at once.
  @Test func anAnswerThatComesAtOnceHasALimitWhateverItsStatusIs() async {
    defer { server.stop() }
    func load(atMost bytes: Int) async -> NetworkError? {
      var request = URLRequest(url: URL(string: "echo://host/")!)
      request.setValue(Data("123".utf8).base64EncodedString(), forHTTPHeaderField: "answer")
      request.setValue("404", forHTTPHeaderField: "status")
      let publisher = NetworkPublisher<Greeting>(request: request, session: session, mostBytes: bytes)
      do {
        _ = try await publisher.firstValue()
        return nil
      } catch {
        return error as? NetworkError
      }
    }
    guard case .httpError(404) = await load(atMost: 3), case .underlying(let error as URLError) = await load(atMost: 2)
    else {
      Issue.record("expected the status, and then the limit")
      return
    }
    #expect(error.code == .dataLengthExceedsMaximum)
  }

  /// The commonly copied version loaded again for each request.
  @Test func loadsOncePerSubscriptionHoweverOftenItIsAsked() {
    let ended = DispatchSemaphore(value: 0)
    let recorder = RecordingSubscriber<Greeting, NetworkError>()
    recorder.onCompletion = { _ in ended.signal() }
    NetworkPublisher<Greeting>(request: URLRequest(url: server.url("/greeting")), session: session).subscribe(recorder)
    #expect(server.requests == 0)
    for _ in 0..<3 { recorder.request(.max(1)) }
    ended.wait()
    #expect(recorder.values == [Greeting(text: "hello")])
    #expect(recorder.completions.count == 1)
    #expect(server.requests == 1)
    server.stop()
  }

  /// The commonly copied version's subscription kept its subscriber.
  @Test func theSubscriberIsFreedAtTheEnd() {
    let ended = DispatchSemaphore(value: 0)
    weak var weakRecorder: RecordingSubscriber<Greeting, NetworkError>?
    var subscription: (any Subscription)?
    do {
      let recorder = RecordingSubscriber<Greeting, NetworkError>(.unlimited)
      weakRecorder = recorder
      recorder.onSubscription = { subscription = $0 }
      recorder.onCompletion = { _ in ended.signal() }
      NetworkPublisher<Greeting>(request: URLRequest(url: server.url("/missing")), session: session)
        .subscribe(recorder)
      ended.wait()
      recorder.forgetSubscriptions()
    }
    while weakRecorder != nil { yieldThread() }
    withExtendedLifetime(subscription) {}
    server.stop()
  }

  /// In the commonly copied version these threads wrote the same variables, and each request loaded.
  @Test func threadsMayAskAndCancelAtOnce() {
    let before = SilentProtocol.loads.value
    for _ in 0..<20 {
      let recorder = RecordingSubscriber<Greeting, NetworkError>()
      NetworkPublisher<Greeting>(request: URLRequest(url: URL(string: "silent://host/")!), session: session)
        .subscribe(recorder)
      let subscription = Unchecked(recorder.subscriptions[0])
      onThreads(4) { number in
        if number < 3 { subscription.value.request(.max(1)) } else { subscription.value.cancel() }
      }
      #expect(recorder.values == [] && recorder.completions.isEmpty)
    }
    #expect(SilentProtocol.loads.value - before <= 20)
    server.stop()
  }
}
