import Foundation
import PluginAPI
import PluginTesting
import TestSupport

@testable import Molecules

/// A library in its own folder, and small files to fill it with.
final class LibraryFixture: Sendable {
  let root: String
  let store: LibraryStore
  // The database exists as long as this.
  private let database: SharedDatabase?

  /// Creates a library in a place, empty and not opened.
  static func made(_ place: StorePlace) async throws -> LibraryFixture {
    switch place {
    case .local: LibraryFixture()
    case .shared: try await made(in: SharedDatabase())
    }
  }

  /// Creates a library in a database.
  ///
  /// - Parameter user: The user of the database; nil for its owner.
  static func made(in database: SharedDatabase, as user: String? = nil) async throws -> LibraryFixture {
    let fixture = LibraryFixture(database)
    _ = try await fixture.store.share(to: database.address(of: user)) { _ in }
    return fixture
  }

  init(_ database: SharedDatabase? = nil) {
    self.database = database
    root = NSTemporaryDirectory() + "molecules-" + UUID().uuidString
    store = LibraryStore(folder: root)
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  /// Returns the same library as opened by a new process.
  func reopened() -> LibraryStore { LibraryStore(folder: root) }

  var originals: String { root + "/originals" }

  func files() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: originals)) ?? []).sorted()
  }

  /// Returns the bytes of the library's file and of the originals.
  func contents() throws -> [String: Data] {
    var contents = ["library.sqlite": try Data(contentsOf: URL(fileURLWithPath: root + "/library.sqlite"))]
    for file in files() { contents[file] = try Data(contentsOf: URL(fileURLWithPath: originals + "/" + file)) }
    return contents
  }

  /// Returns a file of two residues with a header; the title makes it unique.
  static func text(_ title: String, code: String = "1ABC") -> String {
    let header = "HEADER    TEST".padding(toLength: 62, withPad: " ", startingAt: 0) + code
    let lines = [
      header, "TITLE     " + title, "COMPND    MOL_ID: 1;", "COMPND   2 MOLECULE: TEST PEPTIDE;",
      "COMPND   3 CHAIN: A;", "SOURCE    MOL_ID: 1;", "SOURCE   2 ORGANISM_SCIENTIFIC: MUS MUSCULUS;",
      "AUTHOR    A.BEE,C.DEE", "JRNL        TITL   A JOURNAL TITLE", "JRNL        REF    J.TEST   V.   1     2 2003",
      "SEQRES   1 A    2  GLY ALA",
      Fixture.atom(1, "N", "GLY", 1, 0, 0, 0, element: " N"),
      Fixture.atom(2, "CA", "GLY", 1, 1.46, 0, 0, element: " C"),
      Fixture.atom(3, "C", "GLY", 1, 2, 1.4, 0, element: " C"),
      Fixture.atom(4, "O", "GLY", 1, 1.2, 2.3, 0, element: " O"),
      Fixture.atom(5, "N", "ALA", 2, 3.3, 1.6, 0, element: " N"),
      Fixture.atom(6, "CA", "ALA", 2, 3.9, 2.9, 0, element: " C"),
    ]
    return (lines + ["END"]).joined(separator: "\n") + "\n"
  }

  static func new(_ title: String, file: String = "test.pdb", code: String = "1ABC") throws -> NewMolecule {
    let bytes = Array(text(title, code: code).utf8)
    let molecule = try MoleculeReading.molecule(bytes, path: file, bonds: .allModels, QuietProgress())
    return NewMolecule(
      molecule: molecule, original: bytes, source: file, addedAt: Instant(seconds: 1_800_000_000, nanoseconds: 5))
  }

  /// Returns a molecule whose file was filled with blanks to a size in bytes.
  static func new(_ title: String, size: Int) throws -> NewMolecule {
    let small = try new(title, file: title + ".pdb")
    let blanks = [UInt8](repeating: 0x20, count: size - small.original.count)
    return NewMolecule(
      molecule: small.molecule, original: small.original + blanks, source: small.source, addedAt: small.addedAt)
  }

  /// The folder of the plugin's starters.
  static let resources = Checkout.root.appendingPathComponent("Plugins/Molecules/Resources").path

  /// Returns the plugin under test, with an empty library unless the starters are requested.
  static func plugin(starters: Bool = false, isOffline: Bool = true) async throws -> TestPlugin {
    try await TestPlugin(MoleculesPlugin(), resources: starters ? resources : nil, isOffline: isOffline)
  }

  /// Writes a file with a title into the folder of a plugin's test and returns its path.
  static func file(_ title: String, named name: String, code: String = "1ABC", in plugin: TestPlugin) throws -> String {
    let path = plugin.context.folders.state + "/" + name
    try text(title, code: code).write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }
}

extension SharedDatabase {
  /// Creates a database for a library.
  convenience init(on server: PostgresServer? = nil) throws { try self.init(schema: "molecules_library", on: server) }
}

/// Progress that is ignored.
struct QuietProgress: WorkProgress {
  var isCancelled = false
  func report(_ progress: PluginAPI.Progress) {}
}
