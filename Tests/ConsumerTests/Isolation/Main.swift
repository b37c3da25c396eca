// Runs snippets of everyday use and compares what they tell with what they should; ends with 1 if one differs.

import Combine
import Foundation

/// Something that a user writes, and what comes of it.
struct Snippet: Sendable {
  let name: String
  let expected: String
  let run: @MainActor @Sendable () async throws -> String

  init(_ name: String, expected: String, run: @escaping @MainActor @Sendable () async throws -> String) {
    self.name = name
    self.expected = expected
    self.run = run
  }
}

/// Lets others work until a condition holds.
@MainActor
func until(_ condition: () -> Bool) async {
  while !condition() { await Task.yield() }
}

@main
struct Main {
  @MainActor
  static func main() async {
    var failures = 0
    let all = ViewModelSnippets.all + ActorSnippets.all + TaskSnippets.all
    for snippet in all {
      do {
        let told = try await snippet.run()
        if told == snippet.expected { continue }
        print("\(snippet.name): \(told), not \(snippet.expected)")
      } catch {
        print("\(snippet.name): \(error)")
      }
      failures += 1
    }
    guard all.count >= 60 else {
      print("there are only \(all.count) snippets, which are to be 60 at least")
      exit(1)
    }
    print("\(all.count) snippets, \(failures) failed")
    exit(failures == 0 ? 0 : 1)
  }
}
