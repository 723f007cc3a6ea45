import PluginText
import Testing

@testable import WSABI
@testable import WSABISimulator

/// A situation of the conformance catalog: steps, each with its required outcome.
///
/// A step is `CLIENT VERB [ARGUMENT] = OUTCOME`, as in `A lock = success`: `X` is a client with an unknown id, `?` one
/// whose id is not a UUID. `start` before a step leaves it running until `await CLIENT = OUTCOME`. An outcome is a
/// status, with bad fields after a colon, or `http` and a number; after a bar follows that of Java's manner if it
/// differs. `fault`, `clock`, `busy`, `release`, `break` and `restart` act on the simulator.
struct SensorSituation: Sendable, CustomTestStringConvertible {
  let name: String
  let steps: [String]
  let change: @Sendable (inout SimulatorConfiguration) -> Void

  init(
    _ name: String, _ steps: String...,
    with change: @escaping @Sendable (inout SimulatorConfiguration) -> Void = { _ in }
  ) {
    (self.name, self.change) = (name, change)
    self.steps = steps.flatMap { $0.split(separator: ";").map { $0.trimmed() } }
  }

  var testDescription: String { name }

  /// Plays the situation and returns the violated requirements.
  func problems(_ style: SimulatorConfiguration.Style, _ namespace: SimulatedNamespace) async throws -> [String] {
    var configuration = SimulatorConfiguration(
      namespace: namespace, style: style, seed: 5, modalities: [.finger], hasPreview: false, hasStillClock: true)
    change(&configuration)
    let simulator = try SensorSimulator(configuration)
    var player = SituationPlayer(simulator)
    var problems: [String] = []
    for step in steps { if let problem = await player.play(step) { problems.append("\(name): \(step): \(problem)") } }
    await simulator.stop()
    return problems
  }
}

/// Plays the steps of a situation.
struct SituationPlayer {
  private let simulator: SensorSimulator
  private let probe: SensorProbe
  private var sessions = ["X": "00000000-0000-4000-8000-000000000000", "?": "not-a-uuid"]
  private var captures = ["X": "00000000-0000-4000-8000-000000000001", "?": "not-a-uuid"]
  private var running: [String: Task<ProbeAnswer, Never>] = [:]

  init(_ simulator: SensorSimulator) {
    self.simulator = simulator
    probe = SensorProbe(simulator.addresses[0])
  }

  /// Plays a step; nil if all is well.
  mutating func play(_ step: String) async -> String? {
    let sides = step.split(separator: "=", maxSplits: 1).map { $0.trimmed() }
    var words = sides[0].split(separator: " ").map(String.init)
    switch words[0] {
    case "fault":
      do { try simulator.script(step.dropFirst(6).trimmed()) } catch { return "\(error)" }
    case "clock": simulator.advanceClock(bySeconds: Double(words[1]) ?? 0)
    case "busy": await simulator.sensor(1).reaches { $0.job != nil }
    case "frozen": await simulator.sensor(1).reaches { !$0.frozen.isEmpty }
    case "release": simulator.sensor(1).release()
    case "break": simulator.sensor(1).breakSensor()
    case "restart": simulator.sensor(1).restart()
    case "heal": simulator.heal()
    case "start":
      words.removeFirst()
      let (probe, call) = (probe, call(words))
      running[words[0]] = Task { await probe.ask(call.method, call.path, call.body) }
    case "await":
      guard let answer = await running[words[1]]?.value else { return "nothing was started" }
      return note(answer, [words[1], "capture"], sides.last ?? "")
    default:
      let call = call(words)
      return note(await probe.ask(call.method, call.path, call.body), words, sides.count == 2 ? sides[1] : "success")
    }
    return nil
  }

  /// Records the ids of a response and compares its outcome.
  private mutating func note(_ answer: ProbeAnswer, _ words: [String], _ expected: String) -> String? {
    if words[1] == "register" {
      let id = answer.text("sessionId")
      if sessions.values.contains(id) { return "the id was given before" }
      if !id.isEmpty { sessions[words[0]] = id }
    }
    if let id = answer.captureIDs.last { captures[words[0]] = id }
    let choices = expected.split(separator: "|").map { $0.trimmed() }
    let isJava = simulator.configuration.actualManner == .java
    let wanted = isJava ? choices[choices.count - 1] : choices[0]
    let fields = answer.badFields.isEmpty ? "" : ":" + answer.badFields.joined(separator: ",")
    let outcome = answer.status + fields
    return outcome == wanted ? nil : "got '\(outcome)'"
  }

  private func call(_ words: [String]) -> (method: String, path: String, body: String?) {
    let session = sessions[words[0]] ?? ""
    let capture = captures[words[0]] ?? ""
    let argument = words.count > 2 ? words[2] : ""
    switch words[1] {
    case "register": return ("POST", "/register", nil)
    case "unregister": return ("DELETE", "/register/\(session)", nil)
    case "lock": return ("POST", "/lock/\(session)", nil)
    case "steal": return ("PUT", "/lock/\(session)", nil)
    case "unlock": return ("DELETE", "/lock/\(session)", nil)
    case "initialize": return ("POST", "/initialize/\(session)", nil)
    case "uninitialize": return ("DELETE", "/initialize/\(session)", nil)
    case "read": return ("GET", "/configure/\(session)", nil)
    case "configure": return ("POST", "/configure/\(session)", document(argument))
    case "capture": return ("POST", "/capture/\(session)", nil)
    case "begin": return ("POST", "/capture/\(session)/async", nil)
    case "end": return ("PUT", "/capture/\(session)/async", nil)
    case "cancel": return ("POST", "/cancel/\(session)", nil)
    case "download": return ("GET", "/download/\(capture)", nil)
    case "details": return ("GET", "/download/\(capture)/info", nil)
    case "thrifty": return ("GET", "/download/\(capture)/\(argument)", nil)
    case "raw": return ("GET", "/download/\(capture)/raw", nil)
    default: return (words[1], "/" + argument, nil)
    }
  }

  /// Returns a configuration by its name.
  private func document(_ name: String) -> String? {
    let space = simulator.configuration.namespace
    func items(_ items: (String, String)...) -> String { SensorProbe.configuration(items, namespace: space) }
    switch name {
    case "unknown": return items(("gain", "xs:int\">3"), ("gian", "xs:int\">3"), ("mood", "xs:string\">good"))
    case "wrong-type": return items(("gain", "xs:string\">three"))
    case "out-of-range": return items(("gain", "xs:int\">10"), ("imageDensity", "xs:int\">72"))
    case "read-only": return items(("modality", "xs:string\">Iris"))
    case "together": return items(("submodality", "xs:string\">RightSlap"), ("imageDensity", "xs:int\">1000"))
    case "broken": return "<configuration><item></configuration>"
    case "entity": return "<!DOCTYPE configuration><configuration/>"
    case "empty": return nil
    case "foreign":
      return SensorProbe.configuration([("gain", "xs:int\">3")], namespace: space == .nist ? .bioserv : .nist)
    default: return items(("submodality", "xs:string\">RightThumbFlat"), ("gain", "xs:int\">3"))
    }
  }
}
