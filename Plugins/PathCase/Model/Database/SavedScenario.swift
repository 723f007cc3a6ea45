/// A scenario that the user wants to look at again.
struct SavedScenario: Sendable, Hashable {
  /// What a process does in it.
  struct Activity: Sendable, Hashable {
    var process: Identifier
    var state: ProcessState
  }

  /// What the user calls it.
  var name: String
  /// The pathway it is of.
  var pathway: Identifier
  /// In the order in which they were saved.
  var activities: [Activity] = []
}

/// What was observed of a pool.
struct SavedObservation: Sendable, Hashable {
  var pool: Identifier
  var levels: LevelSet
}
