import Foundation
import Glibc
import Synchronization

/// A small HTTP/1.1 server on the loopback interface whose correct or faulty responses the test defines.
public final class FixtureServer: Sendable {
  private struct State {
    var requests: [FixtureRequest] = []
    var connections = 0
    var sentBytes = 0
    var open: Set<Int32> = []
    var isStopped = false
  }

  /// The address of the server: `http://127.0.0.1:port`.
  public let address: String
  private let listener: Int32
  private let answer: @Sendable (FixtureRequest) -> FixtureReply
  private let state = Mutex(State())
  private let bodyBegun = DispatchSemaphore(value: 0)

  /// Starts a server.
  ///
  /// - Parameter answer: Called on threads of the server.
  public init(_ answer: @escaping @Sendable (FixtureRequest) -> FixtureReply) throws {
    self.answer = answer
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard listener >= 0 else { throw POSIXError(.EMFILE) }
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = self.listener
    let status = withUnsafeMutablePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(listener, generic, size) == 0 && listen(listener, 32) == 0 && getsockname(listener, generic, &size) == 0
      }
    }
    guard status else { throw POSIXError(.EADDRINUSE) }
    address = "http://127.0.0.1:\(UInt16(bigEndian: name.sin_port))"
    Thread.detachNewThread { [weak self] in
      FixtureServer.accept(listener) { [weak self] in self?.serve($0) ?? FixtureServer.hangUp($0) }
    }
  }

  deinit { stop() }

  /// The requests so far, in order.
  public var requests: [FixtureRequest] { state.withLock { $0.requests } }
  /// The number of connections so far.
  public var connections: Int { state.withLock { $0.connections } }
  /// The number of body bytes that the system has accepted for sending.
  public var sentBytes: Int { state.withLock { $0.sentBytes } }

  /// Waits until the first bytes of a body were sent; at most two minutes.
  public func waitForBody() -> Bool { bodyBegun.wait(timeout: .now() + 120) == .success }

  /// Closes everything.
  public func stop() {
    // Under the lock: once its thread has closed a descriptor, the number may belong to another file.
    state.withLock { state in
      if state.isStopped { return }
      state.isStopped = true
      // The thread that accepts closes the listener, for the same reason.
      for descriptor in state.open.union([listener]) { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  private static func hangUp(_ descriptor: Int32) { close(descriptor) }

  private static func accept(_ listener: Int32, _ serve: @escaping @Sendable (Int32) -> Void) {
    while true {
      let descriptor = Glibc.accept(listener, nil, nil)
      if descriptor >= 0 {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        Thread.detachNewThread { serve(descriptor) }
      } else if errno != EINTR {
        return hangUp(listener)
      }
    }
  }

  private func serve(_ descriptor: Int32) {
    let isStopped = state.withLock { state in
      state.connections += 1
      state.open.insert(descriptor)
      return state.isStopped
    }
    var rest: [UInt8] = []
    while !isStopped, let request = Self.read(descriptor, &rest) {
      state.withLock { $0.requests.append(request) }
      if !send(answer(request), to: descriptor, isHead: request.method == "HEAD") { break }
    }
    state.withLock { state in
      state.open.remove(descriptor)
      close(descriptor)
    }
  }

  /// Reads a request; nil when the client is gone.
  private static func read(_ descriptor: Int32, _ rest: inout [UInt8]) -> FixtureRequest? {
    let mark = Array("\r\n\r\n".utf8)
    var end = rest.firstRange(of: mark)
    while end == nil {
      guard receive(descriptor, &rest) else { return nil }
      end = rest.firstRange(of: mark)
    }
    guard let end else { return nil }
    let lines = String(decoding: rest[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    rest.removeSubrange(..<end.upperBound)
    let words = lines[0].split(separator: " ").map(String.init)
    guard words.count == 3 else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      headers[parts[0].lowercased()] = parts.count > 1 ? parts[1] : ""
    }
    let length = headers["content-length"].flatMap { Int($0) } ?? 0
    while rest.count < length { guard receive(descriptor, &rest) else { return nil } }
    defer { rest.removeFirst(length) }
    return FixtureRequest(method: words[0], target: words[1], headers: headers, body: Array(rest.prefix(length)))
  }

  private static func receive(_ descriptor: Int32, _ bytes: inout [UInt8]) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      if count > 0 { bytes += buffer[..<count] }
      return count > 0
    }
  }

  /// Sends a reply.
  ///
  /// - Returns: True if the connection can continue.
  private func send(_ reply: FixtureReply, to descriptor: Int32, isHead: Bool) -> Bool {
    var head = "HTTP/1.1 \(reply.status) Fixture\r\n"
    for header in reply.headers { head += "\(header.name): \(header.value)\r\n" }
    var isStated = true
    if case .unstated = reply.manner { isStated = false }
    if case .endless = reply.manner { isStated = false }
    head += isStated ? "Content-Length: \(reply.body.count)\r\n\r\n" : "Connection: close\r\n\r\n"
    guard write(Array(head.utf8), to: descriptor, counts: false) else { return false }
    if isHead || reply.status == 204 { return true }
    switch reply.manner {
    case .whole: return write(reply.body, to: descriptor)
    case .unstated:
      _ = write(reply.body, to: descriptor)
      return false
    case .cut(let count):
      _ = write(Array(reply.body.prefix(count)), to: descriptor)
      return false
    case .reset(let count):
      _ = write(Array(reply.body.prefix(count)), to: descriptor)
      reset(descriptor)
      return false
    case .stuck(let count):
      _ = write(Array(reply.body.prefix(count)), to: descriptor)
      waitForClient(descriptor, milliseconds: -1)
      return false
    case .drip(let milliseconds):
      for byte in reply.body {
        guard write([byte], to: descriptor), !waitForClient(descriptor, milliseconds: milliseconds) else {
          return false
        }
      }
      return true
    case .endless:
      while write(reply.body, to: descriptor) {}
      return false
    }
  }

  /// Waits until the client closes the connection, sends something, or the time is over, as a slow server does.
  @discardableResult
  private func waitForClient(_ descriptor: Int32, milliseconds: Int32) -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, milliseconds) > 0
  }

  /// Makes the following close reset the connection.
  ///
  /// The sent data must have arrived, because a reset discards what is under way.
  private func reset(_ descriptor: Int32) {
    var unsent: Int32 = 0
    repeat { _ = ioctl(descriptor, UInt(TIOCOUTQ), &unsent) } while unsent > 0
    waitForClient(descriptor, milliseconds: 50)
    var lingering = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32, counts: Bool = true) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.send(descriptor, buffer.baseAddress.map { $0 + sent }, buffer.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return false }
      sent += count
      if counts { state.withLock { $0.sentBytes += count } }
    }
    if counts, !bytes.isEmpty { bodyBegun.signal() }
    return true
  }
}
