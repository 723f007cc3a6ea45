import PluginAPI
import PluginText

/// A person whose biometric data is collected.
struct Person: Sendable, Hashable {
  /// Never reused, not even after the person was deleted.
  var id: Int
  var biography = Biography()
  var created: Instant
  var modified: Instant
}

/// The details of a person; all of them optional free text.
struct Biography: Sendable, Hashable {
  var firstName = ""
  var middleName = ""
  var lastName = ""
  var otherName = ""
  var aliases: [String] = []
  /// The dates as `yyyy-mm-dd`; more than one if sources differ.
  var datesOfBirth: [String] = []
  var placesOfBirth: [String] = []
  var gender = ""
  var hairColor = ""
  var race = ""
  var eyeColor = ""
  var height = ""
  var weight = ""
  var notes = ""

  /// True if no details are given.
  var isEmpty: Bool { self == Biography() }

  /// First, middle and last name, or the other name; nil if all are empty.
  var name: String? {
    let parts = [firstName, middleName, lastName].filter { !$0.isEmpty }
    if !parts.isEmpty { return parts.joined(separator: " ") }
    return otherName.isEmpty ? nil : otherName
  }

  static let genders = ["", "Male", "Female", "Unknown"]
  static let hairColors = ["", "Black", "Brown", "Blonde", "Red"]
  static let races = ["", "Unknown", "Asian", "Black", "Native American", "Caucasian", "Latino"]
  static let eyeColors = ["", "Brown", "Blue", "Green"]
}

/// A part of the list of people.
struct PeoplePage: Sendable, Hashable {
  /// A person with the items of their row.
  struct Row: Sendable, Hashable {
    var person: Person
    /// In order of their index; empty if they were not requested.
    var items: [BiometricItem]

    /// True if the person has no details and no items.
    var isUntouched: Bool { items.isEmpty && person.biography.isEmpty }
  }

  var rows: [Row]
  /// The number of people in the whole list.
  var total: Int
}

/// The searchable text of a person, without case and diacritics.
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

  /// Returns the terms of a search, all of which must match.
  static func terms(_ text: String) -> [[UInt8]] {
    FoldedText.bytes(text).split { $0 == 0x20 || (0x09...0x0D).contains($0) }.map(Array.init)
  }
}

/// A change of the store, for its observers.
enum RecordChange: Sendable, Hashable {
  /// A person was added, edited or deleted.
  case person(Int)
  /// An item of a person was added, edited, cleared or deleted, or has another capture.
  case item(Int, person: Int)
  /// A capture began, got a response, was stored, was lost, or ended.
  case journal
  case users
  /// The store was locked or unlocked.
  case lock
}
