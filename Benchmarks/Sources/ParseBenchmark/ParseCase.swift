import BenchmarkSupport
import Glibc
import PluginCompression

@testable import Molecules

/// One file to parse on both sides.
struct ParseCase {
  /// Path within the molecules folder of the shared data.
  var file: String
  /// How often each side parses it in one turn.
  var rounds: Int
  /// Our time shall be at most this part of the peer's.
  var bar: Double
  /// Whether a gzipped file is parsed as it is.
  var keepsGzip = false

  /// How often the two sides take turns.
  private static let turns = 3

  /// Measures both sides and prints the line.
  func run(dataFolder: String, scratch: ScratchFolder, python: String) throws {
    var path = dataFolder + file
    if !keepsGzip, file.hasSuffix(".gz") {
      path = try scratch.write(Gzip.uncompress(FileBytes.read(path)), name: String(file.dropLast(3)))
    }
    var ours = Double.infinity
    var theirs = Double.infinity
    var atoms = 0
    for _ in 0..<Self.turns {
      let peer = try Peer.time(path, rounds: rounds, python: python)
      theirs = min(theirs, peer.milliseconds)
      let time = try Timing.best(of: rounds) {
        atoms = try StructureFile.read(bytes: FileBytes.read(path), name: file).atoms.count
      }
      ours = min(ours, time)
      guard peer.atoms == atoms else { throw ParseBenchmarkError.differentAtoms(ours: atoms, theirs: peer.atoms) }
    }
    let name = keepsGzip ? file : file.hasSuffix(".gz") ? String(file.dropLast(3)) : file
    Measurement(
      "parse \(name) (\(atoms) atoms)", ours, unit: "ms", peer: ("gemmi", theirs), bar: theirs * bar
    ).print()
  }
}

/// What kept a case from being measured.
enum ParseBenchmarkError: Error {
  case peerFailed(String)
  case differentAtoms(ours: Int, theirs: Int)
}

/// gemmi, timed by a script of its own.
enum Peer {
  private static let script = """
    import sys, time, gemmi
    best = 1e9
    for _ in range(int(sys.argv[2])):
        start = time.perf_counter()
        structure = gemmi.read_structure(sys.argv[1])
        best = min(best, time.perf_counter() - start)
    atoms = sum(model.count_atom_sites() for model in structure)
    print(best * 1000, atoms)
    """

  /// The shortest time of so many rounds, and how many atoms were read.
  static func time(_ path: String, rounds: Int, python: String) throws -> (milliseconds: Double, atoms: Int) {
    let quoted = script.replacing("'", with: "'\\''")
    guard let pipe = popen("'\(python)' -c '\(quoted)' '\(path)' \(rounds)", "r") else {
      throw ParseBenchmarkError.peerFailed(path)
    }
    var bytes = [CChar](repeating: 0, count: 256)
    let hasLine = fgets(&bytes, 256, pipe) != nil
    let status = pclose(pipe)
    let line = String(decoding: bytes.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let words = line.split(separator: " ")
    guard hasLine, status == 0, words.count == 2, let time = Double(words[0]), let atoms = Int(words[1]) else {
      throw ParseBenchmarkError.peerFailed("python3 with gemmi is needed: pip install gemmi")
    }
    return (time, atoms)
  }
}
