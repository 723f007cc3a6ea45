import BenchmarkSupport
@preconcurrency import Glibc

// The turning haemoglobin (4HHB, 4779 atoms) as spacefilling balls on 200×60 cells of half-blocks.
//
// First step by step on the program's own code, then end to end: the real program in a terminal of its own, the time
// from a typed arrow key until the last byte of the changed frame was read. The limit is that of a frame: 16 ms.
//
// Usage: TurningBenchmark PATH-OF-WORKBENCH [FOLDER-OF-SHARED-DATA]

setvbuf(stdout, nil, _IOLBF, 0)
let arguments = CommandLine.arguments
guard arguments.count >= 2 else { fatalError("usage: TurningBenchmark PATH-OF-WORKBENCH [FOLDER-OF-SHARED-DATA]") }
let named = getenv("WORKBENCH_SHARED_DATA").map { String(cString: $0) }
let file = (arguments.count > 2 ? arguments[2] : named ?? "../shared/data") + "/molecules/pdb/4hhb.pdb.gz"
if access(file, R_OK) != 0 {
  Measurement.skip("turning 4HHB", because: "'4hhb.pdb.gz' is not there")
} else {
  do {
    try TurningSteps.measure(file)
  } catch {
    print("{\"name\":\"turning 4HHB, steps\",\"error\":\"\(error)\"}")
  }
  TurningProgram(workbench: arguments[1], file: file).measure()
}
