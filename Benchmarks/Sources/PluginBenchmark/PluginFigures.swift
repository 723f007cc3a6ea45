import BenchmarkSupport
import Glibc
import PluginAPI

@testable import Host

/// The measurements of plugins.
struct PluginFigures {
  /// The folder of the real program.
  var program: String
  /// The folder of the small plugins.
  var plugins: String

  private static let id = "small-01"
  private static let rounds = 41
  private var library: String { plugins + "/small-01/libSmall01.so" }

  /// Measures and prints.
  func measure() throws {
    try measureLoading()
    measureProbe()
    measureList()
  }

  private func measureLoading() throws {
    let this = FilePath.linkTarget("/proc/self/exe") ?? CommandLine.arguments[0]
    let opening = figures { Program.number([this, "open", Self.id, library]) }
    Measurement("plugin: dlopen and entry", Timing.median(opening), unit: "ms").print()
    // The first run probes and fills the registry.
    _ = Program.number([this, "load", Self.id, plugins])
    let loading = figures { Program.number([this, "load", Self.id, plugins]) }
    let first = "plugin: first one loaded and activated, with crash handler, journal and watchdog"
    Measurement(first, Timing.median(loading), unit: "ms", bar: 0.5).print()
    let next = figures { Program.number([this, "load-next", Self.id, plugins]) }
    Measurement("plugin: each further one loaded and activated", Timing.median(next), unit: "ms", bar: 0.5).print()
  }

  private func measureProbe() {
    let installation = HostInstallation(folder: program)
    let probe = PluginProbe(installation: installation)
    var isUsable = true
    let probing = Timing.all(Self.rounds) {
      if case .usable = probe.verdict(on: library, id: Self.id).verdict { return }
      isUsable = false
    }
    let looking = Timing.all(Self.rounds) {
      let examiner = PluginExaminer(
        registry: PluginRegistry(folder: "/nonexistent", installation: installation), probe: probe)
      let dossier = examiner.look(at: library, isTrusted: false).dossier
      if case .usable = dossier.map({ examiner.probed($0) })?.verdict { return }
      isUsable = false
    }
    guard isUsable else { return Measurement.skip("plugin: probe", because: "the plugin was refused") }
    Measurement("plugin: probe in a child process", Timing.median(probing), unit: "ms", bar: 5).print()
    Measurement("plugin: new file read, judged and probed", Timing.median(looking), unit: "ms").print()
  }

  /// Measures the list with fifty already probed plugins against the bare start of the program, in turns.
  private func measureList() {
    let workbench = program + "/workbench"
    setenv("WORKBENCH_PLUGIN_PATH", plugins, 1)
    defer { unsetenv("WORKBENCH_PLUGIN_PATH") }
    let list = [workbench, "plugin", "list", "--json"]
    guard Program.run(list) == 0 else {
      return Measurement.skip("plugin list with 50 plugins", because: "it did not end with status 0")
    }
    var (bare, listing): ([Double], [Double]) = ([], [])
    for _ in 0..<Self.rounds {
      if let time = Program.time([workbench, "version"]) { bare.append(time) }
      if let time = Program.time(list) { listing.append(time) }
    }
    let (start, whole) = (Timing.median(bare), Timing.median(listing))
    Measurement("plugin list with 50 plugins", whole, unit: "ms", peer: ("version", start)).print()
    Measurement("plugin list with 50 plugins, above the bare start", whole - start, unit: "ms", bar: 4).print()
  }

  private func figures(_ run: () -> Double?) -> [Double] {
    (0..<Self.rounds).compactMap { _ in run() }
  }
}
