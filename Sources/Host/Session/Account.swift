import Glibc

/// A user in the system's password database.
struct Account: Sendable {
  /// The login name.
  let name: String
  /// The primary group.
  let group: gid_t
  /// The home folder.
  let home: String

  private static let bufferSize = 1 << 14

  /// Looks up a user; nil if there is none.
  init?(_ user: uid_t) {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: Self.bufferSize)
    guard getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.pw_name,
      let home = entry.pw_dir
    else { return nil }
    (self.name, self.group, self.home) = (String(cString: name), entry.pw_gid, String(cString: home))
  }
}
