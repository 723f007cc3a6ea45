import TestSupport
import Testing

@testable import Molecules

struct SecondaryStructureTests {
  /// mkdssp 4.2.2 made the letters of the shared truth.
  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `the letters are those of mkdssp on every residue of every file`() throws {
    var files = 0
    var residues = 0
    var differences: [String] = []
    for (name, truth) in try Truth.load().sorted(by: { $0.key < $1.key }) {
      guard let expected = truth["mkdssp_4_2_2"] as? [String: String] else { continue }
      files += 1
      residues += expected.values.reduce(0) { $0 + $1.count }
      let structure = try Truth.structure(name)
      let letters = SecondaryStructureAssignment.dssp(structure).letters(of: structure)
      let found = Dictionary(letters.map { ($0.chain, $0.letters) }, uniquingKeysWith: +)
      for (chain, text) in expected where found[chain] != text {
        differences.append("\(name) \(chain)\n\(text)\n\(found[chain] ?? "")")
      }
      for chain in found.keys where expected[chain] == nil { differences.append("\(name) \(chain) is too much") }
    }
    #expect(differences == [])
    #expect(files == 41)
    #expect(residues == 23_695)
  }
}
