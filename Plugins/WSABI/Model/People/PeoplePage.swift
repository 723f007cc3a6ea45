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
