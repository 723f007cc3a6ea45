import Glibc
import PluginStore
import Synchronization

/// An announcer that makes simulated sensors discoverable on the loopback interface, and nowhere else.
final class SimulatedAnnouncer: Sendable {
  /// The port at which questions come.
  let port: Int
  private let isStopped = Atomic(false)
  private static let group: [UInt8] = [224, 0, 0, 251]
  private static let loopback: [UInt8] = [127, 0, 0, 1]

  /// Starts responding.
  ///
  /// - Throws: ``SimulatorError/notAnnounced(reason:)``.
  init(
    _ announcement: SimulatedAnnouncement, _ sensors: [SimulatedAnnouncement.Sensor]
  ) throws(SimulatorError) {
    let responder = SimulatedResponder(announcement, sensors, address: Self.loopback)
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0, Self.join(descriptor), let port = Self.bind(descriptor, announcement.port) else {
      let reason = String(cString: strerror(errno))
      if descriptor >= 0 { close(descriptor) }
      throw .notAnnounced(reason: reason)
    }
    self.port = port
    OwnThread.run { [self] in
      serve(descriptor, responder)
      close(descriptor)
    }
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
      for answer in responder.answers(to: Array(room.prefix(count)), isToAll: isToAll) {
        withUnsafePointer(to: from) { from in
          from.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            _ = sendto(descriptor, answer, answer.count, 0, address, size)
          }
        }
      }
    }
  }
}
