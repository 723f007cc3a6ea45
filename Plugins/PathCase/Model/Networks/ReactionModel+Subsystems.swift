extension ReactionModel {
  /// The name of each reaction's subsystem: its own, or else that of the first group that contains it; nil for none.
  var subsystems: [String?] {
    var found: [Identifier: String] = [:]
    for group in groups where isSubsystem(group) {
      for member in group.members where found[member] == nil { found[member] = group.name }
    }
    return reactions.map { $0.subsystem ?? found[$0.id] }
  }

  /// The number of groups that are not the subsystem of each of their members.
  var groupsBesideSubsystems: Int {
    let subsystems = Dictionary(zip(reactions.map(\.id), subsystems)) { first, _ in first }
    return groups.count { group in
      group.members.isEmpty || !group.members.allSatisfy { subsystems[$0] == .some(.some(group.name)) }
    }
  }

  /// Returns whether a group names a subsystem: it has a name, and its members are reactions.
  private func isSubsystem(_ group: ModelGroup) -> Bool { !group.name.isEmpty && group.kind != "collection" }

  /// Returns the model with a group for each subsystem, if it has no groups yet.
  ///
  /// - Source: SBML Level 3 Package: Groups, version 1; SBO:0000633 (subsystem), as COBRApy writes it.
  func withSubsystemGroups() -> ReactionModel {
    guard groups.isEmpty else { return self }
    var model = self
    var places: [String: Int] = [:]
    var taken = Set(compartments.map(\.id) + species.map(\.id) + reactions.map(\.id) + genes.map(\.id))
    taken.formUnion(parameters.map(\.id) + objectives.map(\.id) + [id])
    for reaction in reactions {
      guard let name = reaction.subsystem else { continue }
      if places[name] == nil {
        var number = model.groups.count + 1
        while !taken.insert(Identifier("subsystem_\(number)")).inserted { number += 1 }
        places[name] = model.groups.count
        model.groups.append(
          ModelGroup(
            id: Identifier("subsystem_\(number)"), name: name, kind: "partonomy", metadata: ModelMetadata(term: 633)))
      }
      model.groups[places[name] ?? 0].members.append(reaction.id)
    }
    return model
  }
}
