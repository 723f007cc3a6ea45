/// What became of the records of a type from one state of a database to another.
struct TypeDifference: Sendable, Hashable {
  var type: ContractType
  /// The ids that only the later state has, sorted.
  var added: [Identifier] = []
  /// The ids of which the later state tells something else, sorted.
  var changed: [Identifier] = []
  /// The ids that only the earlier state has, sorted.
  var removed: [Identifier] = []

  var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }
}

extension MetabolicDatabase {
  /// What became of each type of records since an earlier state; types without a difference are left out.
  ///
  /// Activation conditions count by themselves, by their pathways.
  func differences(since earlier: MetabolicDatabase) -> [TypeDifference] {
    [
      Self.difference(.tissues, earlier.tissues, tissues, \.id),
      Self.difference(.compartments, earlier.compartments, compartments, \.id),
      Self.difference(.metabolites, earlier.metabolites, metabolites, \.id),
      Self.difference(.pools, earlier.pools, pools, \.id),
      Self.difference(.processes, earlier.processes, processes, \.id),
      Self.difference(.pathways, Self.bare(earlier.pathways), Self.bare(pathways), \.id),
      Self.difference(
        .smdapathways, Self.activations(earlier.pathways), Self.activations(pathways), \.pathway),
      Self.difference(.ranges, earlier.ranges, ranges, \.pool),
      Self.difference(.layout, earlier.layouts, layouts, \.pathway),
    ].filter { !$0.isEmpty }
  }

  /// Pathways without their activation conditions.
  private static func bare(_ pathways: [MetabolicPathway]) -> [MetabolicPathway] {
    pathways.map { pathway in
      var pathway = pathway
      pathway.activations = []
      return pathway
    }
  }

  private static func activations(_ pathways: [MetabolicPathway]) -> [PathwayActivation] {
    pathways.filter { !$0.activations.isEmpty }.map {
      PathwayActivation(pathway: $0.id, conditions: $0.activations)
    }
  }

  private static func difference<Element: Equatable>(
    _ type: ContractType, _ earlier: [Element], _ later: [Element], _ key: (Element) -> Identifier
  ) -> TypeDifference {
    let old = Dictionary(earlier.map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
    let new = Dictionary(later.map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
    return TypeDifference(
      type: type, added: new.keys.filter { old[$0] == nil }.sorted(),
      changed: new.compactMap { id, element in old[id].flatMap { $0 == element ? nil : id } }.sorted(),
      removed: old.keys.filter { new[$0] == nil }.sorted())
  }
}
