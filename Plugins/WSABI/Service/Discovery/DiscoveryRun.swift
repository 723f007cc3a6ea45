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
    if !isAsked { throw .notAsked(reason: problem ?? "no interface is up") }
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
      for found in book.found where !isWhole || found.isTold {
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
