import BenchmarkSupport
import Glibc

@testable import Molecules

// Times of selections and superpositions in large entries, one JSON line each; the shortest of many rounds counts.
//
// The structure is read in advance; a round parses the expression and finds the atoms. The peer's script uses biotite's
// cell list, including its construction, in the same run.
//
// Usage: SelectionBenchmark [FOLDER-OF-SHARED-DATA]    (else WORKBENCH_SHARED_DATA, else ../shared/data)
//        needs python3 with biotite: WORKBENCH_BENCH_PYTHON names another interpreter

let arguments = CommandLine.arguments
let environmentFolder = getenv("WORKBENCH_SHARED_DATA").map { String(cString: $0) }
let folder = (arguments.count > 1 ? arguments[1] : environmentFolder ?? "../shared/data") + "/molecules/pdb/"
let python = getenv("WORKBENCH_BENCH_PYTHON").map { String(cString: $0) } ?? "python3"

let cellList = """
  import sys, gzip, time
  import biotite.structure as bs, biotite.structure.io.pdb as pdb
  atoms = pdb.PDBFile.read(gzip.open(sys.argv[1], 'rt')).get_structure(model=1, altloc='all')
  best = 1e9
  for _ in range(5):
      start = time.perf_counter()
      chosen = atoms.res_name == sys.argv[2] if sys.argv[2] != '*' else atoms.chain_id == 'A'
      cells = bs.CellList(atoms[chosen], 5.0)
      found = (cells.get_atoms(atoms.coord, 5.0) != -1).any(axis=1)
      best = min(best, time.perf_counter() - start)
  print(best * 1000)
  """

func structure(_ name: String) throws -> Structure {
  try StructureFile.read(bytes: FileBytes.read(folder + name), name: name)
}

func measure(_ text: String, in structure: Structure, named name: String, peer: (String, Double)? = nil) throws {
  var count = 0
  let time = try Timing.best(of: 30) { count = try Selection(text).atoms(of: structure, model: 0).count }
  Measurement("select '\(text)' in \(name), \(count) atoms", time, unit: "ms", peer: peer).print()
}

do {
  let (large, watered) = (try structure("2btv.pdb.gz"), try structure("3nig.pdb.gz"))
  func peer(_ file: String, _ residue: String) -> (String, Double)? {
    Program.number([python, "-c", cellList, folder + file, residue]).map { ("biotite", $0) }
  }
  try measure("within 5 of resn HOH", in: watered, named: "3NIG", peer: peer("3nig.pdb.gz", "HOH"))
  try measure("within 5 of resn HOH", in: large, named: "2BTV")
  try measure("within 5 of chain A", in: large, named: "2BTV", peer: peer("2btv.pdb.gz", "*"))
  for text in [
    "within 5 of protein", "within 40 of chain A", "byres within 5 of name CA and resn LYS", "name CA", "resi 1-100",
    "protein and not backbone", "helix", "within 1 of (x < -1e6 or resn XXX)", "chain A and b > 30 or resn ALA+GLY",
  ] {
    try measure(text, in: large, named: "2BTV")
  }
  let part = SuperpositionPart(structure: large, name: "2btv")
  var number = Superposition.Options()
  number.rule = .number
  for options in [Superposition.Options(), number] {
    var count = 0
    let time = try Timing.best(of: 3) { count = try Superposition(part, onto: part, options).keptCount }
    Measurement("superpose 2BTV on itself by \(options.rule.rawValue), \(count) CA", time, unit: "ms").print()
  }
} catch {
  print("{\"name\":\"selections\",\"error\":\"\(error)\"}")
}
