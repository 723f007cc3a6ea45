extension SensorAddress {
  /// Reads what a person typed, or what was kept.
  ///
  /// - Throws: What is wrong with it.
  init(parsing text: String) throws(AddressError) {
    throw .empty
  }
}
