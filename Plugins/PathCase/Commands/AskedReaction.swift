import PluginAPI

/// Finds the reactions and processes named by users.
enum AskedReaction {
  /// Returns the reaction with an id; the prefix `R_`, which SBML files have and their users omit, is optional.
  ///
  /// - Returns: The index of the reaction.
  /// - Throws: ``PathwayError/unknownReaction``.
  static func index(_ word: String, in ids: [Identifier]) throws(ErrorReport) -> Int {
    for id in [Identifier(word), Identifier("R_" + word)] {
      if let index = ids.firstIndex(of: id) { return index }
    }
    throw PathwayError.unknownReaction(
      "the model has no reaction '\(word)'", advice: nearest(to: word, in: ids).map { "did you mean '\($0)'?" }
    ).short
  }

  /// Returns the id that the user may have meant: a similar one, or else the first with that word between its
  /// separators.
  static func nearest(to word: String, in ids: [Identifier]) -> String? {
    let texts = ids.map(\.text)
    if let nearest = Suggestion.nearest(to: word, in: texts) { return nearest }
    let folded = word.lowercased()
    return texts.first { text in
      text.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" }).contains { $0 == folded }
    }
  }
}
