// A chat room's fan-out: any thread posts, all see the posts in one order, and who comes late sees the newest of them.

import Combine
import WeirExtras

/// Something that everybody in a room sees.
struct Post: Equatable, Sendable, CustomStringConvertible {
  enum Content: Equatable, Sendable {
    case joined
    case left(Departure)
    case said(String)
  }

  var number = 0
  var author: String
  var content: Content

  var description: String {
    switch content {
    case .joined: "\(number) * \(author) joined"
    case .left(let departure): "\(number) * \(author) left (\(departure))"
    case .said(let text): "\(number) \(author): \(text)"
    }
  }
}

/// Why a session ended.
enum Departure: Error, Equatable {
  case hungUp
  case idle
  case roomClosed
  case tooSlow
}

/// Numbers what sessions post and hands it to all of them.
///
/// Any thread may use it: all that it consists of are subjects, which may be sent to and subscribed to from anywhere.
final class ChatRoom: @unchecked Sendable {
  private let drafts = PassthroughSubject<Post, Never>()
  private let posts: ReplaySubject<Post, Never>
  private let numbering: AnyCancellable

  /// Opens a room.
  ///
  /// - Parameter history: How many of the newest posts somebody sees who comes late.
  init(history: Int) {
    posts = ReplaySubject(bufferSize: history)
    // A stream is serial, whoever sends: numbers have no gap and no double, and no lock is needed for them.
    numbering =
      drafts
      .scan(Post(author: "", content: .joined)) { last, draft in
        var post = draft
        post.number = last.number + 1
        return post
      }
      .subscribe(posts)
  }

  func post(_ content: Post.Content, by author: String) { drafts.send(Post(author: author, content: content)) }

  /// Ends every session once it has read what was posted before.
  func close() { drafts.send(completion: .finished) }

  /// The posts, for one session.
  ///
  /// - Parameter backlog: How many posts the session may be behind: with one more it is too slow.
  func feed(backlog: Int) -> some Publisher<Post, Departure> {
    posts
      .setFailureType(to: Departure.self)
      .buffer(size: backlog, prefetch: .byRequest, whenFull: .customError { .tooSlow })
  }
}
