import BenchmarkSupport
import Glibc
import PluginCompression

@testable import PathCase

// Files of networks and fluxes: SBML to a linked model, compared with libsbml and COBRApy (PyPI python-libsbml and
// cobra); eighty files of WikiPathways; best fluxes, their ranges and deletions of pairs, compared with COBRApy. Peers
// run in the same run, in processes of their own whose start is not counted. The shortest of several rounds counts for
// reading. Memory is the maximum growth of a process's resident memory while it reads the file once, after a small one.
//
// Usage: NetworksBenchmark [FOLDER-OF-SHARED-DATA]    (else WORKBENCH_SHARED_DATA, else ../shared/data)
//        NetworksBenchmark --time FILE ROUNDS          (ours alone, for profiles)
//        needs python3 with the peers: WORKBENCH_BENCH_PYTHON names another interpreter

let arguments = CommandLine.arguments
if arguments.count == 4, arguments[1] == ReadingChild.word {
  try ReadingChild.measure(arguments[2], after: arguments[3])
  exit(0)
}
if arguments.count == 4, arguments[1] == "--time" {
  print(try Timing.best(of: Int(arguments[3]) ?? 1) { _ = try NetworkFile.read(arguments[2]) })
  exit(0)
}
let environmentFolder = getenv("WORKBENCH_SHARED_DATA").map { String(cString: $0) }
let folder = (arguments.count > 1 ? arguments[1] : environmentFolder ?? "../shared/data") + "/pathcase/"
let peer = ModelPeer(python: getenv("WORKBENCH_BENCH_PYTHON").map { String(cString: $0) } ?? "python3")
let scratch = ScratchFolder()
defer { scratch.remove() }

/// One model that all sides read.
struct ModelCase {
  var name: String
  var path: String
  var small: String
  var rounds: Int
  var timeBar: Double?
  var memoryBar: Double?

  func run() throws {
    let time = try Timing.best(of: rounds) { _ = try NetworkFile.read(path) }
    for tool in ModelPeer.tools {
      let their = peer.time(tool, path, rounds: tool == "libsbml" ? 3 : 2)
      Measurement("read \(name)", time, unit: "ms", peer: their.map { (tool, $0) }, bar: timeBar).print()
    }
    guard let memory = ReadingChild.memory(path, after: small) else {
      return Measurement.skip("memory to read \(name)", because: "a process failed")
    }
    for tool in ModelPeer.tools {
      let their = peer.memory(tool, path, after: small)
      Measurement("memory to read \(name)", memory, unit: "MiB", peer: their.map { (tool, $0) }, bar: memoryBar).print()
    }
  }
}

/// Returns the plain files of a tar archive.
///
/// - Source: POSIX.1-1988, format `ustar`: blocks of 512 bytes, the size in octal in bytes 124 to 135.
func members(ofTar archive: [UInt8]) -> [[UInt8]] {
  var found: [[UInt8]] = []
  var place = 0
  while place + 512 <= archive.count, archive[place] != 0 {
    let digits = archive[(place + 124)..<(place + 136)].filter { $0 >= 0x30 && $0 < 0x38 }
    let size = digits.reduce(0) { $0 * 8 + Int($1 - 0x30) }
    let isFile = archive[place + 156] == 0x30 || archive[place + 156] == 0
    if isFile { found.append(Array(archive[(place + 512)..<(place + 512 + size)])) }
    place += 512 + (size + 511) / 512 * 512
  }
  return found
}

/// Measures best fluxes and their ranges.
func measureFluxes(_ name: String, _ path: String, rounds: Int) throws {
  guard case .model(let document) = try NetworkFile.read(path) else { return }
  let problem = FluxProblem(document.model)
  var best = 0.0
  let time = try Timing.best(of: rounds) { best = try FluxAnalysis.solve(problem).objective ?? .nan }
  let their = peer.optimum(path)
  Measurement("best fluxes of \(name)", time, unit: "ms", peer: their.map { ("cobra", $0.milliseconds) }).print()
  if let their { printDifference("best fluxes of \(name): difference", best, their.value) }
  var sum = 0.0
  let rangesTime = try Timing.best(of: max(1, rounds / 4)) {
    let ranges = try FluxAnalysis.ranges(problem, fraction: 1) { false }.ranges
    sum = ranges.reduce(0) { $0 + ($1.map { $0.largest - $0.least } ?? 0) }
  }
  let theirRanges = peer.ranges(path)
  Measurement(
    "ranges of fluxes of \(name)", rangesTime, unit: "ms", peer: theirRanges.map { ("cobra", $0.milliseconds) },
    maximumRatio: 0.2
  ).print()
  if let theirRanges { printDifference("ranges of fluxes of \(name): difference of widths", sum, theirRanges.value) }
}

/// Measures deletions of all pairs of every `step`th reaction.
func measurePairs(_ name: String, _ path: String, every step: Int, rounds: Int) throws {
  guard case .model(let document) = try NetworkFile.read(path) else { return }
  let problem = FluxProblem(document.model)
  let deleted = stride(from: 0, to: problem.reactionCount, by: step).map { [$0] }
  var (count, sum) = (0, 0.0)
  let time = try Timing.best(of: rounds) {
    let pairs = try PairDeletions(problem, of: deleted)
    count = pairs.order.count
    sum = try pairs.results(of: 0..<count).reduce(0) { $0 + ($1.result.objective ?? 0) }
  }
  let their = peer.pairs(path, every: step)
  Measurement(
    "\(count) pairs of \(name)", time, unit: "ms", peer: their.map { ("cobra", $0.milliseconds) }, maximumRatio: 0.2
  ).print()
  if let their { printDifference("pairs of \(name): difference of growths", sum, their.value) }
}

/// Prints by which fraction a result differs from the peer's.
func printDifference(_ name: String, _ value: Double, _ their: Double) {
  Measurement(name, abs(value - their) / abs(their), unit: "1", bar: 1e-6).print()
}

do {
  let large = try scratch.write(
    Gzip.uncompress(FileBytes.read(folder + "sbml/iJO1366.xml.gz")), name: "iJO1366.xml")
  let core = folder + "sbml/e_coli_core.xml"
  try ModelCase(name: "e_coli_core (SBML)", path: core, small: folder + "sbml/mini_fbc2.xml", rounds: 20).run()
  try ModelCase(name: "iJO1366 (SBML)", path: large, small: core, rounds: 5, timeBar: 150, memoryBar: 60).run()

  let files = members(ofTar: try Gzip.uncompress(FileBytes.read(folder + "gpml/wikipathways-80.tar.gz")))
  let time = try Timing.best(of: 5) { for file in files { _ = try MapReader.read(file) } }
  Measurement("read \(files.count) files of WikiPathways", time, unit: "ms", bar: 200).print()

  try measureFluxes("e_coli_core", core, rounds: 20)
  try measureFluxes("iJO1366", large, rounds: 4)
  try measurePairs("e_coli_core", core, every: 1, rounds: 5)
  try measurePairs("iJO1366", large, every: 32, rounds: 1)
  try measurePairs("iJO1366", large, every: 5, rounds: 1)
} catch {
  Measurement.skip("networks", because: "\(error)")
}
