/// A query for residues in a given arrangement: sites, and conditions on the distances between them.
struct Motif: Sendable {
  /// A residue to find, with the atoms to compare.
  struct Site: Sendable {
    enum Atoms: Sendable {
      /// The selected atoms of any residue.
      case selection(Selection)
      /// All of these atoms, in a residue of this name, with their positions in the example, in Å.
      case named([String], residue: String, positions: [SIMD3<Double>])
    }

    /// The name of the site; empty for the only site of a plain selection.
    var name: String
    var atoms: Atoms
  }

  /// A condition on the distances between two sites.
  struct Relation: Sendable {
    /// The expected distances in Å.
    enum Lengths: Sendable {
      /// The distance between the two nearest atoms.
      case nearest(Double)
      /// The distances between each atom of the first site and each of the second, row by row.
      case each([Double])
    }

    /// The indices of the sites, 0-based.
    var first: Int
    var second: Int
    var lengths: Lengths
    /// The largest accepted deviation from a distance in Å.
    var tolerance: Double

    /// The largest accepted distance between the two nearest atoms in Å.
    var reach: Double {
      switch lengths {
      case .nearest(let length): length + tolerance
      case .each(let lengths): (lengths.min() ?? 0) + tolerance
      }
    }

    /// Returns the site at the other end.
    func other(than site: Int) -> Int { site == first ? second : first }
  }

  /// A site and its relations to the sites found before it.
  struct Step: Sendable {
    var site: Int
    var relations: [Relation]
  }

  /// The largest number of sites.
  static let limit = 10

  let sites: [Site]
  let relations: [Relation]
  /// The sites in the order of the search, each near an earlier one.
  let steps: [Step]

  /// Creates a motif.
  ///
  /// - Throws: ``MotifError/unconnected(_:)`` if relations do not connect all sites, so that a search would combine
  ///   each residue with every other one.
  init(_ sites: [Site], _ relations: [Relation]) throws(MotifError) {
    guard sites.count <= Self.limit else { throw .tooManySites(sites.count) }
    var (steps, remaining) = ([Step](), Array(sites.indices))
    while !remaining.isEmpty {
      let found = Set(steps.map(\.site))
      let next = remaining.lazy.map { site in
        let relations = relations.filter { relation in
          (relation.first == site || relation.second == site) && found.contains(relation.other(than: site))
        }
        return Step(site: site, relations: relations)
      }.first { steps.isEmpty || !$0.relations.isEmpty }
      guard let next else { throw .unconnected(sites[remaining[0]].name) }
      steps.append(next)
      remaining.removeAll { $0 == next.site }
    }
    (self.sites, self.relations, self.steps) = (sites, relations, steps)
  }

  /// Creates a motif of any residue with a selected atom.
  init(_ selection: Selection) {
    sites = [Site(name: "", atoms: .selection(selection))]
    relations = []
    steps = [Step(site: 0, relations: [])]
  }

  /// Creates the motif of an example: residues of the same names with the same distances between the same atoms.
  ///
  /// Hydrogens are ignored, as most files lack them.
  ///
  /// - Parameters:
  ///   - structure: The example, of which the first model is used.
  ///   - selection: The atoms of the example to use.
  ///   - tolerance: The largest accepted deviation from each distance in Å.
  init(example structure: Structure, _ selection: Selection, tolerance: Double) throws(MotifError) {
    let parts = ResidueAtoms.all(of: selection, in: structure, model: 0).compactMap { part in
      let heavy = part.atoms.filter { !structure.atoms.element[$0].isHydrogen }
      return heavy.isEmpty ? nil : ResidueAtoms(residue: part.residue, atoms: heavy)
    }
    let places = parts.map { part in part.atoms.map(structure.atoms.position) }
    let sites = zip(parts, places).map { part, positions in
      Site(
        name: "\(structure.chainName(ofResidue: part.residue))/\(structure.label(ofResidue: part.residue))",
        atoms: .named(
          part.atoms.map(structure.atomName), residue: structure.residueName(part.residue), positions: positions))
    }
    guard !sites.isEmpty else { throw .emptyExample(selection.text) }
    var relations: [Relation] = []
    for second in places.indices {
      for first in 0..<second {
        let lengths = places[first].flatMap { place in places[second].map { ($0 - place).length } }
        relations.append(Relation(first: first, second: second, lengths: .each(lengths), tolerance: tolerance))
      }
    }
    try self.init(sites, relations)
  }
}

/// Some atoms of a residue.
struct ResidueAtoms: Sendable {
  /// The residue's index in the structure, 0-based.
  var residue: Int
  /// The atoms' indices in the structure, ascending.
  var atoms: [Int]

  /// Returns the selected atoms of each residue of a model, one conformer of each residue.
  static func all(of selection: Selection, in structure: Structure, model: Int) -> [ResidueAtoms] {
    let selected = selection.atoms(of: structure, model: model)
    var all: [ResidueAtoms] = []
    Conformers(structure, model: model, within: selected).restricting(selected).forEach { atom in
      let residue = Int(structure.atoms.residue[atom])
      if all.last?.residue == residue {
        all[all.count - 1].atoms.append(atom)
      } else {
        all.append(ResidueAtoms(residue: residue, atoms: [atom]))
      }
    }
    return all
  }
}
