extension ContractDocument {
  /// What is wrong or odd in the document, whatever the others of its snapshot tell.
  ///
  /// What its records name in other documents is taken to be there; what they name in this one is looked for. Layouts
  /// name nothing but what others tell.
  /// - Returns: What is odd but usable.
  /// - Throws: ``LinkingError`` for what makes any snapshot unusable: an id told twice, a circle of compartments.
  func lookedAtAlone() throws(LinkingError) -> [RecordIssue] {
    if type == .layout || type == .manifest { return [] }
    var whole = records
    whole.fillIn(around: type)
    // What was filled in has no place.
    return try DatabaseLinker.link(whole, places: places).warnings.filter { $0.place != nil }
  }
}

extension DatabaseRecords {
  /// Adds a plain record for each thing that records of a type name in documents of other types.
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

  /// Adds pools of one metabolite, each in a compartment of its own, so that no transport between them is odd.
  private mutating func fillInPools() {
    let taken = processes.flatMap(\.participants).map(\.pool)
    let conditions = activations.flatMap(\.conditions).map(\.pool)
    let ways = pathways.flatMap(\.links).compactMap(\.via)
    pools = Self.each(taken + conditions + ways + ranges.map(\.pool)).map {
      MetabolitePool(id: $0, metabolite: "", compartment: $0)
    }
  }

  /// Each id once, in the order in which they come.
  private static func each(_ ids: [Identifier]) -> [Identifier] {
    var seen: Set<Identifier> = []
    return ids.filter { seen.insert($0).inserted }
  }
}
