import Glibc
import PluginAPI
import Synchronization

/// The announcement of simulated sensors, for clients that query all machines of a link.
public struct SimulatedAnnouncement: Sendable, Hashable {
  /// One sensor.
  struct Sensor: Sendable, Hashable {
    var name: String
    var modality: String
    /// The path after the host, such as `/sensor/1`.
    var path: String
    var port: Int
    var isSecure: Bool
  }

  /// The type of the services, such as `_ws-bd._tcp`.
  public var type: String
  /// The port at which questions come; 0 for any that is free.
  public var port: Int

  public init(type: String, port: Int = 5353) { (self.type, self.port) = (type, port) }
}

/// A responder to multicast DNS questions, in bytes; shares no code with the client.
///
/// - Source: RFC 1035, section 4; RFC 6762, sections 6, 6.7 and 18; RFC 6763, sections 4, 6 and 9.
struct SimulatedResponder: Sendable {
  let type: [String]
  let sensors: [SimulatedAnnouncement.Sensor]
  /// The machine's IPv4 address.
  let address: [UInt8]

  /// The size at which the next message begins, in bytes; small enough to pass any link unfragmented.
  private static let messageLimit = 1400

  init(_ announcement: SimulatedAnnouncement, _ sensors: [SimulatedAnnouncement.Sensor], address: [UInt8]) {
    type = announcement.type.split(separator: ".").map(String.init) + ["local"]
    (self.sensors, self.address) = (sensors, address)
  }

  /// The name for queries that enumerate service types.
  private static let types = ["_services", "_dns-sd", "_udp", "local"]
  private static let (a, pointer, text, service, all): (UInt16, UInt16, UInt16, UInt16, UInt16) = (1, 12, 16, 33, 255)

  /// Returns the messages that respond to a question; none for a malformed one, or one about others.
  ///
  /// - Parameter isToAll: True to send the response to all; otherwise it goes to the sender only, repeats the question,
  ///   and must not be cached for long.
  func answers(to message: [UInt8], isToAll: Bool) -> [[UInt8]] {
    guard let question = Question(message) else { return [] }
    let groups = groups(for: question, isToAll)
    var messages: [[UInt8]] = []
    var pending: [Group] = []
    var size = 0
    for group in groups {
      let count = group.all.reduce(0) { $0 + $1.count }
      if size + count > Self.messageLimit, !pending.isEmpty {
        messages.append(self.message(question, pending, isToAll))
        (pending, size) = ([], 0)
      }
      pending.append(group)
      size += count
    }
    if !pending.isEmpty { messages.append(self.message(question, pending, isToAll)) }
    return messages
  }

  /// Records that go into one message together.
  private struct Group {
    var answers: [[UInt8]]
    var more: [[UInt8]] = []
    var all: [[UInt8]] { answers + more }
  }

  private func message(_ question: Question, _ groups: [Group], _ isToAll: Bool) -> [UInt8] {
    let (answers, more) = (groups.flatMap(\.answers), groups.flatMap(\.more))
    var bytes = Self.word(isToAll ? 0 : question.number) + Self.word(0x8400) + Self.word(isToAll ? 0 : 1)
    bytes += Self.word(UInt16(answers.count)) + Self.word(0) + Self.word(UInt16(more.count))
    if !isToAll { bytes += question.bytes }
    return bytes + answers.flatMap { $0 } + more.flatMap { $0 }
  }

  private func groups(for question: Question, _ isToAll: Bool) -> [Group] {
    func isAsked(_ labels: [String], _ kind: UInt16) -> Bool {
      question.name == labels.map { $0.lowercased() } && (question.kind == kind || question.kind == Self.all)
    }
    if isAsked(Self.types, Self.pointer) {
      return [Group(answers: [record(Self.types, Self.pointer, Self.name(type), isToAll)])]
    }
    if isAsked(type, Self.pointer) {
      return sensors.map { sensor in
        Group(
          answers: [record(type, Self.pointer, Self.name(instance(sensor)), isToAll)],
          more: [service(sensor, isToAll), text(sensor, isToAll), host(sensor, isToAll)])
      }
    }
    var groups: [Group] = []
    for sensor in sensors {
      if isAsked(instance(sensor), Self.service) { groups.append(Group(answers: [service(sensor, isToAll)])) }
      if isAsked(instance(sensor), Self.text) { groups.append(Group(answers: [text(sensor, isToAll)])) }
    }
    if let sensor = sensors.first(where: { isAsked(hostName($0), Self.a) }) {
      groups.append(Group(answers: [host(sensor, isToAll)]))
    }
    return groups
  }

  // MARK: Names and records

  private func instance(_ sensor: SimulatedAnnouncement.Sensor) -> [String] {
    ["\(sensor.name) at \(sensor.port)"] + type
  }

  private func hostName(_ sensor: SimulatedAnnouncement.Sensor) -> [String] { ["simulated-\(sensor.port)", "local"] }

  private func service(_ sensor: SimulatedAnnouncement.Sensor, _ isToAll: Bool) -> [UInt8] {
    let target = Self.word(0) + Self.word(0) + Self.word(UInt16(sensor.port)) + Self.name(hostName(sensor))
    return record(instance(sensor), Self.service, target, isToAll, isOwn: true)
  }

  private func text(_ sensor: SimulatedAnnouncement.Sensor, _ isToAll: Bool) -> [UInt8] {
    let all = [
      "txtvers=1", "path=\(sensor.path)", "name=\(sensor.name)", "modality=\(sensor.modality)",
      "tls=\(sensor.isSecure ? 1 : 0)",
    ]
    let texts = all.flatMap { text in [UInt8(min(255, text.utf8.count))] + text.utf8.prefix(255) }
    return record(instance(sensor), Self.text, texts, isToAll, isOwn: true)
  }

  private func host(_ sensor: SimulatedAnnouncement.Sensor, _ isToAll: Bool) -> [UInt8] {
    record(hostName(sensor), Self.a, address, isToAll, isOwn: true)
  }

  /// - Parameter isOwn: True if no other machine has records of that name and kind.
  private func record(
    _ name: [String], _ kind: UInt16, _ data: [UInt8], _ isToAll: Bool, isOwn: Bool = false
  ) -> [UInt8] {
    let seconds: UInt16 = isToAll ? 120 : 10
    return Self.name(name) + Self.word(kind) + Self.word(isToAll && isOwn ? 0x8001 : 1) + Self.word(0)
      + Self.word(seconds) + Self.word(UInt16(data.count)) + data
  }

  private static func name(_ labels: [String]) -> [UInt8] {
    labels.flatMap { label in [UInt8(min(63, label.utf8.count))] + label.utf8.prefix(63) } + [0]
  }

  private static func word(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }

  // MARK: Questions

  /// The first question of a message.
  private struct Question {
    let number: UInt16
    /// The labels in lower case.
    let name: [String]
    let kind: UInt16
    /// The encoded question, for unicast responses.
    let bytes: [UInt8]

    /// Reads a question; nil for any other message, and for a name with a pointer, as the first name of a message has
    /// none.
    init?(_ message: [UInt8]) {
      guard message.count >= 12, message[2] & 0xF8 == 0, message[4] != 0 || message[5] != 0 else { return nil }
      number = UInt16(message[0]) << 8 | UInt16(message[1])
      var (offset, labels): (Int, [String]) = (12, [])
      while offset < message.count, message[offset] != 0 {
        let count = Int(message[offset])
        guard count <= 63, offset + 1 + count < message.count, offset < 267 else { return nil }
        labels.append(String(decoding: message[(offset + 1)..<(offset + 1 + count)], as: UTF8.self).lowercased())
        offset += 1 + count
      }
      guard offset + 5 <= message.count else { return nil }
      name = labels
      kind = UInt16(message[offset + 1]) << 8 | UInt16(message[offset + 2])
      bytes = Array(message[12..<(offset + 5)])
    }
  }
}

/// An announcer that makes simulated sensors discoverable on the loopback interface, and nowhere else.
final class SimulatedAnnouncer: Sendable {
  /// The port at which questions come.
  let port: Int
  private let isStopped = Atomic(false)
  private static let group: [UInt8] = [224, 0, 0, 251]
  private static let loopback: [UInt8] = [127, 0, 0, 1]

  /// Starts responding.
  ///
  /// - Throws: ``SimulatorError/notAnnounced``.
  init(
    _ announcement: SimulatedAnnouncement, _ sensors: [SimulatedAnnouncement.Sensor]
  ) throws(ErrorReport) {
    let responder = SimulatedResponder(announcement, sensors, address: Self.loopback)
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0, Self.join(descriptor), let port = Self.bind(descriptor, announcement.port) else {
      let reason = String(cString: strerror(errno))
      if descriptor >= 0 { close(descriptor) }
      throw SimulatorError.notAnnounced(
        "the sensors cannot be announced: \(reason)",
        advice: "leave out '--announce', or name another port with '--announce-port'")
    }
    self.port = port
    start {
      self.serve(descriptor, responder)
      close(descriptor)
    }
  }

  /// Runs work on a thread of its own, as it waits for messages.
  private func start(_ work: @escaping @Sendable () -> Void) {
    let work = Unmanaged.passRetained(ThreadWork(run: work))
    var thread = pthread_t()
    let error = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, work.toOpaque())
    if error == 0 { pthread_detach(thread) } else { work.release() }
  }

  private final class ThreadWork: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Stops responding.
  func stop() { isStopped.store(true, ordering: .relaxed) }

  private static func set<Option>(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ option: Option) -> Bool {
    withUnsafeBytes(of: option) { setsockopt(descriptor, level, name, $0.baseAddress, socklen_t($0.count)) == 0 }
  }

  /// Hears the group on the loopback, and no other; daemons of multicast DNS share the port.
  private static func join(_ descriptor: Int32) -> Bool {
    let ip = Int32(IPPROTO_IP)
    var request = ip_mreqn()
    (request.imr_multiaddr, request.imr_address) = (number(group), number(loopback))
    request.imr_ifindex = Int32(if_nametoindex("lo"))
    return set(descriptor, SOL_SOCKET, SO_REUSEADDR, Int32(1)) && set(descriptor, SOL_SOCKET, SO_REUSEPORT, Int32(1))
      && set(descriptor, ip, IP_MULTICAST_ALL, Int32(0)) && set(descriptor, ip, IP_ADD_MEMBERSHIP, request)
      && set(descriptor, ip, IP_MULTICAST_IF, request) && set(descriptor, ip, IP_MULTICAST_TTL, Int32(255))
  }

  private static func number(_ bytes: [UInt8]) -> in_addr {
    var address = in_addr()
    withUnsafeMutableBytes(of: &address) { $0.copyBytes(from: bytes) }
    return address
  }

  /// - Returns: The port; nil if it is not available.
  private static func bind(_ descriptor: Int32, _ port: Int) -> Int? {
    var own = sockaddr_in()
    (own.sin_family, own.sin_port) = (sa_family_t(AF_INET), UInt16(clamping: port).bigEndian)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &own) { own in
      own.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        Glibc.bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0
      } ? Int(UInt16(bigEndian: own.pointee.sin_port)) : nil
    }
  }

  private func serve(_ descriptor: Int32, _ responder: SimulatedResponder) {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    var room = [UInt8](repeating: 0, count: 9000)
    while !isStopped.load(ordering: .relaxed) {
      guard poll(&polled, 1, 100) > 0 else { continue }
      var from = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let count = withUnsafeMutablePointer(to: &from) { from in
        from.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          recvfrom(descriptor, &room, room.count, 0, address, &size)
        }
      }
      // Messages from other machines do not concern a simulator.
      guard count > 0, withUnsafeBytes(of: from.sin_addr, { $0[0] == 127 }) else { continue }
      // A query from the multicast DNS port gets the response that goes to all.
      let isToAll = UInt16(bigEndian: from.sin_port) == UInt16(port)
      if isToAll { from.sin_addr = Self.number(Self.group) }
      for response in responder.answers(to: Array(room.prefix(count)), isToAll: isToAll) {
        withUnsafePointer(to: from) { from in
          from.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            _ = sendto(descriptor, response, response.count, 0, address, size)
          }
        }
      }
    }
  }
}
