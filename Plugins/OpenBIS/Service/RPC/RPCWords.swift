import PluginText

/// A sanitizer of a server's texts for messages, without secrets and control characters, and of limited length.
struct RPCWords: Sendable {
  private let secrets: [String]

  /// Creates a sanitizer that hides the secrets of a call.
  init(hiding secrets: [Secret?]) {
    // A shorter secret would hide half of all words, and reveal itself by that.
    self.secrets = secrets.compactMap { $0?.text }.filter { $0.utf8.count >= 4 }
  }

  private static let mark = "•••"

  /// Returns the text without secrets, on one line, of limited length in characters.
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
    // Marks of writing direction hide and reorder the text beside them.
    line = SanitizedText.line(line, limit: .max >> 8)
    return line.count > limit ? String(line.prefix(limit)) + "…" : line
  }

  /// Hides everything that looks like a token: `user-digits'x'hex` and `$pat-…`; other users' tokens are secret too.
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
