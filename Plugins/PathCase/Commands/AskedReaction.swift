import PluginAPI

/// Finds the reactions and processes that users name.
enum AskedReaction {
  /// The reaction of an id; without its prefix `R_` too, which SBML files have and their users leave out.
  ///
  /// - Returns: Its index.
  /// - Throws: ``PathwayError/unknownReaction(_:nearest:)``.
  static func index(_ word: String, in ids: [Identifier]) throws(PathwayError) -> Int {
    for id in [Identifier(word), Identifier("R_" + word)] {
      if let index = ids.firstIndex(of: id) { return index }
    }
    throw .unknownReaction(word, nearest: nearest(to: word, in: ids))
  }

  /// The id that somebody may have meant: one written nearly so, else the first with that word between its marks.
  static func nearest(to word: String, in ids: [Identifier]) -> String? {
    let texts = ids.map(\.text)
    if let nearest = Suggestion.nearest(to: word, in: texts) { return nearest }
    let folded = word.lowercased()
    return texts.first { text in
      text.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" }).contains { $0 == folded }
    }
  }
}
