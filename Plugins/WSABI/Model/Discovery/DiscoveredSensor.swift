/// A sensor that was found without its address being typed.
struct DiscoveredSensor: Sendable, Hashable {
  /// Where it is known from.
  enum Source: String, Sendable {
    /// It told so on a link.
    case network
    /// It is a camera of this machine.
    case camera
  }

  /// What it calls itself; harmless to show.
  var name: String
  /// The address, as people would type it.
  var address: String
  /// What it says it captures, in its own words; nil if it does not say.
  var modality: String?
  var source = Source.network
  /// The link it was found on, such as `eth0`, or the device of a camera.
  var place: String

  /// Whether it may capture something: what does not say what it captures may be anything.
  func mayCapture(_ wanted: Modality) -> Bool { modality.map { Modality(word: $0) == wanted } ?? true }

  /// Whether it is one of some sensors: who is known already is not shown twice.
  func isAmong(_ devices: [DeviceDefinition]) -> Bool { devices.contains { $0.address == address } }
}
