// The error that streams of the tests fail with.

/// Two errors that can be told apart.
package enum TestFailure: String, Error, Codable {
  case first, second
}
