/// A sensor that was found without its address being typed.
struct DiscoveredSensor: Sendable, Hashable {
  /// The source of a sensor's address.
  enum Source: String, Sendable {
    /// Announced on a link.
    case network
    /// It is a camera of this machine.
    case camera
  }

  /// The sensor's own name, sanitized.
  var name: String
  /// The address, as people would type it.
  var address: String
  /// The modality that the sensor announces, as a vendor-specific value; nil if it announces none.
  var modality: String?
  var source = Source.network
  /// The link it was found on, such as `eth0`, or the device of a camera.
  var place: String

  /// Returns true if the sensor may capture a modality.
  ///
  /// A sensor that announces none may capture anything.
  func mayCapture(_ wanted: Modality) -> Bool { modality.map { Modality(word: $0) == wanted } ?? true }

  /// Returns true if this sensor is one of the given ones, so that a known sensor is not listed twice.
  func isAmong(_ devices: [DeviceDefinition]) -> Bool { devices.contains { $0.address == address } }
}
