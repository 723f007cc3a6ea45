import Foundation
import PluginSimulation
import PluginStore
import TestSupport
import Testing

@testable import WSABI
@testable import WSABISimulator

/// Responses larger than allowed, which must not use memory: in separate processes, as concurrent tests use some.
@Suite(
  .timeLimit(.minutes(10)), .enabled(if: FileManager.default.isExecutableFile(atPath: BuiltProgram.workbench.path)))
struct TooMuchTests {
  /// The memory a process may use beyond that of one with a sound sensor.
  private static let mostInKilobytes = 48 << 10

  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// The result of running the program, with its peak memory.
  private struct Run {
    let output: String
    let peakInKilobytes: Int
  }

  /// Runs the program and samples its peak memory continuously.
  ///
  /// The peak that a parent gets after its child's end includes the parent's own memory.
  private func run(_ words: [String]) async throws -> Run {
    // On a busy machine it may end before it was watched.
    for _ in 0..<4 { if let run = try await watched(words) { return run } }
    return try #require(try await watched(words))
  }

  private func watched(_ words: [String]) async throws -> Run? {
    let script = """
      "$0" wsabi "$@" & it=$!
      while now=$(sed -n 's/^VmHWM:[^0-9]*\\([0-9]*\\).*/\\1/p' /proc/$it/status 2>/dev/null) && [ -n "$now" ]
      do peak=$now; sleep 0.01; done
      wait $it
      echo "peak $peak"
      """
    let outcome = try await OwnThread.value { [home] _ in
      try BuiltProgram.run(
        URL(fileURLWithPath: "/bin/sh"), ["-c", script, BuiltProgram.workbench.path] + words,
        environment: ["WORKBENCH_HOME": home.path.path], deadlineInSeconds: 240)
    }
    let parts = outcome.output.components(separatedBy: "peak ")
    guard let peak = parts.last.flatMap({ Int($0.filter { !$0.isWhitespace }) }) else { return nil }
    return Run(output: parts.dropLast().joined(), peakInKilobytes: peak)
  }

  @Test func `11: responses of hundreds of megabytes take no memory`() async throws {
    var peaks: [String: Int] = [:]
    let bombs = ["huge-message=300", "huge-data@getServiceInfo=300", "gzip-bomb=256", "big-key", "many-items", "deep"]
    for rule in [""] + bombs {
      let simulator = try SensorSimulator(.init(modalities: [.finger]))
      try simulator.script(rule)
      let run = try await run(["sensor", "check", simulator.addresses[0], "--json"])
      let isReachable = run.output.filter { !$0.isWhitespace }.contains("\"reachable\":true")
      #expect(isReachable == rule.isEmpty, "\(rule): \(run.output.prefix(500))")
      #expect(simulator.faults.allSatisfy { $0.met > 0 }, "\(rule)")
      peaks[rule] = run.peakInKilobytes
      await simulator.stop()
    }
    let usual = try #require(peaks[""])
    for (rule, peak) in peaks { #expect(peak - usual <= Self.mostInKilobytes, "\(rule): \(peak) kB, not \(usual)") }
  }

  @Test func `11: data of a hundred megabytes is streamed to its file`() async throws {
    let simulator = try SensorSimulator(.init(modalities: [.finger]))
    let probe = SensorProbe(simulator.addresses[0])
    let id = try #require(await probe.ask("POST", "/capture/\(await probe.ready())").captureIDs.first)
    func download(_ name: String) async throws -> Run {
      try await run(["sensor", "download", simulator.addresses[0], id, "--output", home.url(name).path, "--json"])
    }
    let usual = try await download("whole")
    #expect(FileManager.default.fileExists(atPath: home.url("whole").path))
    // The excessive data precedes that of the capture: a response with both is malformed once the first has arrived
    // completely.
    try simulator.script("huge-data@download=100")
    let large = try await download("broken")
    #expect(simulator.faults.allSatisfy { $0.met > 0 })
    #expect(!FileManager.default.fileExists(atPath: home.url("broken").path))
    #expect(large.peakInKilobytes - usual.peakInKilobytes <= Self.mostInKilobytes)
    await simulator.stop()
  }
}
