/// Evaluates an expression to the atoms of some models of a structure.
///
/// Conditions on residues are evaluated once for each residue, those on names once for each distinct name.
struct SelectionEvaluator {
  let structure: Structure
  /// The atoms of the evaluated models.
  let atoms: Range<Int>
  let residues: Range<Int>
  let models: Range<Int>
  private var sets: [String: AtomSelection] = [:]
  private var classes: ResidueClasses?
  private var secondary: SecondaryRanges?
  var bonds: [Int: BondNeighbors] = [:]

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
      let merged = Self.merged(ranges)
      return numbered(property) { Self.contains(merged, $0) }
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

  var nothing: AtomSelection { AtomSelection(atomCount: structure.atoms.count) }
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

  /// Returns the ranges in ascending order, with adjoining ones merged.
  private static func merged(_ ranges: [ClosedRange<Double>]) -> [ClosedRange<Double>] {
    var merged: [ClosedRange<Double>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }

  /// Returns true if one of disjoint ascending ranges contains a number.
  private static func contains(_ ranges: [ClosedRange<Double>], _ value: Double) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(value)
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
  func selected(_ isWanted: (Residue) -> Bool) -> AtomSelection {
    var result = AtomSelection(atomCount: structure.atoms.count)
    for index in residues where isWanted(structure.residues[index]) {
      result.insert(structure.residues[index].atoms)
    }
    return result
  }

  /// Returns the atoms for which a closure returns true.
  @inline(__always)
  func atomsWhere(_ isWanted: (Int) -> Bool) -> AtomSelection {
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
    default:
      let known = classes ?? ResidueClasses(structure, residues: residues)
      classes = known
      return known.atoms(of: kind, structure)
    }
  }

  private mutating func secondaryStructure(_ kind: SelectionClass) -> AtomSelection {
    let known = secondary ?? SecondaryRanges(structure, models: models)
    secondary = known
    if kind == .helix || kind == .sheet { return known.atoms(kind == .helix ? .helix : .sheet, structure) }
    var result = kind == .loop ? members(of: .protein) : everything
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
        let runs = structure.chains[chain].residueRuns.map { run in
          Int(structure.residues[run.lowerBound].firstAtom)..<Int(structure.residues[run.upperBound - 1].endAtom)
        }
        if runs.contains(where: { inner.intersects($0) }) { for run in runs { result.insert(run) } }
      }
    case .model:
      for model in models where inner.intersects(structure.models[model].atoms) {
        result.insert(structure.models[model].atoms)
      }
    }
    return result
  }
}

extension Structure {
  /// Returns a residue's name and number as shown in lists, as `CYS3`.
  func label(ofResidue residue: Int) -> String {
    residueName(residue) + address(ofResidue: residue).numberText
  }
}
