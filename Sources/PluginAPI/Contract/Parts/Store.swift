/// What a plugin keeps across runs.
///
/// A store announces its changes as a notification with topic `<name>-changed` through its context.
/// All functions may be called from any task; a store serializes what must be serial.
public protocol Store: AnyObject, Sendable {
  /// The store's name, as in its contribution.
  var name: String { get }

  /// The file or folder the store lives in, as an absolute path.
  var path: String { get }

  /// The schema version this code writes, counted from 1.
  var schemaVersion: Int { get }

  /// Looks whether the store is whole.
  ///
  /// - Returns: What was found; empty if all is well.
  func check() async throws -> [Diagnostic]

  /// Writes a consistent copy to a new file, also while the store is in use.
  func backup(to path: String) async throws

  /// Replaces the content by that of a backup; the old content stays if the backup is unusable.
  func restore(from path: String) async throws

  /// Gives the content in a form that needs no knowledge of the store's schema.
  func export() async throws -> Value

  /// Ends all use; calls after it throw.
  ///
  /// The host calls it at the end of a run for each store that it asked for, and waits two seconds at most.
  func close() async
}
