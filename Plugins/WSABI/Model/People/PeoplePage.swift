/// A part of the list of people.
struct PeoplePage: Sendable, Hashable {
  /// A person with the items of their row.
  struct Row: Sendable, Hashable {
    var person: Person
    /// By their place; empty if they were not asked for.
    var items: [BiometricItem]

    /// Whether nothing was said of the person, and nothing set up for them.
    var isUntouched: Bool { items.isEmpty && person.biography.isEmpty }
  }

  var rows: [Row]
  /// How many people the whole list has.
  var total: Int
}
