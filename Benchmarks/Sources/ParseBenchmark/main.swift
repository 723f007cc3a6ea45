import BenchmarkSupport
import Glibc
import PluginCompression

@testable import Molecules

// Parsing to the full model, compared with gemmi from PyPI, in the same run and from the same files on disk.
//
// Both sides open, read and parse the file in every round; gzipped files are decompressed to a temporary folder first,
// except in the cases of gzipped files. The shortest of many rounds counts on either side; the two sides take turns, so
// that a busy machine disturbs both. The first round of each also checks that both found the same atoms. Ours makes the
// whole `Structure`: hierarchy, header, secondary structure, links, assemblies, kinds of residues. Memory is the
// maximum growth of a separate process's resident memory while it reads the file once, including the file. `htqlike`
// stands for entry 1HTQ, the large file of older comparisons: 2BTV as twenty models, and gemmi's conversion of that to
// mmCIF.
//
// Usage: ParseBenchmark [FOLDER-OF-SHARED-DATA]    (else WORKBENCH_SHARED_DATA, else ../shared/data)
//        ParseBenchmark --time FILE ROUNDS        (ours alone, for profiles)
//        needs python3 with gemmi: WORKBENCH_BENCH_PYTHON names another interpreter

let arguments = CommandLine.arguments
if arguments.count == 4, arguments[1] == Child.memoryWord {
  try Child.measureMemory(arguments[2], after: arguments[3])
  exit(0)
}
if arguments.count == 4, arguments[1] == Child.timeWord {
  try Child.measureTime(arguments[2], rounds: Int(arguments[3]) ?? 1)
  exit(0)
}
let environmentFolder = getenv("WORKBENCH_SHARED_DATA").map { String(cString: $0) }
let dataFolder = (arguments.count > 1 ? arguments[1] : environmentFolder ?? "../shared/data") + "/molecules/"
let peer = Peer(python: getenv("WORKBENCH_BENCH_PYTHON").map { String(cString: $0) } ?? "python3")

let cases: [ParseCase] = [
  ParseCase(file: "pdb/1crn.pdb", rounds: 200),
  ParseCase(file: "pdb/4hhb.pdb.gz", rounds: 100),
  ParseCase(file: "pdb/2btv.pdb.gz", rounds: 30, bar: 0.5, memoryBar: 1),
  ParseCase(file: LargeFiles.pdbName, rounds: 4, bar: 0.5, memoryBar: 1),
  ParseCase(file: "cif/1crn.cif", rounds: 200),
  ParseCase(file: "cif/4hhb.cif.gz", rounds: 50, bar: 0.12, memoryBar: 0.25),
  ParseCase(file: "cif/1ffk.cif.gz", rounds: 10, bar: 0.12, memoryBar: 0.25),
  ParseCase(file: LargeFiles.cifName, rounds: 2, bar: 0.12, memoryBar: 0.25),
  ParseCase(file: "pdb/2btv.pdb.gz", rounds: 20, bar: 0.5, keepsGzip: true),
  ParseCase(file: "cif/1ffk.cif.gz", rounds: 10, bar: 0.5, keepsGzip: true),
]
let scratch = ScratchFolder()
defer { scratch.remove() }
do {
  let large = try LargeFiles.writePDB(of: dataFolder + "pdb/2btv.pdb.gz", into: scratch)
  let twin = try scratch.write([], name: LargeFiles.cifName)
  try peer.writeCIF(of: large, to: twin)
} catch {
  print("{\"name\":\"large files\",\"error\":\"\(error)\"}")
}
for entry in cases {
  do {
    try entry.run(dataFolder: dataFolder, scratch: scratch, peer: peer)
  } catch {
    print("{\"name\":\"parse \(entry.file)\",\"error\":\"\(error)\"}")
  }
}
do {
  let path = dataFolder + "bcif/6wg6.bcif.gz"
  var count = 0
  let time = try Timing.best(of: 40) {
    count = try StructureFile.read(bytes: FileBytes.read(path), name: "6wg6").atoms.count
  }
  Measurement("parse bcif/6wg6.bcif.gz (\(count) atoms)", time, unit: "ms", bar: 10).print()
} catch {
  print("{\"name\":\"parse bcif/6wg6.bcif.gz\",\"error\":\"\(error)\"}")
}
do {
  let structure = try StructureFile.read(bytes: FileBytes.read(dataFolder + "pdb/2btv.pdb.gz"), name: "2btv")
  var count = 0
  let time = Timing.best(of: 20) { count = BondPerception.bonds(of: structure).count }
  Measurement("bonds of 2btv (\(count))", time, unit: "ms", bar: 15).print()
} catch {
  print("{\"name\":\"bonds of 2btv\",\"error\":\"\(error)\"}")
}
