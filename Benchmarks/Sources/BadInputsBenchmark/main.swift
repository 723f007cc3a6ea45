import BenchmarkSupport
@preconcurrency import Glibc

// Every bad input in a new process of the program: its outcome, time and memory. Inputs that are wrong only together
// with other documents are in a folder of a snapshot, for `update`; all others are for `info`.
// Usage: BadInputsBenchmark PATH-OF-WORKBENCH      WORKBENCH_SHARED_DATA names the folder of the files

guard CommandLine.arguments.count == 2 else { fatalError("usage: BadInputsBenchmark PATH-OF-WORKBENCH") }
let workbench = CommandLine.arguments[1]
let data = (getenv("WORKBENCH_SHARED_DATA").map { String(cString: $0) } ?? "../shared/data") + "/pathcase"
guard let inputs = try? BadInput.all(in: data), !inputs.isEmpty else {
  Measurement.skip("bad inputs", because: "'\(data)' is not there")
  exit(0)
}
let home = String(cString: mkdtemp(strdup("/tmp/workbench-bench-XXXXXX")))
let snapshot = home + "/snapshot"
for folder in [home + "/home", snapshot, snapshot + "/layouts"] { mkdir(folder, 0o700) }
setenv("WORKBENCH_HOME", home + "/home", 1)

func arguments(_ input: BadInput) throws -> [String] {
  let path = "\(data)/bad/\(input.file)"
  guard let place = input.place else { return [workbench, "pathcase", "info", path, "--json"] }
  try SnapshotFolder.write(FileBytes.read(path), as: place, source: data + "/maw/cori", to: snapshot)
  return [workbench, "pathcase", "update", "--server", snapshot, "--json"]
}

/// Returns the best of three runs: another program may have had the processor.
func run(_ input: BadInput) throws -> Program.Usage? {
  let words = try arguments(input)
  let runs = (0..<3).compactMap { _ in Program.usage(words) }
  return runs.min { $0.milliseconds < $1.milliseconds }
}

_ = Program.usage([workbench, "pathcase", "list", "--json"])
var right = 0
var slowest = (name: "", value: 0.0)
var largest = (name: "", value: 0.0)
for input in inputs {
  guard let usage = try run(input) else { fatalError("'\(workbench)' cannot be started") }
  if input.isRight(usage) {
    right += 1
  } else {
    print("{\"name\":\"bad inputs: \(input.file)\",\"error\":\"ended with status \(usage.status)\"}")
    fputs(usage.errors, stderr)
  }
  if input.isLarge {
    Measurement("bad inputs: time of \(input.file)", usage.milliseconds, unit: "ms").print()
    Measurement("bad inputs: memory of \(input.file)", usage.mebibytes, unit: "MiB").print()
  } else {
    if usage.milliseconds > slowest.value { slowest = (input.file, usage.milliseconds) }
    if usage.mebibytes > largest.value { largest = (input.file, usage.mebibytes) }
  }
}
Measurement("bad inputs: right outcomes of \(inputs.count)", Double(right), unit: "files", floor: Double(inputs.count))
  .print()
Measurement("bad inputs: longest time (\(slowest.name))", slowest.value, unit: "ms", bar: 100).print()
Measurement("bad inputs: most memory (\(largest.name))", largest.value, unit: "MiB", bar: 95.4).print()
_ = Program.run(["rm", "-rf", home])
