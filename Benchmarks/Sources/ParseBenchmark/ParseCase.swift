import BenchmarkSupport
import Glibc
import PluginCompression

@testable import Molecules

/// One file to parse on both sides.
struct ParseCase {
  /// Path within the molecules folder of the shared data, or the name of a file made for this.
  var file: String
  /// The number of times that each side parses it in one turn.
  var rounds: Int
  /// Our time shall be at most this part of the peer's; nil for as good as can be.
  var bar: Double?
  /// Our growth of memory shall be at most this part of the peer's; nil if it is not measured.
  var memoryBar: Double?
  /// A Boolean value indicating whether a gzipped file is parsed without decompressing it first.
  var keepsGzip = false

  /// The number of turns that the two sides take.
  private static let turns = 3

  private var name: String {
    keepsGzip || !file.hasSuffix(".gz") ? file : String(file.dropLast(3))
  }

  /// Returns the plain or gzipped file.
  private func path(dataFolder: String, scratch: ScratchFolder) throws -> String {
    if !file.contains("/") { return scratch.path + "/" + file }
    let path = dataFolder + file
    if keepsGzip || !file.hasSuffix(".gz") { return path }
    return try scratch.write(Gzip.uncompress(FileBytes.read(path)), name: name)
  }

  /// Measures both sides and prints the lines.
  func run(dataFolder: String, scratch: ScratchFolder, peer: Peer) throws {
    let path = try path(dataFolder: dataFolder, scratch: scratch)
    var ours = Double.infinity
    var theirs = Double.infinity
    var atoms = 0
    for _ in 0..<Self.turns {
      let their = try peer.time(path, rounds: rounds)
      theirs = min(theirs, their.milliseconds)
      let time = try Timing.best(of: rounds) {
        atoms = try StructureFile.read(bytes: StructureSource.bytes(ofFile: path), name: file).atoms.count
      }
      ours = min(ours, time)
      guard their.atoms == atoms else { throw ParseBenchmarkError.differentAtoms(ours: atoms, theirs: their.atoms) }
    }
    Measurement(
      "parse \(name) (\(atoms) atoms)", ours, unit: "ms", peer: ("gemmi", theirs), bar: bar.map { $0 * theirs }
    ).print()
    if let memoryBar { try runMemory(path, dataFolder: dataFolder, peer: peer, bar: memoryBar) }
  }

  private func runMemory(_ path: String, dataFolder: String, peer: Peer, bar: Double) throws {
    let small = dataFolder + (path.contains(".cif") ? "cif/1crn.cif" : "pdb/1crn.pdb")
    let ours = try Child.memory(path, after: small).mebibytes
    let theirs = try peer.memory(path, after: small).mebibytes
    Measurement(
      "parse \(name): growth of resident memory", ours, unit: "MiB", peer: ("gemmi", theirs), bar: bar * theirs
    ).print()
  }
}

/// An error in measuring a case.
enum ParseBenchmarkError: Error {
  case childFailed(String)
  case differentAtoms(ours: Int, theirs: Int)
}
