import PluginText

/// What of a person is searched, without what does not count in searching: case, and marks of letters.
enum SearchWords {
  /// What is searched of a person: all that is said of them and of their items, a line each.
  static func of(_ biography: Biography, notesOfItems: [String] = []) -> [UInt8] {
    let names = [biography.firstName, biography.middleName, biography.lastName]
    let full = names.filter { !$0.isEmpty }.joined(separator: " ")
    let texts =
      [full, biography.otherName] + biography.aliases + biography.datesOfBirth + biography.placesOfBirth
      + [biography.gender, biography.hairColor, biography.race, biography.eyeColor]
      + [biography.height, biography.weight, biography.notes]
      + notesOfItems
    return Array(texts.filter { !$0.isEmpty }.map(FoldedText.bytes).joined(separator: [0x0A]))
  }

  /// The words of a search, which all must be found.
  static func asked(_ text: String) -> [[UInt8]] {
    FoldedText.bytes(text).split { $0 == 0x20 || (0x09...0x0D).contains($0) }.map(Array.init)
  }
}
