/// The binary form of a structure: one piece for the hierarchy, one for the annotations, and one for the atoms and one
/// for the bonds of each model.
///
/// Every piece starts with its format version. A piece of another version is not read: the original is parsed again.
enum StructureCoding {
  /// The version that this code writes and reads.
  static let version: UInt8 = 4

  /// Returns the names, models, chains and residues.
  static func hierarchy(of structure: Structure) -> [UInt8] {
    var encoder = ColumnEncoder()
    encoder.byte(version)
    encoder.texts(structure.names.texts)
    encoder.count(structure.models.count)
    for model in structure.models {
      encoder.integer(model.number)
      for range in [model.chains, model.residues, model.atoms] {
        encoder.count(range.lowerBound)
        encoder.count(range.count)
      }
    }
    encoder.list(structure.chains)
    encode(structure.residues, into: &encoder)
    return encoder.bytes
  }

  private static func encode(_ residues: [Residue], into encoder: inout ColumnEncoder) {
    encoder.count(residues.count)
    encoder.differences(residues.lazy.map { Int($0.name) })
    encoder.differences(residues.lazy.map { Int($0.number) })
    encoder.runs(residues.lazy.map { Int($0.insertionCode) })
    encoder.runs(residues.lazy.map { Int($0.kind.rawValue) })
    encoder.runs(residues.lazy.map { Int($0.chain) })
    encoder.differences(residues.lazy.map { Int($0.firstAtom) })
    encoder.differences(residues.lazy.map { Int($0.endAtom) - Int($0.firstAtom) })
  }

  /// Returns the atoms of one model, column by column.
  ///
  /// - Parameter model: model index, 0-based.
  static func atoms(of structure: Structure, model: Int) -> [UInt8] {
    let (table, range) = (structure.atoms, structure.models[model].atoms)
    var encoder = ColumnEncoder()
    encoder.byte(version)
    encoder.count(range.count)
    for axis in [table.x, table.y, table.z] { encoder.decimals(Array(axis[range])) }
    encoder.runs(range.lazy.map { Int(table.element[$0].rawValue) })
    encoder.differences(range.lazy.map { Int(table.name[$0]) })
    encoder.runs(range.lazy.map { Int(table.residue[$0]) })
    encoder.runs(range.lazy.map { Int(table.altloc[$0]) })
    encoder.runs(range.lazy.map { table.isHetero[$0] ? 1 : 0 })
    encoder.runs(range.lazy.map { Int(table.charge[$0]) })
    encoder.differences(range.lazy.map { Int(table.serial[$0]) })
    for column in [table.occupancy, table.bFactor] { encode(column[range], into: &encoder) }
    encoder.list(table.anisotropy.filter { range.contains(Int($0.atom)) })
    return encoder.bytes
  }

  /// Adds a column of occupancies or B factors, which usually have two decimals and are restored as exact Floats.
  private static func encode(_ column: ArraySlice<Float>, into encoder: inout ColumnEncoder) {
    let hundredths = column.map { Int(clampingRounded: Double($0) * 100) }
    if zip(hundredths, column).allSatisfy({ Float(Double($0) / 100) == $1 && ($1 != 0 || $1.sign == .plus) }) {
      encoder.byte(2)
      encoder.differences(hundredths)
    } else {
      encoder.byte(ColumnScale.bytes)
      encoder.differences(column.lazy.map { Int($0.bitPattern) })
    }
  }

  /// Returns the bonds of one model.
  static func bonds(_ bonds: [Bond]) -> [UInt8] {
    var encoder = ColumnEncoder()
    encoder.byte(version)
    encoder.count(bonds.count)
    encoder.differences(bonds.lazy.map { Int($0.first) })
    encoder.differences(bonds.lazy.map { Int($0.second) - Int($0.first) })
    encoder.runs(bonds.lazy.map { Int($0.order.rawValue) })
    encoder.runs(bonds.lazy.map { Int($0.origin.rawValue) })
    return encoder.bytes
  }

  /// Returns header data, sequences, secondary structure, links, assemblies and diagnostics.
  static func annotations(of structure: Structure) -> [UInt8] {
    var encoder = ColumnEncoder()
    encoder.byte(version)
    structure.metadata.encode(into: &encoder)
    encoder.list(structure.sequences)
    encoder.list(structure.helices)
    encoder.list(structure.sheets)
    encoder.list(structure.connections)
    encoder.list(structure.statedBonds)
    encoder.list(structure.componentBonds)
    encoder.list(structure.assemblies)
    encoder.list(structure.ncsOperators)
    encoder.list(structure.cisPeptides)
    encoder.list(structure.modifiedResidues)
    encoder.texts(structure.metadata.symmetryOperators)
    encoder.list(structure.labelRuns)
    encoder.list(structure.diagnostics)
    if structure.statesAllBonds { encoder.byte(1) }
    return encoder.bytes
  }
}

extension Int {
  /// Creates the integer nearest to a number, or 0 if it does not fit 64 bits.
  fileprivate init(clampingRounded value: Double) {
    self = abs(value) < 9e15 ? Int(value.rounded()) : 0
  }
}
