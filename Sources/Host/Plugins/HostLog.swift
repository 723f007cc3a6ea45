import Glibc
import PluginAPI
import Synchronization

/// The log file `workbench.log` in the state folder; a full one is renamed to `workbench.log.1`.
final class HostLog: Sendable {
  private let path: String
  private let limit: Int
  /// A lock that separates the lines of different threads.
  private let turn = Mutex(())

  /// The usual number of bytes after which a new file begins.
  static let standardLimit = 1 << 20

  /// The maximum number of Unicode scalars of a message in the log.
  static let longestMessage = 1 << 14

  /// Returns the path of the log in a state folder.
  static func path(in folder: String) -> String { folder + "/workbench.log" }

  /// Creates a log, whose file is open only while a line is written.
  ///
  /// - Parameter limit: The number of bytes after which a new file begins.
  init(folder: String, limit: Int = HostLog.standardLimit) {
    path = Self.path(in: folder)
    self.limit = limit
  }

  /// Writes a line, and of a long message its beginning; a log that cannot be written does not stop anything.
  func write(_ severity: Diagnostic.Severity, from plugin: String, _ message: String) {
    let text = FieldText.escaped(message.shortened(to: Self.longestMessage))
    let line = "\(Instant.now)\t\(severity.rawValue)\t\(plugin)\t\(text)\n"
    turn.withLock { _ in
      let descriptor = open()
      guard descriptor >= 0 else { return }
      defer { close(descriptor) }
      _ = HostFile.writeAll(Array(line.utf8), to: descriptor)
    }
  }

  private func open() -> Int32 {
    try? HostFile.makeFolder(FilePath.folder(of: path))
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC
    let descriptor = Glibc.open(path, flags, 0o600)
    guard descriptor >= 0, isFull(descriptor) else { return descriptor }
    close(descriptor)
    rename(path, path + ".1")
    return Glibc.open(path, flags, 0o600)
  }

  private func isFull(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && Int(status.st_size) >= limit
  }
}
