import CDiscovery
import Glibc

/// A transport that queries the links of this machine through the multicast DNS group, each from its own socket at a
/// random port.
///
/// Responses go to that port only, so no daemon is needed, and a running one is not disturbed. For use on one thread.
///
/// - Source: RFC 6762, section 5.1 (one-shot queries).
final class DiscoverySockets: DiscoveryTransport {
  /// The port of multicast DNS.
  static let usualPort = 5353
  /// The longest wait before another socket gets its turn, in milliseconds.
  private static let sliceInMilliseconds = 100

  let links: [DiscoveryLink]
  let port: Int
  private let asked: [discovery_link]
  private var sockets: [Int32]
  private var first: Int32 = 0

  /// Opens the sockets; nothing is sent yet.
  ///
  /// - Parameters:
  ///   - name: The only interface to query; nil for all.
  ///   - port: The port to query.
  /// - Throws: ``DiscoveryError``.
  init(interface name: String? = nil, port: Int = usualPort) throws(DiscoveryError) {
    let all = try Self.all()
    let wanted = all.filter { link in name == nil || Self.name(of: link) == name }
    if let name, wanted.isEmpty { throw .noLink(name, all: Set(all.map(Self.name(of:))).sorted()) }
    var opened: [(link: discovery_link, socket: Int32)] = []
    for link in wanted {
      let socket = withUnsafePointer(to: link) { discovery_open($0) }
      if socket >= 0 { opened.append((link, socket)) }
    }
    if opened.isEmpty { throw .notAsked(reason: "no active network interface supports multicast") }
    self.port = port
    asked = opened.map(\.link)
    sockets = opened.map(\.socket)
    links = opened.map { Self.link($0.link) }
  }

  // Only a backstop, as the moment of deinitialization is not predictable.
  deinit { close() }

  func close() {
    for socket in sockets { discovery_close(socket) }
    sockets = []
  }

  private static func all() throws(DiscoveryError) -> [discovery_link] {
    let room = Int(DISCOVERY_LINKS)
    var links = [discovery_link](repeating: discovery_link(), count: room)
    let count = discovery_links(&links, Int32(room))
    if count < 0 { throw .notAsked(reason: String(cString: strerror(Int32(-count)))) }
    // Link-local addresses cannot be typed, so responses with them would be useless.
    let useful = links.prefix(Int(count)).filter {
      $0.version == 4 || $0.address.0 != 0xFE || $0.address.1 & 0xC0 != 0x80
    }
    // The fourth version first, as its addresses can be typed; the loopback last.
    let ranks = [(false, 4), (false, 6), (true, 4), (true, 6)]
    return ranks.flatMap { isLoopback, version in
      useful.filter { link in
        (link.is_loopback != 0) == isLoopback && link.version == Int32(version)
      }
    }
  }

  private static func name(of link: discovery_link) -> String {
    withUnsafeBytes(of: link.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  private static func link(_ link: discovery_link) -> DiscoveryLink {
    let address = withUnsafeBytes(of: link.address) { Array($0.prefix(link.version == 4 ? 4 : 16)) }
    return DiscoveryLink(
      name: name(of: link), address: address, prefix: Int(link.prefix), isLoopback: link.is_loopback != 0)
  }

  var milliseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }

  func ask(_ message: [UInt8], on link: Int) -> String? {
    let outcome = withUnsafePointer(to: asked[link]) {
      discovery_ask(sockets[link], $0, UInt16(port), message, message.count)
    }
    return outcome < 0 ? String(cString: strerror(-outcome)) : nil
  }

  func next(withinMilliseconds limit: Int) -> DiscoveryDatagram? {
    let wait = Int32(min(max(0, limit), Self.sliceInMilliseconds))
    let ready = discovery_wait(sockets, Int32(sockets.count), first, wait)
    guard ready >= 0 else { return nil }
    first = (ready + 1) % Int32(sockets.count)
    let (link, number) = (asked[Int(ready)], Int(ready))
    var source = [UInt8](repeating: 0, count: Int(DISCOVERY_ADDRESS))
    var from: UInt16 = 0
    let room = Int(DISCOVERY_MESSAGE)
    var count = 0
    let message = [UInt8](unsafeUninitializedCapacity: room) { bytes, written in
      count = withUnsafePointer(to: link) {
        discovery_receive(sockets[number], $0, bytes.baseAddress, room, &source, &from)
      }
      written = (0...room).contains(count) ? count : 0
    }
    guard count >= 0 else { return nil }
    return DiscoveryDatagram(
      link: number, source: Array(source.prefix(links[number].address.count)), port: Int(from), message: message)
  }
}

/// A message of the domain name system, written and read by glibc's resolver.
struct DiscoveryMessage: Sendable {
  /// The largest number of records read from one message; a machine that offers more than a hundred services is not
  /// plausible.
  private static let mostRecords = 512

  /// The number of the question that it responds to.
  let number: Int
  /// The question that it repeats; nil if it repeats none.
  let question: DiscoveryQuestion?
  let records: [DiscoveryRecord]

  /// Reads a response; nil if the message is not a response, or has a damaged header.
  ///
  /// If it is damaged further on, the records before the damage are used.
  init?(_ message: [UInt8]) {
    var head = discovery_head()
    let taken = Records()
    let count = discovery_read(
      message, message.count, Int32(Self.mostRecords), &head,
      { context, record in
        guard let context, let record else { return }
        Unmanaged<Records>.fromOpaque(context).takeUnretainedValue().take(record.pointee)
      }, Unmanaged.passUnretained(taken).toOpaque())
    guard count >= 0, head.is_answer != 0, head.operation == 0, head.outcome == 0, head.questions <= 1 else {
      return nil
    }
    if head.questions == 1 {
      guard let name = Self.name(&head.name, head.name_count),
        let kind = DiscoveryRecord.Kind(rawValue: Int(head.type))
      else { return nil }
      question = DiscoveryQuestion(name: name, kind: kind)
    } else {
      question = nil
    }
    number = Int(head.number)
    records = taken.all
  }

  /// Writes a question with a random number; nil for a name that cannot be queried.
  static func question(_ question: DiscoveryQuestion) -> (bytes: [UInt8], number: Int)? {
    var number: UInt16 = 0
    let room = 512
    let bytes = [UInt8](unsafeUninitializedCapacity: room) { bytes, written in
      let name = question.name.wire
      written = max(
        0,
        discovery_write_question(bytes.baseAddress, room, name, name.count, Int32(question.kind.rawValue), &number))
    }
    return bytes.isEmpty ? nil : (bytes, Int(number))
  }

  /// Opens the resolver.
  ///
  /// - Throws: ``DiscoveryError/notAsked(reason:)``.
  static func begin() throws(DiscoveryError) {
    if let problem = discovery_begin() { throw .notAsked(reason: String(cString: problem)) }
  }

  fileprivate static func name<Bytes>(_ bytes: inout Bytes, _ count: Int) -> DomainName? {
    withUnsafeBytes(of: &bytes) { DomainName(wire: Array($0.prefix(count))) }
  }
}

/// A collector of the records of a message.
private final class Records {
  var all: [DiscoveryRecord] = []

  func take(_ read: discovery_record) {
    var read = read
    guard let kind = DiscoveryRecord.Kind(rawValue: Int(read.type)),
      let name = DiscoveryMessage.name(&read.name, read.name_count), let content = content(kind, &read)
    else { return }
    all.append(DiscoveryRecord(name: name, content: content, isGone: read.seconds == 0))
  }

  private func content(_ kind: DiscoveryRecord.Kind, _ read: inout discovery_record) -> DiscoveryRecord.Content? {
    let data = Array(UnsafeBufferPointer(start: read.data, count: read.data_count))
    switch kind {
    case .address4: return data.count == 4 ? .address(data) : nil
    case .address6: return data.count == 16 ? .address(data) : nil
    case .pointer: return DiscoveryMessage.name(&read.target, read.target_count).map { .pointer($0) }
    case .service:
      let port = Int(read.port)
      return DiscoveryMessage.name(&read.target, read.target_count).map { .service($0, port: port) }
    case .text: return Self.texts(data).map { .text($0) }
    }
  }

  /// Parses length-prefixed texts; nil if one is longer than the remaining bytes.
  ///
  /// - Source: RFC 1035, section 3.3.14.
  private static func texts(_ data: [UInt8]) -> [[UInt8]]? {
    var (texts, remaining): ([[UInt8]], ArraySlice<UInt8>) = ([], data[...])
    while let count = remaining.popFirst() {
      guard remaining.count >= Int(count) else { return nil }
      texts.append(Array(remaining.prefix(Int(count))))
      remaining = remaining.dropFirst(Int(count))
    }
    return texts
  }
}
