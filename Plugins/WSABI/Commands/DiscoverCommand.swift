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
