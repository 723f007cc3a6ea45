import Glibc
import PluginAPI

/// The log of installed, upgraded and removed plugins, with who did it: the file `plugins.log` in the state folder.
///
/// A line has fields separated by tabs: date, user, action, id, version, SHA-256, source, key or `unsigned`. It is
/// written before the action, so that an action without a line cannot happen.
struct InstallLog: Sendable {
  /// An action on an installed plugin.
  enum Action: String, Sendable {
    case install, upgrade, downgrade, rollback, remove, pin, unpin
  }

  private let path: String

  init(state: String) {
    path = state + "/plugins.log"
  }

  /// Adds a line.
  func add(_ action: Action, _ id: String, _ release: PluginLock.Release) throws(HostFileError) {
    try HostFile.makeFolder(FilePath.folder(of: path))
    let line = FieldText.line([
      Instant.now.description, Self.user, action.rawValue, id, release.version, release.hash, release.source,
      release.key ?? "unsigned",
    ])
    let descriptor = try HostFile.open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW)
    defer { close(descriptor) }
    let failure = HostFile.writeAll(Array((line + "\n").utf8), to: descriptor)
    if failure != 0 { throw .cannot(.write, path, code: failure) }
    try HostFile.synchronize(descriptor, named: path)
  }

  /// The user of this process; for root, also the user who became root with sudo.
  private static var user: String {
    let name = Account(getuid())?.name ?? "\(getuid())"
    guard getuid() == 0, let caller = ProcessEnvironment.all()["SUDO_USER"], !caller.isEmpty else { return name }
    return "\(name) (\(caller))"
  }
}
