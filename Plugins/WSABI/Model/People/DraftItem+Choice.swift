import PluginAPI

extension DraftItem {
  /// What the walkthrough chose for a person; nil if something is missing.
  ///
  /// - Parameter time: When the sensor was chosen, by which the recent ones are sorted.
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
  /// What a stored item has.
  init(_ item: BiometricItem) {
    self.init(
      modality: item.modality, submodality: item.submodality, deviceName: item.device.name,
      address: item.device.address, configuration: item.device.configuration, trust: item.device.trust)
  }
}
