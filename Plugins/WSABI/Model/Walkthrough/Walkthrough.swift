/// The walkthrough to an item: the part of the body, the manner, the sensor and its address.
///
/// A pure state machine. A new item does not exist until ``done()`` returns its choice; for a stored one each step can
/// be left unchanged.
struct Walkthrough: Sendable {
  /// A step of the walkthrough.
  enum Step: Int, Comparable, Sendable {
    case modality
    case submodality
    case device
    case setup

    static func < (left: Step, right: Step) -> Bool { left.rawValue < right.rawValue }
  }

  /// The choices made so far.
  struct Choice: Sendable, Hashable {
    var modality: Modality?
    var submodality: Submodality?
    var deviceName = ""
    var address = ""
    var configuration = WireDictionary()
    /// The trust of the sensor at the address.
    var trust = SensorTrust()

    /// Returns the trust of the sensor at an address, which may differ from the chosen one.
    func trust(at address: String) -> SensorTrust { address == self.address ? trust : SensorTrust() }
  }

  private(set) var step: Step
  private(set) var choice: Choice
  /// The choices of the stored item; nil for a new one.
  let stored: Choice?
  /// True if the stored item has a capture: the item then keeps the part of the body it was captured as.
  let isCaptured: Bool

  /// Creates a walkthrough for a new item, or for a stored one.
  ///
  /// - Parameter first: The first step; a new item always begins with its modality.
  init(stored: Choice? = nil, from first: Step = .modality, isCaptured: Bool = false) {
    (self.stored, self.isCaptured) = (stored, isCaptured)
    choice = stored ?? Choice()
    step = stored == nil ? .modality : first
  }

  /// True if the step may be left with the stored item's choice.
  var canKeep: Bool {
    guard let stored else { return false }
    return switch step {
    case .modality: stored.modality != nil && choice.modality == stored.modality
    case .submodality: stored.submodality != nil && choice.modality == stored.modality
    case .device, .setup: !stored.address.isEmpty
    }
  }

  /// Keeps the stored item's choice for this step, and continues.
  ///
  /// - Returns: True if it was possible.
  mutating func keep() -> Bool {
    guard canKeep, let stored else { return false }
    switch step {
    case .modality: choice.modality = stored.modality
    case .submodality: choice.submodality = stored.submodality
    case .device, .setup:
      (choice.deviceName, choice.address) = (stored.deviceName, stored.address)
      (choice.configuration, choice.trust) = (stored.configuration, stored.trust)
    }
    step = Step(rawValue: step.rawValue + 1) ?? .setup
    return true
  }

  /// Returns the reason a modality cannot be chosen; nil if it can.
  func refusal(_ modality: Modality) -> String? { modality == stored?.modality ? nil : refusal }

  /// Returns the reason a submodality cannot be chosen; nil if it can.
  func refusal(_ submodality: Submodality) -> String? { submodality == stored?.submodality ? nil : refusal }

  private var refusal: String? {
    guard isCaptured, let submodality = stored?.submodality else { return nil }
    return "'\(submodality.title)' is captured here already, and stays what it is: clear the capture first, or add "
      + "another item"
  }

  /// Chooses the modality; another one than before forgets the submodality and the sensor.
  mutating func choose(_ modality: Modality) {
    if choice.modality != modality {
      (choice.submodality, choice.deviceName, choice.address) = (nil, "", "")
      (choice.configuration, choice.trust) = (WireDictionary(), SensorTrust())
    }
    choice.modality = modality
    step = .submodality
  }

  /// Chooses the submodality.
  mutating func choose(_ submodality: Submodality) {
    guard choice.modality != nil else { return }
    choice.submodality = submodality
    step = .device
  }

  /// Chooses a sensor that is known; its address is shown for checking.
  mutating func choose(
    device name: String, at address: String, _ configuration: WireDictionary,
    trusting trust: SensorTrust = SensorTrust()
  ) {
    guard choice.submodality != nil else { return }
    (choice.deviceName, choice.address, choice.configuration) = (name, address, configuration)
    choice.trust = trust
    step = .setup
  }

  /// Continues with a new sensor.
  mutating func chooseNewDevice() {
    choose(device: "", at: "", WireDictionary())
  }

  /// Names the sensor and its address, in the last step.
  ///
  /// The trust of a sensor stays with its address, and is dropped when the address changes.
  mutating func setUp(name: String, address: String) {
    let known = choice.trust(at: address)
    choice.trust = known.isEmpty ? stored?.trust(at: address) ?? known : known
    (choice.deviceName, choice.address) = (name, address)
  }

  /// Goes back a step.
  ///
  /// - Returns: False on the first step, where going back means to cancel.
  mutating func back() -> Bool {
    guard let previous = Step(rawValue: step.rawValue - 1) else { return false }
    step = previous
    return true
  }

  /// Returns the choice if it is complete and the check allows it.
  ///
  /// - Parameter anyway: True to accept a sensor that reports that it cannot do it.
  func done(_ check: SensorCheck, anyway: Bool = false) -> Choice? {
    guard step == .setup, choice.modality != nil, choice.submodality != nil, !choice.address.isEmpty,
      check.allowsDone || anyway && check.saysItCannot
    else { return nil }
    return choice
  }
}
