extension DeviceDefinition {
  /// Returns the address of the sensor, with its trust.
  ///
  /// - Throws: The fault of the address, also if it cannot carry the trust.
  func sensorAddress() throws(AddressError) -> SensorAddress {
    try SensorAddress(parsing: address, trusting: trust)
  }
}
