/// Processes that are told and drawn together.
struct MetabolicPathway: Sendable, Hashable {
  var id: Identifier
  var name: String
  /// The species in which it was found; nil if that is not said.
  var organism: String?
  /// What else it is called.
  var synonyms: [String] = []
  /// In the order in which they are told.
  var processes: [Identifier] = []
  var links: [PathwayLink] = []
  /// When processes begin to run in scenario analysis, beyond the triggers of their participants.
  var activations: [ActivationCondition] = []
}

/// A way from a pathway to another one.
struct PathwayLink: Sendable, Hashable {
  var pathway: Identifier
  /// The pool they share; nil if that is not said.
  var via: Identifier?
}

/// The activation conditions of a pathway.
struct PathwayActivation: Sendable, Hashable {
  var pathway: Identifier
  var conditions: [ActivationCondition] = []
}

/// What a process needs of a pool before it can run in a pathway.
struct ActivationCondition: Sendable, Hashable {
  var process: Identifier
  var pool: Identifier
  var role: Participant.Role
  var trigger: MetaboliteLevel
}

/// From which concentration on a pool counts as empty, filled and overfilled.
struct BiofluidRange: Sendable, Hashable {
  var pool: Identifier
  /// Below this it is unavailable.
  var unavailableBelow: Double?
  /// Above this it is accumulated.
  var accumulatedAbove: Double?
  /// Above this it is severely accumulated.
  var severeAbove: Double?
  /// The unit of the numbers, such as `mmol/L`.
  var unit = ""
}
