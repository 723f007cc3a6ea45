import PluginAPI

/// An event of the sensors for screens, as notifications carry it.
enum SensorNews: Sendable, Hashable {
  case connected(address: String, isReady: Bool)
  /// A step was requested, or got a response with a status.
  case step(address: String, operation: String, status: String?)
  case capturing(item: Int)
  case waiting(item: Int, status: String)
  case captured(item: Int)
  case stored(item: Int)
  /// The configuration of its sensor ahead of a capture ended, with the same payload as
  /// ``ended(item:ending:reason:status:)``.
  case prepared(item: Int, ending: String, reason: String, status: String? = nil)
  case lost(item: Int, reason: String)
  /// The operation ended without captured data; `ending` names how, and `reason` why.
  ///
  /// If a service refused a step, `status` is the response's status.
  case ended(item: Int, ending: String, reason: String, status: String? = nil)
  /// All work on a capture is finished; `outcome` is a word of the `capture` command, and `reason` explains it.
  case finished(item: Int, outcome: String, reason: String)
  case stolen(address: String)
  /// A fact or data could not be written down or downloaded yet.
  case trouble(item: Int, reason: String)

  /// The item it is about; nil if it is about a link.
  var item: Int? {
    switch self {
    case .capturing(let item), .waiting(let item, _), .captured(let item), .stored(let item), .lost(let item, _),
      .prepared(let item, _, _, _), .ended(let item, _, _, _), .finished(let item, _, _), .trouble(let item, _):
      item
    case .connected, .step, .stolen: nil
    }
  }

  /// Reads the payload of a notification; nil if it is malformed.
  init?(_ payload: Value) {
    let address = payload["address"].text ?? ""
    let reason = payload["reason"].text ?? ""
    let status = payload["status"].text
    switch (payload["event"].text, payload["item"].integer) {
    case ("connected", _): self = .connected(address: address, isReady: payload["isReady"].bool ?? false)
    case ("step", _): self = .step(address: address, operation: payload["operation"].text ?? "", status: status)
    case ("stolen", _): self = .stolen(address: address)
    case ("capturing", let item?): self = .capturing(item: item)
    case ("waiting", let item?): self = .waiting(item: item, status: status ?? "")
    case ("captured", let item?): self = .captured(item: item)
    case ("stored", let item?): self = .stored(item: item)
    case ("lost", let item?): self = .lost(item: item, reason: reason)
    case ("prepared", let item?):
      self = .prepared(item: item, ending: payload["outcome"].text ?? "", reason: reason, status: status)
    case ("ended", let item?):
      self = .ended(item: item, ending: payload["outcome"].text ?? "", reason: reason, status: status)
    case ("finished", let item?):
      self = .finished(item: item, outcome: payload["outcome"].text ?? "", reason: reason)
    case ("trouble", let item?): self = .trouble(item: item, reason: reason)
    default: return nil
    }
  }
}
