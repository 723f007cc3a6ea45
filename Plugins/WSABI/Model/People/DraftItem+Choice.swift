import PluginAPI

extension DraftItem {
  /// Creates the item that the walkthrough chose for a person; nil if something is missing.
  ///
  /// - Parameter time: The time when the sensor was chosen, by which recent sensors are sorted.
  init?(person: Int, _ choice: Walkthrough.Choice, at time: Instant) {
    guard let modality = choice.modality, let submodality = choice.submodality, !choice.address.isEmpty else {
      return nil
    }
    var configuration = choice.configuration
    configuration["submodality"] = .string(submodality.wireName)
    self.init(
      person: person, modality: modality, submodality: submodality,
      device: DeviceDefinition(
        name: choice.deviceName, address: choice.address, configuration: configuration, edited: time,
        trust: choice.trust))
  }
}

extension Walkthrough.Choice {
  /// Creates the choice that matches a stored item.
  init(_ item: BiometricItem) {
    self.init(
      modality: item.modality, submodality: item.submodality, deviceName: item.device.name,
      address: item.device.address, configuration: item.device.configuration, trust: item.device.trust)
  }
}
