import Glibc
import PluginAPI
import PluginStore
import PluginText

/// A search for sensors that announce themselves on the links of this machine; only on request.
///
/// It uses DNS-Based Service Discovery over multicast DNS: one question for the type, repeated after a second and then
/// at doubling intervals, and one for each record that a response left out. Messages that do not respond to a question
/// of this run, come from another port, or from outside the link are ignored; so are addresses outside the link.
///
/// - Source: RFC 6763; RFC 6762, sections 5.1, 6.7 and 11.
struct SensorDiscovery: Sendable {
  /// The service type to search for, and the time limit.
  struct Request: Sendable, Hashable {
    var type: DiscoveryType
    var deadlineInMilliseconds = 3000
    /// The number of sensors that suffices; nil for all that respond in time.
    var count: Int?
  }

  /// The result of a search.
  struct Outcome: Sendable, Hashable {
    var sensors: [DiscoveredSensor] = []
    /// True if more sensors responded than are kept.
    var isCut = false
  }

  /// The largest number of responses read in a run; more are a flood.
  fileprivate static let mostAnswers = 2048
  /// The largest number of questions per link, besides the one for the type.
  static let mostQuestions = 256
  /// The number of times a missing record is requested.
  static let repeats = 2

  let request: Request

  /// Searches on its own thread.
  ///
  /// - Throws: ``DiscoveryError``; `CancellationError` as soon as the task is canceled.
  func outcome(
    _ transport: @escaping @Sendable () throws(DiscoveryError) -> any DiscoveryTransport
  ) async throws -> Outcome {
    let request = request
    return try await OwnThread.value { checkCancellation in
      let transport = try transport()
      defer { transport.close() }
      var run = try DiscoveryRun(request, transport)
      return try run.outcome(checkCancellation)
    }
  }
}

/// One search for sensors.
struct DiscoveryRun {
  private struct Asked: Hashable {
    var question: DiscoveryQuestion
    var link: Int
  }

  private let request: SensorDiscovery.Request
  private let transport: any DiscoveryTransport
  private var books: [DiscoveryBook]
  /// The questions sent under each message number.
  private var numbers: [Int: Set<Asked>] = [:]
  private var counts: [Asked: Int] = [:]
  private var questionCounts: [Int]
  private var answers = 0

  init(_ request: SensorDiscovery.Request, _ transport: any DiscoveryTransport) throws(DiscoveryError) {
    try DiscoveryMessage.begin()
    (self.request, self.transport) = (request, transport)
    books = transport.links.map { DiscoveryBook(request.type, on: $0) }
    questionCounts = books.map { _ in 0 }
  }

  mutating func outcome(_ checkCancellation: () throws -> Void) throws -> SensorDiscovery.Outcome {
    let end = transport.milliseconds + request.deadlineInMilliseconds
    var (next, pause) = (transport.milliseconds, 1000)
    while true {
      try checkCancellation()
      let now = transport.milliseconds
      if now >= end || isEnough { return found }
      if now >= next {
        try askForType()
        (next, pause) = (now + pause, 2 * pause)
      }
      guard let datagram = transport.next(withinMilliseconds: min(next, end) - now) else { continue }
      take(datagram)
    }
  }

  private mutating func askForType() throws(DiscoveryError) {
    let question = DiscoveryQuestion(name: request.type.name, kind: .pointer)
    guard let (bytes, number) = DiscoveryMessage.question(question) else { throw .badType(request.type.text) }
    var problem: String?
    var isAsked = false
    for link in books.indices {
      // Some links do not carry IPv6 multicast groups.
      if let reason = transport.ask(bytes, on: link) { problem = reason } else { isAsked = true }
      numbers[number, default: []].insert(Asked(question: question, link: link))
    }
    if !isAsked { throw .notAsked(reason: problem ?? "no network interface is active") }
  }

  private mutating func take(_ datagram: DiscoveryDatagram) {
    let link = datagram.link
    guard books.indices.contains(link), datagram.port == transport.port, isOnLink(datagram.source, link) else { return }
    answers += 1
    // After a flood the remaining time is waited out, so that an attacker cannot shorten a search.
    guard answers <= SensorDiscovery.mostAnswers, let message = DiscoveryMessage(datagram.message),
      let asked = numbers[message.number]?.filter({ $0.link == link }), !asked.isEmpty
    else { return }
    if let question = message.question, !asked.contains(where: { $0.question == question }) { return }
    books[link].take(message.records)
    askForMissing(on: link)
  }

  /// Returns true if a sender is on the link, by its own address, which for IPv6 may be a link-local one.
  private func isOnLink(_ source: [UInt8], _ link: Int) -> Bool {
    let isForLink = source.count == 16 && source[0] == 0xFE && source[1] & 0xC0 == 0x80
    return isForLink || transport.links[link].reaches(source)
  }

  private mutating func askForMissing(on link: Int) {
    // After a flood of services no more questions are allowed, so missing records are not computed either.
    guard questionCounts[link] < SensorDiscovery.mostQuestions else { return }
    for question in books[link].missing {
      let asked = Asked(question: question, link: link)
      guard counts[asked, default: 0] < SensorDiscovery.repeats,
        questionCounts[link] < SensorDiscovery.mostQuestions,
        let (bytes, number) = DiscoveryMessage.question(question)
      else { continue }
      counts[asked, default: 0] += 1
      questionCounts[link] += 1
      numbers[number, default: []].insert(asked)
      _ = transport.ask(bytes, on: link)
    }
  }

  // MARK: Results

  private var isEnough: Bool {
    guard let count = request.count else { return false }
    return found(isWhole: true).sensors.count >= count
  }

  private var found: SensorDiscovery.Outcome { found(isWhole: false) }

  /// - Parameter isWhole: True to include only services that announced all their attributes.
  private func found(isWhole: Bool) -> SensorDiscovery.Outcome {
    var outcome = SensorDiscovery.Outcome(isCut: books.contains(where: \.isCut))
    var known: Set<[UInt8]> = []
    var addresses: Set<String> = []
    for book in books {
      for found in book.found where !isWhole || found.hasAttributes {
        let same = found.instance.wire + found.target.wire + [UInt8(found.port >> 8), UInt8(found.port & 0xFF)]
        guard !known.contains(same), let sensor = DiscoveredSensor(found, on: book.link) else { continue }
        known.insert(same)
        if addresses.insert(sensor.address).inserted { outcome.sensors.append(sensor) }
      }
    }
    outcome.sensors = Array(outcome.sensors.prefix(request.count ?? outcome.sensors.count))
    return outcome
  }
}

extension DiscoveredSensor {
  /// Creates a sensor from a found service, sanitized for display; nil if its path cannot be part of an address.
  init?(_ found: DiscoveryBook.Found, on link: DiscoveryLink) {
    let path = found.texts["path"].map { String(decoding: $0, as: UTF8.self) } ?? ""
    guard path.isEmpty || path.utf8.first == UInt8(ascii: "/") else { return nil }
    let isSecure = ["1", "true", "yes"].contains { found.texts["tls"].map(Array.init) ?? [] == Array($0.utf8) }
    let host = Self.text(of: found.address)
    let typed = "\(isSecure ? "https" : "http")://\(host):\(found.port)\(path)"
    guard let address = try? SensorAddress(parsing: typed) else { return nil }
    let name = Self.shown(found.texts["name"]) ?? Self.shown(Array(found.instance.firstLabel))
    self.init(
      name: name ?? address.text, address: address.text, modality: Self.shown(found.texts["modality"]),
      interface: link.name)
  }

  /// Returns sanitized text from another machine; nil if nothing is left of it.
  private static func shown(_ bytes: [UInt8]?) -> String? {
    guard let bytes else { return nil }
    let text = SanitizedText.line(String(decoding: bytes, as: UTF8.self), limit: 64)
    return text.contains { !$0.isWhitespace } ? text : nil
  }

  private static func text(of address: [UInt8]) -> String {
    let family = address.count == 4 ? AF_INET : AF_INET6
    var room = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(family, address, &room, socklen_t(room.count)) != nil else { return "" }
    let text = String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return family == AF_INET ? text : "[\(text)]"
  }
}

/// A transport that queries all machines of several links at once, and receives their responses.
///
/// It has its own clock, so that a test needs none.
protocol DiscoveryTransport: AnyObject {
  /// The links that can be searched, in the order in which their responses are preferred.
  var links: [DiscoveryLink] { get }
  /// The port of queries, from which responses come too.
  var port: Int { get }
  /// A time that never goes back.
  var milliseconds: Int { get }

  /// Sends a query on a link.
  ///
  /// - Returns: The reason it could not be sent; nil on success.
  func ask(_ message: [UInt8], on link: Int) -> String?

  /// Returns the next response; nil if none was received in that time.
  func next(withinMilliseconds limit: Int) -> DiscoveryDatagram?

  /// Releases the system resources; no queries are possible afterwards.
  func close()
}

/// A datagram received from a link.
struct DiscoveryDatagram: Sendable, Hashable {
  /// The number of the link, from 0.
  var link: Int
  /// The sender's address, of the same length as the link's.
  var source: [UInt8]
  var port: Int
  /// Empty for a message that is longer than messages are.
  var message: [UInt8]
}

/// The reason sensors cannot be searched for.
enum DiscoveryError: Error, Equatable, ReportableError {
  /// The user asked for no network.
  case offline
  /// The service type in the settings is malformed.
  case badType(String)
  /// No interface of that name is up; those that are.
  case noLink(String, all: [String])
  /// No interface is up, or the system denies multicast.
  case notAsked(reason: String)

  private enum Code {
    static let offline = DeclaredError(
      "wsabi.discovery-offline", .refused, "cannot search for sensors: the network is switched off")
    static let badType = DeclaredError(
      "wsabi.discovery-type", .usage, "the setting 'discovery-type' is not a service type")
    static let noLink = DeclaredError(
      "wsabi.no-interface", .usage, "the network interface to search is not active")
    static let notAsked = DeclaredError(
      "wsabi.not-discovered", .network, "the system does not allow searching for sensors")
  }

  /// The stable codes.
  static let errorCodes = [Code.offline, Code.badType, Code.noLink, Code.notAsked].map(\.catalogueEntry)

  var report: ErrorReport {
    switch self {
    case .offline:
      Code.offline("cannot search for sensors: the network is switched off", advice: "omit '--offline'")
    case .badType(let text):
      Code.badType(
        "'\(SanitizedText.line(text, limit: 40))' is not a service type",
        advice: "write it like '\(DiscoveryType.usual)' in the setting 'discovery-type'")
    case .noLink(let name, let all):
      Code.noLink(
        "cannot search on the interface '\(SanitizedText.line(name, limit: 40))'",
        advice: all.isEmpty ? "check the interfaces with 'ip address'" : "choose one of \(all.joined(separator: ", "))")
    case .notAsked(let reason):
      Code.notAsked(
        "cannot search for sensors: \(reason)",
        advice: "check the interfaces with 'ip address', or type the address of the sensor")
    }
  }
}
