/// A word of a command line that names an option: `--name`, `--name=value` or `-h`.
struct OptionWord {
  /// As written, without the value.
  let text: String
  /// The name without dashes.
  let name: String
  /// The text after the first `=`.
  let value: String?

  /// Parses a word.
  ///
  /// - Returns: nil if it is not an option: a plain word, `-` alone (standard input) or a negative number.
  init?(_ word: String) {
    guard word.utf8.first == UInt8(ascii: "-"), word.utf8.count > 1 else { return nil }
    let second = word.utf8[word.utf8.index(after: word.utf8.startIndex)]
    if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(second) || second == UInt8(ascii: ".") { return nil }
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    text = String(parts[0])
    name = String(text.drop { $0 == "-" })
    value = parts.count == 2 ? String(parts[1]) : nil
  }

  var isHelp: Bool { text == "-h" || text == "--help" }

  var isLong: Bool { text.hasPrefix("--") }
}
