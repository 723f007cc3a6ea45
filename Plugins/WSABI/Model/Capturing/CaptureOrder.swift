/// An order to capture an item with a sensor.
struct CaptureOrder: Sendable, Hashable {
  var item: Int
  var address: SensorAddress
  /// The sensor's configuration.
  var configuration: WireDictionary
  /// The item's definition at the time of the order; an item edited since is not captured.
  ///
  /// Nil to leave it open.
  var definition: ItemDefinition?
}
