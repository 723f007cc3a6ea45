/// What is captured for which item, with which sensor.
struct CaptureOrder: Sendable, Hashable {
  var item: Int
  var address: SensorAddress
  /// What the sensor is set to.
  var configuration: WireDictionary
  /// What the item is as it is ordered, as one that is edited since is not captured; nil to leave it open.
  var definition: ItemDefinition?
}
