import PluginText

@testable import WSABI
@testable import WSABISimulator

extension ClientPlayer {
  /// Returns an observation as a word.
  func seen(_ look: ClientLook, _ argument: String) async -> String {
    let state = simulator.sensor(1).snapshot
    switch look {
    case .holder: return await name(of: state.lockHolder)
    case .registered:
      var names: [String] = []
      for key in state.sessions.keys { names.append(await name(of: key)) }
      return names.isEmpty ? "none" : names.sorted().joined(separator: " ")
    case .sensor: return state.isBroken ? "broken" : state.isInitialized ? "ready" : "rest"
    case .working: return state.job?.operation.rawValue ?? "nothing"
    case .set:
      guard let value = state.configuration[argument]?.plainText else { return "nothing" }
      return value == Self.hostile ? "hostile" : value
    case .ledger: return "\(simulator.ledger.count)"
    case .downloads: return "\(simulator.ledger.reduce(0) { $0 + $1.downloads })"
    case .asked: return "\(simulator.calls.count { $0.operation.rawValue == argument })"
    case .says:
      let connection = SensorAccess(isOffline: false).connection(address)
      let answer = try? await connection.ask(SensorRequest(.getSensorStatus, deadlineInSeconds: 120))
      return answer?.metadata?["sensorStatus"]?.plainText ?? "nothing"
    case .kept: return kept
    default: return seenInAnswer(look, argument)
    }
  }

  /// Returns the owner of a session.
  private func name(of key: String?) async -> String {
    guard let key else { return "none" }
    if await manager.link(address).state.session?.key == key { return "M" }
    return sessions.first { $0.value.lowercased() == key }?.key ?? "somebody"
  }

  private func seenInAnswer(_ look: ClientLook, _ argument: String) -> String {
    let metadata = last.answer?.metadata
    switch look {
    case .told: return metadata?[argument]?.shownText ?? "nothing"
    case .range:
      guard case .parameter(let parameter) = metadata?[argument], case .range(let range) = parameter.allowedValues.first
      else { return "nothing" }
      let end = range.maximumIsExclusive == true ? "..<" : "..."
      return "\(range.minimum?.plainText ?? "")\(end)\(range.maximum?.plainText ?? "")"
    case .data:
      if last.data.isEmpty { return "nothing" }
      guard let entry = simulator.ledger.last else { return "of no capture" }
      if SHA256.hexadecimal(of: last.data) == entry.sha256 { return "whole" }
      return last.data.count < entry.sizeInBytes ? "smaller" : "other"
    case .type: return last.answer?.contentType ?? "nothing"
    case .back:
      let other = sent.items.filter { metadata?[$0.key] != $0.value }
      return other.isEmpty ? "same" : "other for \(other.map(\.key).joined(separator: ", "))"
    default: return "no such look"
    }
  }

  /// The number of captures in the journal; `other` if one does not match the ledger.
  private var kept: String {
    for record in journal.kept {
      guard let entry = simulator.ledger.first(where: { $0.id.lowercased() == record.captureID.key }),
        SHA256.hexadecimal(of: journal.bytes(record) ?? []) == entry.sha256, record.item == 1
      else { return "other" }
    }
    return "\(journal.kept.count)"
  }
}
