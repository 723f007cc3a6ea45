import BenchmarkSupport
import Glibc

/// Planning of many files, and of many lines of a list.
struct PlanCase {
  var program: BatchProgram

  func measure() throws {
    try measureFiles(program.scaled(230_000))
    try measureList(program.scaled(1_000_000))
  }

  /// Measures planning with its probe: the files are empty, so each item of it is an error.
  private func measureFiles(_ count: Int) throws {
    let folder = program.run("archive")
    mkdir(folder, 0o700)
    for group in 0...(count / 1000) { mkdir("\(folder)/\(group)", 0o700) }
    for number in 0..<count { close(open("\(folder)/\(number / 1000)/\(number).pdb", O_WRONLY | O_CREAT, 0o600)) }
    measure("\(count) files", ["--files", folder + "/*/*.pdb"], seconds: 10, mebibytes: nil)
  }

  private func measureList(_ count: Int) throws {
    let list = try program.list((1...count).map { "structure-\($0)" }, "items.txt")
    measure("\(count) lines", ["--items", list, "--probe", "0"], seconds: 60, mebibytes: 200)
  }

  private func measure(_ name: String, _ options: [String], seconds: Double, mebibytes: Double?) {
    let run = program.run("plan-" + name.split(separator: " ")[1])
    let usage = Program.usage(
      [program.path, "batch", "plan", run] + options + ["--", "molecules", "secondary-structure", "{}"])
    guard let usage, usage.status == 0 else {
      return Measurement.skip("batch: plan of \(name)", because: "the plan failed")
    }
    Measurement("batch: plan of \(name)", usage.milliseconds / 1000, unit: "s", bar: seconds).print()
    Measurement("batch: plan of \(name), peak memory", usage.mebibytes, unit: "MiB", bar: mebibytes).print()
  }
}
