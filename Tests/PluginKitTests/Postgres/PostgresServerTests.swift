import Foundation
import Glibc
import PluginAPI
import PluginPostgres
import TestSupport
import Testing

/// The server that other tests use.
@Suite(.enabled(if: PostgresServer.isInstalled, Comment(rawValue: PostgresServer.absence)), .timeLimit(.minutes(10)))
struct PostgresServerTests {
  @Test func `a server ends with its owner process and removes its files`() throws {
    let owner = Process()
    owner.executableURL = URL(fileURLWithPath: "/bin/sleep")
    owner.arguments = ["600"]
    try owner.run()
    defer { if owner.isRunning { kill(owner.processIdentifier, SIGKILL) } }
    let folder = try TemporaryFolder()
    let script = Checkout.root.appendingPathComponent("Scripts/postgres").path
    let started = try run(script, ["start", folder.path.path, "\(owner.processIdentifier)"])
    try #require(started.status == 0)
    let address = try PostgresAddress(String(started.output.prefix { $0 != "\n" }))
    try PostgresConnection(address, timeoutInSeconds: 60).close()
    kill(owner.processIdentifier, SIGKILL)
    owner.waitUntilExit()
    #expect(polls { !FileManager.default.fileExists(atPath: folder.path.path) })
    let error = #expect(throws: PostgresError.self) { try PostgresConnection(address, timeoutInSeconds: 60) }
    #expect(error?.report.code == "store.unreachable")
  }
}
