import PluginAPI

/// The sensor of an item, with its settings.
///
/// Each item has its own copy.
struct DeviceDefinition: Sendable, Hashable {
  /// The operator's name for the sensor.
  ///
  /// Two names may share an address.
  var name: String
  /// The base address, as ``SensorAddress`` writes it.
  var address: String
  /// The configuration sent to the service, submodality included.
  ///
  /// Keys of the service that are absent here stay unchanged.
  var configuration = WireDictionary()
  /// The time of the last edit, by which recent sensors are sorted.
  var edited: Instant
  /// The trust of the sensor.
  var trust = SensorTrust()
}
