import PluginAPI

/// The sensors as screens reach them; what comes of it is told by notifications.
struct ScreenSensors: Sendable {
  /// Makes links ready.
  var connect: @Sendable ([SensorAddress]) -> Void
  /// Sets a sensor ahead of a capture.
  var configure: @Sendable (CaptureOrder) -> Void
  /// Captures, and stores what is captured.
  var capture: @Sendable (CaptureOrder) -> Void
  /// Ends all that is under way for an item.
  var cancelItem: @Sendable (Int) -> Void
  /// Ends something under way by its number.
  var cancelOperation: @Sendable (Int) -> Void
  /// What is under way.
  var operations: @Sendable () -> [PendingOperation]
  /// Asks a service what it is.
  var information: @Sendable (SensorAddress) async throws -> ServiceInformation
  /// Takes the lock of a sensor from its holder.
  var steal: @Sendable (SensorAddress) async throws -> OperationStatus
  /// Begins a live preview; nil where there is none to be had.
  var preview: @Sendable (SensorAddress) -> ScreenPreview?
  /// Goes on with captures of an earlier run.
  var resume: @Sendable () -> Void
  /// Looks for sensors that may capture something; only ever as a user asks for it.
  var discover: @Sendable (Modality) async throws -> [DiscoveredSensor] = { _ in [] }
}

extension ScreenSensors {
  /// The links of a station.
  init(_ context: any PluginContext, _ station: Station) {
    self.init(
      connect: { addresses in Task { await station.links(context).connect(addresses) } },
      configure: { order in Task { await station.links(context).configureAhead(order) } },
      capture: { order in
        Task {
          // Another process that finishes what was left over must not find this capture.
          try? await station.awaitTurn(context)
          let report = await station.links(context).capture(order)
          for trouble in report.troubles { context.notify(Station.sensorNoted, Self.trouble(order, trouble)) }
          for (_, reason) in report.waiting.sorted(by: { $0.key.text < $1.key.text }) {
            context.notify(Station.sensorNoted, Self.trouble(order, "the data is still at the sensor: \(reason)"))
          }
        }
      },
      cancelItem: { item in station.links(context).cancel(item: item) },
      cancelOperation: { number in station.links(context).cancel(number) },
      operations: { station.links(context).operations },
      information: { address in
        try await station.connection(address, context).serviceInformation()
      },
      steal: { address in try await station.links(context).steal(address, cancels: false).status },
      preview: { address in
        let link = station.links(context).link(address)
        return ScreenPreview { onFrame in
          guard let resource = try await link.knownInformation().livePreview else { return }
          let session = await link.state.session
          try await station.connection(address, context).preview(resource, session: session) { onFrame($0.bytes) }
        }
      },
      resume: { Task { _ = try? await station.resume(context) } },
      discover: { modality in
        let found = try await SensorFinding().outcome(context, station.cameras).sensors
        return found.filter { $0.mayCapture(modality) }
      })
  }

  /// What could not be written down or fetched of a capture, as a note of its item.
  static func trouble(_ order: CaptureOrder, _ words: String) -> Value {
    ["event": "trouble", "item": .integer(order.item), "address": .text(order.address.text), "reason": .text(words)]
  }
}
