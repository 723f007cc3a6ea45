/// An item being set up in the walkthrough, which is stored only once it is complete.
struct DraftItem: Sendable, Hashable {
  /// The person it is for.
  var person: Int
  var modality: Modality
  var submodality: Submodality
  var device: DeviceDefinition

  init(person: Int, modality: Modality, submodality: Submodality, device: DeviceDefinition) {
    self.person = person
    self.modality = modality
    self.submodality = submodality
    self.device = device
  }

  /// Creates a draft with the current properties of an item.
  init(_ item: BiometricItem) {
    self.init(person: item.person, modality: item.modality, submodality: item.submodality, device: item.device)
  }
}
