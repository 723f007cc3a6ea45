import PluginStore

/// File work on its own thread, so that no other thread waits for a disk.
enum OnThread {
  static func value<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await OwnThread.value { _ in try work() }
  }
}
