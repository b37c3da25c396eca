// What a benchmark's author wants to keep fast: how often each word is in a text.

/// How often each word is in a text.
public func wordCounts(of text: String) -> [Substring: Int] {
  var counts: [Substring: Int] = [:]
  for word in text.split(separator: " ") { counts[word, default: 0] += 1 }
  return counts
}
