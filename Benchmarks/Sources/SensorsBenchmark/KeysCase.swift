import BenchmarkSupport
@preconcurrency import Glibc
import PluginAPI

@testable import WSABI

/// How long the program's screen takes to answer keys while it captures from many sensors.
///
/// The program runs in a terminal of its own, with the list of people; everything of a person is captured at once.
struct KeysCase {
  let workbench: String
  var sensors = 256

  private static let people = 4
  private static let keys = 150
  private static let passphrase = "benchmark"
  private static let down = "\u{1B}[B"

  func run() async throws {
    let title = "keys in the list of people while \(sensors) sensors capture"
    let options = ["--modality", "finger", "--capture-size", "300000", "--pictures", "quick", "--capture-delay", "500"]
    guard let process = SensorProcess(workbench, sensors: sensors, options) else {
      return Measurement.skip(title, because: "no simulated sensors to be had")
    }
    let scratch = ScratchFolder()
    defer { _ = Program.run(["rm", "-rf", scratch.path]) }
    try await fill(scratch.path + "/data/stores/wsabi/people", process.addresses)
    var environment = ["TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": scratch.path]
    environment["WORKBENCH_HOME"] = scratch.path
    environment["PATH"] = getenv("PATH").map { String(cString: $0) } ?? ""
    guard
      let terminal = PseudoTerminal([workbench, "run", "wsabi"], environment: environment, columns: 120, rows: 40)
    else { return Measurement.skip(title, because: "no terminal to be had") }
    defer { terminal.end() }
    terminal.readUntilQuiet(milliseconds: 1000, atMost: 5000)
    terminal.type("\r")
    terminal.readUntilQuiet(milliseconds: 300, atMost: 2000)
    terminal.type(Self.passphrase + "\r")
    terminal.readUntilQuiet(milliseconds: 1000, atMost: 10_000)
    var times: [Double] = []
    for person in 0..<Self.people {
      terminal.type("C")
      for number in 0..<Self.keys {
        let start = Timing.milliseconds()
        terminal.type("?")
        guard showsHelp(terminal, within: 2000) else {
          return Measurement.skip(title, because: "no help came after key \(number) of person \(person)")
        }
        times.append(Timing.milliseconds() - start)
        terminal.type("q")
        terminal.readUntilQuiet(milliseconds: Double(5 + number * 7 % 13), atMost: 25)
      }
      // The sensors finish, and the next person is selected.
      terminal.readUntilQuiet(milliseconds: 1500, atMost: 20_000)
      terminal.type(Self.down)
      terminal.readUntilQuiet(milliseconds: 1500, atMost: 8000)
    }
    Measurement("\(title): key until its page is shown, median", Timing.median(times), unit: "ms").print()
    Measurement("\(title): key until its page is shown, p99", Timing.quantile(times, 0.99), unit: "ms", bar: 20).print()
    Measurement("\(title): key until its page is shown, longest", Timing.quantile(times, 1), unit: "ms").print()
    terminal.end()
    try await tellCaptured(scratch.path + "/data/stores/wsabi/people", title)
  }

  private func fill(_ path: String, _ addresses: [String]) async throws {
    let key = VaultKeySource.passphrase(Array(Self.passphrase.utf8))
    let records = try await RecordStore.create(at: path, key: key)
    for _ in 0..<Self.people { try await BenchmarkStore.addPerson(records, addresses) }
    await records.close()
  }

  /// Waits until the help is on the screen.
  private func showsHelp(_ terminal: PseudoTerminal, within milliseconds: Double) -> Bool {
    var text: [UInt8] = []
    let deadline = Timing.milliseconds() + milliseconds
    while Timing.milliseconds() < deadline {
      text += terminal.read(milliseconds: 5) ?? []
      if ByteSearch.first(Array("Everywhere".utf8), in: text) != nil { return true }
    }
    return false
  }

  /// That the keys were not answered quickly because nothing went on.
  private func tellCaptured(_ path: String, _ title: String) async throws {
    let key = VaultKeySource.passphrase(Array(Self.passphrase.utf8))
    let records = try await RecordStore.open(at: path, key: key)
    var captured = 0
    for row in try await records.people(0..<Self.people).rows {
      captured += row.items.count { $0.capture != nil }
    }
    await records.close()
    Measurement(
      "\(title): captures stored meanwhile", Double(captured), unit: "1", floor: Double(Self.people * sensors)
    ).print()
  }
}
