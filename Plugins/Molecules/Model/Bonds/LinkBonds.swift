/// Adds the bonds that the file states between residues: disulfides and links within one copy of the molecule.
struct LinkBonds {
  private let structure: Structure
  private let residues: [Position: [Int]]
  /// The longest covalent bond and the longest metal contact, in Å; longer ones join other copies or are wrong.
  private static let covalentLimit = 2.6
  private static let metalLimit = 4.0

  /// The properties that a stated end shares with its residue.
  private struct Position: Hashable {
    var chain: String
    var number: Int32
    var insertionCode: UInt8
  }

  init(_ structure: Structure, _ model: StructureModel) {
    self.structure = structure
    guard !structure.connections.isEmpty else {
      residues = [:]
      return
    }
    var table: [Position: [Int]] = [:]
    for residue in model.residues {
      let row = structure.residues[residue]
      let chain = structure.chains[Int(row.chain)].name
      table[Position(chain: chain, number: row.number, insertionCode: row.insertionCode), default: []].append(residue)
    }
    residues = table
  }

  /// Adds the stated bonds.
  func add(to collector: inout BondCollector) {
    for connection in structure.connections where connection.isWithinUnit {
      let limit: Double
      let origin: BondOrigin
      switch connection.kind {
      case .hydrogenBond, .unknown: continue
      case .disulfide: (limit, origin) = (Self.covalentLimit, .disulfide)
      case .covalent: (limit, origin) = (Self.covalentLimit, .link)
      case .metal: (limit, origin) = (Self.metalLimit, .link)
      }
      let order = BondOrder(rawValue: connection.order) ?? .unknown
      for a in atoms(connection.first) {
        for b in atoms(connection.second) where a != b && isClose(a, b, limit) {
          collector.add(a, b, order == .unknown && connection.kind != .metal ? .single : order, origin)
        }
      }
    }
  }

  private func isClose(_ a: Int, _ b: Int, _ limit: Double) -> Bool {
    BondPerception.areCompatible(structure.atoms.altloc[a], structure.atoms.altloc[b])
      && BondPerception.squaredDistance(structure.atoms, a, b) < limit * limit
  }

  /// Returns the atoms that an end names, in all alternate locations unless it names one.
  private func atoms(_ end: ConnectionEnd) -> [Int] {
    guard let name = structure.names.id(of: end.atomName) else { return [] }
    let position = Position(
      chain: end.residue.chain, number: end.residue.number, insertionCode: end.residue.insertionCode)
    return residues[position, default: []].flatMap { residue -> [Int] in
      let row = structure.residues[residue]
      guard end.residue.name.isEmpty || structure.names[row.name] == end.residue.name else { return [] }
      return row.atoms.filter {
        structure.atoms.name[$0] == name && (end.altloc == 0 || structure.atoms.altloc[$0] == end.altloc)
      }
    }
  }
}
