import Foundation
import Glibc

/// A client that sends raw bytes and collects the response.
public enum RawClient {
  /// Sends bytes and returns the response until the other side closes, or until it ends with a text.
  ///
  /// On a thread of its own: the tasks of handlers need those of the runtime.
  public static func talk(_ port: Int, _ bytes: [UInt8], until end: String? = nil) async -> String {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let descriptor = connect(port)
        let answers = send(descriptor, bytes, until: end)
        close(descriptor)
        continuation.resume(returning: answers.joined())
      }
    }
  }

  /// Sends one text after the other, each when the response to the one before has ended with a text; returns the single
  /// reads of each response.
  public static func talk(_ port: Int, _ texts: [String], until end: String) async -> [[String]] {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let descriptor = connect(port)
        let answers = texts.map { send(descriptor, Array($0.utf8), until: end) }
        close(descriptor)
        continuation.resume(returning: answers)
      }
    }
  }

  private static func connect(_ port: Int) -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    name.sin_port = in_port_t(UInt16(port)).bigEndian
    _ = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return descriptor
  }

  private static func send(_ descriptor: Int32, _ bytes: [UInt8], until end: String?) -> [String] {
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    var reads: [String] = []
    var room = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(descriptor, &room, room.count, 0)
      if count <= 0 { return reads }
      reads.append(String(decoding: room.prefix(count), as: UTF8.self))
      if let end, reads.joined().hasSuffix(end) { return reads }
    }
  }
}
