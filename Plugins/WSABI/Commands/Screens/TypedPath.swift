import Glibc
import PluginText

/// Paths as people type them, where no shell has read them before.
enum TypedPath {
  /// Returns the path with a leading tilde replaced by the user's home, and without surrounding blanks.
  ///
  /// - Parameter home: The user's home; if empty, a tilde stays as it is.
  static func expanded(_ text: String, home: String = ownHome) -> String {
    let path = text.trimmed()
    guard !home.isEmpty, path == "~" || path.hasPrefix("~/") else { return path }
    return home + path.dropFirst()
  }

  /// Returns the absolute path, which is valid in every folder.
  static func whole(_ text: String, home: String = ownHome) -> String {
    let path = expanded(text, home: home)
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    let start = String(cString: folder)
    return (start == "/" ? "" : start) + "/" + path
  }

  /// Returns true if a text can only be a path.
  static func isPath(_ text: String) -> Bool {
    ["/", "~/", "./", "../"].contains { expanded(text, home: "").hasPrefix($0) }
  }

  private static var ownHome: String { getenv("HOME").map { String(cString: $0) } ?? "" }
}

/// The login name of the user at the terminal.
enum LoginName {
  /// Returns the login name of the user; empty if the system has none.
  static func current() -> String {
    for variable in ["LOGNAME", "USER"] {
      if let name = getenv(variable).map({ String(cString: $0) }), !name.isEmpty { return name }
    }
    var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
    var room = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(getuid(), &entry, &room, room.count, &found) == 0, found != nil, let name = entry.pw_name else {
      return ""
    }
    return String(cString: name)
  }
}
