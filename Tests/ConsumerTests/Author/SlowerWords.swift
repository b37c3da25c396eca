// The same as Words.swift, slower: each word is looked up twice.

/// How often each word is in a text.
public func wordCounts(of text: String) -> [Substring: Int] {
  var counts: [Substring: Int] = [:]
  for word in text.split(separator: " ") {
    if counts[word] == nil { counts[word] = 0 }
    counts[word, default: 0] += 1
  }
  return counts
}
