import BenchmarkSupport
@preconcurrency import Glibc

// Refreshes of a cache from the simulator in a process of its own, over TLS, with the real program as users start it.
//
// The peer is pybis in the same run, which reads the same responses and stores nothing. Our times are of the whole
// command, from start to end, with everything stored on disk.
// Usage: LabSyncBenchmark PATH-OF-WORKBENCH [keys]

guard CommandLine.arguments.count >= 2 else { fatalError("usage: LabSyncBenchmark PATH-OF-WORKBENCH [keys]") }
let workbench = CommandLine.arguments[1]
let python = getenv("WORKBENCH_BENCH_PYTHON").map { String(cString: $0) } ?? "python3"
let peer = PyBIS(python: python)

/// Runs a command of the plugin.
func openbis(_ words: String..., input: String = "") -> Child {
  Child.run([workbench, "openbis"] + words, input: input)
}

/// Logs in to a server in a home of its own.
func logIn(_ server: Simulator, isNative: Bool) -> Bool {
  let home = "/tmp/lab-sync-benchmark.\(getpid()).home"
  _ = Child.run(["rm", "-rf", home])
  setenv("WORKBENCH_HOME", home, 1)
  let words = [workbench, "openbis", "login", server.address, "--user", server.user, "--password-stdin", "--json"]
  let native = isNative ? ["--native"] : []
  let first = Child.run(words + native, input: server.password + "\n")
  if first.status == 0 { return true }
  let bytes = Array(first.errors.utf8)
  guard let place = Child.end(of: "\"pin\":\"", in: bytes) else { return false }
  let pin = String(decoding: bytes[place...].prefix { $0 != 34 }, as: UTF8.self)
  return Child.run(words + native + ["--trust", pin], input: server.password + "\n").status == 0
}

/// Times a first refresh of so many entities and one after it, by tables of V1 or objects of V3.
func measure(_ entities: Int, isNative: Bool, bar: Double?, then next: () -> Void = {}) {
  let name = "\(entities / 1000) k entities by \(isNative ? "V3" : "V1")"
  guard let server = Simulator(workbench, entities: entities), logIn(server, isNative: isNative) else {
    return Measurement.skip("first refresh of \(name)", because: "the made-up server cannot be used")
  }
  let idle = openbis("servers", "--json")
  let first = openbis("sync", "--no-index", "--json")
  guard first.status == 0, let count = first.number("entities"), count >= Double(entities) else {
    return Measurement.skip("first refresh of \(name)", because: "it failed")
  }
  let other = entities <= 100_000 ? peer.read(isNative ? .objects : .tables, server, count: entities) : nil
  Measurement(
    "first refresh of \(name)", first.milliseconds, unit: "ms",
    peer: other.map { ("pybis, nothing kept", $0.milliseconds) }, bar: bar
  ).print()
  Measurement(
    "memory above idle in a first refresh of \(name)", first.peakMebibytes - idle.peakMebibytes, unit: "MiB",
    peer: other.map { ("pybis", $0.mebibytes) }, bar: 96
  ).print()
  let again = (0..<5).map { _ in openbis("sync", "--no-index", "--json") }
  let local = again.map { $0.processorMilliseconds - idle.processorMilliseconds }
  Measurement("refresh without changes of \(name)", Timing.median(again.map(\.milliseconds)), unit: "ms").print()
  Measurement("local work of a refresh without changes of \(name)", Timing.median(local), unit: "ms", bar: 50).print()
  // In tables no entity has more than nine others below it: exporting it would measure the start of the program.
  if isNative { measureExport("SPACE.LAB_1", of: name, refreshPerEntity: first.milliseconds / count) }
  next()
}

/// Times an export of an entity and all below it beside the first refresh, both per entity.
func measureExport(_ root: String, of name: String, refreshPerEntity: Double) {
  for format in ["json", "csv"] {
    let measured = "export per entity of \(name), \(format)"
    let path = "/tmp/lab-sync-benchmark.\(getpid()).\(format)"
    defer { unlink(path) }
    let export = openbis("export", root, "--format", format, "--output", path, "--json")
    guard export.status == 0, let count = export.number("entities"), count > 1000 else {
      Measurement.skip(measured, because: "it failed")
      continue
    }
    Measurement(
      measured, 1000 * export.milliseconds / count, unit: "µs",
      peer: ("first refresh per entity", 1000 * refreshPerEntity), maximumRatio: 2
    ).print()
  }
}

/// Times refreshes of a native server, each after about three changes of the lab.
func measureChanges(_ entities: Int, bar: Double) {
  let name = "refresh of \(entities / 1000) k entities by V3 with three changes"
  let secondsToChange = 5
  guard let server = Simulator(workbench, entities: entities, changesEvery: secondsToChange),
    logIn(server, isNative: true), openbis("sync", "--no-index", "--json").status == 0
  else { return Measurement.skip(name, because: "the simulated server cannot be used") }
  // The first refresh has the changes of the one before it, which took long.
  _ = openbis("sync", "--no-index", "--json")
  let times = (0..<5).map { _ in
    sleep(UInt32(3 * secondsToChange))
    return openbis("sync", "--no-index", "--json").milliseconds
  }
  Measurement(name + ", median", Timing.median(times), unit: "ms", bar: bar).print()
  Measurement(name + ", longest", times.max() ?? 0, unit: "ms", bar: bar).print()
}

setvbuf(stdout, nil, _IOLBF, 0)
if !CommandLine.arguments.contains("keys") {
  measure(100_000, isNative: false, bar: 2000)
  measure(100_000, isNative: true, bar: 4000)
  measure(1_000_000, isNative: true, bar: nil)
  measureChanges(1_000_000, bar: 2000)
}
measure(1_000_000, isNative: false, bar: nil) { KeysDuringSync(workbench: workbench).run(entities: 1_000_000) }
