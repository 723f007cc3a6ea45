/// Texts of problems for narrow spaces.
enum ProblemText {
  /// Returns a reason without the operation and the host in front of it, which a card or a cell names already.
  static func short(_ reason: String) -> String {
    guard reason.hasPrefix("'"), let at = place("' at '", in: reason[...]),
      let end = place("' ", in: reason[at...])
    else { return reason }
    var rest = reason[end...]
    if rest.hasPrefix("failed: ") { rest = rest.dropFirst(8) }
    return rest.isEmpty ? reason : String(rest)
  }

  /// Returns the index after the first occurrence of a text.
  private static func place(_ words: String, in text: Substring) -> String.Index? {
    text.indices.first { text[$0...].hasPrefix(words) }.map { text.index($0, offsetBy: words.count) }
  }
}
