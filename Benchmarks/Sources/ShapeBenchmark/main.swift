import BenchmarkSupport
import Glibc
import PluginCompression

@testable import Molecules

// Cartoons and surfaces on one thread: making them once, and turning them at 400×240 pixels with occlusion, outlines
// and fog, as a terminal of 200×60 cells shows them in braille. Data that the next picture reuses (patches, bounds) is
// part of making. There is no peer: the limits are those of the issue. The shortest of several rounds counts.
//
// Usage: ShapeBenchmark [FOLDER-OF-SHARED-DATA [FILE...]]    (else WORKBENCH_SHARED_DATA, else ../shared/data)

let arguments = CommandLine.arguments
let environmentFolder = getenv("WORKBENCH_SHARED_DATA").map { String(cString: $0) }
let dataFolder = (arguments.count > 1 ? arguments[1] : environmentFolder ?? "../shared/data") + "/molecules/"

let cases = [
  ShapeCase(file: "pdb/1crn.pdb", rounds: 20, surfaceBar: nil, frameBar: nil),
  ShapeCase(file: "pdb/4hhb.pdb.gz", rounds: 7, surfaceBar: 150, frameBar: nil),
  ShapeCase(file: "pdb/2btv.pdb.gz", rounds: 3, surfaceBar: 1500, frameBar: 1000.0 / 30),
]
let wanted = Set(arguments.dropFirst(2))
for entry in cases where wanted.isEmpty || wanted.contains(entry.file) {
  do {
    try entry.run(dataFolder: dataFolder)
  } catch {
    Measurement.skip("cartoon and surface of \(entry.file)", because: "\(error)")
  }
}
