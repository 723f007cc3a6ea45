import PluginAPI

@testable import WSABI

/// A driver that captures from sensors into a store repeatedly.
struct SensorDriver: Sendable {
  private let manager: LinkManager
  private let tell: @Sendable (String) -> Void

  /// - Parameter tell: Receives what is certainly stored.
  init(_ store: RecordStore, _ tell: @escaping @Sendable (String) -> Void) {
    self.tell = tell
    let access = SensorAccess(isOffline: false)
    // The real clock, as in the program: the driver talks to sockets.
    let clock = LinkClock(now: RecordStore.systemClock) { try await Task.sleep(for: .milliseconds($0)) }
    manager = LinkManager({ access.connection($0) }, store, clock) { note in
      switch note {
      case .captured(let item, _, let ids): for id in ids { tell("answered \(item) \(id.key)") }
      case .stored(let item, let record): tell("kept \(item) \(record.captureID.key)")
      default: break
      }
    }
  }

  /// Downloads data still at the sensors, then captures until the process is ended.
  ///
  /// - Parameter start: The time at which opening the store began.
  func drive(_ addresses: [String], since start: ContinuousClock.Instant) async throws {
    let resumed = try await manager.resume()
    tell("resumed \(resumed.count) \((ContinuousClock.now - start) / .milliseconds(1))")
    let addresses = try addresses.map { try SensorAddress(parsing: $0) }
    await withTaskGroup(of: Void.self) { group in
      for (index, address) in addresses.enumerated() {
        group.addTask {
          let configuration = WireDictionary([.init("submodality", .string("RightThumbFlat"))])
          while true {
            _ = await manager.capture(CaptureOrder(item: index + 1, address: address, configuration: configuration))
          }
        }
      }
    }
  }

  /// Downloads data still at the sensors.
  func resume() async throws {
    _ = try await manager.resume()
    await manager.close()
  }
}

extension LinkManager {
  /// Resumes the work of an earlier process: its locks, and then its captures, oldest first.
  func resume() async throws -> [CaptureReport] {
    await giveBackLeft()
    return await finish(try await leftOver())
  }
}
