/// A search for a motif in one model of a structure.
///
/// Each site is a different residue. Residues that match in several ways, such as two equal sites exchanged, are found
/// once, with the best fit.
struct MotifSearch {
  /// The residues of a match.
  struct Match: Equatable, Sendable {
    /// The residues by site, as indices in the structure.
    var residues: [Int]
    /// The atoms by site: those of the distances, or all if there are none.
    var atoms: [[Int]]
    /// For each site the distances to the sites before it, between the nearest atoms, in Å.
    var distances: [[Double]]
    /// The root-mean-square deviation from an example in Å; nil without an example.
    var rmsd: Double?
  }

  /// A residue that may be a site, with the positions of its atoms.
  private struct Candidate {
    var residue: Int
    var atoms: [Int]
    var positions: [SIMD3<Double>]
  }

  /// The candidates of a site near positions.
  private struct Neighbors {
    private let grid: PointGrid
    /// The candidate of each point.
    private let owners: [Int]
    /// The radius in Å, with room for the rounding of positions to single precision.
    private let radius: Float

    init(_ candidates: [Candidate], within reach: Double) {
      radius = Float(reach) + 0.01
      owners = candidates.indices.flatMap { Array(repeating: $0, count: candidates[$0].positions.count) }
      grid = PointGrid(candidates.flatMap(\.positions).map { SIMD3<Float>($0) }, edge: max(1, radius))
    }

    /// Returns the candidates that may be in reach of one of several positions, ascending.
    func candidates(near positions: [SIMD3<Double>]) -> [Int] {
      var found: Set<Int> = []
      for position in positions {
        grid.forEachPoint(near: SIMD3<Float>(position), within: radius) { found.insert(owners[$0]) }
      }
      return found.sorted()
    }
  }

  /// A match and its deviation from the motif, which decides between matches of the same residues.
  private struct Fit {
    var match: Match
    var deviation: Double
  }

  /// The difference below which deviations and distances count as equal.
  private static let slack = 1e-9

  private let motif: Motif
  /// The candidates by site.
  private let candidates: [[Candidate]]
  /// The neighbors by step; the first step has none.
  private let neighbors: [Neighbors?]
  /// The chosen candidates by site; -1 if the site is free.
  private var chosen: [Int]
  /// The best fits by their residues in ascending order.
  private var fits: [[Int]: Fit] = [:]

  /// Prepares a search.
  ///
  /// - Parameter model: Model index, 0-based; the model exists.
  /// - Complexity: O(sites · atoms).
  init(_ motif: Motif, in structure: Structure, model: Int) {
    self.motif = motif
    let candidates = motif.sites.map { Self.candidates(of: $0, in: structure, model: model) }
    self.candidates = candidates
    neighbors = motif.steps.map { step in
      step.relations.first.map { Neighbors(candidates[step.site], within: $0.reach) }
    }
    chosen = Array(repeating: -1, count: motif.sites.count)
  }

  /// Returns the matches in the order of their residues.
  ///
  /// - Parameters:
  ///   - limit: The largest number of matches.
  ///   - isCancelled: Returns true to end the search early.
  /// - Complexity: linear in the atoms for distances of few Å.
  mutating func matches(limit: Int = .max, isCancelled: () -> Bool = { false }) -> [Match] {
    fits = [:]
    for candidate in candidates[motif.steps[0].site].indices where fits.count < limit && !isCancelled() {
      choose(candidate, step: 0, isCancelled)
    }
    let sorted = fits.values.map(\.match).sorted { $0.residues.lexicographicallyPrecedes($1.residues) }
    return Array(sorted.prefix(limit))
  }

  private mutating func choose(_ candidate: Int, step: Int, _ isCancelled: () -> Bool) {
    let site = motif.steps[step].site
    chosen[site] = candidate
    defer { chosen[site] = -1 }
    guard step + 1 < motif.steps.count else { return record() }
    let next = motif.steps[step + 1]
    guard let driver = next.relations.first, let neighbors = neighbors[step + 1] else { return }
    let start = self.candidate(ofSite: driver.other(than: next.site))
    for index in neighbors.candidates(near: start.positions) where isFree(candidates[next.site][index].residue) {
      // Long distances give one residue countless matches.
      if isCancelled() { return }
      chosen[next.site] = index
      let fits = next.relations.allSatisfy { deviation($0) <= $0.tolerance + Self.slack }
      chosen[next.site] = -1
      if fits { choose(index, step: step + 1, isCancelled) }
    }
  }

  private func candidate(ofSite site: Int) -> Candidate { candidates[site][chosen[site]] }

  private func isFree(_ residue: Int) -> Bool {
    chosen.indices.allSatisfy { chosen[$0] < 0 || candidates[$0][chosen[$0]].residue != residue }
  }

  /// Returns the largest deviation of the distances between two chosen residues in Å; NaN if a position is not a number.
  private func deviation(_ relation: Motif.Relation) -> Double {
    let (first, second) = (candidate(ofSite: relation.first), candidate(ofSite: relation.second))
    switch relation.lengths {
    case .nearest(let length):
      return abs(Self.nearest(first, second).distance - length)
    case .each(let lengths):
      var largest = 0.0
      for (index, length) in lengths.enumerated() {
        let (row, column) = index.quotientAndRemainder(dividingBy: second.positions.count)
        let deviation = abs((first.positions[row] - second.positions[column]).length - length)
        if !(deviation <= largest) { largest = deviation }
        if largest.isNaN { break }
      }
      return largest
    }
  }

  /// Returns the indices of the two nearest atoms of two candidates, and their distance in Å.
  private static func nearest(
    _ first: Candidate, _ second: Candidate
  ) -> (first: Int, second: Int, distance: Double) {
    var best = (first: 0, second: 0, distance: Double.infinity)
    for (row, place) in first.positions.enumerated() {
      for (column, other) in second.positions.enumerated() {
        let distance = (place - other).length
        if distance < best.distance { best = (row, column, distance) }
      }
    }
    return best
  }

  // MARK: Matches

  /// Records the chosen residues, unless they were found in a way that fits better.
  private mutating func record() {
    let match = currentMatch()
    let squares = motif.relations.map { self.deviation($0) * self.deviation($0) }
    let deviation = match.rmsd ?? squares.reduce(0, +)
    let key = match.residues.sorted()
    if let known = fits[key] {
      let isEqual = abs(known.deviation - deviation) <= Self.slack
      guard isEqual ? match.residues.lexicographicallyPrecedes(known.match.residues) : deviation < known.deviation
      else { return }
    }
    fits[key] = Fit(match: match, deviation: deviation)
  }

  private func currentMatch() -> Match {
    let parts = motif.sites.indices.map(candidate(ofSite:))
    var distances: [[Double]] = []
    for (index, part) in parts.enumerated() {
      distances.append(parts[..<index].map { Self.nearest($0, part).distance })
    }
    return Match(
      residues: parts.map(\.residue), atoms: parts.indices.map { measuredAtoms(ofSite: $0) }, distances: distances,
      rmsd: rmsd(parts))
  }

  /// Returns the atoms of a chosen residue that the relations measure; all if there are no relations.
  private func measuredAtoms(ofSite site: Int) -> [Int] {
    let part = candidate(ofSite: site)
    var measured: Set<Int> = []
    for relation in motif.relations where relation.first == site || relation.second == site {
      switch relation.lengths {
      case .nearest: measured.insert(Self.nearest(part, candidate(ofSite: relation.other(than: site))).first)
      case .each: return part.atoms
      }
    }
    return measured.isEmpty ? part.atoms : measured.sorted().map { part.atoms[$0] }
  }

  /// Returns the deviation of residues from the example after superposition in Å; nil without an example.
  private func rmsd(_ parts: [Candidate]) -> Double? {
    var example: [SIMD3<Double>] = []
    for site in motif.sites {
      switch site.atoms {
      case .selection: return nil
      case .named(_, _, let positions): example += positions
      }
    }
    return RigidFit(parts.flatMap(\.positions), onto: example).rmsd
  }

  // MARK: Candidates

  private static func candidates(of site: Motif.Site, in structure: Structure, model: Int) -> [Candidate] {
    func candidate(_ residue: Int, _ atoms: [Int]) -> Candidate {
      Candidate(residue: residue, atoms: atoms, positions: atoms.map(structure.atoms.position))
    }
    switch site.atoms {
    case .selection(let selection):
      return ResidueAtoms.all(of: selection, in: structure, model: model).map { candidate($0.residue, $0.atoms) }
    case .named(let names, let residueName, _):
      guard let name = structure.names.id(of: residueName) else { return [] }
      let conformers = Conformers(structure, model: model)
      let variants = [names, EquivalentAtoms.exchanged(names, residue: residueName)].compactMap { $0 }
      return structure.models[model].residues.flatMap { residue -> [Candidate] in
        guard structure.residues[residue].name == name, !conformers.isAlternative(residue) else { return [] }
        return variants.compactMap { names in
          let atoms = names.compactMap { conformers.atom($0, ofResidue: residue) }
          return atoms.count == names.count ? candidate(residue, atoms) : nil
        }
      }
    }
  }
}

/// Atoms whose names are arbitrary, because half a turn of the side chain exchanges them.
enum EquivalentAtoms {
  /// - Source: IUPAC-IUB recommendations on the conformation of polypeptides, Biochemistry 9 (1970) 3471, rule 2.3.2.
  private static let pairs: [String: [(String, String)]] = [
    "ARG": [("NH1", "NH2")], "ASP": [("OD1", "OD2")], "GLU": [("OE1", "OE2")],
    "PHE": [("CD1", "CD2"), ("CE1", "CE2")], "TYR": [("CD1", "CD2"), ("CE1", "CE2")],
  ]

  /// Returns names of atoms of a residue with all equivalent ones exchanged; nil if none is.
  static func exchanged(_ names: [String], residue: String) -> [String]? {
    let pairs = pairs[residue] ?? []
    let exchanged = names.map { name in
      pairs.lazy.compactMap { $0 == name ? $1 : $1 == name ? $0 : nil }.first ?? name
    }
    return exchanged == names ? nil : exchanged
  }
}
