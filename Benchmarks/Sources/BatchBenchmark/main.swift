import BenchmarkSupport
import Glibc

// Batch runs of the real program: processor time against scripts, GNU parallel and Snakemake, prediction, planning,
// gathering, state, and many models.
//
// The peers are `workbench script`, GNU parallel with a process for each file (Debian package parallel), GNU parallel
// with mkdssp (package dssp), which computes the accessibility, too, Snakemake with a job for each item (package
// snakemake), and COBRApy (PyPI cobra). The files are those of the folders pdb and cif of the shared structures.
//
// Usage: BatchBenchmark WORKBENCH [PERCENT]     PERCENT of the usual numbers of items; 100 takes about ten minutes
//        WORKBENCH_SHARED_DATA                  the folder of shared data, else ../shared/data
//        WORKBENCH_BENCH_PYTHON                 the interpreter that has COBRApy, else python3

let arguments = CommandLine.arguments
guard arguments.count >= 2 else { fatalError("usage: BatchBenchmark WORKBENCH [PERCENT]") }
let percent = arguments.count > 2 ? Int(arguments[2]) ?? 100 : 100
let shared = getenv("WORKBENCH_SHARED_DATA").map { String(cString: $0) } ?? "../shared/data"
let scratch = ScratchFolder()
let program = BatchProgram(path: arguments[1], scratch: scratch, percent: max(1, percent))

let files = WorkCase.files(of: shared + "/molecules")
try WorkCase(program: program, files: files).measure()
try PredictionCase(program: program, files: files).measure()
try PlanCase(program: program).measure()
try GatherCase(program: program).measure()
try StatusCase(program: program).measure()
if let small = files.first(where: { $0.hasSuffix("/1ubq.pdb") }) {
  try RecipeCase(program: program, file: small).measure()
}
try FluxCase(program: program, model: shared + "/pathcase/sbml/e_coli_core.xml").measure()
_ = Program.run(["rm", "-rf", scratch.path])
