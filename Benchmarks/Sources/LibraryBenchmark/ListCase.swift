import BenchmarkSupport
import Glibc
import PluginAPI
import PluginStore

@testable import Molecules

/// Listing and searching a library of many molecules.
struct ListCase {
  var count: Int
  /// The folder of the library.
  var folder: String

  private static let rounds = 15

  /// Makes the library, measures and prints the lines.
  func run() async throws {
    try await make()
    var (listing, rows, searching, found) = (Double.infinity, Double.infinity, Double.infinity, 0)
    for _ in 0..<Self.rounds {
      let store = LibraryStore(folder: folder)
      let start = Timing.milliseconds()
      let snapshot = try await store.snapshot()
      rows = min(rows, Timing.milliseconds() - start)
      let stray = try await store.strayFiles(snapshot)
      listing = min(listing, Timing.milliseconds() - start)
      guard snapshot.molecules.count == count, stray.isEmpty, snapshot.outdated.isEmpty else {
        throw ListError.differentCount(snapshot.molecules.count)
      }
      let search = Timing.milliseconds()
      found = try await store.matches("crystal hydrolase 77")?.count ?? 0
      searching = min(searching, Timing.milliseconds() - search)
      await store.close()
    }
    Measurement("library: \(count) molecules listed", listing, unit: "ms", bar: 20).print()
    Measurement("library: \(count) molecules listed: rows alone", rows, unit: "ms").print()
    Measurement("library: \(count) molecules searched (\(found) found)", searching, unit: "ms", bar: 20).print()
  }

  /// Creates one imported molecule, and copies of its rows under other names and titles.
  private func make() async throws {
    let store = LibraryStore(folder: folder)
    let bytes = Array(Self.text.utf8)
    let read = try StructureSource(bytes: bytes, name: "0.pdb")
    let molecule = Molecule(
      id: nil, format: read.format, file: "0.pdb", structure: read.structure,
      bonds: [BondPerception.bonds(of: read.structure)])
    _ = try await store.add(
      NewMolecule(molecule: molecule, original: bytes, source: "0.pdb", addedAt: Instant(seconds: 0, nanoseconds: 0)))
    let copies = count - 1
    try await store.local.sqlite.write { connection in
      try connection.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
          INSERT INTO molecule (code, title, compound, format, models, chains, residues, atoms, bonds, added_seconds,
            added_nanoseconds, file, file_size, file_digest, source, reading)
          SELECT printf('%04d', i), printf('CRYSTAL STRUCTURE OF A HYDROLASE FROM SOURCE %d AT LOW TEMPERATURE', i),
            compound, format, models, chains, residues, atoms, bonds, added_seconds, added_nanoseconds,
            printf('%d.pdb', i), file_size, printf('%064d', i), source, reading FROM molecule, n
        """, [copies])
      try connection.execute(
        """
        INSERT INTO metadata (molecule, position, section, label, value)
          SELECT molecule.id, position, section, label, value FROM molecule, metadata
            WHERE metadata.molecule = 1 AND molecule.id > 1
        """)
      try connection.execute(
        """
        INSERT INTO piece (molecule, kind, model, content)
          SELECT molecule.id, kind, model, content FROM molecule, piece WHERE piece.molecule = 1 AND molecule.id > 1
        """)
      try connection.execute(LibraryMigrations.insertWords + " WHERE id > 1")
    }
    for number in 1...copies {
      let descriptor = open(folder + "/originals/\(number).pdb", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw ListError.unwritable }
      close(descriptor)
    }
    await store.close()
  }

  /// A file of 300 atoms.
  static var text: String {
    func right(_ text: String, _ width: Int) -> String { String(repeating: " ", count: width - text.count) + text }
    var text = "HEADER    HYDROLASE" + String(repeating: " ", count: 43) + "0ABC\nTITLE     ONE OF MANY\n"
    text +=
      "COMPND    MOL_ID: 1;\nCOMPND   2 MOLECULE: TEST ENZYME;\nAUTHOR    A.BEE,C.DEE\nKEYWDS    MADE, FOR, MEASURING\n"
    for number in 1...300 {
      let place = right("\(number).000", 8) + "   0.000   0.000"
      text += "ATOM  " + right("\(number)", 5) + "  CA  ALA A" + right("\(number)", 4) + "    " + place
      text += "  1.00 10.00           C\n"
    }
    return text + "END\n"
  }
}

/// An error in measuring a list.
enum ListError: Error {
  case differentCount(Int)
  case unwritable
}
