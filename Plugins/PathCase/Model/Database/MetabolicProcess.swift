/// A reaction, or the passage of a metabolite through a membrane.
struct MetabolicProcess: Sendable, Hashable {
  /// What kind of step it is.
  enum Kind: String, Sendable, CaseIterable {
    case reaction, transport
  }

  var id: Identifier
  var name: String
  var kind: Kind = .reaction
  var isReversible = false
  /// The number of the enzyme commission, such as `2.7.1.1`.
  var enzyme: String?
  var participants: [Participant] = []
  /// The symbols of the genes of its enzymes or carriers, such as `PFKL`.
  var genes: [String] = []

  /// The pools that matter comes from when it runs forwards.
  var inputs: some Sequence<Participant> { participants.lazy.filter { $0.role.isInput } }
  /// The pools that matter goes to when it runs forwards.
  var outputs: some Sequence<Participant> { participants.lazy.filter { $0.role.isOutput } }
}

/// The part that a pool has in a process.
struct Participant: Sendable, Hashable {
  /// What a pool does in a process.
  enum Role: String, Sendable, CaseIterable {
    case substrate, product, cofactorIn, cofactorOut, activator, inhibitor, catalyst

    /// Whether matter moves out of the pool.
    var isInput: Bool { self == .substrate || self == .cofactorIn }
    /// Whether matter moves into the pool.
    var isOutput: Bool { self == .product || self == .cofactorOut }
  }

  var pool: Identifier
  var role: Role
  /// Moles for one turn of the process; above 0.
  var stoichiometry = 1.0
  /// From which level on the pool acts; nil for the usual one of its role.
  var trigger: MetaboliteLevel?
}
