// environ is a variable to Swift; it is read before any other thread could change it.
@preconcurrency import Glibc

/// The environment the process was started with.
enum ProcessEnvironment {
  /// Returns all variables; for a repeated name the first one, as `getenv` does.
  static func all() -> [String: String] {
    var variables: [String: String] = [:]
    var entry: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = environ
    while let text = entry.pointee {
      let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, variables[String(parts[0])] == nil { variables[String(parts[0])] = String(parts[1]) }
      entry += 1
    }
    return variables
  }
}
