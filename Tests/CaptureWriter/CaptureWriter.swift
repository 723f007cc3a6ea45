import Glibc
import PluginAPI
import PluginText
import PluginVault
import Synchronization

@testable import WSABI

/// Captures into a store until this process kills itself, for tests of killed captures.
///
/// `FOLDER RUN LINES MICROSECONDS` opens the store, finishes what an earlier run left, then captures for items 1 to 64
/// concurrently. Every line on standard output reports what is certainly stored. The process ends a number of
/// microseconds after line number LINES, wherever it is: by work done, so that the machine's load does not matter. With
/// addresses of sensors after them it captures from those, for item 1 from the first, and downloads what an earlier run
/// left at them.
///
/// `ask ADDRESS PIN` only requests a sensor's information.
@main enum CaptureWriter {
  static func main() async {
    let arguments = CommandLine.arguments
    if arguments.count == 4, arguments[1] == "ask" { return await ask(arguments[2], pin: arguments[3]) }
    guard arguments.count > 4, let run = Int(arguments[2]), let lines = Int(arguments[3]),
      let microseconds = UInt32(arguments[4])
    else { exit(2) }
    killer.withLock { $0 = (lines, microseconds) }
    do {
      let start = ContinuousClock.now
      let store = try await RecordStore.open(at: arguments[1], key: key)
      tell("open \((ContinuousClock.now - start) / .milliseconds(1))")
      let sensors = Array(arguments.dropFirst(5))
      if sensors.isEmpty {
        try await resume(store)
        await captureAlone(run, store)
      } else {
        try await SensorDriver(store, tell).drive(sensors, since: start)
      }
    } catch {
      tell("error \(error)")
    }
  }

  private static func ask(_ text: String, pin: String) async {
    do {
      var address = try SensorAddress(parsing: text)
      address.trust = SensorTrust(pins: [pin])
      let connection = SensorAccess(isOffline: false).connection(address)
      tell("answered \(try await connection.serviceInformation(deadlineInSeconds: 120).parameters.items.count)")
    } catch {
      tell("error \(error)")
    }
  }

  private static func captureAlone(_ run: Int, _ store: RecordStore) async {
    await withTaskGroup(of: Void.self) { group in
      for item in 1...64 {
        group.addTask {
          do {
            for turn in 0..<10_000 { try await capture(item, number: run * 1_000_000 + turn * 64 + item, store) }
          } catch {
            tell("error \(error)")
          }
        }
      }
    }
  }

  /// The key that opens the stores of these tests.
  static let key = VaultKeySource.key([UInt8](repeating: 0x5A, count: 32))

  static func data(_ number: Int) -> [UInt8] {
    var state = UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15 | 1
    var bytes: [UInt8] = []
    let count = number % 5 == 0 ? 300_000 : 100 + number % 3000
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      withUnsafeBytes(of: state) { bytes.append(contentsOf: $0) }
    }
    return Array(bytes.prefix(count))
  }

  static func id(_ number: Int) -> SensorUUID? {
    return SensorUUID("0B000000-0000-4000-8000-" + Hexadecimal.text(UInt(number), digits: 12))
  }

  /// Returns the number whose data an id stands for.
  static func number(_ id: SensorUUID) -> Int? { Int(id.key.suffix(12), radix: 16) }

  private static func capture(_ item: Int, number: Int, _ store: RecordStore) async throws {
    guard let id = id(number), let session = Self.id(0) else { return }
    let address = SensorAddress(text: "http://127.0.0.1:\(item)", host: "127.0.0.1", port: item, isSecure: false)
    let intent = CaptureIntent(item: item, address: address, session: session, configuration: WireDictionary())
    let entry = try await store.begin(intent)
    tell("begun \(item) \(entry.value)")
    try await store.captured(entry, ids: [id])
    tell("answered \(item) \(number)")
    try await keep(entry, id, store)
    try await store.end(entry, .captured)
    // Some items are cleared, so that a kill meets deletions too.
    if item % 8 == 0 {
      tell("clearing \(item)")
      _ = try await store.clear(item, at: RecordStore.systemClock())
      tell("cleared \(item)")
    }
  }

  private static func keep(_ entry: JournalNumber, _ id: SensorUUID, _ store: RecordStore) async throws {
    guard let number = number(id) else { return }
    let sink = try await store.sink(entry, id)
    try data(number).withUnsafeBytes { try sink.write($0) }
    let answer = SensorAnswer(status: .success, contentType: "image/png", namespace: .bioserv)
    let record = try await store.keep(entry, sink, FinishedDownload(id: id, answer: answer, start: []))
    tell("kept \(record.item) \(number)")
  }

  /// Finishes the work left by a killed run.
  private static func resume(_ store: RecordStore) async throws {
    for open in try await store.unfinished() {
      if open.outcome == nil, open.waiting.isEmpty {
        try await store.end(open.number, .unknown(reason: "the process ended"))
        continue
      }
      for id in open.waiting { try await keep(open.number, id, store) }
      if open.outcome == nil { try await store.end(open.number, .captured) }
    }
    tell("resumed")
  }

  private static func killLater(_ microseconds: UInt32) {
    var thread = pthread_t()
    let moment = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    moment.initialize(to: microseconds)
    pthread_create(
      &thread, nil,
      { moment in
        usleep(moment?.load(as: UInt32.self) ?? 0)
        kill(getpid(), SIGKILL)
        return nil
      }, moment)
  }

  /// The number of lines before the end, and the delay of the end after them.
  private static let killer = Mutex((lines: 0, microseconds: UInt32(0)))

  private static func tell(_ line: String) {
    var line = line + "\n"
    _ = line.withUTF8 { write(1, $0.baseAddress, $0.count) }
    let moment = killer.withLock { killer in
      killer.lines -= 1
      return killer.lines == 0 ? killer.microseconds : nil
    }
    if let moment { killLater(moment) }
  }
}
