import Glibc

/// gemmi, called by scripts of its own.
struct Peer {
  /// The Python interpreter that has it.
  var python: String

  private static let timing = """
    import sys, time, gemmi
    best = 1e9
    for _ in range(int(sys.argv[2])):
        start = time.perf_counter()
        structure = gemmi.read_structure(sys.argv[1])
        best = min(best, time.perf_counter() - start)
    atoms = sum(model.count_atom_sites() for model in structure)
    print(best * 1000, atoms)
    """

  private static let memory = """
    import sys, gemmi
    def status(key):
        return next(int(line.split()[1]) for line in open('/proc/self/status') if line.startswith(key))
    gemmi.read_structure(sys.argv[2])
    open('/proc/self/clear_refs', 'w').write('5')
    before = status('VmRSS')
    structure = gemmi.read_structure(sys.argv[1])
    peak = status('VmHWM')
    atoms = sum(model.count_atom_sites() for model in structure)
    print((peak - before) / 1024, atoms)
    """

  private static let conversion = """
    import sys, gemmi
    structure = gemmi.read_structure(sys.argv[1])
    structure.setup_entities()
    structure.make_mmcif_document().write_file(sys.argv[2])
    print(0, 0)
    """

  /// Returns the shortest time of several rounds in milliseconds, and the number of atoms read.
  func time(_ path: String, rounds: Int) throws -> (milliseconds: Double, atoms: Int) {
    try run(Self.timing, path, "\(rounds)")
  }

  /// By how many MiB reading a file lets the resident memory of a process of its own grow at most.
  ///
  /// A small file that is read before brings code and tables into memory.
  func memory(_ path: String, after small: String) throws -> (mebibytes: Double, atoms: Int) {
    try run(Self.memory, path, small)
  }

  /// Writes a structure file as mmCIF.
  func writeCIF(of path: String, to target: String) throws { _ = try run(Self.conversion, path, target) }

  private func run(_ script: String, _ arguments: String...) throws -> (Double, Int) {
    try Child.figures([python, "-c", script] + arguments)
  }
}
