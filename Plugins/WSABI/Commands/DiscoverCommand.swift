import PluginAPI

/// The command that searches for sensors.
enum DiscoverCommand {
  private static let seconds = Option(
    "seconds", in: 1...60, "how long answers are waited for", unit: "second", default: 3)
  private static let count = Option(
    "count", Int.self, kind: .integer(minimum: 1, maximum: 1000), "how many sensors are enough")
  private static let interface = Option(
    "interface", String.self, "the only interface that is asked, such as 'eth0'; all that are up else")
  private static let port = Option(
    "port", in: 1...65_535, "the port that is asked", default: DiscoverySockets.usualPort)

  static let command = WSABICommand(
    CommandDescription(
      "sensor discover", "looks for sensors on the local network, and for cameras of this machine",
      output: .list(of: DiscoveredSensor.self, typeName: WSABIValueType.discovered), effects: [.network]
    ).taking(seconds, count, interface, port).explained(
      """
      One question goes to all machines of each network this one is in, by DNS-SD over multicast DNS; nothing is asked \
      at any other time. What answers is not believed more than a typed address: 'sensor check' asks the sensor itself. \
      The type of services is the setting 'discovery-type'. An address is told only if it is on the network it was told \
      on.
      """,
      examples: [
        .init("sensor discover", "all that answer within three seconds"),
        .init("sensor discover --interface lo --count 3 --json", "the first three of 'simulate --announce'"),
      ])
  ) { call, station in
    let finding = SensorFinding(
      interface: call[interface], port: call[port], deadlineInSeconds: call[seconds], count: call[count])
    call.report(Progress("looking for sensors"))
    let outcome = try await finding.outcome(call.context, station.cameras)
    if outcome.isCut {
      call.warn(
        Diagnostic(
          .warning, code: "wsabi.more-sensors",
          "more than \(DiscoveryBook.mostInstances) sensors answered on a network",
          advice: "the others are left out; type the address of the one you want"))
    }
    try await call.emit(list: outcome.sensors, typeName: WSABIValueType.discovered)
  }
}

extension DiscoveredSensor: Model {
  static let typeName = "wsabi.discovered-sensor"
  static let fields = Fields<DiscoveredSensor> {
    Field("name", \.name, "what the sensor calls itself")
    Field("address", \.address, "where it is")
    Field("modality", \.modality, "what it says it captures, in its own words")
    Field("source", \.source.rawValue, "'network', or 'camera' for a camera of this machine")
    Field("interface", \.place, "the interface it was found on, or the camera's device")
  }
}

/// Sensors that are found without their address: those that announce themselves, and the cameras of this machine.
struct SensorFinding: Sendable {
  /// The only interface that is queried; nil for all that are up.
  var interface: String?
  var port = DiscoverySockets.usualPort
  var deadlineInSeconds = 3
  /// The number of sensors that suffices; nil for all that respond in time.
  var count: Int?

  /// Runs the search; cameras come first, as they are known at once.
  ///
  /// - Throws: ``DiscoveryError``, unless there are cameras.
  func outcome(_ context: any PluginContext, _ cameras: LocalCameras) async throws -> SensorDiscovery.Outcome {
    let near = interface == nil ? cameras.found(context) : []
    var request = SensorDiscovery.Request(type: try Self.type(context))
    request.deadlineInMilliseconds = 1000 * deadlineInSeconds
    request.count = count.map { max(0, $0 - near.count) }
    let (interface, port) = (interface, port)
    do {
      if context.isOffline { throw DiscoveryError.offline }
      var outcome = try await SensorDiscovery(request: request).outcome { () throws(DiscoveryError) in
        try DiscoverySockets(interface: interface, port: port)
      }
      let all = near + outcome.sensors
      outcome.sensors = Array(all.prefix(count ?? all.count))
      return outcome
    } catch let error as DiscoveryError {
      if near.isEmpty { throw error }
      return SensorDiscovery.Outcome(sensors: near)
    }
  }

  /// Returns the sensors that may capture a modality.
  ///
  /// - Throws: ``DiscoveryError``, unless there are cameras.
  func sensors(
    for modality: Modality, _ context: any PluginContext, _ cameras: LocalCameras
  ) async throws -> [DiscoveredSensor] {
    try await outcome(context, cameras).sensors.filter { $0.mayCapture(modality) }
  }

  /// Returns the service type to search for.
  ///
  /// - Throws: ``DiscoveryError/badType(_:)``.
  static func type(_ context: any PluginContext) throws(DiscoveryError) -> DiscoveryType {
    let text = context.setting(WSABISettings.discoveryType).text ?? DiscoveryType.usual
    guard let type = DiscoveryType(text) else { throw .badType(text) }
    return type
  }
}
