/// What is captured for which item, with which sensor.
struct CaptureOrder: Sendable, Hashable {
  var item: Int
  var address: SensorAddress
  /// What the sensor is set to.
  var configuration: WireDictionary
}
