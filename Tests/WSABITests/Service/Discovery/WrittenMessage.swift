@testable import WSABI

/// A message of the domain name system, written byte by byte, so that it can be wrong in every way.
struct WrittenMessage {
  var number = 0
  var flags = 0x8400
  var question: [UInt8]?
  var answers: [[UInt8]] = []
  var more: [[UInt8]] = []
  /// The number of answers that the head claims; nil for the real number.
  var claimedAnswers: Int?

  /// Creates a response to a question.
  init(to asked: [UInt8]) {
    number = Int(asked[0]) << 8 | Int(asked[1])
    question = Array(asked[12...])
  }

  var bytes: [UInt8] {
    let counts = [question == nil ? 0 : 1, claimedAnswers ?? answers.count, 0, more.count]
    let head = Self.word(number) + Self.word(flags) + counts.flatMap(Self.word)
    return head + (question ?? []) + answers.flatMap { $0 } + more.flatMap { $0 }
  }

  static func word(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)] }

  static func name(_ text: String) -> [UInt8] { name(text.split(separator: ".").map { Array($0.utf8) }) }

  static func name(_ labels: [[UInt8]]) -> [UInt8] { labels.flatMap { [UInt8($0.count)] + $0 } + [0] }

  static func record(
    _ name: [UInt8], _ kind: DiscoveryRecord.Kind, _ data: [UInt8], length: Int? = nil, seconds: Int = 10
  ) -> [UInt8] {
    name + word(kind.rawValue) + word(0x8001) + word(0) + word(seconds) + word(length ?? data.count) + data
  }

  // MARK: A sensor

  static let type = name("_ws-bd._tcp.local")

  /// Returns the name of an instance, in the encoding of messages.
  static func instance(_ label: String) -> [UInt8] { [UInt8(label.utf8.count)] + Array(label.utf8) + type }

  static func pointer(_ label: String, seconds: Int = 10) -> [UInt8] {
    record(type, .pointer, instance(label), seconds: seconds)
  }

  static func service(_ label: String, port: Int = 8000, host: String = "desk.local") -> [UInt8] {
    record(instance(label), .service, word(0) + word(0) + word(port) + name(host))
  }

  static func text(_ label: String, _ texts: [String]) -> [UInt8] {
    record(instance(label), .text, texts.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) })
  }

  static func address(_ bytes: [UInt8], host: String = "desk.local") -> [UInt8] {
    record(name(host), bytes.count == 4 ? .address4 : .address6, bytes)
  }

  /// Returns all records of a sensor.
  static func sensor(
    _ label: String, _ texts: [String] = ["path=/Service"], at place: [UInt8] = [192, 168, 7, 20]
  ) -> [[UInt8]] {
    [pointer(label), service(label), text(label, texts), address(place)]
  }
}

/// Links of a test: questions are answered at once, and time passes only while there is no message.
final class ScriptedLinks: DiscoveryTransport {
  var links = [DiscoveryLink(name: "eth7", address: [192, 168, 7, 2], prefix: 24)]
  let port = 5353
  private(set) var milliseconds = 0
  /// The questions sent, each with its link and time.
  private(set) var asked: [(message: [UInt8], link: Int, at: Int)] = []
  private var pending: [DiscoveryDatagram] = []
  private let answer: (_ asked: [UInt8], _ link: Int) -> [[UInt8]]
  /// The source address of the answers.
  var source: [UInt8] = [192, 168, 7, 20]
  var sourcePort = 5353
  var problem: String?
  private(set) var isClosed = false

  init(_ answer: @escaping (_ asked: [UInt8], _ link: Int) -> [[UInt8]]) { self.answer = answer }

  func ask(_ message: [UInt8], on link: Int) -> String? {
    if let problem { return problem }
    asked.append((message, link, milliseconds))
    for bytes in answer(message, link) {
      pending.append(DiscoveryDatagram(link: link, source: source, port: sourcePort, message: bytes))
    }
    return nil
  }

  func next(withinMilliseconds limit: Int) -> DiscoveryDatagram? {
    if !pending.isEmpty { return pending.removeFirst() }
    milliseconds += max(1, limit)
    return nil
  }

  func close() { isClosed = true }

  /// The kinds of records in the questions, in order.
  var kinds: [DiscoveryRecord.Kind?] {
    asked.map { DiscoveryRecord.Kind(rawValue: Int($0.message[$0.message.count - 3])) }
  }
}
