// environ is a variable to Swift; it is read before any other thread could change it.
@preconcurrency import Glibc

/// The environment the process was started with.
enum ProcessEnvironment {
  /// Returns all variables; for a repeated name the first one, as `getenv` does.
  static func all() -> [String: String] {
    var variables: [String: String] = [:]
    var entry: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = environ
    while let text = entry.pointee {
      let line = String(cString: text)
      entry += 1
      guard let sign = line.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = String(line[..<sign])
      if variables[name] == nil { variables[name] = String(Substring(line.utf8[sign...].dropFirst())) }
    }
    return variables
  }
}
