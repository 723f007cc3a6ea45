extension DatabaseRecords {
  /// Returns the database in a simulated later state: a name changed, a record added, a record removed.
  ///
  /// It keeps its snapshot name, so that documents with the same contents stay unchanged.
  /// - Parameter turn: The number of changes, from 1; 0 returns the database itself.
  func changed(turn: Int) -> DatabaseRecords {
    if turn <= 0 { return self }
    var later = self
    if !later.metabolites.isEmpty {
      let place = turn % later.metabolites.count
      later.metabolites[place].name += " (revision \(turn))"
    }
    later.tissues.append(Tissue(id: Identifier("simulated-\(turn)"), name: "Simulated tissue \(turn)"))
    if later.pathways.count > 1 { later.removePathway(at: turn % later.pathways.count) }
    return later
  }

  private mutating func removePathway(at index: Int) {
    let id = pathways.remove(at: index).id
    for index in pathways.indices { pathways[index].links.removeAll { $0.pathway == id } }
    activations.removeAll { $0.pathway == id }
    layouts.removeAll { $0.pathway == id }
  }
}
