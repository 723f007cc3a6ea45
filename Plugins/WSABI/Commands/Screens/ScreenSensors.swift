import PluginAPI

/// The sensors as screens reach them; what comes of it is told by notifications.
struct ScreenSensors: Sendable {
  /// Returns true if the user of the store may use sensors.
  var isAllowed: @Sendable () -> Bool = { true }
  /// Makes links ready.
  var connect: @Sendable ([SensorAddress]) -> Void
  /// Sets a sensor ahead of a capture.
  var configure: @Sendable (CaptureOrder) -> Void
  /// Captures items at once, and stores what is captured, as the command does.
  var capture: @Sendable ([BiometricItem]) -> Void
  /// Ends all that is under way for an item.
  var cancelItem: @Sendable (Int) -> Void
  /// Ends something under way by its number.
  var cancelOperation: @Sendable (Int) -> Void
  /// The operations in progress.
  var operations: @Sendable () -> [PendingOperation]
  /// Asks a service what it is.
  var information: @Sendable (SensorAddress) async throws -> ServiceInformation
  /// Takes the lock of a sensor from its holder, and cancels what that has begun if it is wanted.
  var steal: @Sendable (SensorAddress, _ cancels: Bool) async throws -> OperationStatus
  /// Cancels what a sensor does, whoever has begun it.
  var interrupt: @Sendable (SensorAddress) async throws -> OperationStatus
  /// Begins a live preview; nil where there is none to be had.
  var preview: @Sendable (SensorAddress) -> ScreenPreview?
  /// Goes on with captures of an earlier run; also with data that was put off, if a user asks for it.
  var resume: @Sendable (_ isAsked: Bool) -> Void
  /// Notes that a list of people is shown: sessions are kept for it.
  var beginList: @Sendable () -> Void = {}
  /// Notes that it is not shown any more; whether it was the last.
  var endList: @Sendable () -> Bool = { true }
  /// Gives back all locks and sessions, unless a list is shown again by now.
  var leave: @Sendable () async -> Void = {}
  /// Begins work that a screen leaves behind, and returns at once; the end of the program waits for it.
  var runInBackground: @Sendable (@escaping @Sendable () async -> Void) -> Void = { work in
    Task.detached { await work() }
  }
  /// Looks for sensors that may capture something; only ever as a user asks for it.
  var discover: @Sendable (Modality) async throws -> [DiscoveredSensor] = { _ in [] }
}

extension ScreenSensors {
  /// Returns these sensors restricted by a permission: without it no link is prepared, no sensor set, nothing captured,
  /// and no live preview shown.
  ///
  /// Operations that steal or interrupt a sensor, and leftover data, are checked by the store itself.
  func allowed(if isAllowed: @escaping @Sendable () -> Bool) -> ScreenSensors {
    var allowed = self
    allowed.isAllowed = isAllowed
    allowed.connect = { if isAllowed() { connect($0) } }
    allowed.configure = { if isAllowed() { configure($0) } }
    allowed.capture = { if isAllowed() { capture($0) } }
    allowed.preview = { isAllowed() ? preview($0) : nil }
    return allowed
  }

  /// The links of a station.
  init(_ context: any PluginContext, _ station: Station) {
    self.init(
      connect: { addresses in Task { await station.links(context).connect(addresses) } },
      configure: { order in Task { await station.links(context).configureAhead(order) } },
      capture: { items in station.capture(items, context) },
      cancelItem: { item in station.links(context).cancel(item: item) },
      cancelOperation: { number in station.links(context).cancel(number) },
      operations: { station.links(context).operations },
      information: { address in
        let information = try await station.connection(address, context).serviceInformation()
        await station.links(context).hear(information, from: address)
        return information
      },
      steal: { address, cancels in try await station.steal(address, cancels: cancels, context) },
      interrupt: { address in try await station.interrupt(address, context) },
      preview: { address in
        let connection = station.connection(address, context)
        let preview = LivePreview(link: station.links(context).link(address), connection: connection)
        return ScreenPreview { onFrame in try await preview.follow { onFrame($0.bytes) } }
      },
      resume: { isAsked in Task { await station.resumeForScreens(context, isAsked: isAsked) } },
      beginList: { station.beginList() }, endList: { station.endList() },
      leave: { if !station.hasLists { await station.leaveSensors() } },
      runInBackground: { station.runInBackground($0) },
      discover: { modality in try await SensorFinding().sensors(for: modality, context, station.cameras) })
  }
}
