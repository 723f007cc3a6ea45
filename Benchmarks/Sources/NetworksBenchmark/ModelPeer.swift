import BenchmarkSupport

/// libsbml and COBRApy, called by scripts of our own.
struct ModelPeer {
  /// The Python interpreter that has them.
  var python: String

  /// The beginning of each script: reading by each of the two, and figures of the process.
  private static let begin = """
    import sys, time, logging
    logging.disable(logging.CRITICAL)
    def status(key):
        return next(int(line.split()[1]) for line in open('/proc/self/status') if line.startswith(key))
    def read(tool, path):
        if tool == 'libsbml':
            document = libsbml.readSBMLFromFile(path)
            assert document.getNumErrors(libsbml.LIBSBML_SEV_ERROR) == 0
            return document
        return cobra.io.read_sbml_model(path)
    tool = sys.argv[1]
    if tool == 'libsbml': import libsbml
    else: import cobra

    """

  private static let timing = """
    best = 1e9
    for _ in range(int(sys.argv[3])):
        start = time.perf_counter()
        read(tool, sys.argv[2])
        best = min(best, time.perf_counter() - start)
    print(best * 1000)
    """

  private static let memory = """
    read(tool, sys.argv[3])
    open('/proc/self/clear_refs', 'w').write('5')
    before = status('VmRSS')
    model = read(tool, sys.argv[2])
    print((status('VmHWM') - before) / 1024)
    """

  private static let optimum = """
    model = read(tool, sys.argv[2])
    start = time.perf_counter()
    value = model.slim_optimize()
    print((time.perf_counter() - start) * 1000, value)
    """

  private static let ranges = """
    from cobra.flux_analysis import flux_variability_analysis
    model = read(tool, sys.argv[2])
    start = time.perf_counter()
    found = flux_variability_analysis(model, fraction_of_optimum=1.0)
    print((time.perf_counter() - start) * 1000, float((found.maximum - found.minimum).sum()))
    """

  private static let pairs = """
    import os
    from cobra.flux_analysis import double_reaction_deletion
    model = read(tool, sys.argv[2])
    chosen = model.reactions[::int(sys.argv[3])]
    best = 1e9
    for processes in {1, os.cpu_count()} if len(chosen) < 200 else {os.cpu_count()}:
        start = time.perf_counter()
        found = double_reaction_deletion(model, chosen, chosen, processes=processes)
        best = min(best, time.perf_counter() - start)
    growths = [row.growth for row in found.itertuples() if len(row.ids) == 2]
    print(best * 1000, float(sum(growth for growth in growths if growth == growth)))
    """

  /// The names of the two.
  static let tools = ["libsbml", "cobra"]

  /// Returns the shortest time of several rounds to read a model, in milliseconds; nil without the tool.
  func time(_ tool: String, _ path: String, rounds: Int) -> Double? {
    run(Self.timing, tool, path, "\(rounds)")?.first
  }

  /// By how many MiB reading a model lets the memory of a process grow at most, after a small one; nil without the tool.
  func memory(_ tool: String, _ path: String, after small: String) -> Double? {
    run(Self.memory, tool, path, small)?.first
  }

  /// Returns the milliseconds that COBRApy takes for the best value of a model it has read, and the value.
  func optimum(_ path: String) -> (milliseconds: Double, value: Double)? { pair(run(Self.optimum, "cobra", path)) }

  /// Returns the milliseconds that COBRApy takes for the ranges of all fluxes, on all processors, and the sum of their
  /// widths.
  func ranges(_ path: String) -> (milliseconds: Double, value: Double)? { pair(run(Self.ranges, "cobra", path)) }

  /// Returns the milliseconds that COBRApy takes for all pairs of every `step`th reaction, and the sum of their
  /// objectives: with one process or one per processor, whichever is faster; for 200 reactions or more with the latter.
  func pairs(_ path: String, every step: Int) -> (milliseconds: Double, value: Double)? {
    pair(run(Self.pairs, "cobra", path, "\(step)"))
  }

  private func pair(_ figures: [Double]?) -> (milliseconds: Double, value: Double)? {
    figures.flatMap { $0.count == 2 ? ($0[0], $0[1]) : nil }
  }

  private func run(_ script: String, _ arguments: String...) -> [Double]? {
    let (status, text) = Program.output([python, "-c", Self.begin + script] + arguments, killAfter: 1_200_000)
    guard status == 0 else { return nil }
    let figures = text.split { $0 == " " || $0 == "\n" }.compactMap { Double($0) }
    return figures.isEmpty ? nil : figures
  }
}
