import PluginAPI
import PluginJSON
import PluginServer
import PluginSimulation
import Synchronization

extension SimulatorCore {
  /// Responds to a request for the ledger or the control.
  ///
  /// `GET /ledger`, `/sensors`, `/calls` and `/faults` return state; `POST /faults` adds rules, one per line, `DELETE
  /// /faults` ends them; `POST /sensors/N/kill`, `revive`, `restart`, `break`, `release` and `/sensors/N/person/P` act
  /// on a sensor, and `POST /clock/SECONDS` advances the clock.
  func answerControl(_ request: ServerRequest) async throws -> ServerResponse {
    let parts = request.path.split(separator: "/").map(String.init)
    switch (request.method, parts.first, parts.count) {
    case ("GET", "ledger"?, 1): return json(ledger.entries, write)
    case ("GET", "sensors"?, 1): return json(sensors, write)
    case ("GET", "calls"?, 1): return json(record.withLock(\.calls), write)
    case ("GET", "faults"?, 1): return json(record.withLock(\.faults), write)
    case ("DELETE", "faults"?, 1):
      record.withLock { $0.endFaults() }
      return ServerResponse(text: "no faults\n")
    case ("POST", "faults"?, 1):
      do {
        guard let bytes = try? await request.body.whole() else {
          throw FaultScriptError.badRule("", reason: "it is incomplete")
        }
        let rules = try SimulatorFaultRule.script(String(decoding: bytes, as: UTF8.self))
        record.withLock { $0.add(rules) }
      } catch let error as FaultScriptError {
        return ServerResponse(400, text: "\(SimulatorError.report(error).description)\n")
      }
      return ServerResponse(text: "done\n")
    case ("POST", "clock"?, 2):
      guard let seconds = Int(parts[1]) else { return ServerResponse(400, text: "write a number of seconds\n") }
      clock.advance(milliseconds: seconds * 1000)
      return ServerResponse(text: "done\n")
    case ("POST", "sensors"?, 3...): return act(parts)
    default: return ServerResponse(404, text: "see 'GET /ledger', '/sensors', '/calls', '/faults'\n")
    }
  }

  private func act(_ parts: [String]) -> ServerResponse {
    guard let number = Int(parts[1]), sensors.indices.contains(number - 1) else {
      return ServerResponse(404, text: "there is no such sensor\n")
    }
    let sensor = sensors[number - 1]
    switch (parts[2], parts.count) {
    case ("kill", 3): sensor.setDead(true)
    case ("revive", 3): sensor.setDead(false)
    case ("restart", 3): sensor.restart()
    case ("break", 3): sensor.breakSensor()
    case ("release", 3): sensor.release()
    case ("person", 4):
      guard let person = Int(parts[3]) else { return ServerResponse(400, text: "write the number of a person\n") }
      sensor.setPerson(person)
    default: return ServerResponse(404, text: "kill, revive, restart, break, release, person/NUMBER\n")
    }
    return ServerResponse(text: "done\n")
  }

  /// Returns an array of objects as JSON.
  private func json<Element>(
    _ elements: [Element], _ write: (Element, inout JSONWriter) -> Void
  ) -> ServerResponse {
    var writer = JSONWriter(indentation: 2)
    writer.beginArray()
    for element in elements {
      writer.beginObject()
      write(element, &writer)
      writer.endObject()
    }
    writer.endArray()
    return ServerResponse(type: "application/json", writer.take())
  }

  private func write(_ sensor: SimulatedSensor, _ writer: inout JSONWriter) {
    let state = sensor.snapshot
    writer.field("number", sensor.number)
    writer.field("address", address(of: sensor.number))
    writer.field("modality", sensor.profile.modalityWord)
    writer.field("sessions", state.sessions.count)
    writer.field("lock", state.lockHolder)
    writer.field("isInitialized", state.isInitialized)
    writer.field("isDead", state.isDead)
    writer.field("captures", state.captures.count)
    writer.field("operation", state.job?.operation.rawValue)
  }

  private func write(_ entry: CaptureLedger.Entry, _ writer: inout JSONWriter) {
    writer.field("id", entry.id)
    writer.field("sha256", entry.sha256)
    writer.field("size", entry.sizeInBytes)
    writer.field("time", SimulatedClock.text(entry.time))
    writer.field("session", entry.session)
    writer.field("sensor", entry.sensor)
    writer.field("modality", entry.modality)
    writer.field("submodality", entry.submodality)
    writer.field("contentType", entry.contentType)
    writer.field("person", entry.person)
    writer.field("downloads", entry.downloads)
  }

  private func write(_ call: SimulatedCall, _ writer: inout JSONWriter) {
    writer.field("sensor", call.sensor)
    writer.field("operation", call.operation.rawValue)
    writer.field("session", call.session)
    writer.field("capture", call.capture)
    writer.field("outcome", call.outcome)
  }

  private func write(_ met: SensorLedger.ActiveFault, _ writer: inout JSONWriter) {
    writer.field("rule", met.rule.text)
    writer.field("fault", met.rule.fault.rawValue)
    writer.field("operation", met.rule.operation)
    writer.field("met", met.met)
  }
}

extension JSONWriter {
  fileprivate mutating func field(_ name: String, _ text: String?) {
    key(name)
    if let text { write(text) } else { writeNull() }
  }

  fileprivate mutating func field(_ name: String, _ number: Int) {
    key(name)
    write(number)
  }

  fileprivate mutating func field(_ name: String, _ flag: Bool) {
    key(name)
    write(flag)
  }
}
