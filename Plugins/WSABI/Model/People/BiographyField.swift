/// A field of a person's details; the raw value names its option and its line in a form.
///
/// The order is that of options and results.
enum BiographyField: String, CaseIterable, Sendable {
  case firstName = "first-name"
  case middleName = "middle-name"
  case lastName = "last-name"
  case otherName = "other-name"
  case gender
  case hairColor = "hair-color"
  case race
  case eyeColor = "eye-color"
  case height
  case weight
  case notes
  case alias
  case dateOfBirth = "date-of-birth"
  case placeOfBirth = "place-of-birth"

  /// The property of a biography that stores a field.
  enum Property: Sendable {
    case text(any WritableKeyPath<Biography, String> & Sendable)
    /// A field that can have several values.
    case list(any WritableKeyPath<Biography, [String]> & Sendable)
  }

  private var description: (label: String, summary: String, property: Property) {
    switch self {
    case .firstName: ("First name", "First name", .text(\.firstName))
    case .middleName: ("Middle name", "Middle name", .text(\.middleName))
    case .lastName: ("Last name", "Last name", .text(\.lastName))
    case .otherName: ("Other name", "Name to show when the other names are empty", .text(\.otherName))
    case .gender: ("Gender", "Gender", .text(\.gender))
    case .hairColor: ("Hair", "Hair color", .text(\.hairColor))
    case .race: ("Race", "Race", .text(\.race))
    case .eyeColor: ("Eyes", "Eye color", .text(\.eyeColor))
    case .height: ("Height", "Height, with its unit", .text(\.height))
    case .weight: ("Weight", "Weight, with its unit", .text(\.weight))
    case .notes: ("Notes", "Notes", .text(\.notes))
    case .alias: ("Alias", "Another name of the person", .list(\.aliases))
    case .dateOfBirth: ("Date of birth", "Date of birth as yyyy-mm-dd", .list(\.datesOfBirth))
    case .placeOfBirth: ("Place of birth", "Place of birth", .list(\.placesOfBirth))
    }
  }

  /// The name on screens.
  var label: String { description.label }
  var property: Property { description.property }

  /// The summary for help, with the values to choose from.
  var summary: String {
    let summary = description.summary
    return choices.map { "\(summary): \($0.filter { !$0.isEmpty }.joined(separator: ", "))" } ?? summary
  }

  /// The name in results: `first-name` is `firstName`.
  var key: String {
    let parts = rawValue.split(separator: "-")
    return parts.enumerated().map { $0 == 0 ? String($1) : $1.prefix(1).uppercased() + $1.dropFirst() }.joined()
  }

  /// The values to choose from; nil for free text.
  var choices: [String]? {
    switch self {
    case .gender: Biography.genders
    case .hairColor: Biography.hairColors
    case .race: Biography.races
    case .eyeColor: Biography.eyeColors
    case .firstName, .middleName, .lastName, .otherName, .height, .weight, .notes, .alias, .dateOfBirth,
      .placeOfBirth:
      nil
    }
  }

  /// True if the field can have several values.
  var isList: Bool { if case .list = property { true } else { false } }
}
