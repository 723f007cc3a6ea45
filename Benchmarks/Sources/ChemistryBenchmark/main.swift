import BenchmarkSupport
import Glibc
import PluginCompression

@testable import Molecules

// Computations from coordinates: secondary structure, bonds, surface area, contacts, assemblies.
//
// The peer for secondary structure is mkdssp 4 (Debian package dssp), run once from start to end: its time includes
// reading the file and the accessibility, which it always computes, so ours is given with and without reading. The
// shortest of several rounds counts for us.
//
// Usage: ChemistryBenchmark [FOLDER-OF-SHARED-DATA]    (else WORKBENCH_SHARED_DATA, else ../shared/data)
//        WORKBENCH_BENCH_MKDSSP names mkdssp if it is not in the path

let arguments = CommandLine.arguments
let environmentFolder = getenv("WORKBENCH_SHARED_DATA").map { String(cString: $0) }
let dataFolder = (arguments.count > 1 ? arguments[1] : environmentFolder ?? "../shared/data") + "/molecules/"
let mkdssp = getenv("WORKBENCH_BENCH_MKDSSP").map { String(cString: $0) } ?? "mkdssp"
let scratch = ScratchFolder()
defer { scratch.remove() }

/// Measures secondary structure of a file on both sides.
func measureSecondaryStructure(_ file: String, bar: Double?, in scratch: borrowing ScratchFolder) throws {
  let bytes = try Gzip.uncompress(FileBytes.read(dataFolder + file))
  let path = try scratch.write(bytes, name: String(file.dropLast(3)))
  let structure = try StructureFile.read(bytes: bytes, name: file)
  var residues = 0
  let time = Timing.best(of: 20) {
    residues = SecondaryStructureAssignment.dssp(structure).kinds.count { $0 != nil }
  }
  Measurement("secondary structure of \(file) (\(residues) residues)", time, unit: "ms", bar: bar).print()
  let whole = try Timing.best(of: 5) {
    _ = SecondaryStructureAssignment.dssp(try StructureFile.read(bytes: FileBytes.read(path), name: file))
  }
  let output = try scratch.write([], name: "peer.dssp")
  let peer = Program.time([mkdssp, "--output-format=dssp", path, output])
  guard let peer else {
    Measurement.skip("secondary structure of \(file), read and worked out", because: "mkdssp is not there")
    return
  }
  Measurement(
    "secondary structure of \(file), read and worked out", whole, unit: "ms", peer: ("mkdssp", peer), bar: peer / 100
  ).print()
}

/// Measures what has no peer here.
func measureOthers() throws {
  let capsid = try StructureFile.read(bytes: FileBytes.read(dataFolder + "pdb/2btv.pdb.gz"), name: "2btv")
  var bonds: [Bond] = []
  let bondTime = Timing.best(of: 20) { bonds = BondPerception.bonds(of: capsid) }
  Measurement("bonds of 2btv (\(bonds.count))", bondTime, unit: "ms", bar: 15).print()
  var contacts = 0
  let contactTime = Timing.best(of: 3) {
    contacts = ResidueContact.all(of: capsid, bonds: bonds, within: 4).count
  }
  Measurement("contacts of 2btv within 4 angstrom (\(contacts))", contactTime, unit: "ms").print()
  let protein = try StructureFile.read(bytes: FileBytes.read(dataFolder + "pdb/4hhb.pdb.gz"), name: "4hhb")
  var area = 0.0
  let areaTime = Timing.best(of: 3) { area = SurfaceArea(protein)?.total ?? 0 }
  Measurement("surface area of 4hhb, 960 points (\(area.rounded()) square angstrom)", areaTime, unit: "ms").print()
  let virus = try StructureFile.read(bytes: FileBytes.read(dataFolder + "cif/1m4x.cif.gz"), name: "1m4x")
  var atoms = 0
  let assemblyTime = Timing.best(of: 20) {
    atoms = AssemblyInstances(assemblyNamed: "1", of: virus)?.atomCount ?? 0
  }
  Measurement("assembly 1 of 1m4x as instances (\(atoms) atoms)", assemblyTime, unit: "ms").print()
}

do {
  try measureSecondaryStructure("pdb/4hhb.pdb.gz", bar: nil, in: scratch)
  try measureSecondaryStructure("pdb/2btv.pdb.gz", bar: 30, in: scratch)
  try measureOthers()
} catch {
  print("{\"name\":\"chemistry\",\"error\":\"\(error)\"}")
}
