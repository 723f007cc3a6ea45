/// Writes molecules in PDB format.
///
/// Serial and residue numbers that are too large for their columns are written in hybrid-36; values that do not fit at
/// all (names that are too long, coordinates out of range) are rejected, never truncated.
/// - Source: Protein Data Bank Contents Guide 3.30
struct PDBWriter {
  private let molecule: Molecule
  let structure: Structure
  private var buffer: TextBuffer
  /// The serial number of each atom.
  private var serials: [Int]
  private var nextSerial = 1

  /// Returns the bytes of a file.
  ///
  /// - Throws: `noRoom` if something does not fit into its columns.
  static func bytes(of molecule: Molecule) throws(StructureWritingError) -> [UInt8] {
    var writer = PDBWriter(molecule)
    try writer.check()
    writer.writeHeader()
    writer.writeAnnotations()
    try writer.writeCoordinates()
    try writer.writeBonds()
    writer.line("END")
    return writer.buffer.bytes
  }

  private init(_ molecule: Molecule) {
    self.molecule = molecule
    structure = molecule.structure
    buffer = TextBuffer(expectedBytes: molecule.structure.atoms.count * 81 + 4000)
    serials = Array(repeating: 0, count: molecule.structure.atoms.count)
  }

  /// Writes a line padded to 80 columns; line ends and other control codes in it become blanks.
  mutating func line(_ text: String) { line(Array(text.utf8)) }

  /// Writes a line of concatenated parts.
  mutating func line(_ parts: [UInt8]...) {
    var count = 0
    for part in parts {
      buffer.add(part.map { $0 < 32 ? 32 : $0 })
      count += part.count
    }
    buffer.blanks(80 - count)
    buffer.newLine()
  }

  /// Returns the column of an alternate location or insertion code: the raw byte, since a character beyond ASCII has
  /// two.
  static func column(_ code: UInt8) -> UInt8 { code < 32 ? 32 : code }

  /// Throws if a value does not fit into its columns.
  private func check() throws(StructureWritingError) {
    let advice = "write it with --format mmcif"
    for chain in structure.chains where chain.name.utf8.count > 2 {
      throw .noRoom("chain name '\(chain.name)' has more than the two characters of the PDB format: \(advice)")
    }
    var checked: Set<NameID> = []
    for residue in structure.residues {
      let name = structure.names[residue.name]
      let chain = structure.chains[Int(residue.chain)].name
      if name.utf8.count == 4, !chain.isEmpty {
        throw .noRoom(
          "residue name '\(name)' of four characters leaves no column for the name of chain '\(chain)': \(advice)")
      }
      guard checked.insert(residue.name).inserted else { continue }
      if name.utf8.count > 4 {
        throw .noRoom("residue name '\(name)' has more than the three characters of the PDB format: \(advice)")
      }
    }
    let names = Set(structure.atoms.name)
    for name in names where structure.names[name].utf8.count > 4 {
      throw .noRoom(
        "atom name '\(structure.names[name])' has more than the four characters of the PDB format: \(advice)")
    }
    for axis in [structure.atoms.x, structure.atoms.y, structure.atoms.z] {
      if let value = axis.first(where: { $0 <= -999.9995 || $0 >= 9999.9995 }) {
        throw .noRoom("coordinate \(value) Å is outside -999.999 to 9999.999, the range of the PDB format: \(advice)")
      }
    }
  }

  private mutating func writeCoordinates() throws(StructureWritingError) {
    let numbersModels = structure.models.count > 1
    for (index, model) in structure.models.enumerated() {
      nextSerial = 1
      if numbersModels { line("MODEL     " + Self.padded("\(numberOfModel(index))", 4)) }
      try write(model)
      if numbersModels { line("ENDMDL") }
    }
  }

  /// Returns the number of a model in the file, unless numbers repeat.
  private func numberOfModel(_ index: Int) -> Int {
    let numbers = structure.models.map(\.number)
    let areUsable = Set(numbers).count == numbers.count && numbers.allSatisfy { (0...9999).contains($0) }
    return areUsable ? numbers[index] : index + 1
  }

  private mutating func write(_ model: StructureModel) throws(StructureWritingError) {
    var tensors = structure.atoms.anisotropy.partition(from: model.atoms.lowerBound)
    let ends = polymerEnds(model)
    for residue in model.residues {
      let columns = try residueColumns(residue)
      let segment = segmentColumns(residue)
      for atom in structure.residues[residue].atoms {
        serials[atom] = nextSerial
        let identity = try identity(atom, columns)
        write(atom, identity, segment)
        if let tensor = tensors.first, Int(tensor.atom) == atom {
          tensors.removeFirst()
          write(tensor, atom, identity, segment)
        }
        nextSerial += 1
      }
      if ends.contains(residue) {
        let serial = Self.padded(Hybrid36.text(nextSerial, width: 5) ?? "*****", 5)
        line(Array("TER   \(serial)      ".utf8), columns)
        nextSerial += 1
      }
    }
  }

  /// Returns the last polymer residue of each chain that has residues of other kinds or chains after it.
  private func polymerEnds(_ model: StructureModel) -> Set<Int> {
    var ends: Set<Int> = []
    for chain in model.chains {
      let last = structure.chains[chain].residueRuns.joined().last { structure.residues[$0].kind == .polymer }
      if let last { ends.insert(last) }
    }
    return ends
  }

  /// Returns columns 18-27 of a residue's atoms.
  private func residueColumns(_ residue: Int) throws(StructureWritingError) -> [UInt8] {
    let row = structure.residues[residue]
    let name = structure.names[row.name]
    let chain = structure.chains[Int(row.chain)].name
    guard let number = Hybrid36.text(Int(row.number), width: 4) else {
      throw .noRoom(
        "residue number \(row.number) does not fit into the four columns of the PDB format, nor in hybrid-36: "
          + "write it with --format mmcif")
    }
    let names = name.utf8.count == 4 ? name + " " : Self.padded(name, 3) + Self.padded(chain, 2)
    return Array((names + Self.padded(number, 4)).utf8) + [Self.column(row.insertionCode)]
  }

  /// Returns columns 73-76 of a residue's atoms: the segment of a PDB source; the labels of mmCIF are not segments.
  private func segmentColumns(_ residue: Int) -> String {
    Self.filled(molecule.format == "PDB" ? structure.segment(ofResidue: residue) ?? "" : "", 4)
  }

  /// Returns columns 7-27 of an atom.
  private func identity(_ atom: Int, _ residue: [UInt8]) throws(StructureWritingError) -> [UInt8] {
    guard let serial = Hybrid36.text(serials[atom], width: 5) else {
      throw .noRoom("more than 87440031 atoms do not fit into the PDB format: write it with --format mmcif")
    }
    let name = Array((Self.padded(serial, 5) + " " + nameColumns(atom)).utf8)
    return name + [Self.column(structure.atoms.altloc[atom])] + residue
  }

  /// Returns columns 13-16: the element's symbol ends in column 14 if the name is short enough.
  private func nameColumns(_ atom: Int) -> String {
    let name = structure.atomName(atom)
    let isShort = name.utf8.count < 4 && structure.atoms.element[atom].symbol.utf8.count < 2
    return Self.filled(isShort ? " " + name : name, 4)
  }

  private mutating func write(_ atom: Int, _ identity: [UInt8], _ segment: String) {
    let atoms = structure.atoms
    buffer.add(atoms.isHetero[atom] ? "HETATM" : "ATOM  ")
    buffer.add(identity)
    buffer.blanks(3)
    for value in [atoms.x[atom], atoms.y[atom], atoms.z[atom]] { buffer.fixed(value, 3, width: 8) }
    buffer.add(Self.factor(atoms.occupancy[atom]))
    buffer.add(Self.factor(atoms.bFactor[atom]))
    buffer.blanks(6)
    buffer.add(segment)
    writeElement(atom)
  }

  /// Returns a number of six columns with as many decimals, up to two, as fit.
  private static func factor(_ value: Float) -> String {
    for decimals in [2, 1, 0] {
      let text = DecimalText.fixed(Double(value), decimals)
      if text.utf8.count <= 6 { return padded(text, 6) }
    }
    return value < 0 ? "-99999" : "999999"
  }

  /// Writes columns 77-80.
  private mutating func writeElement(_ atom: Int) {
    buffer.right(structure.atoms.element[atom].symbol.uppercased(), 2)
    let charge = Int(structure.atoms.charge[atom])
    if charge == 0 || abs(charge) > 9 {
      buffer.blanks(2)
    } else {
      buffer.add("\(abs(charge))" + (charge < 0 ? "-" : "+"))
    }
    buffer.newLine()
  }

  private mutating func write(_ tensor: Anisotropy, _ atom: Int, _ identity: [UInt8], _ segment: String) {
    buffer.add("ANISOU")
    buffer.add(identity)
    buffer.blanks(1)
    for value in [tensor.u11, tensor.u22, tensor.u33, tensor.u12, tensor.u13, tensor.u23] {
      buffer.right(DecimalText.fixed(max(-99.9999, min(Double(value), 999.9999)) * 1e4, 0), 7)
    }
    buffer.blanks(2)
    buffer.add(segment)
    writeElement(atom)
  }

  /// Writes CONECT for the first model's bonds that other records, water and standard residues of polymers do not
  /// imply: each from both ends, a double bond twice.
  private mutating func writeBonds() throws(StructureWritingError) {
    var partners: [Int: [Int]] = [:]
    let isStandard = structure.names.texts.map { ResidueCatalog.entry($0) != nil }
    for bond in molecule.bonds(ofModel: 0) where needsRecord(bond, isStandard) {
      let times = bond.order == .double ? 2 : bond.order == .triple ? 3 : 1
      for (from, to) in [(bond.first, bond.second), (bond.second, bond.first)] {
        partners[Int(from), default: []] += Array(repeating: Int(to), count: times)
      }
    }
    for (atom, others) in partners.sorted(by: { $0.key < $1.key }) {
      for start in stride(from: 0, to: others.count, by: 4) {
        let numbers = [atom] + others[start..<min(start + 4, others.count)]
        line(
          "CONECT" + numbers.map { Self.padded(Hybrid36.text(serials[$0], width: 5) ?? "", 5) }.joined())
      }
    }
  }

  /// Returns true if a bond must be written as CONECT, because readers cannot derive it.
  ///
  /// - Parameter isStandard: True for the names of water and of the monomers whose bonds every reader knows.
  private func needsRecord(_ bond: Bond, _ isStandard: [Bool]) -> Bool {
    switch bond.origin {
    case .conect, .distance: return true
    case .polymer, .disulfide, .link: return false
    case .template:
      let residue = structure.residues[Int(structure.atoms.residue[Int(bond.first)])]
      return residue.kind == .ligand || !isStandard[Int(residue.name)]
    }
  }

  /// Returns a right-aligned text in a field.
  static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.utf8.count)) + text
  }
}

extension [Anisotropy] {
  /// Returns the tensors from an atom on; the list ascends by atom.
  fileprivate func partition(from atom: Int) -> ArraySlice<Anisotropy> {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if Int(self[middle].atom) < atom { low = middle + 1 } else { high = middle }
    }
    return self[low...]
  }
}

/// An error that prevents writing a structure in a format.
enum StructureWritingError: Error, Equatable, CustomStringConvertible {
  /// The format has no room for a value; the text names it.
  case noRoom(String)

  var description: String {
    switch self {
    case .noRoom(let reason): reason
    }
  }
}
