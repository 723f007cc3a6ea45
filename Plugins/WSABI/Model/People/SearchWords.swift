@_spi(_Unicode) import Swift

/// What of a person is searched, without what does not count in searching: case, and marks of letters.
///
/// - Source: The Unicode Standard, chapter 3.11 (decomposition) and 5.18 (case).
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
    return Array(texts.filter { !$0.isEmpty }.map(folded).joined(separator: [0x0A]))
  }

  /// The words of a search, which all must be found.
  static func asked(_ text: String) -> [[UInt8]] {
    folded(text).split { $0 == 0x20 || (0x09...0x0D).contains($0) }.map(Array.init)
  }

  /// A text as it is compared.
  static func folded(_ text: String) -> [UInt8] {
    var out: [UInt8] = []
    for scalar in text._nfd {
      let isMark = scalar.value >= 0x300 && scalar.properties.generalCategory == .nonspacingMark
      if !isMark { out.append(contentsOf: scalar.properties.lowercaseMapping.utf8) }
    }
    return out
  }
}
