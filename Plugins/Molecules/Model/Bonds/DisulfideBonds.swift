/// Adds the bonds between the sulfurs of cysteines, whether the file states them or not.
struct DisulfideBonds {
  private let structure: Structure
  private let sulfurs: [Int32]
  /// The shortest and longest sulfur-sulfur bond in Å.
  private static let shortest: Float = 1.8
  private static let longest: Float = 2.5
  /// The most plausible number of sulfurs in the cells around one; more overlap and are left unbonded.
  private static let mostNeighbors = 100

  /// Collects the SG atoms of a model's cysteines.
  init(_ structure: Structure, _ model: StructureModel) {
    self.structure = structure
    guard let name = structure.names.id(of: "SG") else {
      sulfurs = []
      return
    }
    let cysteines = Set(["CYS", "CYX", "DCY"].compactMap { structure.names.id(of: $0) })
    // A cysteine that the file bonds to another copy of the molecule has no partner here.
    let stated = structure.connections.filter { $0.kind == .disulfide && !$0.isWithinUnit }
    let leaving = Set(stated.flatMap { [Self.position($0.first.residue), Self.position($0.second.residue)] })
    sulfurs = model.residues.flatMap { residue -> [Int32] in
      let row = structure.residues[residue]
      guard cysteines.contains(row.name), !leaving.contains(Self.position(structure.address(ofResidue: residue))) else {
        return []
      }
      return row.atoms.filter { structure.atoms.name[$0] == name }.map(Int32.init)
    }
  }

  /// Returns an address without its residue name.
  private static func position(_ address: ResidueAddress) -> ResidueAddress {
    ResidueAddress(chain: address.chain, number: address.number, insertionCode: address.insertionCode)
  }

  /// Adds a bond for each pair of sulfurs of different residues that are close enough.
  func add(to collector: inout BondCollector) {
    guard sulfurs.count > 1 else { return }
    let points = sulfurs.map { SIMD3<Float>(structure.atoms.position(Int($0))) }
    let grid = PointGrid(points, edge: Self.longest)
    let (atoms, (low, high)) = (structure.atoms, (Self.shortest * Self.shortest, Self.longest * Self.longest))
    for (place, atom) in sulfurs.enumerated()
    where grid.pointCount(near: points[place], within: Self.longest) <= Self.mostNeighbors {
      grid.forEachPoint(near: points[place], within: Self.longest) { other in
        guard other > place else { return }
        let step = points[other] - points[place]
        let square = (step * step).sum()
        let second = sulfurs[other]
        guard square > low, square < high, atoms.residue[Int(atom)] != atoms.residue[Int(second)],
          BondPerception.areCompatible(atoms.altloc[Int(atom)], atoms.altloc[Int(second)])
        else { return }
        collector.add(Int(atom), Int(second), .single, .disulfide)
      }
    }
  }
}
