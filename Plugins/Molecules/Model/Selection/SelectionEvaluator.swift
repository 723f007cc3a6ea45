/// Evaluates an expression to the atoms of some models of a structure.
///
/// Conditions on residues are evaluated once for each residue, those on names once for each distinct name.
struct SelectionEvaluator {
  private let structure: Structure
  /// The atoms of the evaluated models.
  private let atoms: Range<Int>
  private let residues: Range<Int>
  private let models: Range<Int>
  private var sets: [String: AtomSelection] = [:]
  private var classes: ResidueClasses?
  private var secondary: SecondaryRanges?
  private var bonds: [Int: BondNeighbors] = [:]

  /// Creates an evaluator for a range of the structure's models, 0-based.
  init(_ structure: Structure, models: Range<Int>) {
    self.structure = structure
    self.models = models
    guard let first = models.first, let last = models.last else {
      (atoms, residues) = (0..<0, 0..<0)
      return
    }
    atoms = structure.models[first].atoms.lowerBound..<structure.models[last].atoms.upperBound
    residues = structure.models[first].residues.lowerBound..<structure.models[last].residues.upperBound
  }

  /// Evaluates a named set, for expressions that use it.
  mutating func define(_ name: String, _ expression: SelectionExpression) {
    sets[name] = evaluate(expression)
  }

  /// Returns the atoms denoted by an expression.
  mutating func evaluate(_ expression: SelectionExpression) -> AtomSelection {
    switch expression {
    case .all: return everything
    case .none: return nothing
    case .member(let kind): return members(of: kind)
    case .text(let property, let patterns): return matching(property, patterns)
    case .residueNumbers(let ranges): return matching(ranges)
    case .numbers(let property, let ranges):
      let merged = MergedRanges(ranges)
      return numbered(property) { merged.contains($0) }
    case .comparison(let property, let comparison, let limit): return compared(property, comparison, limit)
    case .path(let path): return matching(path)
    case .set(let name): return sets[name] ?? nothing
    case .not(let inner):
      var result = everything
      result.subtract(evaluate(inner))
      return result
    case .and(let parts): return conjunction(parts)
    case .or(let parts):
      var result = nothing
      for part in parts { result.formUnion(evaluate(part)) }
      return result
    case .within(let radius, let inner): return near(evaluate(inner), radius: radius)
    case .beyond(let radius, let inner):
      var result = everything
      result.subtract(near(evaluate(inner), radius: radius))
      return result
    case .around(let radius, let inner):
      let center = evaluate(inner)
      var result = near(center, radius: radius)
      result.subtract(center)
      return result
    case .whole(let unit, let inner): return widened(evaluate(inner), to: unit)
    case .matching(let left, let identity, let right): return matching(evaluate(left), identity, evaluate(right))
    case .end(let end, let inner): return outermost(end, of: evaluate(inner))
    case .bonded(let inner, let isOutside):
      let center = evaluate(inner)
      var result = bonded(to: center)
      if isOutside { result.subtract(center) }
      return result
    case .extended(let steps, let inner): return extended(evaluate(inner), by: steps)
    case .sequences(let sequences): return matching(sequences)
    }
  }

  private var nothing: AtomSelection { AtomSelection(atomCount: structure.atoms.count) }
  private var everything: AtomSelection { AtomSelection(atomCount: structure.atoms.count, range: atoms) }

  /// Returns the intersection of all parts; stops once a part has no atoms.
  private mutating func conjunction(_ parts: [SelectionExpression]) -> AtomSelection {
    var result = everything
    for part in parts {
      result.formIntersection(evaluate(part))
      if result.isEmpty { break }
    }
    return result
  }

  // MARK: Names

  private func matching(_ property: SelectionTextProperty, _ patterns: [TextPattern]) -> AtomSelection {
    let set = TextPatternSet(patterns, isCaseSensitive: property.isCaseSensitive)
    switch property {
    case .chain:
      let isWanted = structure.chains.map { set.matches($0.name) }
      return selected { isWanted[Int($0.chain)] }
    case .segment: return segments { set.matches($0) }
    case .residueName:
      let isWanted = wantedNames(set)
      return selected { isWanted[Int($0.name)] }
    case .name:
      let isWanted = wantedNames(set)
      return atomsWhere { isWanted[Int(structure.atoms.name[$0])] }
    case .element:
      let isWanted = (0...255).map { set.matches(Element(rawValue: $0).symbol) }
      return atomsWhere { isWanted[Int(structure.atoms.element[$0].rawValue)] }
    case .alternate:
      let isWanted = (0...255).map { set.matches($0 == 0 ? "" : String(UnicodeScalar(UInt8($0)))) }
      return atomsWhere { isWanted[Int(structure.atoms.altloc[$0])] }
    }
  }

  private func wantedNames(_ set: TextPatternSet) -> [Bool] { structure.names.texts.map { set.matches($0) } }

  private func matching(_ path: AtomPath) -> AtomSelection {
    var result = everything
    if let segment = path.segment { result.formIntersection(matching(.segment, segment)) }
    if let chain = path.chain { result.formIntersection(matching(.chain, chain)) }
    if let residue = path.residue { result.formIntersection(matching(residue)) }
    if let name = path.name { result.formIntersection(matching(.name, name)) }
    if let letter = path.conformer { result.formIntersection(conformer(letter)) }
    return result
  }

  private func matching(_ path: [AtomPath.PathResidue]) -> AtomSelection {
    var ranges: [ResidueNumberRange] = []
    var texts: [TextPattern] = []
    for part in path {
      switch part {
      case .number(let range): ranges.append(range)
      case .text(let pattern): texts.append(pattern)
      }
    }
    var result = ranges.isEmpty ? nothing : matching(ranges)
    if !texts.isEmpty {
      let set = TextPatternSet(texts, isCaseSensitive: false)
      let byName = wantedNames(set)
      for index in residues {
        let residue = structure.residues[index]
        if byName[Int(residue.name)] || set.matches(structure.label(ofResidue: index)) { result.insert(residue.atoms) }
      }
    }
    return result
  }

  // MARK: Residues

  /// Returns the atoms of the residues for which a closure returns true.
  @inline(__always)
  private func selected(_ isWanted: (Residue) -> Bool) -> AtomSelection {
    var result = AtomSelection(atomCount: structure.atoms.count)
    for index in residues where isWanted(structure.residues[index]) {
      result.insert(structure.residues[index].atoms)
    }
    return result
  }

  /// Returns the atoms for which a closure returns true.
  @inline(__always)
  private func atomsWhere(_ isWanted: (Int) -> Bool) -> AtomSelection {
    AtomSelection(atomCount: structure.atoms.count, range: atoms, where: isWanted)
  }

  private func matching(_ ranges: [ResidueNumberRange]) -> AtomSelection {
    let (plain, coded) = (ranges.filter { $0.isSingle || !$0.hasCode }, ranges.filter { !$0.isSingle && $0.hasCode })
    let index = ResidueNumberIndex(plain)
    var result = selected { index.contains(number: $0.number, code: $0.insertionCode) }
    for range in coded { insert(range, into: &result) }
    return result
  }

  /// Adds a range with insertion codes: by order in chains that have both ends, since codes may count backward;
  /// elsewhere by number and code.
  private func insert(_ range: ResidueNumberRange, into result: inout AtomSelection) {
    for chain in models.flatMap({ structure.models[$0].chains }) {
      let runs = structure.chains[chain].residueRuns
      let first = runs.joined().first { holds(range.first, $0) }
      let last = runs.joined().first { holds(range.last, $0) }
      for residue in runs.joined() {
        let row = structure.residues[residue]
        if let first, let last {
          if (min(first, last)...max(first, last)).contains(residue) { result.insert(row.atoms) }
        } else if range.contains(number: row.number, code: row.insertionCode) {
          result.insert(row.atoms)
        }
      }
    }
  }

  private func holds(_ bound: ResidueNumberRange.Bound, _ residue: Int) -> Bool {
    structure.residues[residue].number == bound.number && structure.residues[residue].insertionCode == bound.code
  }

  private mutating func members(of kind: SelectionClass) -> AtomSelection {
    switch kind {
    case .hydrogen: return atomsWhere { structure.atoms.element[$0].isHydrogen }
    case .metal: return atomsWhere { structure.atoms.element[$0].isMetal }
    case .hetero: return atomsWhere { structure.atoms.isHetero[$0] }
    case .helix, .sheet, .loop, .unassigned: return secondaryStructure(kind)
    case .donors: return hydrogenBonding(.donor)
    case .acceptors: return hydrogenBonding(.acceptor)
    case .residues(let kind):
      let known = classes ?? ResidueClasses(structure, residues: residues)
      classes = known
      return known.atoms(of: kind, structure)
    }
  }

  private mutating func secondaryStructure(_ kind: SelectionClass) -> AtomSelection {
    let known = secondary ?? SecondaryRanges(structure, models: models)
    secondary = known
    if kind == .helix || kind == .sheet { return known.atoms(kind == .helix ? .helix : .sheet, structure) }
    var result = kind == .loop ? members(of: .residues(.protein)) : everything
    result.subtract(known.atoms(.helix, structure))
    result.subtract(known.atoms(.sheet, structure))
    return result
  }

  private mutating func widened(_ inner: AtomSelection, to unit: SelectionUnit) -> AtomSelection {
    var result = nothing
    switch unit {
    case .molecule: return molecules(of: inner)
    case .residue:
      for index in residues where inner.intersects(structure.residues[index].atoms) {
        result.insert(structure.residues[index].atoms)
      }
    case .chain:
      for chain in models.flatMap({ structure.models[$0].chains }) {
        let runs = structure.chains[chain].residueRuns.map(structure.atoms(ofResidues:))
        if runs.contains(where: { inner.intersects($0) }) { for run in runs { result.insert(run) } }
      }
    case .model:
      for model in models where inner.intersects(structure.models[model].atoms) {
        result.insert(structure.models[model].atoms)
      }
    }
    return result
  }

  // MARK: Numbers and distances

  /// Returns the atoms whose number satisfies a comparison with a limit.
  ///
  /// Occupancies and B factors are stored as Float, so the limit is rounded to one: `occ = 0.35` matches the value
  /// written in the file.
  private func compared(
    _ property: SelectionNumberProperty, _ comparison: SelectionComparison, _ limit: Double
  ) -> AtomSelection {
    let table = structure.atoms
    switch property {
    case .bFactor, .confidence: return atomsWhere { comparison.holds(table.bFactor[$0], Float(limit)) }
    case .occupancy: return atomsWhere { comparison.holds(table.occupancy[$0], Float(limit)) }
    case .charge, .x, .y, .z, .serial, .index, .model, .residueNumber:
      return numbered(property) { comparison.holds($0, limit) }
    }
  }

  /// Returns the atoms whose number satisfies a condition; an atom without a number does not.
  private func numbered(_ property: SelectionNumberProperty, _ isWanted: (Double) -> Bool) -> AtomSelection {
    let table = structure.atoms
    switch property {
    case .bFactor, .confidence: return atomsWhere { isWanted(Double(table.bFactor[$0])) }
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
  private func near(_ set: AtomSelection, radius: Double) -> AtomSelection {
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

  // MARK: Segments, conformers, sequences and corresponding atoms

  /// Returns the atoms of segments, named by `_atom_site.label_asym_id`; without names, all atoms are in segment ''.
  private func segments(where isWanted: (String) -> Bool) -> AtomSelection {
    let runs = structure.labelRuns
    let unnamed = 0..<(runs.first.map { Int($0.firstResidue) } ?? structure.residues.count)
    let wanted =
      (isWanted("") ? [unnamed] : [])
      + runs.indices.filter { isWanted(runs[$0].label) }.map(structure.residues(ofLabelRun:))
    var result = nothing
    for residue in wanted.map({ $0.clamped(to: residues) }).joined() {
      result.insert(structure.residues[residue].atoms)
    }
    return result
  }

  /// Returns the atoms of the conformers of an alternate location, in residues that have it.
  private func conformer(_ letter: UInt8) -> AtomSelection {
    var result = nothing
    let letters = structure.atoms.altloc
    for residue in residues {
      let range = structure.residues[residue].atoms
      guard range.contains(where: { letters[$0] == letter }) else { continue }
      for atom in structure.conformer(letter, of: range) { result.insert(atom) }
    }
    return result
  }

  /// Returns the first or last atom of a set in each model.
  private func outermost(_ end: SelectionEnd, of set: AtomSelection) -> AtomSelection {
    var result = nothing
    for model in models {
      let range = structure.models[model].atoms
      let atom = end == .first ? range.first { set[$0] } : range.last { set[$0] }
      if let atom { result.insert(atom) }
    }
    return result
  }

  /// Returns the residues of proteins whose letters form one of the sequences, in the order of the chain.
  ///
  /// - Complexity: linear in residues × sequences, for sequences of a few letters.
  private func matching(_ sequences: [[UInt8]]) -> AtomSelection {
    let letters = structure.names.texts.map { name -> UInt8 in
      guard let entry = ResidueCatalog.entry(name), entry.family == .aminoAcid else { return 0 }
      return entry.letter.asciiValue ?? 0
    }
    var result = nothing
    for chain in models.flatMap({ structure.models[$0].chains }) {
      let members = structure.chains[chain].residueRuns.joined().filter { structure.residues[$0].kind == .polymer }
      let text = members.map { letters[Int(structure.residues[$0].name)] }
      for sequence in sequences where sequence.count <= text.count {
        var done = 0
        for start in 0...text.count - sequence.count where text[start...].starts(with: sequence) {
          let end = start + sequence.count
          for residue in members[max(start, done)..<end] { result.insert(structure.residues[residue].atoms) }
          done = end
        }
      }
    }
    return result
  }

  private struct Identity: Hashable {
    var chain: String
    var number: Int32
    var code: UInt8
    var residue: NameID
    var atom: NameID
  }

  /// Returns the atoms of a set whose identity is shared by some atom of another.
  private func matching(_ set: AtomSelection, _ fields: SelectionIdentity, _ other: AtomSelection) -> AtomSelection {
    func identity(_ atom: Int) -> Identity {
      let row = structure.residues[Int(structure.atoms.residue[atom])]
      let isFull = fields == .full
      return Identity(
        chain: isFull ? structure.chains[Int(row.chain)].name : "", number: row.number, code: row.insertionCode,
        residue: isFull ? row.name : 0, atom: structure.atoms.name[atom])
    }
    var wanted: Set<Identity> = []
    other.forEach { wanted.insert(identity($0)) }
    return atomsWhere { set[$0] && wanted.contains(identity($0)) }
  }

  // MARK: Bonds

  /// Returns the bonds of a model, found when first needed.
  private mutating func neighbors(inModel model: Int) -> BondNeighbors {
    if let known = bonds[model] { return known }
    let found = BondNeighbors(
      BondPerception.bonds(of: structure, model: model), of: structure.models[model].atoms)
    bonds[model] = found
    return found
  }

  /// Returns the atoms bonded to an atom of a set, including atoms of the set that are bonded to each other.
  private mutating func bonded(to set: AtomSelection) -> AtomSelection {
    var result = nothing
    for model in models {
      let range = structure.models[model].atoms
      guard set.intersects(range) else { continue }
      let neighbors = neighbors(inModel: model)
      for atom in range where set[atom] {
        for other in neighbors[atom] { result.insert(Int(other)) }
      }
    }
    return result
  }

  /// Returns the whole molecules, as bonded groups of atoms, that have an atom in a set.
  ///
  /// A bond from a metal to another residue is ignored: metals would join water and protein to one molecule.
  private mutating func molecules(of set: AtomSelection) -> AtomSelection {
    let (residues, elements) = (structure.atoms.residue, structure.atoms.element)
    return extended(set, by: .max) { atom, other in
      residues[atom] == residues[other] || !elements[atom].isMetal && !elements[other].isMetal
    }
  }

  /// Returns a set with the atoms within a number of bonds from it.
  ///
  /// - Parameter isFollowed: returns true if the bond between two atoms is followed.
  /// - Complexity: linear in atoms and bonds, independent of the number of steps.
  private mutating func extended(
    _ set: AtomSelection, by steps: Int, where isFollowed: (Int, Int) -> Bool = { _, _ in true }
  ) -> AtomSelection {
    var result = set
    for model in models {
      var edge = structure.models[model].atoms.filter { set[$0] }
      guard !edge.isEmpty else { continue }
      let neighbors = neighbors(inModel: model)
      var step = 0
      while step < steps, !edge.isEmpty {
        var next: [Int] = []
        for atom in edge {
          for other in neighbors[atom] where !result[Int(other)] && isFollowed(atom, Int(other)) {
            result.insert(Int(other))
            next.append(Int(other))
          }
        }
        edge = next
        step += 1
      }
    }
    return result
  }

  /// Returns the hydrogen bond donors or acceptors, as determined by the command `hydrogen-bonds`.
  private func hydrogenBonding(_ role: HydrogenBondRoles.Role) -> AtomSelection {
    var roles = HydrogenBondRoles(structure)
    var result = nothing
    for atom in atoms where roles.role(atom).contains(role) { result.insert(atom) }
    return result
  }
}

extension Structure {
  /// Returns a residue's name and number as shown in lists, as `CYS3`.
  func label(ofResidue residue: Int) -> String {
    residueName(residue) + address(ofResidue: residue).numberText
  }
}
