/// A run of consecutive polymer residues without a gap, as drawn in cartoon and backbone.
struct BackboneTrace: Equatable, Sendable {
  enum Polymer: Equatable, Sendable {
    /// Guided by the alpha carbons; a residue extends from halfway before its node to halfway after it.
    case protein
    /// Guided by the phosphates; a residue extends from its node to the next, the last node being its 3' end.
    case nucleic
  }

  /// One guide point.
  struct Node: Equatable, Sendable {
    /// The position of the alpha carbon or phosphorus, in ångström.
    var position: SIMD3<Float>
    /// The unit vector from the carbonyl carbon to its oxygen; zero if it is not known.
    var side: SIMD3<Float> = .zero
    var shape: SecondaryShape = .coil
    /// The scene's number of the atom that represents the residue.
    var atom: Int32
  }

  /// The flat part of a nucleotide.
  struct Base: Equatable, Sendable {
    /// The node at which its residue begins.
    var node: Int
    /// The corners of the outline of its ring or rings in order, in ångström; the first is bound to the sugar.
    var outline: [SIMD3<Float>]
    /// The scene's number of the first atom of the outline.
    var atom: Int32
  }

  var polymer: Polymer
  var nodes: [Node] = []
  var bases: [Base] = []
  /// A Boolean value indicating whether the last node is the first again, as in a cyclic chain.
  var isClosed = false

  /// The number of residues.
  var residueCount: Int { polymer == .protein && !isClosed ? nodes.count : max(0, nodes.count - 1) }

  /// The longest peptide or phosphodiester bond in ångström; atoms that only touch are farther apart.
  private static let longestBond: Float = 2

  /// Returns the trace of a cyclic chain closed to its first node; any other unchanged.
  func closed(in structure: Structure) -> BackboneTrace {
    guard residueCount > 2, let first = nodes.first, let last = nodes.last else { return self }
    let (start, end) = (Int(structure.atoms.residue[Int(first.atom)]), Int(structure.atoms.residue[Int(last.atom)]))
    let (from, to) = polymer == .protein ? (["C"], ["N"]) : (["O3'", "O3*"], ["P"])
    guard let one = structure.position(ofAtom: from, inResidue: end),
      let other = structure.position(ofAtom: to, inResidue: start),
      (one - other).length < Self.longestBond
    else { return self }
    var closed = self
    // The last node of a nucleic acid is not a residue but its end, which is the start of the first.
    if polymer == .nucleic { closed.nodes.removeLast() }
    closed.nodes.append(first)
    closed.isClosed = true
    return closed
  }

  /// Returns the gaps between consecutive traces of a chain whose numbering indicates missing residues.
  static func gaps(between traces: [BackboneTrace], of structure: Structure) -> [BackboneGap] {
    zip(traces, traces.dropFirst()).compactMap { before, after in
      guard before.polymer == after.polymer, !before.isClosed, !after.isClosed, let last = before.nodes.last,
        let first = after.nodes.first
      else { return nil }
      let (one, other) = (structure.residue(ofAtom: last.atom), structure.residue(ofAtom: first.atom))
      let missing = Int(other.number) - Int(one.number) - 1
      let step =
        before.polymer == .protein ? BackboneTracer.longestProteinStep : BackboneTracer.longestNucleicStep
      // Missing residues can only bridge their own length.
      guard one.chain == other.chain, missing > 0,
        (first.position - last.position).length <= step * Float(missing + 1)
      else { return nil }
      return BackboneGap(start: last.position, end: first.position, startAtom: last.atom, endAtom: first.atom)
    }
  }
}

/// The shape of a protein residue in a cartoon.
enum SecondaryShape: UInt8, Equatable, Sendable, CaseIterable {
  case coil, helix, strand
}

extension SecondaryStructureKind {
  /// The shape of the kind in a cartoon.
  var shape: SecondaryShape { isHelix ? .helix : isSheet ? .strand : .coil }
}

/// A part of a chain without coordinates, between two traces.
struct BackboneGap: Equatable, Sendable {
  /// The ends of the traces before and after it, in ångström.
  var start: SIMD3<Float>
  var end: SIMD3<Float>
  /// The scene's numbers of the atoms at the two ends.
  var startAtom: Int32
  var endAtom: Int32
}

extension Structure {
  fileprivate func residue(ofAtom atom: Int32) -> Residue { residues[Int(atoms.residue[Int(atom)])] }

  /// Returns the position of the first atom of a residue that has one of the names, in ångström.
  fileprivate func position(ofAtom wanted: [String], inResidue residue: Int) -> SIMD3<Float>? {
    let ids = wanted.compactMap { names.id(of: $0) }
    return residues[residue].atoms.first { ids.contains(atoms.name[$0]) }.map { SIMD3<Float>(atoms.position($0)) }
  }
}

/// Finds the runs of residues along which a cartoon is drawn, and the residues to draw otherwise.
///
/// A residue enters the trace when it is part of a polymer and has a carbon called CA or the atoms of a nucleotide's
/// backbone; calcium and ligands with an atom of that name do not. A trace ends where neighbors are farther apart
/// than a bond can reach: 4.5 Å between alpha carbons, 8 Å between phosphates.
struct BackboneTracer {
  /// The largest distance of neighboring alpha carbons, in ångström: 3.8 with trans and 2.9 with cis bonds.
  static let longestProteinStep: Float = 4.5
  /// The largest distance of neighboring phosphates, in ångström.
  static let longestNucleicStep: Float = 8

  private let structure: Structure
  private let names: GuideNames
  private let shapes: [SecondaryShape]
  private let selection: AtomSelection?
  private let conformers: Conformers
  private let firstResidue: Int
  private var traces: [BackboneTrace] = []
  private var isTraced: [Bool]

  private init(
    _ structure: Structure, model: Int, _ selection: AtomSelection?, shapes: [SecondaryShape]
  ) {
    self.structure = structure
    self.selection = selection
    self.shapes = shapes
    names = GuideNames(structure.names)
    let residues = structure.models[model].residues
    conformers = Conformers(structure, model: model, within: selection)
    firstResidue = residues.lowerBound
    isTraced = Array(repeating: false, count: residues.count)
  }

  /// Returns the traces of a model and which of its residues they contain, by residue from the model's first.
  ///
  /// - Parameters:
  ///   - model: the model, 0-based; one that does not exist has none.
  ///   - selection: the atoms that are drawn; residues whose guide atom is not among them are left out.
  ///   - shapes: the secondary structure of the model's residues in order; missing ones are coils.
  /// - Complexity: O(atoms).
  static func trace(
    _ structure: Structure, model: Int, selection: AtomSelection? = nil, shapes: [SecondaryShape]
  ) -> (traces: [BackboneTrace], isTraced: [Bool]) {
    guard structure.models.indices.contains(model) else { return ([], []) }
    var tracer = BackboneTracer(structure, model: model, selection, shapes: shapes)
    for chain in structure.models[model].chains {
      tracer.follow(structure.chains[chain].residueRuns.joined().filter { structure.residues[$0].kind == .polymer })
    }
    return (tracer.traces, tracer.isTraced)
  }

  private mutating func follow(_ residues: [Int]) {
    var run: [TracedResidue] = []
    for residue in residues {
      if conformers.isAlternative(residue) { continue }
      guard let traced = traced(residue) else {
        close(&run)
        continue
      }
      if let last = run.last, !traced.follows(last) { close(&run) }
      run.append(traced)
    }
    close(&run)
  }

  /// Completes a trace of a run of two residues or more; single ones are drawn as atoms.
  private mutating func close(_ run: inout [TracedResidue]) {
    defer { run = [] }
    guard run.count > 1, let polymer = run.first?.polymer else { return }
    var trace = BackboneTrace(polymer: polymer)
    for (index, residue) in run.enumerated() {
      isTraced[residue.residue - firstResidue] = true
      trace.nodes.append(residue.node)
      if let outline = residue.outline {
        trace.bases.append(.init(node: index, outline: outline, atom: residue.baseAtom))
      }
    }
    if polymer == .nucleic, let last = run.last {
      let isPoint = (last.end - last.node.position).length < 0.5
      let step = last.node.position - run[run.count - 2].node.position
      trace.nodes.append(
        BackboneTrace.Node(
          position: isPoint ? last.node.position + step / 2 : last.end, shape: .helix, atom: last.node.atom))
    }
    traces.append(trace)
  }

  private func traced(_ residue: Int) -> TracedResidue? {
    let atoms = GuideAtoms(structure, residue: residue, names: names, conformers)
    let index = residue - firstResidue
    let shape = index < shapes.count ? shapes[index] : .coil
    guard let traced = atoms.protein(residue, shape: shape) ?? atoms.nucleotide(residue) else { return nil }
    return selection?[Int(traced.node.atom)] ?? true ? traced : nil
  }
}

/// The data that a trace takes from one residue.
private struct TracedResidue {
  var residue: Int
  var polymer: BackboneTrace.Polymer
  var node: BackboneTrace.Node
  var outline: [SIMD3<Float>]?
  var baseAtom: Int32 = -1
  /// The end of a nucleotide's part of the backbone.
  var end: SIMD3<Float>

  func follows(_ other: TracedResidue) -> Bool {
    guard polymer == other.polymer else { return false }
    let limit =
      polymer == .protein ? BackboneTracer.longestProteinStep : BackboneTracer.longestNucleicStep
    let step = (node.position - other.node.position).length
    return step <= limit && step > 0.1
  }
}

/// The name identifiers that a trace looks up; the largest number if no atom has the name.
private struct GuideNames {
  let alpha: NameID
  let carbon: NameID
  let oxygen: [NameID]
  let phosphorus: NameID
  /// Substitutes for a missing phosphate, as at the 5' end.
  let start: [NameID]
  let end: [NameID]
  let purine: [NameID]
  let pyrimidine: [NameID]
  let sugar: [NameID]

  init(_ table: NameTable) {
    func id(_ name: String) -> NameID { table.id(of: name) ?? .max }
    func both(_ name: String) -> [NameID] { [id(name + "'"), id(name + "*")] }
    alpha = id("CA")
    carbon = id("C")
    oxygen = [id("O"), id("OT1"), id("OXT")]
    phosphorus = id("P")
    start = both("O5") + both("C4")
    end = both("O3") + both("C3") + both("C4")
    sugar = both("C4") + both("C1")
    purine = ["N9", "C8", "N7", "C5", "C6", "N1", "C2", "N3", "C4"].map(id)
    pyrimidine = ["N1", "C2", "N3", "C4", "C5", "C6"].map(id)
  }
}

/// The drawn atoms of a residue, by name.
private struct GuideAtoms {
  private let structure: Structure
  private let names: GuideNames
  private let atoms: Range<Int>
  private let conformers: Conformers

  init(_ structure: Structure, residue: Int, names: GuideNames, _ conformers: Conformers) {
    self.structure = structure
    self.names = names
    atoms = structure.residues[residue].atoms
    self.conformers = conformers
  }

  private func find(_ name: NameID, _ element: Element? = nil) -> Int? {
    guard name != .max else { return nil }
    return atoms.first { atom in
      structure.atoms.name[atom] == name && conformers.contains(atom)
        && (element == nil || structure.atoms.element[atom] == element)
    }
  }

  private func first(of names: [NameID]) -> Int? {
    for name in names { if let atom = find(name) { return atom } }
    return nil
  }

  private func position(_ atom: Int) -> SIMD3<Float> { SIMD3<Float>(structure.atoms.position(atom)) }

  func protein(_ residue: Int, shape: SecondaryShape) -> TracedResidue? {
    guard let alpha = find(names.alpha, .carbon), position(alpha).isDrawable else { return nil }
    var side = SIMD3<Float>.zero
    if let carbon = find(names.carbon, .carbon), let oxygen = first(of: names.oxygen) {
      side = (position(oxygen) - position(carbon)).normalized
    }
    let node = BackboneTrace.Node(
      position: position(alpha), side: side, shape: shape, atom: Int32(truncatingIfNeeded: alpha))
    return TracedResidue(residue: residue, polymer: .protein, node: node, end: node.position)
  }

  func nucleotide(_ residue: Int) -> TracedResidue? {
    guard first(of: names.sugar) != nil || find(names.phosphorus, .phosphorus) != nil,
      let start = find(names.phosphorus, .phosphorus) ?? first(of: names.start), position(start).isDrawable
    else { return nil }
    let end = first(of: names.end).map(position) ?? position(start)
    // The line of phosphates winds like a helix and is smoothed like one.
    let node = BackboneTrace.Node(position: position(start), shape: .helix, atom: Int32(truncatingIfNeeded: start))
    var traced = TracedResidue(residue: residue, polymer: .nucleic, node: node, end: end)
    let outline = outline(names.purine) ?? outline(names.pyrimidine)
    if let outline, let first = outline.first {
      traced.outline = outline.map(position)
      traced.baseAtom = Int32(truncatingIfNeeded: first)
    }
    return traced
  }

  /// Returns the atoms of a ring if all are present.
  private func outline(_ names: [NameID]) -> [Int]? {
    let found = names.compactMap { find($0) }
    return found.count == names.count && found.allSatisfy { position($0).isDrawable } ? found : nil
  }
}
