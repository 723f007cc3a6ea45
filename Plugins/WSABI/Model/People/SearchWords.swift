import PluginText

/// The searchable text of a person, without distinctions that do not matter for a search: case and diacritics.
enum SearchWords {
  /// Returns the searchable text of a person: all details of the person and of their items, one per line.
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

  /// Returns the words of a search, all of which must match.
  static func asked(_ text: String) -> [[UInt8]] {
    FoldedText.bytes(text).split { $0 == 0x20 || (0x09...0x0D).contains($0) }.map(Array.init)
  }
}
