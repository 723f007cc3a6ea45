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

// MARK: Reading

extension StructureCoding {
  /// The pieces of a stored structure.
  struct Pieces: Equatable, Sendable {
    var hierarchy: [UInt8] = []
    var annotations: [UInt8] = []
    /// The atoms, one piece for each model.
    var atoms: [[UInt8]] = []
  }

  /// Builds a structure from its pieces.
  ///
  /// - Throws: if a piece is damaged, of another version, or inconsistent with the others.
  /// - Complexity: linear in atoms and residues.
  static func structure(from pieces: Pieces) throws(ColumnError) -> Structure {
    var structure = Structure()
    try readHierarchy(pieces.hierarchy, into: &structure)
    guard structure.models.count == pieces.atoms.count else { throw .unexpected(offset: 0) }
    structure.atoms.reserve(structure.models.reduce(0) { $0 + min($1.atoms.count, 1 << 22) })
    for (model, bytes) in zip(structure.models, pieces.atoms) {
      try readAtoms(bytes, expected: model.atoms, into: &structure)
    }
    try check(structure)
    try readAnnotations(pieces.annotations, into: &structure)
    return structure
  }

  /// Reads bonds.
  ///
  /// - Parameter atomCount: the bound of valid atom indices.
  static func bonds(from bytes: [UInt8], atomCount: Int) throws(ColumnError) -> [Bond] {
    var decoder = try begin(bytes)
    let count = try decoder.count(bytesEach: 2)
    let first = try decoder.differences(count)
    let span = try decoder.differences(count)
    let orders = try decoder.runs(count, as: UInt8.self)
    let origins = try decoder.runs(count, as: UInt8.self)
    var bonds: [Bond] = []
    bonds.reserveCapacity(count)
    for row in 0..<count {
      let second = first[row] &+ span[row]
      guard first[row] >= 0, first[row] < atomCount, span[row] > 0, second > first[row], second < atomCount,
        let order = BondOrder(rawValue: orders[row]),
        let origin = BondOrigin(rawValue: origins[row])
      else { throw .unexpected(offset: row) }
      bonds.append(Bond(first: Int32(first[row]), second: Int32(second), order: order, origin: origin))
    }
    return bonds
  }

  /// Starts decoding a piece; its version must be this code's.
  private static func begin(_ bytes: [UInt8]) throws(ColumnError) -> ColumnDecoder {
    var decoder = ColumnDecoder(bytes)
    guard try decoder.byte() == version else { throw .unexpected(offset: 0) }
    return decoder
  }

  private static func readHierarchy(_ bytes: [UInt8], into structure: inout Structure) throws(ColumnError) {
    var decoder = try begin(bytes)
    for name in try decoder.texts() { structure.names.append(name) }
    for _ in 0..<(try decoder.count()) {
      let number = try decoder.integer()
      let (chains, residues, atoms) = (try range(&decoder), try range(&decoder), try range(&decoder))
      structure.models.append(StructureModel(number: number, chains: chains, residues: residues, atoms: atoms))
    }
    structure.chains = try decoder.list(Chain.self)
    structure.residues = try residues(&decoder)
  }

  /// Reads a range of indices that fit a 32-bit number.
  private static func range(_ decoder: inout ColumnDecoder) throws(ColumnError) -> Range<Int> {
    let (start, count) = (try decoder.unsigned(), try decoder.unsigned())
    guard start <= UInt64(Int32.max), count <= UInt64(Int32.max) - start else {
      throw .unexpected(offset: decoder.position)
    }
    return Int(start)..<Int(start + count)
  }

  private static func residues(_ decoder: inout ColumnDecoder) throws(ColumnError) -> [Residue] {
    let count = try decoder.count(bytesEach: 4)
    let names = try decoder.differences(count)
    let numbers = try decoder.differences(count)
    let insertionCodes = try decoder.runs(count, as: UInt8.self)
    let kinds = try decoder.runs(count, as: UInt8.self)
    let chains = try decoder.runs(count, as: Int32.self)
    let first = try decoder.differences(count)
    let sizes = try decoder.differences(count)
    var residues: [Residue] = []
    residues.reserveCapacity(count)
    for row in 0..<count {
      guard let name = NameID(exactly: names[row]), let number = Int32(exactly: numbers[row]),
        let kind = Residue.Kind(rawValue: kinds[row]), let firstAtom = Int32(exactly: first[row]),
        let endAtom = Int32(exactly: first[row] &+ sizes[row])
      else { throw .unexpected(offset: decoder.position) }
      residues.append(
        Residue(
          name: name, number: number, insertionCode: insertionCodes[row], kind: kind, chain: chains[row],
          firstAtom: firstAtom, endAtom: endAtom))
    }
    return residues
  }

  private static func readAtoms(
    _ bytes: [UInt8], expected: Range<Int>, into structure: inout Structure
  ) throws(ColumnError) {
    var decoder = try begin(bytes)
    let count = try decoder.count(bytesEach: 3)
    guard count == expected.count, structure.atoms.count == expected.lowerBound else { throw .unexpected(offset: 0) }
    structure.atoms.x += try decoder.decimals(count)
    structure.atoms.y += try decoder.decimals(count)
    structure.atoms.z += try decoder.decimals(count)
    structure.atoms.element += try decoder.runs(count, as: UInt8.self).map(Element.init(rawValue:))
    structure.atoms.name += try decoder.differences(count).map { NameID(truncatingIfNeeded: $0) }
    structure.atoms.residue += try decoder.runs(count, as: Int32.self)
    structure.atoms.altloc += try decoder.runs(count, as: UInt8.self)
    structure.atoms.isHetero += try decoder.runs(count, as: UInt8.self).map { $0 != 0 }
    structure.atoms.charge += try decoder.runs(count, as: Int8.self)
    structure.atoms.serial += try decoder.differences(count).map { Int32(truncatingIfNeeded: $0) }
    structure.atoms.occupancy += try floats(&decoder, count)
    structure.atoms.bFactor += try floats(&decoder, count)
    structure.atoms.anisotropy += try decoder.list(Anisotropy.self)
  }

  private static func floats(_ decoder: inout ColumnDecoder, _ count: Int) throws(ColumnError) -> [Float] {
    let isRaw = try decoder.byte() == ColumnScale.bytes
    let numbers = try decoder.differences(count)
    return isRaw
      ? numbers.map { Float(bitPattern: UInt32(truncatingIfNeeded: $0)) } : numbers.map { Float(Double($0) / 100) }
  }

  /// Checks that every index is valid, so that nothing traps later.
  private static func check(_ structure: Structure) throws(ColumnError) {
    let (atoms, residues, chains) = (structure.atoms.count, structure.residues.count, structure.chains.count)
    let names = structure.names.count
    let modelsFit = structure.models.allSatisfy {
      $0.chains.upperBound <= chains && $0.residues.upperBound <= residues && $0.atoms.upperBound <= atoms
    }
    let residuesFit = structure.residues.allSatisfy {
      Int($0.name) < names && $0.chain >= 0 && Int($0.chain) < chains && $0.firstAtom >= 0
        && $0.firstAtom <= $0.endAtom && Int($0.endAtom) <= atoms
    }
    let chainsFit = structure.chains.allSatisfy { $0.residueRuns.allSatisfy { $0.upperBound <= residues } }
    let atomsFit =
      structure.atoms.residue.allSatisfy { $0 >= 0 && Int($0) < residues }
      && structure.atoms.name.allSatisfy { Int($0) < names }
      && structure.atoms.anisotropy.allSatisfy { $0.atom >= 0 && Int($0.atom) < atoms }
    guard modelsFit, residuesFit, chainsFit, atomsFit else { throw .unexpected(offset: 0) }
  }

  private static func readAnnotations(_ bytes: [UInt8], into structure: inout Structure) throws(ColumnError) {
    var decoder = try begin(bytes)
    structure.metadata = try StructureMetadata(from: &decoder)
    structure.sequences = try decoder.list(PolymerSequence.self)
    structure.helices = try decoder.list(Helix.self)
    structure.sheets = try decoder.list(Sheet.self)
    structure.connections = try decoder.list(Connection.self)
    structure.statedBonds = try decoder.list(StatedBond.self)
    structure.componentBonds = try decoder.list(ComponentBond.self)
    structure.assemblies = try decoder.list(Assembly.self)
    structure.ncsOperators = try decoder.list(NCSOperator.self)
    structure.cisPeptides = try decoder.list(CisPeptide.self)
    structure.modifiedResidues = try decoder.list(ModifiedResidue.self)
    structure.metadata.symmetryOperators = try decoder.texts()
    structure.labelRuns = try decoder.list(LabelRun.self)
    structure.diagnostics = try decoder.list(StructureDiagnostic.self)
    if !decoder.isAtEnd { structure.statesAllBonds = try decoder.byte() == 1 }
    let (atoms, names) = (structure.atoms.count, structure.names.count)
    let bondsFit = structure.statedBonds.allSatisfy {
      $0.first >= 0 && $0.second >= 0 && max($0.first, $0.second) < atoms
    }
    let componentsFit = structure.componentBonds.allSatisfy { max($0.component, $0.first, $0.second) < names }
    let starts = structure.labelRuns.map(\.firstResidue)
    let runsFit = zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 }
    let endsFit = starts.allSatisfy { $0 >= 0 && Int($0) < structure.residues.count }
    guard bondsFit, componentsFit, runsFit, endsFit else { throw .unexpected(offset: decoder.position) }
  }
}
