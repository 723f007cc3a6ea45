import Foundation
import PluginAPI
import PluginCompression
import TestSupport
import Testing

@testable import Molecules

/// Compares residue columns with those of mkdssp 4.2.2, run on the conformers of real files.
///
/// mkdssp uses the last location of an atom, and each residue of a position as a residue of the chain; so it is given
/// files without other conformers.
struct ResidueColumnTruthTests {
  private static let mkdssp = "/usr/bin/mkdssp"
  private static let isHere = SharedData.molecules != nil && FileManager.default.isExecutableFile(atPath: mkdssp)

  /// A row of mkdssp's classic output.
  private struct Line {
    var residue: String
    var state: String
    var accessibility: Int
    var phi: Double
    var psi: Double

    /// Reads a line.
    ///
    /// - Source: mkdssp 4.2.2, classic DSSP format: 6-10 number, 11 insertion code, 12 chain, 14 amino acid, 17 state,
    ///   35-38 accessibility, 104-109 phi, 110-115 psi.
    init?(_ text: Substring) {
      let bytes = Array(text.utf8)
      guard bytes.count >= 115, bytes[13] != UInt8(ascii: "!") else { return nil }
      func field(_ first: Int, _ last: Int) -> String {
        String(decoding: bytes[first - 1..<last], as: UTF8.self).filter { $0 != " " }
      }
      residue = field(12, 12) + field(6, 11)
      state = field(17, 17).isEmpty ? "-" : field(17, 17)
      accessibility = Int(field(35, 38)) ?? -1
      phi = Double(field(104, 109)) ?? .nan
      psi = Double(field(110, 115)) ?? .nan
    }
  }

  /// Returns a PDB file without the atoms of some serial numbers.
  private static func text(_ bytes: [UInt8], without serials: Set<Int32>) throws -> String {
    let plain = try Gzip.isGzip(bytes) ? Gzip.uncompress(bytes) : bytes
    let lines = String(decoding: plain, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    let kept = lines.filter { line in
      guard ["ATOM  ", "HETATM", "ANISOU"].contains(line.prefix(6)) else { return true }
      return Int32(line.dropFirst(6).prefix(5).filter { $0 != " " }).map { !serials.contains($0) } ?? true
    }
    return kept.joined(separator: "\n")
  }

  private static func lines(_ text: String) throws -> [Line] {
    let file = NSTemporaryDirectory() + "dssp-" + UUID().uuidString + ".pdb"
    let output = file + ".dssp"
    defer { [file, output].forEach { try? FileManager.default.removeItem(atPath: $0) } }
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: mkdssp)
    process.arguments = ["--quiet", "--output-format", "dssp", file, output]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let table = try String(contentsOfFile: output, encoding: .utf8)
    let body = table.range(of: "  #  RESIDUE").map { table[$0.lowerBound...] } ?? ""
    return body.split(separator: "\n").dropFirst().compactMap(Line.init)
  }

  /// Returns true if angles agree: mkdssp writes one decimal, and 360 for none.
  private static func agrees(_ ours: Value?, _ theirs: Double) -> Bool {
    guard let ours = ours?.number else { return theirs == 360 }
    let turn = abs(ours - theirs).truncatingRemainder(dividingBy: 360)
    return min(turn, 360 - turn) < 0.06
  }

  @Test(
    .enabled(if: isHere, "mkdssp or the shared data are absent"),
    arguments: [
      "molecules/pdb/1crn.pdb", "molecules/pdb/5pti.pdb", "molecules/pdb/1ubq.pdb", "molecules/pdb/4hhb.pdb.gz",
      "molecules/pdb/1igy.pdb.gz", "molecules/pdb/1gya.pdb.gz", "molecules/pdb/1fdo.pdb.gz",
      "molecules/pdb/19hc.pdb.gz", "molecules/pdb/1k6p.pdb.gz", "molecules/pdb/1orc.pdb", "molecules/pdb/3o5r.pdb.gz",
      "molecules/pdb/7az6.pdb.gz",
      "found/molecules/1avg.pdb.gz", "found/molecules/5eil.pdb.gz", "found/molecules/5ugo.pdb.gz",
      "found/molecules/7ddo.pdb.gz",
    ])
  func `each column matches mkdssp's`(_ name: String) throws {
    let file = try #require(SharedData.folder).appendingPathComponent(name)
    guard FileManager.default.fileExists(atPath: file.path) else { return }
    let bytes = try Array(Data(contentsOf: file))
    let structure = try StructureFile.read(bytes: bytes, name: file.lastPathComponent)
    let conformers = Conformers(structure, model: 0)
    let rows = try #require(ResidueState.all(.dssp(structure, conformers), of: structure, conformers))
    let table = StructureRow.table(of: rows, in: structure)
    let others = structure.models[0].atoms.filter { !conformers.contains($0) }
    let lines = try Self.lines(Self.text(bytes, without: Set(others.map { structure.atoms.serial[$0] })))
    #expect(lines.count == table.rowCount && !lines.isEmpty)
    var differences: [String] = []
    for (index, line) in lines.enumerated() where index < table.rowCount {
      let row = Value.record(table.row(index))
      let code = (row["chain"].text ?? "") + "\(row["number"].integer ?? 0)" + (row["insertionCode"].text ?? "")
      let isSame =
        code == line.residue && row["state"].text == line.state && row["accessibility"].integer == line.accessibility
        && Self.agrees(row["phi"], line.phi) && Self.agrees(row["psi"], line.psi)
      if !isSame { differences.append("\(line) – \(row)") }
    }
    #expect(differences.isEmpty, "\(differences.count): \(differences.prefix(5).joined(separator: "\n"))")
  }
}
