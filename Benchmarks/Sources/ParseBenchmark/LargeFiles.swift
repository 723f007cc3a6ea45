import BenchmarkSupport
import Glibc
import PluginCompression

@testable import Molecules

/// Files of the size of entry 1HTQ, made of 2BTV: its header, and its atoms as twenty models.
enum LargeFiles {
  static let pdbName = "htqlike.pdb"
  static let cifName = "htqlike.cif"
  private static let modelCount = 20

  /// Writes the PDB file and returns its path.
  static func writePDB(of source: String, into scratch: ScratchFolder) throws -> String {
    let content = try Gzip.uncompress(FileBytes.read(source))
    var header: [UInt8] = []
    var model: [UInt8] = []
    for line in content.split(separator: 10) {
      if line.starts(with: "ATOM  ".utf8) || line.starts(with: "TER".utf8) {
        model += line + [10]
      } else if model.isEmpty {
        header += line + [10]
      }
    }
    var file = header
    file.reserveCapacity(header.count + modelCount * (model.count + 200))
    for number in 1...modelCount {
      let digits = String(number)
      file += padded("MODEL     " + String(repeating: " ", count: 4 - digits.count) + digits)
      file += model
      file += padded("ENDMDL")
    }
    file += padded("END")
    return try scratch.write(file, name: pdbName)
  }

  private static func padded(_ text: String) -> [UInt8] {
    Array(text.utf8) + [UInt8](repeating: 32, count: 80 - text.utf8.count) + [10]
  }
}
