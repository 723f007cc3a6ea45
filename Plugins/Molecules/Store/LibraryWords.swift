import PluginText

/// The words by which molecules are found.
///
/// SQLite finds and folds words itself; a shared library stores words that were folded here, so that every server gives
/// the same results, whatever its extensions and locale.
enum LibraryWords {
  /// Returns the words of a text, which are separated by anything that is neither letter nor digit.
  static func words(of text: String) -> [String] {
    text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  /// Returns the words of a molecule as the text of a `tsvector`: `'hydrolase':2B`.
  ///
  /// The code has weight A, the title B, compounds C, authors and keywords D.
  static func vector(of entry: LibraryEntry) -> String {
    let (summary, metadata) = (entry.summary, entry.metadata)
    let compounds = metadata.filter { $0.group == .source }.map(\.label)
    let others = metadata.filter {
      $0.group == .authors || ($0.group == .description && ["Keywords", "Classification"].contains($0.label))
    }
    let texts = [
      ("A", [summary.code]), ("B", [summary.title]), ("C", [summary.compound] + compounds), ("D", others.map(\.text)),
    ]
    let weighted = texts.flatMap { weight, texts in texts.flatMap { folded(words(of: $0)) }.map { ($0, weight) } }
    // The server accepts no positions above 16,383 and 256 for each word, and ignores others.
    return weighted.enumerated().map { "'\($1.0)':\(min($0 + 1, 16_383))\($1.1)" }.joined(separator: " ")
  }

  /// Returns the `tsquery` of molecules that have all words, or words with these prefixes: `'hydro':* & 'yeast':*`.
  static func query(_ words: [String]) -> String {
    folded(words).map { "'\($0)':*" }.joined(separator: " & ")
  }

  /// Returns folded words, each at most as long as the server accepts; one of marks alone has nothing left.
  private static func folded(_ words: [String]) -> [String] {
    words.map { String(decoding: FoldedText.bytes(String($0.prefix(200))), as: UTF8.self) }.filter { !$0.isEmpty }
  }
}
