import BenchmarkSupport
@preconcurrency import Glibc

// Frames of large structures: drawn, turned into cells, written to a terminal, and the first one from a file.
//
// Drawing is measured on the program's own code, best of many turns of the molecule, on one thread and on two; response
// times are measured on the real program in a terminal of its own. Frames per second are those of the best frame.
//
// Usage: RasterBenchmark PATH-OF-WORKBENCH [FOLDER-OF-SHARED-DATA]

setvbuf(stdout, nil, _IOLBF, 0)
let arguments = CommandLine.arguments
guard arguments.count >= 2 else { fatalError("usage: RasterBenchmark PATH-OF-WORKBENCH [FOLDER-OF-SHARED-DATA]") }
let named = getenv("WORKBENCH_SHARED_DATA").map { String(cString: $0) }
let folder = (arguments.count > 2 ? arguments[2] : named ?? "../shared/data") + "/molecules/"
do {
  try DrawingFigures(folder: folder).measure()
  try FirstFrames(workbench: arguments[1], folder: folder).measure()
} catch {
  print("{\"name\":\"raster\",\"error\":\"\(error)\"}")
}
