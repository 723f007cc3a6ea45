import CDiscovery

/// A message of the domain name system, written and read by glibc's resolver.
struct DiscoveryMessage: Sendable {
  /// The largest number of records read from one message; a machine that offers more than a hundred services is not
  /// plausible.
  static let mostRecords = 512

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
    var (texts, rest): ([[UInt8]], ArraySlice<UInt8>) = ([], data[...])
    while let count = rest.popFirst() {
      guard rest.count >= Int(count) else { return nil }
      texts.append(Array(rest.prefix(Int(count))))
      rest = rest.dropFirst(Int(count))
    }
    return texts
  }
}
