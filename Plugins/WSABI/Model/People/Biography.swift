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
