import PluginAPI
import PluginStore
import PluginText
import TestSupport

@testable import WSABI
@testable import WSABISimulator

/// Plays the steps of a ``ClientPlay``.
struct ClientPlayer {
  /// The result of a step.
  struct Outcome: Sendable {
    /// The status with its bad fields, the name of a fault, or the end of a sequence.
    var word: String
    var answer: SensorAnswer?
    var data: [UInt8] = []
  }

  let simulator: SensorSimulator
  let journal = MemoryJournal()
  let manager: LinkManager
  let address: SensorAddress
  private(set) var last = Outcome(word: "")
  /// The last configuration sent.
  private(set) var sent = WireDictionary()
  private(set) var sessions = ["X": "00000000-0000-4000-8000-000000000000", "?": "not-a-uuid"]
  private var captures = ["X": "00000000-0000-4000-8000-000000000001", "?": "not-a-uuid"]
  private var clients: [String: SensorConnection] = [:]
  private var running: [String: Task<Outcome, Never>] = [:]
  /// For steps that wait only for the machine.
  private static let deadlineInSeconds = 120.0

  init(_ simulator: SensorSimulator) throws {
    self.simulator = simulator
    address = try SensorAddress(parsing: simulator.addresses[0])
    var times = LinkTimes()
    // Its end is awaited, not its time: each attempt at a cancel waits for a share of it, which must exceed the steps
    // in which the sensor's clock advances.
    times.graceInMilliseconds = 60_000 * times.cancelAttempts
    let access = SensorAccess(isOffline: false)
    manager = LinkManager({ access.connection($0) }, journal, Self.clock(simulator), times, onNote: { _ in })
  }

  /// Returns a clock whose waits up to 30 s advance the sensor's clock; longer ones last until they are canceled.
  private static func clock(_ simulator: SensorSimulator) -> LinkClock {
    LinkClock(now: { Instant(seconds: 0) }) { milliseconds in
      guard milliseconds <= 30_000 else { try await untilCanceled() }
      simulator.advanceClock(bySeconds: Double(milliseconds) / 1000)
      await Task.yield()
      try Task.checkCancellation()
    }
  }

  /// Returns the expected result in the manner of the simulator.
  private func wanted(_ text: String) -> String {
    let choices = text.split(separator: "|").map { $0.trimmed() }
    return (simulator.configuration.actualManner == .java ? choices.last : choices.first) ?? ""
  }

  /// Plays a step; nil if all is well.
  mutating func play(_ step: String) async -> String? {
    // The values of faults have an equals sign of their own.
    if step.firstWord == "fault" {
      do { try simulator.script(step.dropFirst(6).trimmed()) } catch { return "\(error)" }
      return nil
    }
    let sides = step.split(separator: "=", maxSplits: 1).map { $0.trimmed() }
    var words = sides[0].split(separator: " ").map(String.init)
    let expected = wanted(sides.count == 2 ? sides[1] : "success")
    if let look = ClientLook(words[0]) {
      let seen = await seen(look, words.count > 1 ? words[1] : "")
      return seen == expected ? nil : "it is '\(seen)'"
    }
    let sensor = simulator.sensor(1)
    switch words[0] {
    case "heal": simulator.heal()
    case "clock": simulator.advanceClock(bySeconds: Double(words[1]) ?? 0)
    case "busy":
      // A link has more than one action of its own.
      let word = words.count > 1 ? words[1] : nil
      await sensor.reaches { $0.job != nil && (word == nil || $0.job?.operation.rawValue == word) }
    case "frozen": await sensor.reaches { !$0.frozen.isEmpty }
    case "frames": await sensor.reaches { [count = Int(words[1]) ?? 1] in $0.frameCount >= count }
    case "release": sensor.release()
    case "break": sensor.breakSensor()
    case "restart": sensor.restart()
    case "crowd": return await crowd(Int(words[1]) ?? 2)
    case "start":
      words.removeFirst()
      running[words[0]] = task(words)
    case "await":
      guard let outcome = await running.removeValue(forKey: words[1])?.value else { return "nothing was started" }
      return note(outcome, words[1], expected)
    default: return note(await task(words).value, words[0], expected)
    }
    return nil
  }

  /// Ends the steps still running.
  mutating func end() async {
    for task in running.values { task.cancel() }
    await manager.close()
  }

  /// Records the result, and compares it.
  private mutating func note(_ outcome: Outcome, _ client: String, _ expected: String) -> String? {
    last = outcome
    if let session = outcome.answer?.sessionID { sessions[client] = session.text }
    if let capture = outcome.answer?.captureIDs.last { captures[client] = capture.text }
    return outcome.word == expected ? nil : "got '\(outcome.word)'"
  }

  // MARK: Requests

  private mutating func task(_ words: [String]) -> Task<Outcome, Never> {
    let (client, verb, argument) = (words[0], words[1], words.count > 2 ? words[2] : "")
    if client == "M" {
      let (manager, address) = (manager, address)
      return Task { await Self.managed(manager, address, verb) }
    }
    let connection = clients[client] ?? SensorAccess(isOffline: false).connection(address)
    clients[client] = connection
    let session = sessions[client].flatMap { SensorUUID($0) }
    if verb == "look" { return Task { await Self.looked(connection, session) } }
    guard let operation = Self.operations[verb] else { return Task { Outcome(word: "no such verb") } }
    var request = SensorRequest(operation, deadlineInSeconds: Self.deadlineInSeconds)
    request.session = operation.needsSession ? session : nil
    request.capture = captures[client].flatMap { SensorUUID($0) }
    request.maxSize = Int(argument)
    if operation == .setConfiguration {
      sent = Self.configuration(argument)
      request.configuration = sent
    }
    return Task { [request] in await Self.asked(connection, request) }
  }

  private static let operations: [String: SensorOperation] = [
    "register": .register, "unregister": .unregister, "lock": .tryLock, "steal": .stealLock, "unlock": .unlock,
    "info": .getServiceInfo, "initialize": .initialize, "uninitialize": .uninitialize, "read": .getConfiguration,
    "configure": .setConfiguration, "capture": .capture, "begin": .beginCapture, "end": .endCapture,
    "status": .getSensorStatus, "download": .download, "details": .getDownloadInfo, "thrifty": .thriftyDownload,
    "raw": .rawDownload, "cancel": .cancel,
  ]

  private static func asked(_ connection: SensorConnection, _ request: SensorRequest) async -> Outcome {
    let sink = KeptBytes()
    do {
      let answer = try await connection.ask(request, into: sink)
      let fields = answer.badFields.isEmpty ? "" : ":" + answer.badFields.joined(separator: ",")
      return Outcome(word: answer.status.word + fields, answer: answer, data: sink.bytes)
    } catch {
      return Outcome(word: error.word)
    }
  }

  /// Follows the first live preview that the service names.
  private static func looked(_ connection: SensorConnection, _ session: SensorUUID?) async -> Outcome {
    do throws(SensorFault) {
      let information = try await connection.serviceInformation(deadlineInSeconds: deadlineInSeconds)
      guard let resource = information.livePreviews.first else { return Outcome(word: "no preview") }
      let pictures = try await connection.preview(resource, session: session) { _ in }
      return Outcome(word: pictures > 0 ? "ended" : "nothing")
    } catch {
      return Outcome(word: error.word)
    }
  }

  /// Performs an action of a link, including all steps before it.
  private static func managed(_ manager: LinkManager, _ address: SensorAddress, _ verb: String) async -> Outcome {
    switch verb {
    case "connect":
      await manager.connect([address])
      return Outcome(word: await manager.link(address).isReady ? "success" : "not ready")
    case "capture":
      let order = CaptureOrder(item: 1, address: address, configuration: configuration(""))
      return Outcome(word: word(await manager.capture(order)))
    case "disconnect": await manager.disconnect(address)
    case "give-up": manager.cancel(item: 1)
    case "steal":
      do throws(SensorFault) {
        return Outcome(word: try await manager.steal(address, cancels: true).status.word)
      } catch {
        return Outcome(word: error.word)
      }
    default: return Outcome(word: "no such verb")
    }
    return Outcome(word: "success")
  }

  private static func word(_ report: CaptureReport) -> String {
    if !report.lost.isEmpty { return "lost" }
    if !report.waiting.isEmpty { return "waiting" }
    if !report.records.isEmpty { return "stored" }
    return switch report.outcome.ending {
    case .refused(_, let status, _, _): status.word
    case .done, .captured, .failed, .unknown, .givenUp: String("\(report.outcome.ending)".prefix { $0.isLetter })
    }
  }

  /// Lets many clients request the lock at the same time; the winner is `W`.
  private mutating func crowd(_ count: Int) async -> String? {
    let address = address
    let outcomes = await withTaskGroup(of: (session: String, word: String).self) { group in
      for _ in 0..<count {
        group.addTask {
          let connection = SensorAccess(isOffline: false).connection(address)
          var request = SensorRequest(.register, deadlineInSeconds: Self.deadlineInSeconds)
          request.session = await Self.asked(connection, request).answer?.sessionID
          request.operation = .tryLock
          return (request.session?.text ?? "", await Self.asked(connection, request).word)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let winners = outcomes.filter { $0.word == "success" }
    sessions["W"] = winners.first?.session
    let losers = outcomes.count { $0.word == "lockHeldByAnother" }
    return winners.count == 1 && losers == count - 1 ? nil : "\(winners.count) have the lock, \(losers) do not"
  }

  // MARK: Sent data

  /// Text that could break a document.
  static let hostile = "a <b> & \"c\" 'd' ]]> ü"

  /// Returns a configuration by its name.
  private static func configuration(_ name: String) -> WireDictionary {
    let thumb = WireDictionary.Item("submodality", .string("RightThumbFlat"))
    let gain = WireDictionary.Item("gain", .integer(3, type: "int"))
    return switch name {
    case "unknown": WireDictionary([gain, .init("gian", .integer(3, type: "int")), .init("mood", .string("good"))])
    case "wrong-type": WireDictionary([.init("gain", .string("three"))])
    case "out-of-range":
      WireDictionary([.init("gain", .integer(10, type: "int")), .init("imageDensity", .integer(72, type: "int"))])
    case "read-only": WireDictionary([.init("modality", .string("Iris"))])
    case "together":
      WireDictionary([.init("submodality", .string("RightSlap")), .init("imageDensity", .integer(1000, type: "int"))])
    case "hostile": WireDictionary([thumb, .init("operatorNote", .string(hostile))])
    case "compound":
      WireDictionary([
        .init("submodality", .string("RightIris")), .init("imageSize", .resolution(.init(width: "160", height: "120"))),
        .init("illumination", .integer(70, type: "int")), .init("exposure", .double(0.5, type: "double")),
        .init("operatorNote", .string(hostile)),
      ])
    default: WireDictionary([thumb, gain])
    }
  }
}
