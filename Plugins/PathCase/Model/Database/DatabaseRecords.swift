/// All records of a snapshot as they were read, before references are checked.
///
/// Each list keeps the order of its document.
struct DatabaseRecords: Sendable, Hashable {
  /// The state of the database, in its publisher's own notation.
  var snapshot = ""
  var tissues: [Tissue] = []
  var compartments: [Compartment] = []
  var metabolites: [Metabolite] = []
  var pools: [MetabolitePool] = []
  var processes: [MetabolicProcess] = []
  var pathways: [MetabolicPathway] = []
  /// The activation conditions, stored apart from the pathways until linking joins them.
  var activations: [PathwayActivation] = []
  var ranges: [BiofluidRange] = []
  var layouts: [FrozenLayout] = []
}

// MARK: - Places

/// An organ or a body fluid.
struct Tissue: Sendable, Hashable {
  /// The kind of a tissue.
  enum Kind: String, Sendable, CaseIterable {
    case organ, fluid
  }

  var id: Identifier
  var name: String
  var kind: Kind = .organ
}

/// A space of a tissue enclosed by membranes: cytosol, mitochondrion, blood.
struct Compartment: Sendable, Hashable {
  var id: Identifier
  var name: String
  /// The tissue it belongs to; nil for networks without tissues.
  var tissue: Identifier?
  /// The compartment that contains it; nil for the outermost.
  var outside: Identifier?
}

/// A small molecule, independent of its location.
struct Metabolite: Sendable, Hashable {
  var id: Identifier
  var name: String
  /// A Boolean value indicating whether pictures leave it out because it takes part in too many processes: ATP, water,
  /// NADH.
  var isCommon = false
  /// The molecular formula in Hill order, at pH 7.
  var formula: String?
  /// The net charge in elementary charges, at pH 7.
  var charge: Int?
  /// The identifiers in other databases, keyed by the database's lowercase name: `kegg`, `chebi`, `hmdb`.
  var references: [String: String] = [:]
  var synonyms: [String] = []
}

/// A metabolite in a compartment, consumed and produced by processes.
struct MetabolitePool: Sendable, Hashable {
  var id: Identifier
  var metabolite: Identifier
  var compartment: Identifier
  /// A Boolean value indicating whether the network ends here: the environment may fill and empty the pool.
  var isBoundary = false
}

/// A reaction, or the transport of a metabolite across a membrane.
struct MetabolicProcess: Sendable, Hashable {
  /// The kind of a process.
  enum Kind: String, Sendable, CaseIterable {
    case reaction, transport
  }

  var id: Identifier
  var name: String
  var kind: Kind = .reaction
  var isReversible = false
  /// The EC number, such as `2.7.1.1`.
  var enzyme: String?
  var participants: [Participant] = []
  /// The symbols of the genes of its enzymes or carriers, such as `PFKL`.
  var genes: [String] = []

  /// The pools that the process consumes when it runs forward.
  var inputs: some Sequence<Participant> { participants.lazy.filter { $0.role.isInput } }
  /// The pools that the process produces when it runs forward.
  var outputs: some Sequence<Participant> { participants.lazy.filter { $0.role.isOutput } }
}

/// The role of a pool in a process.
struct Participant: Sendable, Hashable {
  /// The roles a pool can have in a process.
  enum Role: String, Sendable, CaseIterable {
    case substrate, product, cofactorIn, cofactorOut, activator, inhibitor, catalyst

    /// A Boolean value indicating whether the process consumes the pool.
    var isInput: Bool { self == .substrate || self == .cofactorIn }
    /// A Boolean value indicating whether the process produces the pool.
    var isOutput: Bool { self == .product || self == .cofactorOut }
  }

  var pool: Identifier
  var role: Role
  /// Moles per turn of the process; greater than 0.
  var stoichiometry = 1.0
  /// The level from which the pool acts; nil for the default level of its role.
  var trigger: MetaboliteLevel?

  /// A Boolean value indicating whether the process consumes or produces the pool.
  var isMoved: Bool { role.isInput || role.isOutput }
}

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

/// The positions of a pathway's nodes as placed by hand.
///
/// Lengths have no unit and are relative to each other. The x axis points right, the y axis down; positions are
/// centers.
struct FrozenLayout: Sendable, Hashable {
  var pathway: Identifier
  var width: Double?
  var height: Double?
  var nodes: [FrozenNode] = []
  var paths: [FrozenPath] = []
  /// The version of the stored layout of the user's own; nil for layouts of the database and new ones.
  var version: Int?
}

/// The position of a pool or a process.
struct FrozenNode: Sendable, Hashable {
  /// The pool or process.
  var ref: Identifier
  /// A label that distinguishes nodes of the same pool; "" for the only one.
  var clone = ""
  var x: Double
  var y: Double
  var width: Double?
  var height: Double?
}

/// The line between a process and one of its pools.
struct FrozenPath: Sendable, Hashable {
  /// A point on the line.
  struct Point: Sendable, Hashable {
    var x: Double
    var y: Double
  }

  var process: Identifier
  var pool: Identifier
  /// The bends of the line, starting at the process.
  var points: [Point] = []
}
