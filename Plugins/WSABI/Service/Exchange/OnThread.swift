import PluginStore

/// Work with files on a thread of its own, so that no other waits for a disk.
enum OnThread {
  static func value<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await OwnThread.value { _ in try work() }
  }
}
