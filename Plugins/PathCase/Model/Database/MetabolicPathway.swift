/// A group of processes that are described and drawn together.
struct MetabolicPathway: Sendable, Hashable {
  var id: Identifier
  var name: String
  /// The species in which it was found; nil if not given.
  var organism: String?
  /// Other names of the pathway.
  var synonyms: [String] = []
  /// The processes in document order.
  var processes: [Identifier] = []
  var links: [PathwayLink] = []
  /// The conditions under which processes become active in scenario analysis, in addition to their participants'
  /// triggers.
  var activations: [ActivationCondition] = []
}

/// A link from a pathway to another one.
struct PathwayLink: Sendable, Hashable {
  var pathway: Identifier
  /// The pool they share; nil if not given.
  var via: Identifier?
}

/// The activation conditions of a pathway.
struct PathwayActivation: Sendable, Hashable {
  var pathway: Identifier
  var conditions: [ActivationCondition] = []
}

/// A condition on a pool that must hold before a process can run in a pathway.
struct ActivationCondition: Sendable, Hashable {
  var process: Identifier
  var pool: Identifier
  var role: Participant.Role
  var trigger: MetaboliteLevel
}

/// The concentrations that bound the levels of a pool.
struct BiofluidRange: Sendable, Hashable {
  var pool: Identifier
  /// The concentration below which the pool is unavailable.
  var unavailableBelow: Double?
  /// The concentration above which the pool is accumulated.
  var accumulatedAbove: Double?
  /// The concentration above which the pool is severely accumulated.
  var severeAbove: Double?
  /// The unit of the numbers, such as `mmol/L`.
  var unit = ""
}
