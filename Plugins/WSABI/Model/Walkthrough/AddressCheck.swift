/// A check that requests the information of the sensor at an address after a pause in typing.
///
/// A pure state machine: each change of the address ends the check in progress and starts a pause of three seconds;
/// after the pause exactly one request is made. A malformed address is reported at once, without a request. All
/// responses but the one to the newest request are dropped.
struct AddressCheck: Sendable {
  /// The pause in typing before the sensor is contacted, in milliseconds.
  static let restInMilliseconds = 3000
  /// The delay of 'check again', in milliseconds.
  static let againInMilliseconds = 50

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
  mutating func open() -> [Order] { rest(Self.restInMilliseconds) }

  /// Handles a change of the address.
  ///
  /// - Parameter problem: The reason the text is malformed; nil if it may be an address.
  mutating func edit(_ text: String, problem: String? = nil) -> [Order] {
    (address, self.problem) = (text, problem)
    return rest(Self.restInMilliseconds)
  }

  /// Handles the user's request to check again.
  mutating func again() -> [Order] { rest(Self.againInMilliseconds) }

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

  private mutating func rest(_ milliseconds: Int) -> [Order] {
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
