/// Persistent storage of a plugin.
///
/// A store announces its changes through its context, as a notification with the topic `<name>-changed`. All functions
/// may be called from any task; a store serializes access where needed.
public protocol Store: AnyObject, Sendable {
  /// The store's name, as in its contribution.
  var name: String { get }

  /// The file or folder the store lives in, as an absolute path.
  var path: String { get }

  /// The schema version this code writes, counted from 1.
  var schemaVersion: Int { get }

  /// Checks the integrity of the store.
  ///
  /// - Returns: The findings; empty if all is well.
  func check() async throws -> [Diagnostic]

  /// Writes a consistent copy to a new file, even while the store is in use.
  func backup(to path: String) async throws

  /// Replaces the content with that of a backup. The old content is kept if the backup is unusable.
  func restore(from path: String) async throws

  /// Returns the content in a form that does not depend on the store's schema.
  func export() async throws -> Value

  /// Closes the store; later calls throw.
  ///
  /// The host calls this at the end of a run for each store that it opened, and waits two seconds at most.
  func close() async
}
