import PluginAPI

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
    return "'\(submodality.title)' is already captured; to change it, clear the capture first or add "
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

/// The state of the sensor at the walkthrough's address, found by requesting its information.
enum SensorCheck: Sendable, Hashable {
  /// No address yet.
  case blank
  /// The typed text is not an address; the payload is the reason.
  case noAddress(String)
  /// A request is in progress, or about to be made.
  case checking
  /// No service responds there, or a server of another kind.
  case notFound
  /// A service that does not capture the modality.
  case badModality(Modality)
  /// A service that captures the modality, but not in the way wanted.
  case badSubmodality(Submodality)
  case successful

  /// The text shown to people.
  var text: String {
    switch self {
    case .blank: "Enter a sensor address below."
    case .noAddress(let reason): "No address yet: \(reason)."
    case .checking: "Checking the address …"
    case .notFound: "No sensor found at this address."
    case .badModality(let modality): "The sensor at this address can't capture \(modality.title) data."
    case .badSubmodality(let submodality): "The sensor at this address can't capture \(submodality.title) data."
    case .successful: "Found a sensor at this address."
    }
  }

  /// A description of the problem, as the beginning of an error message.
  var message: String {
    switch self {
    case .badModality(let modality): "the sensor at this address can't capture \(modality.title) data"
    case .badSubmodality(let submodality): "the sensor at this address can't capture \(submodality.title) data"
    case .blank, .noAddress, .checking, .notFound, .successful: "the sensor at this address cannot be used"
    }
  }

  /// True if the walkthrough may end with this address.
  ///
  /// A sensor that is not reachable may be switched on later; one that lacks the ability never gains it.
  var allowsDone: Bool { self == .successful || self == .notFound }

  /// True if a sensor reports that it cannot capture what is requested.
  var saysItCannot: Bool {
    switch self {
    case .badModality, .badSubmodality: true
    case .blank, .noAddress, .checking, .notFound, .successful: false
    }
  }

  /// Judges a service's information, by the same rule that decides what is sent to it.
  ///
  /// A missing parameter counts as unable.
  static func judging(
    _ information: ServiceInformation, _ modality: Modality, _ submodality: Submodality
  ) -> SensorCheck {
    guard information.offers(modality) else { return .badModality(modality) }
    guard case .one = information.offer(of: .string(submodality.wireName), under: "submodality") else {
      return .badSubmodality(submodality)
    }
    return .successful
  }

  /// Returns the values that a service offers under a key, such as `modality`.
  static func values(of key: String, _ information: ServiceInformation) -> [String] {
    information.offers(key).compactMap(\.plainText)
  }
}

/// A check that requests the information of the sensor at an address after a pause in typing.
///
/// A pure state machine: each change of the address ends the check in progress and starts a pause of three seconds;
/// after the pause exactly one request is made. A malformed address is reported at once, without a request. All
/// responses but the one to the newest request are dropped.
struct AddressCheck: Sendable {
  /// The pause in typing before the sensor is contacted, in milliseconds.
  private static let restInMilliseconds = 3000
  /// The delay of 'check again', in milliseconds.
  private static let againInMilliseconds = 50

  /// An order to the owner of the clock and the network.
  ///
  /// Timers and requests carry a ticket that is returned with them.
  enum Order: Sendable, Hashable {
    case startTimer(milliseconds: Int, ticket: Int)
    /// Cancels timer and request, whichever there is.
    case cancel
    case ask(address: String, ticket: Int)
  }

  private(set) var check = SensorCheck.blank
  private(set) var address: String
  /// The reason the text is not an address; nil if it may be one.
  private var problem: String?
  private var ticket = 0
  private var isAsking = false

  /// Starts with an address; an existing one is checked after a pause too.
  ///
  /// - Parameter problem: The reason it is malformed; nil if it may be an address.
  init(_ address: String = "", problem: String? = nil) { (self.address, self.problem) = (address, problem) }

  /// Handles the opening of the page.
  mutating func open() -> [Order] { pause(Self.restInMilliseconds) }

  /// Handles a change of the address.
  ///
  /// - Parameter problem: The reason the text is malformed; nil if it may be an address.
  mutating func edit(_ text: String, problem: String? = nil) -> [Order] {
    (address, self.problem) = (text, problem)
    return pause(Self.restInMilliseconds)
  }

  /// Handles the user's request to check again.
  mutating func again() -> [Order] { pause(Self.againInMilliseconds) }

  /// Handles leaving the page: later responses are ignored.
  mutating func leave() -> [Order] {
    ticket += 1
    return [.cancel]
  }

  /// Handles the end of a timer.
  mutating func rested(_ ticket: Int) -> [Order] {
    guard ticket == self.ticket, !isAsking else { return [] }
    isAsking = true
    return [.ask(address: address, ticket: ticket)]
  }

  /// Handles the end of a request.
  ///
  /// - Parameter information: The service's information; nil if there is none.
  mutating func answered(
    _ ticket: Int, _ information: ServiceInformation?, _ modality: Modality, _ submodality: Submodality
  ) {
    guard ticket == self.ticket, isAsking else { return }
    isAsking = false
    check = information.map { SensorCheck.judging($0, modality, submodality) } ?? .notFound
  }

  private mutating func pause(_ milliseconds: Int) -> [Order] {
    ticket += 1
    isAsking = false
    guard address.contains(where: { !$0.isWhitespace }) else {
      check = .blank
      return [.cancel]
    }
    if let problem {
      check = .noAddress(problem)
      return [.cancel]
    }
    check = .checking
    return [.cancel, .startTimer(milliseconds: milliseconds, ticket: ticket)]
  }
}
