/// The rules for the ids and versions of plugins.
enum PluginID {
  /// Words with another meaning on the command line.
  static let reserved: Set<String> = [
    "bundled", "completion", "config", "doctor", "exec", "help", "home", "host", "man", "open", "plugin", "plugins",
    "resources", "run", "script", "serve", "shell", "store", "stores", "version", "workbench",
  ]

  /// Returns the problem of an id; nil if there is none.
  static func objection(to id: String) -> String? {
    let bytes = Array(id.utf8)
    func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
    func isAllowed(_ byte: UInt8) -> Bool { isLetter(byte) || (0x30...0x39).contains(byte) || byte == 0x2D }
    guard (2...40).contains(bytes.count), isLetter(bytes[0]), bytes.allSatisfy(isAllowed) else {
      return "its id '\(id)' is not 2 to 40 characters of a-z, 0-9 and '-' beginning with a letter"
    }
    return reserved.contains(id) ? "its id '\(id)' is the name of a command" : nil
  }

  /// Returns true if a text is a version: three numbers, and after them what may follow a `-` or `+`.
  ///
  /// - Source: Semantic Versioning 2.0.0, section 2 (without the ordering of what follows).
  static func isVersion(_ text: String) -> Bool {
    guard text.utf8.count <= 64 else { return false }
    let core = text.prefix { $0 != "-" && $0 != "+" }
    let rest = text.utf8.dropFirst(core.utf8.count)
    let numbers = core.split(separator: ".", omittingEmptySubsequences: false)
    func isAllowed(_ byte: UInt8) -> Bool {
      (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
        || byte == 0x2D || byte == 0x2E || byte == 0x2B
    }
    return numbers.count == 3
      && numbers.allSatisfy { !$0.isEmpty && $0.count <= 9 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
      && rest.allSatisfy(isAllowed) && rest.count != 1
  }
}
