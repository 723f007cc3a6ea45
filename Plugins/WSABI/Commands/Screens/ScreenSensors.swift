import PluginAPI

/// The sensors as screens access them; results arrive as notifications.
struct ScreenSensors: Sendable {
  /// Returns true if the user of the store may use sensors.
  var isAllowed: @Sendable () -> Bool = { true }
  /// Makes links ready.
  var connect: @Sendable ([SensorAddress]) -> Void
  /// Sets a sensor ahead of a capture.
  var configure: @Sendable (CaptureOrder) -> Void
  /// Captures items at once, and stores the captures, as the command does.
  var capture: @Sendable ([BiometricItem]) -> Void
  /// Cancels all operations of an item.
  var cancelItem: @Sendable (Int) -> Void
  /// Cancels an operation by its number.
  var cancelOperation: @Sendable (Int) -> Void
  /// The operations in progress.
  var operations: @Sendable () -> [PendingOperation]
  /// Requests the information of a service.
  var information: @Sendable (SensorAddress) async throws -> ServiceInformation
  /// Steals the lock of a sensor and, if requested, cancels the operation of its previous holder.
  var steal: @Sendable (SensorAddress, _ cancels: Bool) async throws -> OperationStatus
  /// Cancels a sensor's operation, even one of another client.
  var interrupt: @Sendable (SensorAddress) async throws -> OperationStatus
  /// Starts a live preview; nil if there is none.
  var preview: @Sendable (SensorAddress) -> ScreenPreview?
  /// Resumes captures of an earlier run; also those with data that was put off, if the user requests it.
  var resume: @Sendable (_ isAsked: Bool) -> Void
  /// Notes that a list of people is shown: sessions are kept for it.
  var beginList: @Sendable () -> Void = {}
  /// Notes that it is no longer shown; returns true if it was the last.
  var endList: @Sendable () -> Bool = { true }
  /// Releases all locks and sessions, unless a list is shown again by now.
  var leave: @Sendable () async -> Void = {}
  /// Starts background work that outlives its screen, and returns at once; the end of the program waits for it.
  var runInBackground: @Sendable (@escaping @Sendable () async -> Void) -> Void = { work in
    Task { await work() }
  }
  /// Searches for sensors that may capture a modality; only at the user's request.
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

  /// Creates the sensors from the links of a station.
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
