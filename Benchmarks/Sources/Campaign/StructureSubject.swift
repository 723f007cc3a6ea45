import BenchmarkSupport
import Glibc
import PluginCompression

@testable import Molecules

/// The readers of structure files, bonds, counts and the byte form of the library.
struct StructureSubject: FuzzSubject {
  let seeds: [[UInt8]]
  let tokens: [[UInt8]]

  /// Longer files are cut at the end of a line: the important parts are at their start, and inputs should be many.
  private static let longestSeed = 48_000

  /// The parts of the shared data by the name of a reader.
  private static let parts = [
    "pdb": ["pdb", "quirks", "starter"], "cif": ["cif", "quirks"], "bcif": ["bcif"], "sdf": ["sdf", "starter"],
    "xyz": ["xyz", "starter"],
  ]

  /// - Parameters:
  ///   - folder: The folder of real files; seeds of our own are there without it.
  ///   - reader: The reader that is tried with its own inputs; nil for all of them together.
  init(folder: String, reader: String? = nil) {
    let own = StructureSeeds.all
    var seeds = reader.map { own[$0] ?? [] } ?? own.sorted { $0.key < $1.key }.flatMap(\.value)
    let parts = reader.map { Self.parts[$0] ?? [] } ?? Array(Set(Self.parts.values.joined())).sorted()
    for part in parts {
      let path = folder + "/molecules/" + part
      for name in Self.names(in: path) {
        guard let bytes = try? FileBytes.read(path + "/" + name), bytes.count < 4 << 20 else { continue }
        // A few stay compressed.
        let plain = name.hasSuffix(".gz") ? (try? Gzip.uncompress(bytes)) ?? [] : bytes
        guard !plain.isEmpty, reader == nil || Self.format(plain) == reader else { continue }
        if name.hasSuffix(".gz"), bytes.count < 40_000 { seeds.append(bytes) }
        // A cut binary file is meaningless: long ones are left to our own seeds.
        if Self.format(plain) != "bcif" {
          seeds.append(Self.cut(plain))
        } else if plain.count < 400_000 {
          seeds.append(plain)
        }
      }
    }
    self.seeds = seeds
    tokens =
      Self.words.map { Array($0.utf8) }
      + [[0], [255, 254], [0xC3], [31, 139, 8], [0x91], [0xDD, 255, 255, 255, 255], [0xC6, 127, 255, 255, 255]]
  }

  func read(_ bytes: [UInt8]) -> FuzzReading {
    let (structure, growth) = FuzzMemory.growth { try? StructureFile.read(bytes: bytes, name: "input") }
    if let structure { check(structure) }
    let memory = FuzzMemory(
      growth: growth, content: Self.contentCount(bytes), isCompressed: Gzip.isGzip(bytes))
    return FuzzReading(isAccepted: structure != nil, memory: memory)
  }

  /// Returns the bytes of an input, decompressed as far as possible if it is compressed.
  private static func contentCount(_ bytes: [UInt8]) -> Int {
    guard Gzip.isGzip(bytes), let stream = try? GzipStream(limit: ReadingLimits().contentInBytes) else {
      return bytes.count
    }
    var count = 0
    bytes.withUnsafeBytes { raw in try? stream.push(raw) { count += $0.count } }
    return max(count, bytes.count)
  }

  /// Passes the result through bonds, the byte form and the writers.
  private func check(_ structure: Structure) {
    _ = StructureCounts(structure)
    let bonds = structure.models.indices.prefix(3).map { BondPerception.bonds(of: structure, model: $0) }
    var pieces = StructureCoding.Pieces()
    pieces.hierarchy = StructureCoding.hierarchy(of: structure)
    pieces.annotations = StructureCoding.annotations(of: structure)
    pieces.atoms = structure.models.indices.map { StructureCoding.atoms(of: structure, model: $0) }
    do {
      let again = try StructureCoding.structure(from: pieces)
      precondition(again.atoms.count == structure.atoms.count, "the byte form keeps every atom")
      for model in bonds {
        let kept = try StructureCoding.bonds(from: StructureCoding.bonds(model), atomCount: structure.atoms.count)
        precondition(kept.count == model.count, "the byte form keeps every bond")
      }
    } catch {
      fatalError("the byte form of a structure that was read cannot be read: \(error)")
    }
    if structure.atoms.count < Self.mostWrittenAtoms { write(structure, bonds) }
  }

  /// Larger structures are not written again: faults show in small ones.
  private static let mostWrittenAtoms = 400

  /// Writes the result in every format, and expects every atom back.
  private func write(_ structure: Structure, _ bonds: [[Bond]]) {
    let rest = Array(repeating: [Bond](), count: structure.models.count - bonds.count)
    let molecule = Molecule(id: nil, format: "PDB", file: "input", structure: structure, bonds: bonds + rest)
    var written = [MMCIFWriter.bytes(of: molecule), XYZWriter.bytes(of: molecule)]
    if let pdb = try? PDBWriter.bytes(of: molecule) { written.append(pdb) }
    for bytes in written {
      guard let again = try? StructureFile.read(bytes: bytes, name: "written") else {
        fatalError("what was written of a structure cannot be read")
      }
      precondition(again.atoms.count == structure.atoms.count, "every atom that is written is read again")
    }
  }

  /// Returns the name of the reader that accepts content.
  private static func format(_ bytes: [UInt8]) -> String? {
    let names = ["PDB": "pdb", "mmCIF": "cif", "BinaryCIF": "bcif", "SDF": "sdf", "XYZ": "xyz"]
    return bytes.withUnsafeBufferPointer { StructureFile.format(of: $0).flatMap { names[$0.name] } }
  }

  private static func cut(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count > longestSeed else { return bytes }
    let start = bytes.prefix(longestSeed)
    return Array(start.prefix(through: start.lastIndex(of: 10) ?? longestSeed - 1))
  }

  private static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  private static let words = [
    "ATOM  ", "HETATM", "ANISOU", "TER", "MODEL     ", "ENDMDL", "CONECT", "HELIX ", "SHEET ", "SSBOND", "LINK  ",
    "CRYST1", "SEQRES", "REMARK 350", "BIOMT1", "MODRES", "99999999", "-9999.999", "*****", "1e400", "nan", "inf",
    "data_", "loop_\n", "save_", "\n;\n", "'", "\"", "_atom_site.id", "_atom_site.Cartn_x", "_struct_conf.id", "?", ".",
    "-0", "18446744073709551616", "-9223372036854775809", "(X0)(1-60)", "1,2,3-9999999", "\r\n", "\n\n",
    "M  END", "M  V30 BEGIN ATOM", "M  V30 END ATOM", "M  CHG  8", "$$$$", "> <X>", "V2000", "V3000", "999", "-",
    "Lattice=\"", "Properties=species:S:1:pos:R:3", "RunLength", "Delta", "IntegerPacking", "StringArray", "rowCount",
    "srcSize", "data",
  ]
}
