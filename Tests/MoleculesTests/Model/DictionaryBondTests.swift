import TestSupport
import Testing

@testable import Molecules

/// Compares bonds within residues with those that biotite 1.6.0 takes from the Chemical Component Dictionary.
///
/// biotite looks up pairs of names, regardless of their distance, in each run of lines of one residue. So the
/// comparison covers the bonds between atoms with the dictionary's own names; further bonds (hydrogens without names in
/// it, names from before 2007, residues that it lacks) are found only here. Pairs too far apart for a bond are counted,
/// not bonded.
struct DictionaryBondTests {
  /// Residue names of the data that the dictionary lacks, or uses for another molecule with other atom names.
  private static let absent: Set<String> = [
    "", "+T", "6MO", "7ZTVU", "FINA", "FLO", "GBS", "IL0", "MOL", "POP", "TIP", "TIP3", "UNX", "XXX", "LIG",
  ]
  /// Names that the dictionary uses for something else with the same atom names.
  private static let others = ["HIP": "HIS", "T": "DT"]

  /// The numbers of atom pairs whose segment names (3) or residue names (1) differ: two residues here and in gemmi, one
  /// in biotite.
  private static let acrossResidues = ["quirks/a_structure.pdb": 4]

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `bonds within residues match the chemical component dictionary`() throws {
    var equal = 0
    var overlong: [String: Int] = [:]
    var differences: [String] = []
    for (name, truth) in try Truth.load().sorted(by: { $0.key < $1.key }) {
      guard let expected = (truth["biotite"] as? [String: Any])?["bonds_intra_ccd"] as? Int else { continue }
      let structure = try Truth.structure(name)
      var found = 0
      var templates = TemplateBonds(structure)
      var collector = BondCollector(expected: 0)
      // If the second model of a file lacks its MODEL record biotite takes both.
      for model in structure.models.indices where model == 0 || name == "quirks/a_structure.pdb" {
        found += Self.dictionaryBonds(structure, model)
        templates.add(structure.models[model], to: &collector)
      }
      if templates.overlongCount > 0 { overlong[name] = templates.overlongCount }
      if found + templates.overlongCount + Self.acrossResidues[name, default: 0] == expected {
        equal += 1
      } else {
        differences.append("\(name): \(found) and \(templates.overlongCount) overlong, not \(expected)")
      }
    }
    #expect(differences == [])
    #expect(equal == 89)
    // Beads 3 Å and more apart, atoms without their neighbors, badly placed side chains of 1984, and pairs of different
    // alternatives of which one has no mark.
    #expect(
      overlong == [
        "cif/4hhb.cif.gz": 4, "pdb/4hhb.pdb.gz": 4, "quirks/BaceCg.pdb": 45, "quirks/atom-id-0.pdb": 1,
        "quirks/disordered.pdb": 2,
      ])
  }

  /// Returns the number of bonds of one model that the dictionary has for these names, with one alternate location of
  /// each residue.
  private static func dictionaryBonds(_ structure: Structure, _ model: Int) -> Int {
    let marks = firstMarks(structure, model)
    let runs = runs(structure, model)
    var pairs: [NameID: Set<[String]>?] = [:]
    return BondPerception.bonds(of: structure, model: model).count { bond in
      let (first, second) = (Int(bond.first), Int(bond.second))
      let residue = Int(structure.atoms.residue[first])
      guard residue == Int(structure.atoms.residue[second]), runs[first] == runs[second] else { return false }
      let altlocs = [structure.atoms.altloc[first], structure.atoms.altloc[second]]
      guard altlocs.allSatisfy({ $0 == 0 || $0 == marks[position(structure, residue)] }) else { return false }
      let id = structure.residues[residue].name
      let known = pairs[id] ?? namePairs(structure.names[id])
      pairs[id] = known
      guard let known else { return !absent.contains(structure.names[id]) }
      return known.contains([structure.atomName(first), structure.atomName(second)].sorted())
    }
  }

  private static func namePairs(_ residue: String) -> Set<[String]>? {
    ResidueTemplates.bonds(others[residue] ?? residue).map { Set($0.map { [$0.first, $0.second].sorted() }) }
  }

  private static func position(_ structure: Structure, _ residue: Int) -> ResidueAddress {
    var address = structure.address(ofResidue: residue)
    address.name = ""
    return address
  }

  /// Returns the first mark of each position that is a letter; biotite skips digits.
  private static func firstMarks(_ structure: Structure, _ model: Int) -> [ResidueAddress: UInt8] {
    var marks: [ResidueAddress: UInt8] = [:]
    for residue in structure.models[model].residues {
      let key = position(structure, residue)
      for atom in structure.residues[residue].atoms where marks[key] == nil {
        let mark = structure.atoms.altloc[atom]
        if (65...90).contains(mark & 0xDF) { marks[key] = mark }
      }
    }
    return marks
  }

  /// Numbers the runs of lines of one residue; atoms separate from the rest of their residue have another number.
  private static func runs(_ structure: Structure, _ model: Int) -> [Int: Int] {
    let atoms = structure.atoms
    let range = structure.models[model].atoms
    // Serial numbers give the order of lines unless some are repeated.
    let isOrdered = Set(range.map { atoms.serial[$0] }).count == range.count
    let order = isOrdered ? range.sorted { atoms.serial[$0] < atoms.serial[$1] } : Array(range)
    var runs: [Int: Int] = [:]
    var run = 0
    for (place, atom) in order.enumerated() {
      if place > 0, atoms.residue[atom] != atoms.residue[order[place - 1]] { run += 1 }
      runs[atom] = run
    }
    return runs
  }
}
