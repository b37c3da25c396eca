// Requests: check the status, decode, try again, fall back.

import Combine
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct User: Codable, Equatable {
  var id: Int
  var name: String
}

enum APIError: Error, Equatable {
  case status(Int)
  case unreachable
  case malformed
}

struct API {
  let base: URL

  func user(at path: String) -> AnyPublisher<User, APIError> {
    URLSession.shared.dataTaskPublisher(for: base.appendingPathComponent(path))
      .tryMap { data, response in
        guard let status = (response as? HTTPURLResponse)?.statusCode, status == 200 else {
          throw APIError.status((response as? HTTPURLResponse)?.statusCode ?? 0)
        }
        return data
      }
      .decode(type: User.self, decoder: JSONDecoder())
      .mapError { error in
        switch error {
        case let error as APIError: error
        case is DecodingError: .malformed
        default: .unreachable
        }
      }
      .eraseToAnyPublisher()
  }
}

func network() async {
  let api = API(base: URL(string: ProcessInfo.processInfo.environment["SERVER"]!)!)
  let nobody = User(id: 0, name: "nobody")
  func show(_ what: String, _ publisher: some Publisher<User, APIError>) async {
    do {
      for try await user in publisher.values { print("network:", what, user.id, user.name) }
    } catch { print("network:", what, error) }
  }
  await show("user", api.user(at: "user"))
  await show("flaky, once", api.user(at: "flaky/1"))
  await show("flaky, retried", api.user(at: "flaky/2").retry(2))
  await show("missing", api.user(at: "missing"))
  await show("garbage", api.user(at: "garbage"))
  await show("fallback", api.user(at: "missing").catch { _ in Just(nobody).setFailureType(to: APIError.self) })
  await show("replaced", api.user(at: "missing").replaceError(with: nobody).setFailureType(to: APIError.self))
  let two = Publishers.Zip(api.user(at: "user"), api.user(at: "user"))
  await show("both", two.map { User(id: $0.id + $1.id, name: $0.name) })
  await show(
    "encoded",
    Just(nobody).encode(encoder: JSONEncoder()).decode(type: User.self, decoder: JSONDecoder())
      .mapError { _ in .malformed })
}
