/// The properties under which a capture of an item is filed: its subject, and the sensor with its settings.
struct ItemDefinition: Sendable, Hashable {
  var modality: Modality
  var submodality: Submodality
  var address: String
  var trust: SensorTrust
  var configuration: WireDictionary

  init(_ modality: Modality, _ submodality: Submodality, _ device: DeviceDefinition) {
    (self.modality, self.submodality) = (modality, submodality)
    (address, trust, configuration) = (device.address, device.trust, device.configuration)
  }
}

extension BiometricItem {
  var definition: ItemDefinition { ItemDefinition(modality, submodality, device) }
}

extension DraftItem {
  var definition: ItemDefinition { ItemDefinition(modality, submodality, device) }
}
