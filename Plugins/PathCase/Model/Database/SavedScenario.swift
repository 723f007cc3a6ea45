/// A scenario that the user saved.
struct SavedScenario: Sendable, Hashable {
  /// The activity of a process in the scenario.
  struct Activity: Sendable, Hashable {
    var process: Identifier
    var state: ProcessState
  }

  /// The name that the user gave it.
  var name: String
  /// The pathway of the scenario.
  var pathway: Identifier
  /// The activities in the order in which they were saved.
  var activities: [Activity] = []
}

/// An observation of a pool.
struct SavedObservation: Sendable, Hashable {
  var pool: Identifier
  var levels: LevelSet
}
