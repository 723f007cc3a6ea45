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
  var words: String {
    switch self {
    case .badModality(let modality): "the sensor at this address can't capture \(modality.title) data"
    case .badSubmodality(let submodality): "the sensor at this address can't capture \(submodality.title) data"
    default: "the sensor at this address cannot be used"
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
  static func words(of key: String, _ information: ServiceInformation) -> [String] {
    information.offers(key).compactMap(\.plainText)
  }
}
