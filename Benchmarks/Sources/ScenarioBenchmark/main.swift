import BenchmarkSupport
import Glibc

@testable import PathCase

// Scenario analysis: counts, pages, reasons, modes, one JSON line each; the shortest of many rounds counts. Files are
// read in advance. The peer counts the same scenarios in Python in the same run, and must get the same number.
//
// Usage: ScenarioBenchmark [FOLDER-OF-SHARED-DATA]    (else WORKBENCH_SHARED_DATA, else ../shared/data)
//        needs python3: WORKBENCH_BENCH_PYTHON names another interpreter

let arguments = CommandLine.arguments
let environmentFolder = getenv("WORKBENCH_SHARED_DATA").map { String(cString: $0) }
let files = ScenarioFiles(
  folder: (arguments.count > 1 ? arguments[1] : environmentFolder ?? "../shared/data") + "/pathcase/smda/")
let named = getenv("WORKBENCH_BENCH_PYTHON").map { String(cString: $0) } ?? "python3"
// The counting script needs only Python itself.
let python = access(named, X_OK) == 0 ? named : "python3"

func measureCount(_ file: String, _ title: String, rounds: Int, peerRounds: Int, bar: Double?) throws {
  let network = try files.network(file)
  var count = BigUnsigned.zero
  let time = try Timing.best(of: rounds) { count = try ScenarioAnalysis(network).count }
  let script = [python, "-c", pythonCount, files.folder + file + ".json", count.description, "\(peerRounds)"]
  let peer = Program.number(script).map { ("Python", $0) }
  Measurement("count of \(title): \(count)", time, unit: "ms", peer: peer, bar: bar).print()
}

/// A page of 100 at many places of all scenarios; the slowest of the best counts.
func measurePages(_ file: String, _ title: String) throws {
  let analysis = try ScenarioAnalysis(try files.network(file))
  var slowest = 0.0
  for part in 0...20 {
    var first = analysis.count
    first.multiply(by: UInt64(part))
    _ = first.divide(by: 20)
    if part == 20 { first -= 100 }
    slowest = max(slowest, Timing.best(of: 5) { precondition(analysis.page(from: first, count: 100).count == 100) })
  }
  Measurement("page of 100 anywhere in \(title), slowest of 21 places", slowest, unit: "ms", bar: 10).print()
  let shares = try Timing.best(of: 3) { _ = try analysis.marginals() }
  Measurement("shares of all processes in \(title)", shares, unit: "ms").print()
  let sample = Timing.best(of: 5) { precondition(analysis.sample(seed: 1, count: 1000).count == 1000) }
  Measurement("1000 scenarios of \(title) drawn at random", sample, unit: "ms").print()
}

func measureReasons(_ network: ScenarioNetwork, _ title: String) throws {
  let analysis = try ScenarioAnalysis(network)
  var conflicts: [ScenarioConflict] = []
  let one = try Timing.best(of: 3) { _ = try analysis.conflict() }
  let all = try Timing.best(of: 3) { conflicts = try analysis.conflicts() }
  let steps = conflicts.first?.chain.count ?? 0
  let members = conflicts.first?.observations.count ?? 0
  Measurement("reason for none in \(title), \(members) observations, \(steps) steps", one, unit: "ms", bar: 50).print()
  Measurement("all smallest conflicts of \(title): \(conflicts.count)", all, unit: "ms").print()
}

func measureRealizable(_ file: String, _ title: String) throws {
  let network = try files.network(file)
  var count = BigUnsigned.zero
  let study = ScenarioStudy(network: network, mode: .realizable)
  let time = try Timing.best(of: 3) { count = try study.scenarios(isCancelled: { false }).count }
  Measurement("realizable scenarios of \(title): \(count)", time, unit: "ms").print()
}

func measureModes(_ file: String, _ title: String) throws {
  let problem = try ModeProblem(try files.network(file))
  var found: ElementaryModes?
  let time = try Timing.best(of: 3) { found = try ElementaryModes(problem) }
  Measurement("elementary modes of \(title): \(found?.modes.count ?? 0)", time, unit: "ms").print()
}

do {
  let core = "e_coli_core"
  try measureCount("t05_glycolysis_free", "glycolysis", rounds: 50, peerRounds: 5, bar: nil)
  try measureCount("e1_e_coli_core_free", core, rounds: 30, peerRounds: 3, bar: 5)
  try measureCount("e2_e_coli_core_obs", "\(core) with four observations", rounds: 30, peerRounds: 3, bar: 5)
  try measureCount("e3_RECON1_gly_tca_ppp", "RECON1 central", rounds: 30, peerRounds: 3, bar: nil)
  try measureCount("e6_iMM904_central", "iMM904 central", rounds: 10, peerRounds: 2, bar: nil)
  try measureCount("e7_iJO1366_central", "iJO1366 central", rounds: 3, peerRounds: 1, bar: 500)
  try measurePages("e1_e_coli_core_free", core)
  try measurePages("e7_iJO1366_central", "iJO1366 central")
  for file in ["t08_glycolysis_conflict", "t10_tca_atp"] { try measureReasons(try files.network(file), file) }
  for (file, title) in [
    ("e1_e_coli_core_free", core), ("e3_RECON1_gly_tca_ppp", "RECON1 central"), ("e6_iMM904_central", "iMM904 central"),
    ("e7_iJO1366_central", "iJO1366 central"),
  ] {
    for seed in 1...2 {
      guard let network = try ScenarioFiles.contradiction(of: try files.network(file), seed: UInt64(seed)) else {
        continue
      }
      try measureReasons(network, "\(title) (\(seed))")
    }
  }
  try measureRealizable("t05_glycolysis_free", "glycolysis")
  try measureRealizable("e3_RECON1_gly_tca_ppp", "RECON1 central")
  try measureModes("t05_glycolysis_free", "glycolysis")
  try measureModes("e3_RECON1_gly_tca_ppp", "RECON1 central")
} catch {
  Measurement.skip("scenarios", because: "\(error)")
}
