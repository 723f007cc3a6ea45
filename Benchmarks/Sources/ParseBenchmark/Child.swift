import BenchmarkSupport
import Glibc

@testable import Molecules

/// Processes that read one file and print two values: the measurement, and the number of atoms.
enum Child {
  /// The argument that makes this program read one file and print the memory used.
  static let memoryWord = "--memory"
  /// The argument that makes this program read one file repeatedly and print the shortest time in milliseconds.
  static let timeWord = "--time"

  /// Runs a program and returns the two values it prints.
  static func figures(_ arguments: [String]) throws -> (Double, Int) {
    let (status, text) = Program.output(arguments)
    let words = text.split { $0 == " " || $0 == "\n" }
    guard status == 0, words.count == 2, let figure = Double(words[0]), let atoms = Int(words[1]) else {
      throw ParseBenchmarkError.childFailed(arguments.first ?? "")
    }
    return (figure, atoms)
  }

  /// By how many MiB reading a file lets the resident memory of a process of this program grow at most.
  ///
  /// A small file that is read before brings code and tables into memory.
  static func memory(_ path: String, after small: String) throws -> (mebibytes: Double, atoms: Int) {
    try figures(["/proc/self/exe", memoryWord, path, small])
  }

  /// Reads a file so many times and prints the shortest time and the atoms: for profiles of our side alone.
  static func measureTime(_ path: String, rounds: Int) throws {
    var atoms = 0
    let time = try Timing.best(of: rounds) {
      atoms = try StructureFile.read(bytes: StructureSource.bytes(ofFile: path), name: path).atoms.count
    }
    print(time, atoms)
  }

  /// Runs the process of ``memory(_:after:)``.
  static func measureMemory(_ path: String, after small: String) throws {
    _ = try StructureFile.read(bytes: StructureSource.bytes(ofFile: small), name: small)
    guard ResidentMemory.forgetPeak() else { throw ParseBenchmarkError.childFailed("clear_refs") }
    guard let before = ResidentMemory.kibibytes else { throw ParseBenchmarkError.childFailed("status") }
    let structure = try StructureFile.read(bytes: StructureSource.bytes(ofFile: path), name: path)
    guard let peak = ResidentMemory.peakInKibibytes else { throw ParseBenchmarkError.childFailed("status") }
    print(Double(peak - before) / 1024, structure.atoms.count)
  }
}
