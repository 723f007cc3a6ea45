extension DeviceDefinition {
  /// Where the sensor is, with that by which it is known.
  ///
  /// - Throws: What is wrong with the address, also if it cannot hold what the sensor is known by.
  func sensorAddress() throws(AddressError) -> SensorAddress {
    try SensorAddress(parsing: address, trusting: trust)
  }
}
