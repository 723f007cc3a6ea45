/// Numbers and distances.
extension SelectionEvaluator {
  /// The atoms whose number compares so to a limit.
  ///
  /// Occupancies and B factors are kept as Float, so the limit is rounded to one: `occ = 0.35` means what the file writes.
  func compared(
    _ property: SelectionNumberProperty, _ comparison: SelectionComparison, _ limit: Double
  ) -> AtomSelection {
    let table = structure.atoms
    switch property {
    case .bFactor: return atomsWhere { comparison.holds(table.bFactor[$0], Float(limit)) }
    case .occupancy: return atomsWhere { comparison.holds(table.occupancy[$0], Float(limit)) }
    default: return numbered(property) { comparison.holds($0, limit) }
    }
  }

  /// The atoms whose number fulfils a condition; an atom without one does not.
  func numbered(_ property: SelectionNumberProperty, _ isWanted: (Double) -> Bool) -> AtomSelection {
    let table = structure.atoms
    switch property {
    case .bFactor: return atomsWhere { isWanted(Double(table.bFactor[$0])) }
    case .occupancy: return atomsWhere { isWanted(Double(table.occupancy[$0])) }
    case .x: return atomsWhere { isWanted(table.x[$0]) }
    case .y: return atomsWhere { isWanted(table.y[$0]) }
    case .z: return atomsWhere { isWanted(table.z[$0]) }
    case .charge: return atomsWhere { isWanted(Double(table.charge[$0])) }
    case .serial:
      return atomsWhere { table.serial[$0] != AtomTable.missingSerial && isWanted(Double(table.serial[$0])) }
    case .residueNumber: return selected { isWanted(Double($0.number)) }
    case .index:
      var result = AtomSelection(atomCount: table.count)
      for model in models {
        let range = structure.models[model].atoms
        for atom in range where isWanted(Double(atom - range.lowerBound + 1)) { result.insert(atom) }
      }
      return result
    case .model:
      var result = AtomSelection(atomCount: table.count)
      for model in models where isWanted(Double(model + 1)) { result.insert(structure.models[model].atoms) }
      return result
    }
  }

  /// The atoms at most so many Å from one of a set in the same model, the set itself included.
  ///
  /// - Complexity: O(*n* log *m*) for *n* atoms and *m* of the set, whatever the radius.
  func near(_ set: AtomSelection, radius: Double) -> AtomSelection {
    var result = set
    for model in models {
      let range = structure.models[model].atoms
      guard set.intersects(range) else { continue }
      let tree = ProximityTree(structure.atoms, range.filter { set[$0] })
      for atom in range where !set[atom] && tree.hasPoint(near: structure.atoms.position(atom), radius: radius) {
        result.insert(atom)
      }
    }
    return result
  }
}
