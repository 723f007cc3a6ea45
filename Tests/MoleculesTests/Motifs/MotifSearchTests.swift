import PluginText
import Testing

@testable import Molecules

/// Tests of searches for motifs in synthetic structures.
struct MotifSearchTests {
  private static let triad = ["s=resn SER and name OG", "h=resn HIS and name ND1+NE2", "d=resn ASP and name OD1+OD2"]

  private func motif(_ sites: [String], _ distances: [String], tolerance: Double = 1) throws -> Motif {
    try Motif(sites: sites, distances: distances, tolerance: tolerance, sets: SelectionSets())
  }

  private func matches(_ motif: Motif, in structure: Structure, model: Int = 0, limit: Int = .max)
    -> [MotifSearch.Match]
  {
    var search = MotifSearch(motif, in: structure, model: model)
    return search.matches(limit: limit)
  }

  /// Returns the numbers of the residues of matches, by site.
  private func numbers(_ matches: [MotifSearch.Match], _ structure: Structure) -> [[Int]] {
    matches.map { $0.residues.map { Int(structure.residues[$0].number) } }
  }

  /// Returns a triad with numbers from `number` on, moved along x: SER, HIS and ASP 2.8 Å apart.
  private func triad(from number: Int, x: Double, chain: String = "A") -> [String] {
    [
      Fixture.atom(1, "OG", "SER", number, x, 0, 0, chain: chain),
      Fixture.atom(2, "NE2", "HIS", number + 1, x + 2.8, 0, 0, chain: chain),
      Fixture.atom(3, "ND1", "HIS", number + 1, x + 5, 0, 0, chain: chain),
      Fixture.atom(4, "OD1", "ASP", number + 2, x + 9.5, 0, 0, chain: chain),
      Fixture.atom(5, "OD2", "ASP", number + 2, x + 7.8, 0, 0, chain: chain),
    ]
  }

  @Test func `a triad is found with its atoms and all of its distances`() throws {
    let structure = try Fixture.pdb(triad(from: 10, x: 0) + triad(from: 20, x: 40, chain: "B"))
    let found = matches(try motif(Self.triad, ["s-h=2.8±0.6", "d-h=2.8+-0.6"]), in: structure)
    #expect(numbers(found, structure) == [[10, 11, 12], [20, 21, 22]])
    let first = try #require(found.first)
    #expect(first.atoms.map { $0.map(structure.atomName) } == [["OG"], ["NE2", "ND1"], ["OD2"]])
    #expect(first.distances.map(\.count) == [0, 1, 2])
    let expected = [[2.8], [7.8, 2.8]]
    for (found, expected) in zip(first.distances.dropFirst().flatMap { $0 }, expected.flatMap { $0 }) {
      #expect(abs(found - expected) < 1e-9)
    }
    #expect(first.rmsd == nil)
  }

  @Test func `a distance at the limit of its tolerance matches, and one beyond does not`() throws {
    let structure = try Fixture.pdb([
      Fixture.atom(1, "OG", "SER", 1, 0, 0, 0), Fixture.atom(2, "NE2", "HIS", 2, 3.4, 0, 0),
      Fixture.atom(3, "NE2", "HIS", 3, 0, 2.2, 0), Fixture.atom(4, "NE2", "HIS", 4, 0, 0, 3.401),
      Fixture.atom(5, "NE2", "HIS", 5, 0, 0, -2.199),
    ])
    let sites = ["s=resn SER", "h=resn HIS"]
    #expect(numbers(matches(try motif(sites, ["s-h=2.8±0.6"]), in: structure), structure) == [[1, 2], [1, 3]])
    let general = try motif(sites, ["s-h=2.8"], tolerance: 0.6)
    #expect(numbers(matches(general, in: structure), structure) == [[1, 2], [1, 3]])
  }

  @Test func `the distance of two residues is measured between their nearest selected atoms`() throws {
    let structure = try Fixture.pdb([
      Fixture.atom(1, "OG", "SER", 1, 0, 0, 0), Fixture.atom(2, "NE2", "HIS", 2, 1, 0, 0),
      Fixture.atom(3, "ND1", "HIS", 2, 2.8, 0, 0),
    ])
    let both = try motif(["s=resn SER", "h=resn HIS"], ["s-h=2.8±0.1"])
    #expect(matches(both, in: structure).isEmpty)
    let one = try motif(["s=resn SER", "h=resn HIS and name ND1"], ["s-h=2.8±0.1"])
    #expect(matches(one, in: structure).count == 1)
  }

  @Test func `equal sites match different residues, and each match is found once`() throws {
    let structure = try Fixture.pdb([
      Fixture.atom(1, "SG", "CYS", 1, 0, 0, 0), Fixture.atom(2, "SG", "CYS", 2, 2.05, 0, 0),
      Fixture.atom(3, "SG", "CYS", 3, 0, 2.05, 0),
    ])
    let pair = try motif(["a=name SG", "b=name SG"], ["a-b=2.05±0.1"])
    #expect(numbers(matches(pair, in: structure), structure) == [[1, 2], [1, 3]])
    // Zero is a distance of an atom from itself, which would be the same residue.
    #expect(matches(try motif(["a=name SG", "b=name SG"], ["a-b=0±1"]), in: structure).isEmpty)
  }

  @Test func `the best order of exchangeable sites is reported`() throws {
    let structure = try Fixture.pdb([
      Fixture.atom(1, "SG", "CYS", 1, 0, 0, 0), Fixture.atom(2, "SG", "CYS", 2, 3, 0, 0),
      Fixture.atom(3, "SG", "CYS", 3, 7, 0, 0),
    ])
    let sites = ["a=name SG", "b=name SG", "c=name SG"]
    let ascending = try motif(sites, ["a-b=3±1.5", "b-c=4±1.5"])
    #expect(numbers(matches(ascending, in: structure), structure) == [[1, 2, 3]])
    let descending = try motif(sites, ["a-b=4±1.5", "b-c=3±1.5"])
    #expect(numbers(matches(descending, in: structure), structure) == [[3, 2, 1]])
  }

  @Test func `the most occupied or the selected conformer is searched`() throws {
    let structure = try Fixture.pdb([
      Fixture.atom(1, "OG", "SER", 1, 0, 0, 0, altloc: "A", occupancy: 0.3),
      Fixture.atom(2, "OG", "SER", 1, 5, 0, 0, altloc: "B", occupancy: 0.7),
      Fixture.atom(3, "NE2", "HIS", 2, 2.8, 0, 0), Fixture.atom(4, "NE2", "HIS", 3, 7.8, 0, 0),
    ])
    let histidine = "h=resn HIS"
    let occupied = try motif(["s=resn SER", histidine], ["s-h=2.8±0.1"])
    #expect(numbers(matches(occupied, in: structure), structure) == [[1, 3]])
    let selected = try motif(["s=resn SER and altloc A", histidine], ["s-h=2.8±0.1"])
    #expect(numbers(matches(selected, in: structure), structure) == [[1, 2]])
  }

  @Test func `a limit ends the search with the first matches`() throws {
    let structure = try Fixture.pdb(triad(from: 10, x: 0) + triad(from: 20, x: 40) + triad(from: 30, x: 80))
    let motif = try motif(Self.triad, ["s-h=2.8±0.6", "h-d=2.8±0.6"])
    #expect(numbers(matches(motif, in: structure, limit: 2), structure) == [[10, 11, 12], [20, 21, 22]])
    var search = MotifSearch(motif, in: structure, model: 0)
    let canceled = search.matches { true }
    #expect(canceled.isEmpty)
  }

  @Test func `canceling ends the search even within the matches of one residue`() throws {
    let structure = try Fixture.pdb((1...24).map { Fixture.atom($0, "CA", "GLY", $0, Double($0), 0, 0) })
    let query = try motif(["a=all", "b=all", "c=all"], ["a-b=0±1000", "b-c=0±1000"])
    var search = MotifSearch(query, in: structure, model: 0)
    var calls = 0
    let found = search.matches {
      calls += 1
      return calls > 10
    }
    // The first residue alone is in 253 matches.
    #expect(found.count < 10)
  }

  @Test func `a selection matches each residue once, with its atoms`() throws {
    let structure = try Fixture.dipeptide()
    let found = matches(Motif(try Selection("name N+CA")), in: structure)
    #expect(found.map(\.residues) == [[0], [1]])
    #expect(found.map { $0.atoms[0].map(structure.atomName) } == [["N", "CA"], ["N", "CA"]])
    #expect(found.allSatisfy { $0.distances == [[]] && $0.rmsd == nil })
  }

  /// Counts by comparing all residues with each other, the definition of the search.
  @Test(arguments: [1.0, 3, 8]) func `a search by cells finds the same matches as comparing all residues`(
    length: Double
  ) throws {
    var random = SplitMix64(seed: 7)
    let lines = (0..<120).map { index in
      let place = (0..<3).map { _ in Double.random(in: 0..<12, using: &random) }
      return Fixture.atom(index, "CA", index % 2 == 0 ? "ALA" : "GLY", index, place[0], place[1], place[2])
    }
    let structure = try Fixture.pdb(lines)
    let found = matches(
      try motif(["a=resn ALA", "g=resn GLY", "b=resn ALA"], ["a-g=\(length)±1", "g-b=\(length)±1"]), in: structure)
    var expected: Set<Set<Int>> = []
    func isClose(_ one: Int, _ other: Int) -> Bool {
      abs((structure.atoms.position(one) - structure.atoms.position(other)).length - length) <= 1
    }
    for middle in stride(from: 1, to: 120, by: 2) {
      let near = stride(from: 0, to: 120, by: 2).filter { isClose($0, middle) }
      for first in near {
        for second in near where second > first { expected.insert([first, middle, second]) }
      }
    }
    #expect(Set(found.map { Set($0.residues) }) == expected)
    #expect(found.count == expected.count && !expected.isEmpty)
    #expect(found.map(\.residues) == found.map(\.residues).sorted { $0.lexicographicallyPrecedes($1) })
  }

  // MARK: Examples

  @Test func `an example matches itself and its moved copy, but not a mirror image`() throws {
    func site(_ number: Int, x: Double, turned: Bool = false, mirrored: Bool = false) -> [String] {
      let places = [(0.0, 0.0, 0.0), (3, 0, 0), (0, 4, 0), (1, 1, 5.0)]
      return zip(places, [("OG", "SER"), ("NE2", "HIS"), ("CA", "GLY"), ("NZ", "LYS")]).enumerated().map {
        let ((place, name), index) = ($1, $0)
        let z = mirrored ? -place.2 : place.2
        return turned
          ? Fixture.atom(1, name.0, name.1, number + index, x - place.1, place.0, z)
          : Fixture.atom(1, name.0, name.1, number + index, x + place.0, place.1, z)
      }
    }
    let structure = try Fixture.pdb(site(10, x: 0) + site(20, x: 50, turned: true) + site(30, x: 100, mirrored: true))
    let example = try Motif(example: structure, try Selection("resi 10-13"), tolerance: 0.1)
    let found = matches(example, in: structure)
    #expect(numbers(found, structure).map { $0[0] } == [10, 20, 30])
    let deviations = found.compactMap(\.rmsd)
    // The mirror image has the same distances; only the superposition shows it.
    #expect(deviations.count == 3 && deviations[0] < 1e-6 && deviations[1] < 1e-6 && deviations[2] > 0.5)
    #expect(example.sites.map(\.name) == ["A/SER10", "A/HIS11", "A/GLY12", "A/LYS13"])
  }

  @Test func `equivalent atoms of an example can be exchanged, and hydrogens are ignored`() throws {
    let structure = try Fixture.pdb([
      Fixture.atom(1, "OG", "SER", 1, 0, 0, 0, element: " O"), Fixture.atom(2, "HG", "SER", 1, 0, 1, 0, element: " H"),
      Fixture.atom(3, "OD1", "ASP", 2, 3, 0, 0, element: " O"),
      Fixture.atom(4, "OD2", "ASP", 2, 5, 1, 0, element: " O"),
      Fixture.atom(5, "OG", "SER", 3, 50, 0, 0, element: " O"),
      Fixture.atom(6, "OD2", "ASP", 4, 53, 0, 0, element: " O"),
      Fixture.atom(7, "OD1", "ASP", 4, 55, 1, 0, element: " O"),
    ])
    let example = try Motif(example: structure, try Selection("resi 1-2"), tolerance: 0.1)
    let found = matches(example, in: structure)
    #expect(numbers(found, structure) == [[1, 2], [3, 4]])
    #expect(found.allSatisfy { ($0.rmsd ?? 1) < 1e-6 })
    #expect(found.map { $0.atoms[1].map(structure.atomName) } == [["OD1", "OD2"], ["OD2", "OD1"]])
    #expect(EquivalentAtoms.exchanged(["CG", "CD1", "CE2"], residue: "TYR") == ["CG", "CD2", "CE1"])
    #expect(EquivalentAtoms.exchanged(["OD1"], residue: "ASN") == nil)
    #expect(throws: MotifError.emptyExample("resi 9")) {
      try Motif(example: structure, try Selection("resi 9"), tolerance: 1)
    }
  }

  @Test func `a position that is not a number never matches`() throws {
    var structure = try Fixture.pdb(triad(from: 10, x: 0) + triad(from: 20, x: 40))
    let query = try motif(Self.triad, ["s-h=2.8±0.6", "h-d=2.8±0.6"])
    let example = try Motif(example: structure, try Selection("resi 10-12"), tolerance: 1)
    structure.atoms.x[0] = .nan
    #expect(numbers(matches(query, in: structure), structure) == [[20, 21, 22]])
    #expect(numbers(matches(example, in: structure), structure) == [[20, 21, 22]])
  }

  // MARK: Queries

  @Test(
    arguments: [
      (["a"], [], "the site 'a' cannot be used: '=' is missing after its name"),
      (["a-b=all"], [], "the site 'a-b=all' cannot be used: a name has only letters, digits and '_'"),
      (["=all"], [], "the site '=all' cannot be used: a name has only letters, digits and '_'"),
      (["a=all", "a=none"], [], "the site 'a=none' cannot be used: another site has this name"),
      (["a=resmi 5"], [], "in the site 'a': unknown word 'resmi' at column 1 of the selection"),
      (["a=all", "b=all"], [], "no distance connects the site 'b' to the sites before it"),
      (["a=all", "b=all"], ["a-b"], "the distance 'a-b' cannot be used: it needs one '='"),
      (["a=all", "b=all"], ["a=3"], "the distance 'a=3' cannot be used: it needs two sites, joined by '-'"),
      (["a=all", "b=all"], ["a-c=3"], "the distance 'a-c=3' cannot be used: there is no site 'c'"),
      (["a=all", "b=all"], ["a-a=3"], "the distance 'a-a=3' cannot be used: its sites are the same"),
      (
        ["a=all", "b=all"], ["a-b=3", "b-a=4"],
        "the distance 'b-a=4' cannot be used: the distance between these sites was given before"
      ),
      (
        ["a=all", "b=all"], ["a-b=3±x"],
        "the distance 'a-b=3±x' cannot be used: its lengths are not numbers from 0 to 1000"
      ),
      (
        ["a=all", "b=all"], ["a-b=-3"],
        "the distance 'a-b=-3' cannot be used: its lengths are not numbers from 0 to 1000"
      ),
    ] as [([String], [String], String)])
  func `a malformed motif is refused with a reason`(sites: [String], distances: [String], message: String) throws {
    let error = try #require(throws: MotifError.self) { try motif(sites, distances) }
    #expect(error.message == message)
    #expect(!error.advice.isEmpty)
  }

  @Test func `the number of a motif's sites is limited, and its distances are in any order`() throws {
    let sites = (0...Motif.limit).map { "s\($0)=all" }
    #expect(throws: MotifError.tooManySites(Motif.limit + 1)) { try motif(sites, []) }
    let chain = try motif(["a=all", "b=all", "c=all"], [" c - b = 3 ± 1", "a-c=2"])
    #expect(chain.steps.map(\.site) == [0, 2, 1])
    #expect(chain.relations.map(\.tolerance) == [1, 1] && chain.relations.map(\.reach) == [4, 3])
  }
}
