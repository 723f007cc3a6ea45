import PluginAPI
import PluginNet
import Synchronization

@testable import OpenBIS
@testable import OpenBISSimulator

/// A cache and a simulator without commands in between; retries do not wait.
struct HastyLab: Sendable {
  /// A caller whose calls fail after some seconds without a byte.
  private struct Caller: RPCCaller {
    let session: RPCSession
    let stallInSeconds: Mutexed<Int>

    func call(_ call: RPCCall, _ reader: any RPCResultReader & Sendable) async throws -> RPCResponse {
      var call = call
      call.stallInSeconds = stallInSeconds.value
      return try await session.call(call, reader)
    }
  }

  let server: SimulatorServer
  let folder = CacheFolder()
  let cache: EntityStore
  /// The delays before retries that were skipped, in seconds.
  let waits = Mutexed<[Double]>([])
  let progress = Mutexed<[Progress]>([])
  let warnings = Mutexed<[Diagnostic]>([])
  let session: RPCSession
  /// The time after which an idle server is given up.
  let stallInSeconds = Mutexed(60)
  private let caller: Caller

  init(_ server: SimulatorServer) {
    self.server = server
    cache = folder.store()
    var backOff = RPCBackOff()
    let waits = self.waits
    backOff.jitter = { _ in 0.5 }
    backOff.wait = { seconds in waits.withLock { $0.append(seconds) } }
    let connection = RPCConnection(
      ServerAddress(base: server.url), HTTPClient(.init(isOffline: false)), backOff: backOff)
    session = RPCSession(connection, user: "alice", key: .password(Secret("wonderland")))
    caller = Caller(session: session, stallInSeconds: stallInSeconds)
  }

  @discardableResult
  func sync(isFull: Bool = false) async throws -> SyncTotals {
    let (progress, warnings) = (self.progress, self.warnings)
    let setting = SyncSetting(
      cache: cache, clock: { 1_800_000_000 }, report: { report in progress.withLock { $0.append(report) } },
      warn: { warning in warnings.withLock { $0.append(warning) } })
    let tables = TableService(caller, host: .v1, dataStore: "DSS1")
    return try await TableSync(tables: tables, setting: setting).run(isFull: isFull)
  }

  func content() throws -> CacheContent { try CacheContent(path: folder.file) }
}
