import PluginAPI

/// Releases, beside a command, the locks that killed runs left at sensors, and reports them.
struct LeftLocks: Sendable {
  private let station: Station
  private let watcher: Int
  private let work: Task<Void, Never>

  /// Starts if the store is open; nothing waits for it.
  ///
  /// - Parameters:
  ///   - addresses: The sensors whose refused releases are reported too; nil for all.
  ///   - stolen: True to also release locks that were stolen for the next capture at their sensor.
  init(_ call: CommandCall, _ station: Station, tellingOf addresses: Set<String>? = nil, stolen: Bool = false) {
    self.station = station
    watcher = station.watch { note in
      guard case .leftLock(let address, let isGivenBack) = note else { return }
      if isGivenBack || addresses?.contains(address.text) ?? true { call.warn(Self.told(address, isGivenBack)) }
    }
    let links = station.links(call.context)
    work = Task { await links.giveBackLeft(stolen: stolen) }
  }

  /// Ends the releases.
  ///
  /// - Parameter waits: True to await the release in progress, which takes seconds.
  func end(waits: Bool) async {
    if !waits { work.cancel() }
    await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      work.cancel()
    }
    station.unwatch(watcher)
  }

  private static func told(_ address: SensorAddress, _ isGivenBack: Bool) -> Diagnostic {
    isGivenBack
      ? Diagnostic(
        .note, code: "wsabi.lock-given-back",
        "the lock that an earlier run left at '\(address.text)' is given back, and its session")
      : Diagnostic(
        .warning, code: "wsabi.lock-left",
        "an earlier run may have left its lock at '\(address.text)', which did not take it back",
        advice: "'operations resume' tries it again, and 'sensor steal' takes the lock")
  }

  static let codes: [ErrorCodeDescription] = [
    .init("wsabi.lock-given-back", "a lock that a killed run left at a sensor was given back"),
    .init("wsabi.lock-left", "a lock that a killed run left at a sensor could not be given back yet"),
  ]
}
