/// Evaluates numbers and distances.
extension SelectionEvaluator {
  /// Returns the atoms whose number satisfies a comparison with a limit.
  ///
  /// Occupancies and B factors are stored as Float, so the limit is rounded to one: `occ = 0.35` matches the value
  /// written in the file.
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

  /// Returns the atoms whose number satisfies a condition; an atom without a number does not.
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

  /// Returns the atoms within a distance in Å from one of a set in the same model, the set itself included.
  ///
  /// - Complexity: O(*n* log *m*) for *n* atoms and *m* of the set, independent of the radius.
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
