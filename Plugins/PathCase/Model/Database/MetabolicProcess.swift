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
}
