import PluginText

/// Makes words of a server fit for messages: no secrets, no control characters, no endless text.
struct RPCWords: Sendable {
  private let secrets: [String]

  /// Knows the secrets of the call, which must not come out again.
  init(hiding secrets: [Secret?]) {
    // A shorter one would hide half of all words, and tell itself by that.
    self.secrets = secrets.compactMap { $0?.text }.filter { $0.utf8.count >= 4 }
  }

  private static let mark = "•••"

  /// The text without secrets, on one line, of at most so many characters.
  func clean(_ text: String, limit: Int = 500) -> String {
    var text = text
    for secret in secrets { text = ByteSearch.replacing(secret, in: text, with: Self.mark) }
    text = Self.withoutTokens(text)
    var line = ""
    for scalar in text.unicodeScalars {
      if scalar == " " || scalar.properties.generalCategory == .control {
        if !line.isEmpty, !line.hasSuffix(" ") { line.append(" ") }
      } else {
        line.unicodeScalars.append(scalar)
      }
    }
    while line.hasSuffix(" ") { line.removeLast() }
    // Marks of writing direction hide and reorder what stands beside them.
    line = SanitizedText.line(line, limit: .max >> 8)
    return line.count > limit ? String(line.prefix(limit)) + "…" : line
  }

  /// Hides what looks like any token: `user-digits'x'hex` and `$pat-…`; those of others are secrets as well.
  ///
  /// - Source: the sources of openBIS, its V1 and V3 interfaces (the shape of tokens).
  private static func withoutTokens(_ text: String) -> String {
    var out = ""
    var word = ""
    func flush() {
      out += isToken(word) ? mark : word
      word = ""
    }
    for character in text {
      if character.isWhitespace || "'\"<>(),;&=?".contains(character) {
        flush()
        out.append(character)
      } else {
        word.append(character)
      }
    }
    flush()
    return out
  }

  private static func isToken(_ word: String) -> Bool {
    if word.utf8.count < 12 { return false }
    if word.hasPrefix("$pat-") { return true }
    guard let dash = word.utf8.lastIndex(of: UInt8(ascii: "-")) else { return false }
    let rest = word.utf8[word.utf8.index(after: dash)...]
    let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    let tail = rest.dropFirst(digits.count)
    guard digits.count >= 8, tail.first == UInt8(ascii: "x") else { return false }
    return tail.dropFirst().prefix { Hexadecimal.value($0) != nil }.count >= 4
  }
}
