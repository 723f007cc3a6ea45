import BenchmarkSupport
import Glibc
import PluginAPI
import PluginCompression

@testable import Molecules

/// Taking a file into a library and having it back.
struct ImportCase {
  /// The file as it comes.
  var file: String
  var scratch: ScratchFolder

  private static let rounds = 9

  /// Measures and prints the lines.
  func run() async throws {
    var whole = Double.infinity
    var parts = Parts()
    for round in 0..<Self.rounds {
      let folder = scratch.path + "/import-\(round)"
      let store = LibraryStore(folder: folder)
      // The file of the database is made before: this happens once in the life of a library.
      _ = try await store.snapshot()
      var times = Parts()
      let start = Timing.milliseconds()
      let (bytes, read) = try times.measure(\.reading) {
        let bytes = try StructureSource.bytes(ofFile: file)
        return (bytes, try StructureSource(bytes: bytes, name: file))
      }
      let bonds = times.measure(\.bonds) {
        read.structure.models.indices.map { BondPerception.bonds(of: read.structure, model: $0) }
      }
      let molecule = Molecule(
        id: nil, format: read.format, file: "2btv.pdb.gz", structure: read.structure, bonds: bonds)
      let new = times.measure(\.digest) {
        NewMolecule(molecule: molecule, original: bytes, source: file, addedAt: Instant(seconds: 0, nanoseconds: 0))
      }
      let storing = Timing.milliseconds()
      _ = try await store.add(new)
      times.storing = Timing.milliseconds() - storing
      let time = Timing.milliseconds() - start
      if time < whole { (whole, parts) = (time, times) }
      await store.close()
    }
    Measurement("library: import of 2BTV", whole, unit: "ms", bar: 40).print()
    for (name, time) in parts.list { Measurement("library: import of 2BTV: \(name)", time, unit: "ms").print() }
    try await reopen(scratch.path + "/import-0")
  }

  private func reopen(_ folder: String) async throws {
    var best = Double.infinity
    var atoms = 0
    for _ in 0..<20 {
      let start = Timing.milliseconds()
      let store = LibraryStore(folder: folder)
      let molecule = try await store.molecule(1).decoded()
      best = min(best, Timing.milliseconds() - start)
      atoms = molecule.structure.atoms.count
      await store.close()
    }
    let plain = try scratch.write(Gzip.uncompress(FileBytes.read(file)), name: "2btv.pdb")
    let parsing = try Timing.best(of: 20) {
      let structure = try StructureFile.read(bytes: StructureSource.bytes(ofFile: plain), name: plain)
      _ = BondPerception.bonds(of: structure)
    }
    Measurement(
      "library: 2BTV reopened (\(atoms) atoms)", best, unit: "ms", peer: ("parsing the plain file, and bonds", parsing),
      bar: min(15, parsing)
    ).print()
  }
}

/// The durations of an import's steps, in milliseconds.
private struct Parts {
  var reading = 0.0
  var bonds = 0.0
  var digest = 0.0
  var storing = 0.0

  var list: [(String, Double)] {
    [
      ("file read, uncompressed and parsed", reading), ("bonds", bonds), ("digest", digest),
      ("coded, original and rows on the device", storing),
    ]
  }

  mutating func measure<Result>(_ part: WritableKeyPath<Parts, Double>, _ work: () throws -> Result) rethrows -> Result
  {
    let start = Timing.milliseconds()
    defer { self[keyPath: part] = Timing.milliseconds() - start }
    return try work()
  }
}
