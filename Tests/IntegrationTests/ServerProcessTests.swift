import Foundation
import Glibc
import TestSupport
import Testing

/// The kit's server in a process that can be stopped, so that simultaneous requests are truly simultaneous.
@Suite(.timeLimit(.minutes(2)))
struct ServerProcessTests {
  /// libmicrohttpd asks the system for 128 connections with news at a time, and one thread of it that has as many waits.
  @Test(arguments: [127, 128, 129, 256]) func `all simultaneous requests get a response`(clients: Int) throws {
    let server = try CommandLineProcess(["wsabi", "simulate", "--sensors", "1"])
    defer { server.send(SIGKILL) }
    let line = server.readSome()
    let port = try #require(line.split(separator: ":").dropFirst(2).first.flatMap { Int($0.prefix(while: \.isNumber)) })
    let path = line.contains("/sensor/1") ? "/sensor/1/info" : "/info"
    let sockets = (0..<clients).map { _ in Self.connection(to: port) }
    defer { for socket in sockets { close(socket) } }
    let request = Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
    // All connections are known to the server.
    for socket in sockets { try #require(Self.ask(socket, request) && Self.hasAnswer(socket)) }
    server.send(SIGSTOP)
    for socket in sockets { #expect(Self.ask(socket, request)) }
    server.send(SIGCONT)
    #expect(sockets.allSatisfy(Self.hasAnswer))
  }

  private static func connection(to port: Int) -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    name.sin_port = in_port_t(UInt16(port)).bigEndian
    _ = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    return descriptor
  }

  private static func ask(_ descriptor: Int32, _ request: [UInt8]) -> Bool {
    send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
  }

  /// Returns true if a successful response arrived before the limit.
  private static func hasAnswer(_ descriptor: Int32) -> Bool {
    var (text, room) = ("", [UInt8](repeating: 0, count: 1 << 16))
    while !text.hasSuffix("</result>") {
      let count = recv(descriptor, &room, room.count, 0)
      if count <= 0 { return false }
      text += String(decoding: room.prefix(count), as: UTF8.self)
    }
    return text.hasPrefix("HTTP/1.1 200 ")
  }
}
