import Foundation
internal import Glibc

/// A PostgreSQL server for tests, made by `Scripts/postgres` in a folder of its own.
///
/// It ends with the process of the tests, even if that is killed.
public final class PostgresServer: Sendable {
  /// True if this machine has the server's programs.
  public static let isInstalled = (try? script(["programs"]).status) == 0

  /// The reason for which tests are skipped without them.
  public static let absence = "PostgreSQL is not installed"

  /// A server for all tests that do not kill it; stopped at the end of the process.
  public static let shared: Result<PostgresServer, any Error> = Result {
    let server = try PostgresServer()
    atexit { try? PostgresServer.shared.get().stop() }
    return server
  }

  /// A server that did not start.
  public struct NotStarted: Error {}

  private let folder: TemporaryFolder
  /// The address of a database, whose password libpq finds.
  public let address: String

  /// Makes and starts a server.
  public init() throws {
    folder = try TemporaryFolder()
    address = try Self.started(folder, for: getpid())
  }

  private static func script(_ words: [String]) throws -> (output: String, status: Int32) {
    try run(Checkout.root.appendingPathComponent("Scripts/postgres").path, words)
  }

  /// Starts a server and returns its address.
  ///
  /// - Parameter owner: The process with which the server ends; nil if it has one.
  private static func started(_ folder: TemporaryFolder, for owner: pid_t? = nil) throws -> String {
    let outcome = try script(["start", folder.path.path] + (owner.map { ["\($0)"] } ?? []))
    guard outcome.status == 0 else { throw NotStarted() }
    return String(outcome.output.prefix { $0 != "\n" })
  }

  /// Starts the server again, at the same address.
  public func start() throws { _ = try Self.started(folder) }

  /// Stops the server.
  public func stop() { _ = try? Self.script(["stop", folder.path.path]) }

  /// Kills the server's first process and waits for its end; the others end when they notice.
  public func crash() throws {
    let text = try String(contentsOf: folder.url("data/postmaster.pid"), encoding: .utf8)
    guard let process = text.split(separator: "\n").first.flatMap({ pid_t($0) }) else { throw NotStarted() }
    kill(process, SIGKILL)
    // A zombie has ended; its parent may not have waited for it.
    _ = polls {
      let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      return status?.contains("State:\tZ") != false
    }
  }
}
