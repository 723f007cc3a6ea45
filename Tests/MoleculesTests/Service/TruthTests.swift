import Foundation
import TestSupport
import Testing

@testable import Molecules

/// Compares the contents of real files with counts that gemmi 0.7.5 made of the same files.
@Suite(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
struct TruthTests {
  /// TIP3 is water: gemmi reads residue TIP in chain 3 of files whose residue names have four characters.
  private static let otherWaters = ["quirks/5digitResid.pdb": 5, "quirks/xl_serial.pdb": 2]

  @Test func `files are read with their known counts, sums and header data`() throws {
    let truth = try Truth.load()
    var files = 0
    var differences: [String] = []
    for (name, expected) in truth.sorted(by: { $0.key < $1.key }) where expected["models"] != nil {
      files += 1
      let structure = try Truth.structure(name)
      differences += Self.countDifferences(name, StructureCounts(structure), expected)
      differences += Self.headerDifferences(name, structure, expected)
    }
    #expect(differences == [])
    #expect(files == 92)
  }

  @Test func `assemblies have all operators of their expressions`() throws {
    var differences: [String] = []
    for (name, expected) in try Truth.load() {
      guard let wanted = expected["assemblies_expected"] as? [String: Int] else { continue }
      let assemblies = try Truth.structure(name).assemblies
      let found = Dictionary(assemblies.map { ($0.id, $0.operatorCount) }, uniquingKeysWith: +)
      if found != wanted { differences.append("\(name): \(found), not \(wanted)") }
    }
    #expect(differences == [])
  }

  @Test(arguments: [
    ("quirks/104D_v23.pdb", 1, 766, [1]), ("quirks/pdb1gdr.ent", 1, 105, [1]), ("quirks/incomplete.pdb", 2, 6, [8]),
    ("quirks/models_no_endmdl.pdb", 6, 6, [3, 5, 7, 9, 11]), ("quirks/1bna-errors.cif.gz", 1, 566, [22, 38, 737]),
  ])
  func `a file that gemmi refuses is read with diagnostics at its lines`(
    name: String, models: Int, atoms: Int, lines: [Int]
  ) throws {
    let structure = try Truth.structure(name)
    #expect(structure.models.count == models)
    #expect(structure.atoms.count == atoms)
    #expect(structure.diagnostics.map(\.line) == lines)
  }

  @Test(arguments: ["1mom_min.cif", "eol-test.cif", "misc.cif"])
  func `a CIF file without atoms is refused with the reason`(name: String) throws {
    #expect(
      throws: StructureReadingError.noCoordinates(
        "no data block has a loop of _atom_site with Cartn_x, Cartn_y and Cartn_z")
    ) { try Truth.structure("quirks/" + name) }
  }

  @Test func `a small-molecule CIF file is recognized and refused`() throws {
    #expect(
      throws: StructureReadingError.noCoordinates(
        "it is a small-molecule CIF with fractional coordinates, not PDBx/mmCIF")
    ) { try Truth.structure("quirks/smallmol_1011031.cif") }
  }

  @Test func `plain and gzipped files of one entry are equal`() throws {
    #expect(try Truth.structure("cif/1crn.cif") == Truth.structure("cif/1crn.cif.gz"))
  }

  private static func countDifferences(_ name: String, _ counts: StructureCounts, _ truth: [String: Any]) -> [String] {
    let integers: [(String, Int)] = [
      ("models", counts.models), ("chains", counts.chains), ("residues", counts.residues),
      ("atoms_model1", counts.atoms), ("atoms_total", counts.atomsInAllModels),
      ("altloc_atoms", counts.atomsWithAltloc), ("icode_residues", counts.residuesWithInsertionCode),
      ("hetero_atoms", counts.heteroAtoms), ("aniso", counts.anisotropicAtoms), ("helices", counts.helices),
      ("sheets", counts.sheets), ("strands", counts.strands),
    ]
    var differences = integers.compactMap { key, found in
      found == truth[key] as? Int ? nil : "\(name): \(key) \(found), not \(truth[key] ?? "")"
    }
    let waters = otherWaters[name] ?? truth["waters"] as? Int
    if counts.waters != waters { differences.append("\(name): waters \(counts.waters)") }
    let elements = counts.elements
    if elements != truth["elements"] as? [String: Int] { differences.append("\(name): elements \(elements)") }
    let sums = (truth["sum_xyz"] as? [Double] ?? []) + [number(truth["sum_occ"]), number(truth["sum_b"])]
    let found = [
      counts.coordinateSum.x, counts.coordinateSum.y, counts.coordinateSum.z, counts.occupancySum, counts.bFactorSum,
    ]
    // The sums of the truth are rounded to 0.001.
    if !isNear(found, sums) { differences.append("\(name): sums \(found), not \(sums)") }
    return differences
  }

  private static func headerDifferences(_ name: String, _ structure: Structure, _ truth: [String: Any]) -> [String] {
    let metadata = structure.metadata
    var differences: [String] = []
    for (key, found) in [("title", metadata.title), ("entry", metadata.entryID), ("spacegroup", metadata.spaceGroup)]
    where found != truth[key] as? String {
      differences.append("\(name): \(key) '\(found)', not '\(truth[key] ?? "")'")
    }
    let unit = metadata.cell ?? UnitCell(a: 1, b: 1, c: 1, alpha: 90, beta: 90, gamma: 90)
    let cell = [unit.a, unit.b, unit.c, unit.alpha, unit.beta, unit.gamma]
    if !isNear(cell, truth["cell"] as? [Double] ?? []) { differences.append("\(name): cell \(cell)") }
    if !isNear([metadata.resolution ?? 0], [number(truth["resolution"])]) {
      differences.append("\(name): resolution \(metadata.resolution ?? 0)")
    }
    let lengths = Dictionary(structure.sequences.map { ($0.id, $0.residueNames.count) }, uniquingKeysWith: +)
    if lengths != truth["seqres"] as? [String: Int] { differences.append("\(name): sequences \(lengths)") }
    return differences
  }

  private static func number(_ value: Any?) -> Double { value as? Double ?? .nan }

  private static func isNear(_ found: [Double], _ expected: [Double]) -> Bool {
    found.count == expected.count && zip(found, expected).allSatisfy { abs($0 - $1) <= 0.00105 }
  }
}

/// The shared truth file and its structures.
enum Truth {
  static func load() throws -> [String: [String: Any]] {
    let folder = try #require(SharedData.molecules)
    let data = try Data(contentsOf: folder.appendingPathComponent("TRUTH.json"))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: [String: Any]])
  }

  static func bytes(_ name: String) throws -> [UInt8] {
    let folder = try #require(SharedData.molecules)
    return [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
  }

  static func structure(_ name: String) throws -> Structure {
    try StructureFile.read(bytes: try bytes(name), name: name)
  }
}
