import Foundation
import Glibc
import TestSupport
import Testing

@testable import Host

/// The socket on which `serve` listens.
@Suite(.timeLimit(.minutes(2)))
struct ServeSocketTests {
  private static let kind =
    Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)

  @Test func `a socket with a full backlog is reported as in use without waiting`() throws {
    let folder = try TemporaryFolder()
    let path = folder.url("wb.sock").path
    let address = try #require(SocketAddress(path))
    let server = socket(AF_UNIX, Self.kind, 0)
    defer { close(server) }
    #expect(address.use { bind(server, $0, $1) } == 0 && listen(server, 0) == 0)
    var connections: [Int32] = []
    defer { for connection in connections { close(connection) } }
    var isFull = false
    while !isFull, connections.count < 100 {
      let connection = socket(AF_UNIX, Self.kind, 0)
      connections.append(connection)
      isFull = address.use { connect(connection, $0, $1) } != 0
    }
    #expect(isFull)
    #expect(throws: ServeError.socketInUse(path)) { _ = try ServeSocket(path: path) }
  }
}
