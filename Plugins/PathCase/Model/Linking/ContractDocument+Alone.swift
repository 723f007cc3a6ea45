extension ContractDocument {
  /// Checks the document on its own and returns its warnings.
  ///
  /// References to other documents are assumed to be valid; references within this one are checked. Layouts refer only
  /// to other documents.
  /// - Returns: The problems that do not prevent its use.
  /// - Throws: ``LinkingError`` for problems that make any snapshot unusable: a repeated id, a cycle of compartments.
  func lookedAtAlone() throws(LinkingError) -> [RecordIssue] {
    if type == .layout || type == .manifest { return [] }
    var whole = records
    whole.fillIn(around: type)
    // Filled-in records have no position.
    return try DatabaseLinker.link(whole, places: places).warnings.filter { $0.place != nil }
  }
}

extension DatabaseRecords {
  /// Adds a minimal record for each thing that records of a type refer to in documents of other types.
  fileprivate mutating func fillIn(around type: ContractType) {
    let named = pathways.flatMap(\.processes) + activations.flatMap(\.conditions).map(\.process)
    if type != .processes { processes = Self.each(named).map { MetabolicProcess(id: $0, name: "") } }
    if type != .pathways { pathways = Self.each(activations.map(\.pathway)).map { MetabolicPathway(id: $0, name: "") } }
    if type != .pools { fillInPools() }
    if type != .metabolites {
      metabolites = Self.each(pools.map(\.metabolite)).map { Metabolite(id: $0, name: "") }
    }
    if type != .compartments {
      compartments = Self.each(pools.map(\.compartment)).map { Compartment(id: $0, name: "") }
    }
    tissues = type == .tissues ? tissues : Self.each(compartments.compactMap(\.tissue)).map { Tissue(id: $0, name: "") }
  }

  /// Adds pools of one metabolite, each in its own compartment, so that transports between them cause no warnings.
  private mutating func fillInPools() {
    let taken = processes.flatMap(\.participants).map(\.pool)
    let conditions = activations.flatMap(\.conditions).map(\.pool)
    let ways = pathways.flatMap(\.links).compactMap(\.via)
    pools = Self.each(taken + conditions + ways + ranges.map(\.pool)).map {
      MetabolitePool(id: $0, metabolite: "", compartment: $0)
    }
  }

  /// Returns each id once, in order of first occurrence.
  private static func each(_ ids: [Identifier]) -> [Identifier] {
    var seen: Set<Identifier> = []
    return ids.filter { seen.insert($0).inserted }
  }
}
