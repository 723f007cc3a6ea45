import BenchmarkSupport
import Glibc
import PluginCompression

@testable import Molecules

// Parsing to the full model against gemmi from PyPI, in the same run and from the same files on disk.
//
// Both sides open, read and parse the file in every round; files that are kept gzipped are uncompressed to a temporary
// folder first, except where the gzipped file itself is the case. The shortest of many rounds counts on either side; the two
// sides take turns, so that a busy machine disturbs both. The first round of each also checks that both found the same atoms.
// Ours makes the whole `Structure`: hierarchy, header, secondary structure, links, assemblies, kinds of residues.
//
// Usage: ParseBenchmark [FOLDER-OF-SHARED-DATA]    (else WORKBENCH_SHARED_DATA, else ../shared/data)
//        needs python3 with gemmi: WORKBENCH_BENCH_PYTHON names another interpreter

let arguments = CommandLine.arguments
let environmentFolder = getenv("WORKBENCH_SHARED_DATA").map { String(cString: $0) }
let dataFolder = (arguments.count > 1 ? arguments[1] : environmentFolder ?? "../shared/data") + "/molecules/"
let python = getenv("WORKBENCH_BENCH_PYTHON").map { String(cString: $0) } ?? "python3"

let cases: [ParseCase] = [
  ParseCase(file: "pdb/1crn.pdb", rounds: 200, bar: 1.0),
  ParseCase(file: "pdb/4hhb.pdb.gz", rounds: 100, bar: 1.0),
  ParseCase(file: "pdb/2btv.pdb.gz", rounds: 30, bar: 1.0),
  ParseCase(file: "cif/1crn.cif", rounds: 200, bar: 0.5),
  ParseCase(file: "cif/4hhb.cif.gz", rounds: 50, bar: 0.5),
  ParseCase(file: "cif/1ffk.cif.gz", rounds: 10, bar: 0.5),
  ParseCase(file: "pdb/2btv.pdb.gz", rounds: 20, bar: 1.0, keepsGzip: true),
]
let scratch = ScratchFolder()
defer { scratch.remove() }
for entry in cases {
  do {
    try entry.run(dataFolder: dataFolder, scratch: scratch, python: python)
  } catch {
    print("{\"name\":\"parse \(entry.file)\",\"error\":\"\(error)\"}")
  }
}
do {
  let structure = try StructureFile.read(bytes: FileBytes.read(dataFolder + "pdb/2btv.pdb.gz"), name: "2btv")
  var count = 0
  let time = Timing.best(of: 20) { count = BondPerception.bonds(of: structure).count }
  Measurement("bonds of 2btv (\(count))", time, unit: "ms", bar: 15).print()
} catch {
  print("{\"name\":\"bonds of 2btv\",\"error\":\"\(error)\"}")
}
