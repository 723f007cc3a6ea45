import PluginAPI

/// Texts about a person.
enum PersonText {
  static func name(_ person: Person) -> String { person.biography.name ?? "no name yet" }

  /// Returns the time when the person was added, to the minute.
  static func added(_ person: Person) -> String { time(person.created) }

  /// Returns the details that distinguish people of the same name.
  static func details(_ person: Person) -> String {
    let biography = person.biography
    let born = [biography.datesOfBirth.first, biography.placesOfBirth.first].compactMap { $0 }.filter { !$0.isEmpty }
    let parts = [
      "#\(person.id)", biography.name == nil ? "e says who it is" : "", biography.gender,
      born.isEmpty ? "" : "born \(born.joined(separator: ", "))",
      biography.aliases.isEmpty ? "" : "also \(biography.aliases.joined(separator: ", "))", biography.notes,
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: " · ").split(whereSeparator: \.isNewline).joined(
      separator: " ")
  }

  /// Returns the time of an instant to the second, in universal time.
  static func clock(_ instant: Instant) -> String { "\(instant.description.dropFirst(11).prefix(8)) UTC" }

  /// Returns an instant to the minute, in universal time.
  static func time(_ instant: Instant) -> String {
    let text = instant.description
    guard text.utf8.count >= 16 else { return text }
    return text.prefix(10) + " " + text.dropFirst(11).prefix(5)
  }
}
