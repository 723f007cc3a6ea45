import PluginAPI

/// The stamp of a plugin library, readable without running it: the texts in its section `.workbench.plugin`.
struct PluginStamp: Sendable, Hashable {
  /// The plugin's id.
  var id: String
  /// The plugin's version.
  var version: String
  /// The revision of the contract it was built on; 0 for a program, which is built on none.
  var revision: Int
  /// The compiler it was built with; empty for a program.
  var compiler: String

  private static let magic = "workbench-plugin"
  private static let largest = 4096

  /// Reads the stamp of a library.
  ///
  /// - Returns: nil if the library has none: then it is not a plugin.
  /// - Throws: ``PluginRefusal`` if there is one that cannot be read.
  init?(_ file: ELFFile, path: String) throws(ErrorReport) {
    let sections = file.sections.filter { $0.name == PluginEntry.section }
    guard let section = sections.first else { return nil }
    let contents = file.contents(of: section)
    guard sections.count == 1, contents.count <= Self.largest else {
      throw PluginRefusal.badStamp(path: path, "it has more than one stamp")
    }
    var texts = contents.split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    while texts.last?.isEmpty == true { texts.removeLast() }
    guard texts.first == Self.magic else {
      throw PluginRefusal.badStamp(path: path, "it does not begin with '\(Self.magic)'")
    }
    guard texts.count == 5 else {
      throw PluginRefusal.badStamp(path: path, "it has \(texts.count) strings instead of 5")
    }
    guard let revision = Int(texts[3]), revision > 0 else {
      throw PluginRefusal.badStamp(path: path, "its contract revision '\(texts[3])' is not a number of 1 or more")
    }
    (id, version, self.revision, compiler) = (texts[1], texts[2], revision, texts[4])
    if let reason = PluginID.objection(to: id) { throw PluginRefusal.badStamp(path: path, reason) }
    guard PluginID.isVersion(version) else {
      throw PluginRefusal.badStamp(path: path, "its version '\(version)' is not three numbers such as 1.0.0")
    }
  }

  /// Creates a stamp from its parts.
  init(id: String, version: String, revision: Int, compiler: String) {
    self.id = id
    self.version = version
    self.revision = revision
    self.compiler = compiler
  }

  /// Returns a library's bytes with the stamp of an earlier revision.
  static func library(_ file: ELFFile, revised revision: Int) -> [UInt8] {
    guard let section = file.section(PluginEntry.section) else { return file.bytes }
    let texts = file.contents(of: section).split(separator: 0, omittingEmptySubsequences: false)
    guard texts.count > 3 else { return file.bytes }
    var bytes = file.bytes
    // As many digits as before, so that everything else stays where it is.
    let digits = String(revision)
    let padding = String(repeating: "0", count: max(0, texts[3].count - digits.utf8.count))
    bytes.replaceSubrange(texts[3].startIndex..<texts[3].endIndex, with: (padding + digits).utf8)
    return bytes
  }

  /// Checks that the contract in this process can serve the plugin.
  func checkContract(_ contract: ContractStamp = .current) throws(ErrorReport) {
    if revision < contract.oldest {
      throw PluginRefusal.revisionTooOld(id: id, has: revision, oldest: contract.oldest, current: contract.revision)
    }
    if revision > contract.revision {
      throw PluginRefusal.revisionTooNew(id: id, has: revision, oldest: contract.oldest, current: contract.revision)
    }
    if compiler != contract.compiler {
      throw PluginRefusal.otherCompiler(id: id, has: compiler, wanted: contract.compiler)
    }
  }

  /// Returns the reason why a contract cannot serve the plugin; nil if it can.
  func objection(_ contract: ContractStamp) -> String? {
    do throws(ErrorReport) {
      try checkContract(contract)
      return nil
    } catch {
      return error.report.message
    }
  }
}

/// The contract that plugins must fit.
struct ContractStamp: Sendable, Hashable {
  var revision: Int
  var oldest: Int
  var compiler: String

  /// The contract in this process.
  static var current: ContractStamp {
    ContractStamp(
      revision: PluginEntry.contractRevision, oldest: PluginEntry.oldestRevision, compiler: PluginEntry.compiler)
  }
}

/// The rules for the ids and versions of plugins.
enum PluginID {
  /// Words with another meaning on the command line.
  static let reserved: Set<String> = [
    "batch", "bugreport", "bundled", "completion", "config", "doctor", "exec", "help", "home", "host", "man", "open",
    "plugin", "plugins", "resources", "run", "script", "sdk", "serve", "shell", "store", "stores", "tour", "version",
    "workbench",
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

  /// Returns true if a text is a version: three numbers, optionally followed by a part after `-` or `+`.
  ///
  /// - Source: Semantic Versioning 2.0.0, section 2 (without the ordering of these parts).
  static func isVersion(_ text: String) -> Bool {
    guard text.utf8.count <= 64 else { return false }
    let core = text.prefix { $0 != "-" && $0 != "+" }
    let suffix = text.utf8.dropFirst(core.utf8.count)
    let numbers = core.split(separator: ".", omittingEmptySubsequences: false)
    func isAllowed(_ byte: UInt8) -> Bool {
      (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
        || byte == 0x2D || byte == 0x2E || byte == 0x2B
    }
    return numbers.count == 3
      && numbers.allSatisfy { !$0.isEmpty && $0.count <= 9 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
      && suffix.allSatisfy(isAllowed) && suffix.count != 1
  }
}
