import BenchmarkSupport
import Glibc

/// The program itself, in a terminal: the first frame from a file, and frames while a key is held.
struct FirstFrames {
  /// The program.
  var workbench: String
  /// The folder of the structures.
  var folder: String

  private static let right = "\u{1B}[C"
  /// A frame below this has no picture in it.
  private static let smallestFrame = 12_288
  /// The lines of which the file of many models is made.
  private static let modelCount = 20

  /// Measures and prints.
  func measure() throws {
    let scratch = ScratchFolder()
    defer { scratch.remove() }
    guard let plain = try unpacked("pdb/2btv.pdb.gz", scratch) else { return }
    let many = try scratch.write(Self.models(of: try FileBytes.read(plain)), name: "htqlike.pdb")
    measureFirst("1CRN", folder + "pdb/1crn.pdb", maximumRatio: 12, rounds: 41)
    measureFirst("2BTV", plain, bar: 40, rounds: 15)
    measureFirst("2BTV, gzipped", folder + "pdb/2btv.pdb.gz", bar: nil, rounds: 9)
    measureFirst("981 220 atoms in 20 models", many, bar: 400, rounds: 5)
    measureTurning(plain)
  }

  /// Returns a decompressed copy of a gzipped file.
  private func unpacked(_ file: String, _ scratch: ScratchFolder) throws -> String? {
    let run = Program.output(["gzip", "-dc", folder + file])
    guard run.status == 0 else {
      Measurement.skip("first frames", because: "gzip cannot read '\(file)'")
      return nil
    }
    return try scratch.write(Array(run.text.utf8), name: "2btv.pdb")
  }

  /// Returns the header of a file, followed by its atoms as a number of models.
  private static func models(of bytes: [UInt8]) -> [UInt8] {
    let lines = bytes.split(separator: 10)
    func isAtom(_ line: ArraySlice<UInt8>) -> Bool {
      [Array("ATOM".utf8), Array("HETATM".utf8), Array("TER".utf8)].contains { line.starts(with: $0) }
    }
    let header = lines.prefix { !isAtom($0) }.joined(separator: [10])
    let atoms = lines.filter(isAtom).joined(separator: [10])
    var result = Array(header) + [10]
    for model in 1...modelCount {
      let number = String(repeating: " ", count: 4 - String(model).count) + String(model)
      result += Array("MODEL     \(number)\n".utf8) + Array(atoms) + Array("\nENDMDL\n".utf8)
    }
    return result + Array("END\n".utf8)
  }

  /// Measures the time from the start of the process until the terminal has read the first frame with a picture.
  private func measureFirst(
    _ name: String, _ file: String, bar: Double? = nil, maximumRatio: Double? = nil, rounds: Int
  ) {
    var (times, starts): ([Double], [Double]) = ([], [])
    for _ in 0..<rounds {
      if let start = Program.time(["git", "--version"]) { starts.append(start) }
      let start = Timing.milliseconds()
      guard let terminal = terminal(file) else {
        return Measurement.skip("first frame of \(name)", because: "no terminal to be had")
      }
      let size = terminal.readFrame(smallest: Self.smallestFrame, atMost: 10_000)
      let time = Timing.milliseconds() - start
      terminal.end()
      guard size != nil else { return Measurement.skip("first frame of \(name)", because: "no frame came") }
      times.append(time)
    }
    Measurement("first frame of \(name), best", times.min() ?? .nan, unit: "ms", bar: bar).print()
    Measurement(
      "first frame of \(name), median", Timing.median(times), unit: "ms",
      peer: ("git --version", Timing.median(starts)), maximumRatio: maximumRatio
    ).print()
  }

  /// Keys as fast as frames come.
  private func measureTurning(_ file: String) {
    guard let terminal = terminal(file) else {
      return Measurement.skip("2BTV turning", because: "no terminal to be had")
    }
    defer { terminal.end() }
    terminal.readUntilQuiet(milliseconds: 700, atMost: 8000)
    var best = 0.0
    for _ in 0..<3 {
      let start = Timing.milliseconds()
      var count = 0
      while Timing.milliseconds() < start + 1500 {
        terminal.type(Self.right)
        if terminal.readFrame(smallest: Self.smallestFrame) == nil { break }
        count += 1
      }
      best = max(best, Double(count) / (Timing.milliseconds() - start) * 1000)
    }
    Measurement("2BTV turning in the program, 200x60 cells: frames a second", best, unit: "1/s", floor: 60).print()
  }

  private func terminal(_ file: String) -> PseudoTerminal? {
    func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    let environment = [
      "TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8", "PATH": variable("PATH"),
      "HOME": variable("HOME"), "WORKBENCH_HOME": variable("WORKBENCH_HOME"),
    ].filter { !$0.value.isEmpty }
    return PseudoTerminal(
      [workbench, "run", "molecules", file], environment: environment, columns: 200, rows: 60)
  }
}
