import BenchmarkSupport
@preconcurrency import Glibc
import PluginAPI
import PluginVault

@testable import WSABI

/// The response time of the program's screen to keys while it captures from many sensors.
///
/// The program runs in a terminal of its own, with the list of people; everything of a person is captured at once, while
/// letters are typed into the search. Each letter must come back; none of them is anywhere else on the screen.
struct KeysCase {
  let workbench: String
  var sensors = 256

  private static let people = 4
  private static let passphrase = "benchmark"
  /// Words of everybody's name, without a letter in common: what is typed over has no letter in its old place.
  private static let words = ["бвгджзк", "лмнпрст"]
  /// The number of times a word is typed before the next one: as many as fit on a line.
  private static let repeats = 10

  func run() async throws {
    let title = "keys in the list of people while \(sensors) sensors capture"
    let options = ["--modality", "finger", "--capture-size", "300000", "--pictures", "quick", "--capture-delay", "500"]
    guard let process = SensorProcess(workbench, sensors: sensors, options) else {
      return Measurement.skip(title, because: "no simulated sensors to be had")
    }
    let scratch = ScratchFolder()
    defer { _ = Program.run(["rm", "-rf", scratch.path]) }
    let path = scratch.path + "/data/stores/wsabi/people"
    try await fill(path, process.addresses)
    var environment = ["TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": scratch.path]
    environment["WORKBENCH_HOME"] = scratch.path
    environment["PATH"] = getenv("PATH").map { String(cString: $0) } ?? ""
    guard
      let terminal = PseudoTerminal([workbench, "run", "wsabi"], environment: environment, columns: 120, rows: 40)
    else { return Measurement.skip(title, because: "no terminal to be had") }
    defer { terminal.end() }
    guard opens(terminal) else { return Measurement.skip(title, because: "the store did not open") }
    // Another process over the same store, which looks once the keys are typed.
    let records = try await RecordStore.open(at: path, key: .passphrase(Array(Self.passphrase.utf8)))
    var times: [Double] = []
    var stored = 0
    for person in 1...Self.people {
      // One is found, and all their items are captured.
      terminal.type("/p\(person)\r")
      terminal.readUntilQuiet(milliseconds: 500, atMost: 3000)
      terminal.type("C/")
      guard let more = typed(terminal) else {
        return Measurement("\(title): letters that did not come back in 2 s", 1, unit: "1", bar: 0).print()
      }
      times += more
      terminal.type("\u{1B}")
      stored = try await captured(records, of: person * sensors, terminal)
    }
    // That the keys were not answered quickly because nothing went on, and that nothing is lost.
    Measurement("\(title): captures stored", Double(stored), unit: "1", floor: Double(Self.people * sensors)).print()
    Measurement("\(title): captures without an end", Double(try await records.unfinished().count), unit: "1", bar: 0)
      .print()
    await records.close()
    Measurement("\(title): letter until it is shown, median", Timing.median(times), unit: "ms").print()
    Measurement("\(title): letter until it is shown, p99", Timing.quantile(times, 0.99), unit: "ms", bar: 20).print()
    Measurement("\(title): letter until it is shown, longest", Timing.quantile(times, 1), unit: "ms").print()
  }

  private func fill(_ path: String, _ addresses: [String]) async throws {
    let key = VaultKeySource.passphrase(Array(Self.passphrase.utf8))
    let records = try await RecordStore.create(at: path, key: key)
    for person in 1...Self.people {
      let name = "p\(person) \(Self.words.joined(separator: " "))"
      try await BenchmarkStore.addPerson(records, addresses, named: name)
    }
    await records.close()
  }

  /// Opens the store as a user does: each step after the result of the one before, because keys that come too early are
  /// lost.
  private func opens(_ terminal: PseudoTerminal) -> Bool {
    guard let last = Self.words.last, shows("passphrase", terminal, within: 20_000) else { return false }
    terminal.readUntilQuiet(milliseconds: 300, atMost: 3000)
    terminal.type("\r")
    guard shows("Passphrase of the store", terminal, within: 10_000) else { return false }
    terminal.readUntilQuiet(milliseconds: 300, atMost: 3000)
    terminal.type(Self.passphrase + "\r")
    return shows(last, terminal, within: 30_000)
  }

  /// Types words of the name repeatedly; all of them match, so that the person stays visible.
  ///
  /// - Returns: The response time of each letter, in milliseconds; nil if one did not appear.
  private func typed(_ terminal: PseudoTerminal) -> [Double]? {
    var times: [Double] = []
    for word in Self.words {
      for _ in 0..<Self.repeats {
        terminal.type(" ")
        for letter in word {
          terminal.readUntilQuiet(milliseconds: Double(5 + times.count * 7 % 13), atMost: 25)
          let start = Timing.milliseconds()
          terminal.type(String(letter))
          guard shows(String(letter), terminal, within: 2000) else { return nil }
          times.append(Timing.milliseconds() - start)
        }
      }
      terminal.type(String(repeating: "\u{7F}", count: Self.repeats * (word.count + 1)))
      terminal.readUntilQuiet(milliseconds: 50, atMost: 500)
    }
    return times
  }

  /// Waits until a text is on the screen.
  private func shows(_ words: String, _ terminal: PseudoTerminal, within milliseconds: Double) -> Bool {
    var text: [UInt8] = []
    let deadline = Timing.milliseconds() + milliseconds
    while Timing.milliseconds() < deadline {
      text += terminal.read(milliseconds: 5) ?? []
      if ByteSearch.first(Array(words.utf8), in: text) != nil { return true }
    }
    return false
  }

  /// Waits until so many items have a capture, a minute at most.
  ///
  /// - Returns: The number that have one.
  private func captured(_ records: RecordStore, of wanted: Int, _ terminal: PseudoTerminal) async throws -> Int {
    let deadline = Timing.milliseconds() + 60_000
    while true {
      terminal.readUntilQuiet(milliseconds: 500, atMost: 1000)
      let stored = try await records.people(0..<Self.people).rows.reduce(0) { count, row in
        count + row.items.count { $0.capture != nil }
      }
      if stored >= wanted || Timing.milliseconds() > deadline { return stored }
    }
  }
}
