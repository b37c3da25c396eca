// What a web server answers, decoded, or a typed error.

public import Foundation
public import Weir
import WeirFoundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Why there is no usable answer.
public enum NetworkError: Error {
  /// The answer is not one of HTTP.
  case invalidResponse
  /// The server answered with a status other than success.
  case httpError(Int)
  /// There is no answer's body at all. An empty one is decoded as any other; this stays for code that names it.
  case noData
  /// What the server sent can't be decoded.
  case decodingError(any Error)
  /// The load failed with a `URLError`, as where the server was not reached or the connection was lost, or where the
  /// answer is larger than it may be: `URLError(.dataLengthExceedsMaximum)`.
  case underlying(any Error)
}

/// Loads something from a web server for each subscriber, when it first asks.
///
/// Unlike the commonly copied version, it loads once per subscription however often it is asked, lets go of its
/// subscriber at the end, and may be asked and cancelled by any thread.
///
/// On Linux, Foundation (Swift 6.3) may stop the program where a load is cancelled as it begins or ends, or hold the
/// cancelling thread and the session for ever, as where a task that awaits `data(for:)` is cancelled. Without a limit,
/// a plain data task loads, which holds nobody, but may stop the program just as well.
///
/// An answer of more than `mostBytes`, 64 MiB where nothing else is said, is not decoded: the publisher fails by
/// `NetworkError.underlying(URLError(.dataLengthExceedsMaximum))`, and the load is cancelled as soon as more has come,
/// or a first piece where the server has announced more, whatever the answer's status is: a little more may have come
/// by then, and from a server that sends without any pause much more, as the session stops between two pieces. Only
/// what a protocol of the session's own delivers at once, and the body of a redirection, are the session's affair.
/// Decoding takes many times the memory of what is decoded. Reflecting on the publisher, as `dump` does, shows neither
/// headers nor body of the request.
public struct NetworkPublisher<Output: Decodable>: Publisher {
  #if WEIR_INSPECTION
    /// Where it was made.
    public let _assembly = _AssemblySite.here()
  #endif

  /// Why there is no answer.
  public typealias Failure = NetworkError

  /// The request.
  public let request: URLRequest

  /// The session that loads.
  public let session: URLSession

  /// How the answer is decoded.
  public let decoder: JSONDecoder

  /// Bytes of an answer's body beyond which it is not decoded.
  public let mostBytes: Int

  /// Creates the publisher of an answer of at most 64 MiB.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - session: The session that loads.
  ///   - decoder: How the answer is decoded.
  public init(request: URLRequest, session: URLSession = .shared, decoder: JSONDecoder = JSONDecoder()) {
    self.init(request: request, session: session, decoder: decoder, mostBytes: 64 << 20)
  }

  /// Creates the publisher of an answer of a limited size.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - session: The session that loads.
  ///   - decoder: How the answer is decoded.
  ///   - mostBytes: Bytes of an answer's body beyond which it is not decoded. `Int.max` is no limit.
  /// - Precondition: `mostBytes` is not below 0.
  public init(
    request: URLRequest, session: URLSession = .shared, decoder: JSONDecoder = JSONDecoder(), mostBytes: Int
  ) {
    precondition(mostBytes >= 0, "API violation: NetworkPublisher was given a limit below 0 bytes")
    self.request = request
    self.session = session
    self.decoder = decoder
    self.mostBytes = mostBytes
  }

  /// Attaches a subscriber.
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == NetworkError {
    let policy = NetworkPolicy<Output>(decoder: decoder, mostBytes: mostBytes)
    // Without a limit there is no need of a task's `data(for:)`, by which the portable Foundation may hang.
    URLSession.DataTaskPublisher(request: request, session: session, mostBytes: mostBytes == .max ? nil : mostBytes)
      .receive(subscriber: StageSubscriber(policy, to: subscriber))
  }
}

extension NetworkPublisher: CustomReflectable {
  /// A mirror of the request, without what may be secret.
  public var customMirror: Mirror {
    Mirror(
      self, children: [("request", request.withoutSecrets), ("session", "\(session)"), ("decoder", "\(decoder)")])
  }
}

private struct NetworkPolicy<Output: Decodable>: StagePolicy {
  typealias Input = URLSession.DataTaskPublisher.Output
  typealias UpstreamFailure = URLError
  typealias Failure = NetworkError
  typealias Carry = Void

  let decoder: JSONDecoder
  let mostBytes: Int

  static var name: StaticString { "NetworkPublisher" }
  static var strays: Strays { .refuses }

  func convert(_ failure: URLError) -> NetworkError { .underlying(failure) }

  func step(_ input: Input, _ carrier: some Carrier<Void>) -> Step<Output, NetworkError> {
    guard input.data.count <= mostBytes else { return .fail(.underlying(URLError(.dataLengthExceedsMaximum))) }
    guard let response = input.response as? HTTPURLResponse else { return .fail(.invalidResponse) }
    guard (200...299).contains(response.statusCode) else { return .fail(.httpError(response.statusCode)) }
    // Foundation's decoder (Swift 6.3) gives up at a bracket within 512 others, and stops the program if the text ends
    // with it. Such a text is none; but one of JSON5 may end with a comment, and is read by other code.
    if !decoder.allowsJSON5, input.data.endWithOpeningBracket {
      let context = DecodingError.Context(codingPath: [], debugDescription: "The answer ends with an opening bracket.")
      return .fail(.decodingError(DecodingError.dataCorrupted(context)))
    }
    do {
      return .emit(try decoder.decode(Output.self, from: input.data))
    } catch {
      return .fail(.decodingError(error))
    }
  }
}

extension Data {
  /// Whether the last byte that is not 0 is that of an opening bracket, as where these end with one, in whichever
  /// encoding: UTF-16 and UTF-32 add bytes of 0, before or behind it. No JSON ends with another character that has it.
  fileprivate var endWithOpeningBracket: Bool {
    let last = last { $0 != 0 }
    return last == UInt8(ascii: "[") || last == UInt8(ascii: "{")
  }
}
