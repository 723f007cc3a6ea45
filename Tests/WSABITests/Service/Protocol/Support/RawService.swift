import Foundation
import Glibc
import Synchronization

/// A service on the loopback interface that sends exactly a test's bytes, or hangs up.
final class RawService: Sendable {
  /// The service's reaction to a request.
  enum Reply: Sendable {
    /// Sends bytes and waits for the next request.
    case send([UInt8])
    /// Sends bytes and closes.
    case sendAndClose([UInt8])
    /// Closes without a byte.
    case close
    /// Resets the connection without a byte.
    case reset
    /// Sends bytes and then nothing more until the client disconnects.
    case sendAndWait([UInt8])

    static func text(_ text: String) -> Reply { .sendAndClose(Array(text.utf8)) }
  }

  private struct State {
    var heads: [String] = []
    /// Numbers of sockets that are its own; they are closed while this is locked, as they are another's from then on.
    var open: Set<Int32> = []
    var isStopped = false
  }

  let address: String
  /// The listening socket, while it listens.
  let listener: Int32
  private let answer: @Sendable (Int, String) -> Reply
  private let state: Shared

  /// The state of the threads, which outlives all other owners.
  private final class Shared: Sendable {
    let content: Mutex<State>
    init(_ listener: Int32) { content = Mutex(State(open: [listener])) }

    func close(_ descriptor: Int32) {
      content.withLock { state in
        state.open.remove(descriptor)
        Glibc.close(descriptor)
      }
    }

    /// Ends reading from a socket and writing to it, if it is still open.
    func shutDown(_ descriptors: Set<Int32>?) {
      content.withLock { state in
        if descriptors == nil { state.isStopped = true }
        for descriptor in descriptors?.intersection(state.open) ?? state.open {
          shutdown(descriptor, Int32(SHUT_RDWR))
        }
      }
    }
  }

  /// Starts the service.
  ///
  /// - Parameter answer: Responds to the head of a request; its number counts from 0.
  init(_ answer: @escaping @Sendable (Int, String) -> Reply) throws {
    self.answer = answer
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    self.listener = listener
    let state = Shared(listener)
    self.state = state
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(listener, generic, size) == 0 && listen(listener, 32) == 0 && getsockname(listener, generic, &size) == 0
      }
    }
    guard isListening else { throw POSIXError(.EADDRINUSE) }
    address = "http://127.0.0.1:\(UInt16(bigEndian: name.sin_port))"
    Thread.detachNewThread { [weak self] in
      RawService.accept(listener, state) { [weak self] in self?.serve($0) }
    }
  }

  deinit { state.shutDown(nil) }

  /// Accepts no more connections.
  func stopListening() { state.shutDown([listener]) }

  /// The heads of the requests so far.
  var heads: [String] { state.content.withLock { $0.heads } }

  private static func accept(_ listener: Int32, _ state: Shared, _ serve: @escaping @Sendable (Int32) -> Void) {
    while true {
      let descriptor = Glibc.accept(listener, nil, nil)
      if descriptor < 0 { break }
      state.content.withLock { _ = $0.open.insert(descriptor) }
      Thread.detachNewThread {
        serve(descriptor)
        state.close(descriptor)
      }
    }
    state.close(listener)
  }

  private func serve(_ descriptor: Int32) {
    let isStopped = state.content.withLock(\.isStopped)
    while !isStopped, let head = Self.head(descriptor) {
      let number = state.content.withLock { state in
        state.heads.append(head)
        return state.heads.count - 1
      }
      switch answer(number, head) {
      case .send(let bytes): if !Self.write(bytes, descriptor) { return }
      case .sendAndClose(let bytes):
        _ = Self.write(bytes, descriptor)
        return
      case .close: return
      case .reset:
        var lingering = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
        return
      case .sendAndWait(let bytes):
        _ = Self.write(bytes, descriptor)
        var byte: UInt8 = 0
        _ = recv(descriptor, &byte, 1, 0)
        return
      }
    }
  }

  /// Reads a head and passes over the body; nil when the client is gone.
  private static func head(_ descriptor: Int32) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard recv(descriptor, &byte, 1, 0) == 1 else { return nil }
      bytes.append(byte)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let line = text.lowercased().components(separatedBy: "\r\n").first { $0.hasPrefix("content-length:") }
    let length = line.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
    for _ in 0..<length where recv(descriptor, &byte, 1, 0) != 1 { return nil }
    return text
  }

  private static func write(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }

  /// Returns an HTTP response with its length.
  static func answer(_ body: String, status: String = "200 OK", type: String = "application/xml") -> [UInt8] {
    Array(
      "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
  }
}
