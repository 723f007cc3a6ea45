/// The changes of a record type between two states of a database.
struct TypeDifference: Sendable, Hashable {
  var type: ContractType
  /// The ids that exist only in the later state, sorted.
  var added: [Identifier] = []
  /// The ids of records that differ in the later state, sorted.
  var changed: [Identifier] = []
  /// The ids that exist only in the earlier state, sorted.
  var removed: [Identifier] = []

  var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }
}

extension MetabolicDatabase {
  /// Returns the changes of each record type since an earlier state; types without changes are left out.
  ///
  /// Activation conditions are compared separately, by their pathways.
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

  /// Returns the pathways without their activation conditions.
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
