import PluginAPI

/// The sensor of an item, and how it is set.
///
/// Each item has its own copy.
struct DeviceDefinition: Sendable, Hashable {
  /// What the operator calls the sensor; two names may share an address.
  var name: String
  /// The base address, as ``SensorAddress`` writes it.
  var address: String
  /// What is sent as the configuration, submodality included; keys of the service that are not set here stay as they are.
  var configuration = WireDictionary()
  /// When it was last edited: recent sensors are sorted by it.
  var edited: Instant
  /// By what the sensor is known.
  var trust = SensorTrust()
}
