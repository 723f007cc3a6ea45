/// Asks the sensor at an address for its information once the typing has rested.
///
/// A pure state machine: each change of the address ends what is under way and starts a rest of three seconds; at the
/// end of the rest exactly one request is made. What can be no address is told at once, and nobody is asked. Answers to anything but the newest request are dropped.
struct AddressCheck: Sendable {
  /// The pause in typing before the sensor is contacted, in milliseconds.
  static let restInMilliseconds = 3000
  /// The delay of 'check again', in milliseconds.
  static let againInMilliseconds = 50

  /// An order to the owner of the clock and the network.
  ///
  /// Timers and requests carry a ticket that comes back with them.
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

  /// Begins with an address; one that is there already is checked after a rest too.
  ///
  /// - Parameter problem: Why it can be none; nil if it may be one.
  init(_ address: String = "", problem: String? = nil) { (self.address, self.problem) = (address, problem) }

  /// The page was opened.
  mutating func open() -> [Order] { rest(Self.restInMilliseconds) }

  /// The address was changed to a text.
  ///
  /// - Parameter problem: Why the text can be none; nil if it may be one.
  mutating func edit(_ text: String, problem: String? = nil) -> [Order] {
    (address, self.problem) = (text, problem)
    return rest(Self.restInMilliseconds)
  }

  /// The user wants it checked again.
  mutating func again() -> [Order] { rest(Self.againInMilliseconds) }

  /// The page was left: nothing that comes later counts.
  mutating func leave() -> [Order] {
    ticket += 1
    return [.cancel]
  }

  /// A timer ran out.
  mutating func rested(_ ticket: Int) -> [Order] {
    guard ticket == self.ticket, !isAsking else { return [] }
    isAsking = true
    return [.ask(address: address, ticket: ticket)]
  }

  /// A request came to an end.
  ///
  /// - Parameter information: What the service says of itself; nil if there is none.
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
