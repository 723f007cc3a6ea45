import Foundation
import Glibc

/// A port of the loopback interface whose queue is full: connections are neither accepted nor refused.
final class DeafListener {
  let address: String
  private var open: [Int32] = []

  init() throws {
    func make() -> Int32 {
      socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    }
    let listener = make()
    open.append(listener)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(listener, generic, size) == 0 && listen(listener, 0) == 0 && getsockname(listener, generic, &size) == 0
      }
    }
    guard isListening else { throw POSIXError(.EADDRINUSE) }
    address = "http://127.0.0.1:\(UInt16(bigEndian: name.sin_port))"
    for _ in 0..<4 {
      let client = make()
      open.append(client)
      withUnsafeMutablePointer(to: &name) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in _ = connect(client, generic, size) }
      }
    }
  }

  deinit { for descriptor in open { close(descriptor) } }
}
