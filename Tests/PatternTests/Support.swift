// What the tests of several documents share: what was printed, a stand-in for the network, and waiting.

import Combine
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Keeps what the examples print.
final class Printed: Sendable {
  @TaskLocal static var current: Printed?
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// In the place of Swift's: the examples print, and their tests look at it.
func print(_ items: Any...) { Printed.current?.add(items.map { "\($0)" }.joined(separator: " ")) }

/// What an example prints.
func printed(_ body: () throws -> Void) rethrows -> [String] {
  let printed = Printed()
  try Printed.$current.withValue(printed) { try body() }
  return printed.all
}

/// The network of the tests: answers `stub://STATUS/BODY` with a status and a text, and anything else not at all.
final class StubProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "stub" }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    let url = request.url!
    guard let status = Int(url.host ?? "") else {
      client?.urlProtocol(self, didFailWithError: URLError(.cannotConnectToHost))
      return
    }
    let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: nil)!
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Data(url.path.dropFirst().utf8))
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}

  static func url(_ status: String, _ body: String = "") -> URL {
    URL(string: "stub://\(status)/\(body.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!)")!
  }

  static var session: URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [StubProtocol.self]
    return URLSession(configuration: configuration)
  }
}

/// Waits for the end of a stream, and gives what came.
func events<P: Publisher>(of publisher: P) async -> ([P.Output], Subscribers.Completion<P.Failure>) {
  var values: [P.Output] = []
  var cancellable: AnyCancellable?
  let completion = await withCheckedContinuation { continuation in
    cancellable = publisher.sink {
      continuation.resume(returning: $0)
    } receiveValue: {
      values.append($0)
    }
  }
  cancellable?.cancel()
  return (values, completion)
}

struct ExampleError: Error, Equatable {}
