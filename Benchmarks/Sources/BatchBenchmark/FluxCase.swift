import BenchmarkSupport
import Glibc

/// Ranges of fluxes of many models in a batch run, against COBRApy in one process up to one for each processor.
struct FluxCase {
  var program: BatchProgram
  /// An SBML model, which is copied.
  var model: String

  /// Prints the shortest time for all models in seconds, without that to load COBRApy.
  private static let peer = """
    import logging, multiprocessing, os, sys, time
    logging.disable(logging.CRITICAL)
    import cobra
    from cobra.flux_analysis import flux_variability_analysis
    def ranges(path):
        model = cobra.io.read_sbml_model(path)
        return len(flux_variability_analysis(model, fraction_of_optimum=1.0, processes=1))
    paths = open(sys.argv[1]).read().split()
    best = 1e9
    for processes in range(1, os.cpu_count() + 1):
        start = time.perf_counter()
        if processes == 1:
            for path in paths: ranges(path)
        else:
            with multiprocessing.Pool(processes) as pool: pool.map(ranges, paths, chunksize=1)
        best = min(best, time.perf_counter() - start)
    print(best)
    """

  func measure() throws {
    let count = program.scaled(100)
    let name = "batch: ranges of fluxes of \(count) models"
    guard let bytes = try? FileBytes.read(model) else {
      return Measurement.skip(name, because: "the shared models are not there")
    }
    let paths = try (1...count).map { try program.scratch.write(bytes, name: "model-\($0).xml") }
    let list = try program.list(paths, "models.txt")
    let words = ["run", program.run("ranges"), "--items", list, "--", "pathcase", "fva", "{}"]
    guard let usage = program.work(words), usage.status == 0 else {
      return Measurement.skip(name, because: "the run failed")
    }
    let python = getenv("WORKBENCH_BENCH_PYTHON").map { String(cString: $0) } ?? "python3"
    let their = Program.number([python, "-c", Self.peer, list])
    Measurement(
      name, usage.milliseconds / 1000, unit: "s", peer: their.map { ("cobra", $0) }, maximumRatio: 0.2
    ).print()
  }
}
