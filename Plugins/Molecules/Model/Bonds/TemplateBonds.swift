/// Bonds within residues by their templates.
struct TemplateBonds {
  /// A template in terms of a structure's name table.
  private struct Compiled {
    /// Place within the template by atom name, 255 for names it does not have.
    var placeOfName: [UInt8]
    var placeCount: Int
    var bonds: [(first: UInt8, second: UInt8, order: BondOrder)]
  }

  private enum Entry {
    case none
    case template(Compiled)
  }

  private let structure: Structure
  private var entries: [NameID: Entry] = [:]
  private let fileBonds: [NameID: [ComponentBond]]
  /// Atom indices that no template accounts for: those of residues without one, and heavy atoms a template does not name.
  private(set) var unexplained: [Int32] = []
  /// A hydrogen farther than this from every heavy atom of its residue stays unbonded; S-H bonds have 1.34 Å.
  private static let hydrogenLimit = 1.45
  /// A template's bond longer than this, in Å, is none: its atoms are misnamed or misplaced.
  ///
  /// Old structures stretch bonds to 3 Å; where a name occurs several times, only pairs of a bond's length belong together.
  private static let lengthLimit = 4.0
  private static let repeatedLengthLimit = 2.6

  init(_ structure: Structure) {
    self.structure = structure
    fileBonds = Dictionary(grouping: structure.componentBonds, by: \.component)
  }

  /// Adds the bonds within all residues of a model.
  mutating func add(_ model: StructureModel, to collector: inout BondCollector) {
    var places: [Int32] = []
    for residue in model.residues {
      let row = structure.residues[residue]
      switch entry(row.name) {
      case .none:
        for atom in row.atoms { unexplained.append(Int32(atom)) }
      case .template(let template):
        add(row, template, &places, to: &collector)
      }
    }
  }

  private mutating func entry(_ name: NameID) -> Entry {
    if let known = entries[name] { return known }
    let made = compile(name).map { Entry.template($0) } ?? .none
    entries[name] = made
    return made
  }

  private func compile(_ name: NameID) -> Compiled? {
    var named: [(String, String, BondOrder)] = []
    var template = ""
    if let stated = fileBonds[name] {
      named = stated.map { (structure.names[$0.first], structure.names[$0.second], $0.order) }
    } else if let known = templateName(name), let bonds = ResidueTemplates.bonds(known) {
      template = known
      named = bonds.map { ($0.first, $0.second, $0.order) }
      if template == "HOH" { named = [("O", "O", .unknown)] }
    } else {
      return nil
    }
    var places: [String: UInt8] = [:]
    var bonds: [(first: UInt8, second: UInt8, order: BondOrder)] = []
    for (first, second, order) in named {
      for end in [first, second] where places[end] == nil && places.count < 255 { places[end] = UInt8(places.count) }
      if let a = places[first], let b = places[second], a != b { bonds.append((a, b, order)) }
    }
    let placeOfName = structure.names.texts.map { text in
      places[text] ?? places[ResidueTemplates.canonicalName(text, template: template)] ?? 255
    }
    return Compiled(placeOfName: placeOfName, placeCount: places.count, bonds: bonds)
  }

  private func templateName(_ name: NameID) -> String? {
    ResidueCatalog.entry(structure.names[name])?.template ?? structure.names[name]
  }

  private mutating func add(
    _ row: Residue, _ template: Compiled, _ places: inout [Int32], to collector: inout BondCollector
  ) {
    places.removeAll(keepingCapacity: true)
    places.append(contentsOf: repeatElement(-1, count: template.placeCount))
    var hasRepeats = false
    var hydrogens = false
    for atom in row.atoms {
      let place = template.placeOfName[Int(structure.atoms.name[atom])]
      if place == 255 {
        if structure.atoms.element[atom].isHydrogen { hydrogens = true } else { addUnnamed(atom, row, to: &collector) }
      } else if places[Int(place)] >= 0 {
        hasRepeats = true
      } else {
        places[Int(place)] = Int32(atom)
      }
    }
    for bond in template.bonds {
      if hasRepeats {
        addRepeated(bond, row, template, to: &collector)
      } else {
        let a = Int(places[Int(bond.first)])
        let b = Int(places[Int(bond.second)])
        if a >= 0, b >= 0 { addPair(a, b, bond.order, Self.lengthLimit, to: &collector) }
      }
    }
    if hydrogens { addHydrogens(row, template, to: &collector) }
  }

  @inline(__always)
  private func addPair(
    _ a: Int, _ b: Int, _ order: BondOrder, _ limit: Double, to collector: inout BondCollector
  ) {
    guard BondPerception.areCompatible(structure.atoms.altloc[a], structure.atoms.altloc[b]),
      BondPerception.squaredDistance(structure.atoms, a, b) < limit * limit
    else { return }
    collector.add(a, b, order, .template)
  }

  /// Adds a bond of a residue that has atoms of one name several times, in alternate locations or by mistake.
  private func addRepeated(
    _ bond: (first: UInt8, second: UInt8, order: BondOrder), _ row: Residue, _ template: Compiled,
    to collector: inout BondCollector
  ) {
    let names = structure.atoms.name
    for a in row.atoms where template.placeOfName[Int(names[a])] == bond.first {
      for b in row.atoms where template.placeOfName[Int(names[b])] == bond.second {
        addPair(a, b, bond.order, Self.repeatedLengthLimit, to: &collector)
      }
    }
  }

  /// Bonds each hydrogen that the template does not name to the nearest heavy atom of the residue.
  private func addHydrogens(_ row: Residue, _ template: Compiled, to collector: inout BondCollector) {
    for atom in row.atoms
    where structure.atoms.element[atom].isHydrogen && template.placeOfName[Int(structure.atoms.name[atom])] == 255 {
      if let heavy = nearestHeavyAtom(to: atom, in: row.atoms) { collector.add(atom, heavy, .single, .template) }
    }
  }

  private func nearestHeavyAtom(to hydrogen: Int, in atoms: Range<Int>) -> Int? {
    var best: Int?
    var bestDistance = Self.hydrogenLimit * Self.hydrogenLimit
    let altloc = structure.atoms.altloc[hydrogen]
    // A residue of very many atoms is no residue; the atoms around the hydrogen in the file do for it.
    for atom in max(atoms.lowerBound, hydrogen - 500)..<min(atoms.upperBound, hydrogen + 500) {
      guard !structure.atoms.element[atom].isHydrogen,
        BondPerception.areCompatible(altloc, structure.atoms.altloc[atom])
      else { continue }
      let distance = BondPerception.squaredDistance(structure.atoms, hydrogen, atom)
      if distance < bestDistance {
        best = atom
        bestDistance = distance
      }
    }
    return best
  }

  /// Bonds a heavy atom that the template does not name to its residue's atoms by distance.
  private func addUnnamed(_ atom: Int, _ row: Residue, to collector: inout BondCollector) {
    let range = max(row.atoms.lowerBound, atom - 500)..<min(row.atoms.upperBound, atom + 500)
    for other in range
    where other != atom && !structure.atoms.element[other].isHydrogen
      && DistanceBonds.isBond(structure.atoms, atom, other)
    {
      collector.add(atom, other, .unknown, .distance)
    }
  }
}
