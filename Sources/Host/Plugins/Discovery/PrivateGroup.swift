import Glibc

/// The private group that some systems make for each user, with the user's name and no other members.
///
/// Debian, Ubuntu and Fedora make them: there the standard umask is 002 and every new file can be written by
/// the group.
enum PrivateGroup {
  /// Returns a Boolean value indicating whether a group is the private group of the user of this process.
  ///
  /// Other users with this primary group are not searched for: systems with private groups do not assign it to others.
  static func isUsers(_ group: gid_t) -> Bool { group == own }

  /// The private group of the user; nil for none.
  ///
  /// Looked up once, as the databases may be on the network.
  private static let own: gid_t? = {
    guard let user = user(geteuid()), let found = group(user.group), found.name == user.name,
      found.members.allSatisfy({ $0 == user.name })
    else { return nil }
    return user.group
  }()

  /// Reads the name and the primary group of a user from the system's databases.
  private static func user(_ id: uid_t) -> (name: String, group: gid_t)? {
    var entry = passwd()
    var buffer = [CChar](repeating: 0, count: bufferSize)
    var found: UnsafeMutablePointer<passwd>?
    guard getpwuid_r(id, &entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.pw_name else {
      return nil
    }
    return (String(cString: name), entry.pw_gid)
  }

  /// Reads the name and the members of a group; nil too if there are more members than the buffer holds.
  private static func group(_ id: gid_t) -> (name: String, members: [String])? {
    var entry = Glibc.group()
    var buffer = [CChar](repeating: 0, count: bufferSize)
    var found: UnsafeMutablePointer<Glibc.group>?
    guard getgrgid_r(id, &entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.gr_name else {
      return nil
    }
    var members: [String] = []
    var next = entry.gr_mem
    while let member = next?.pointee {
      members.append(String(cString: member))
      next = next?.advanced(by: 1)
    }
    return (String(cString: name), members)
  }

  private static let bufferSize = 16 << 10
}
