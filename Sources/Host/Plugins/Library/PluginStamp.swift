import PluginAPI

/// The stamp of a plugin library, readable without running it: the texts in its section `.workbench.plugin`.
struct PluginStamp: Sendable, Hashable {
  /// The plugin's id.
  var id: String
  /// The plugin's version.
  var version: String
  /// The revision of the contract it was built on.
  var revision: Int
  /// The compiler it was built with.
  var compiler: String

  private static let magic = "workbench-plugin"
  private static let largest = 4096

  /// Reads the stamp of a library.
  ///
  /// - Returns: nil if the library has none: then it is not a plugin.
  /// - Throws: ``PluginRefusal`` if there is one that cannot be read.
  init?(_ file: ELFFile, path: String) throws(PluginRefusal) {
    let sections = file.sections.filter { $0.name == PluginEntry.section }
    guard let section = sections.first else { return nil }
    let contents = file.contents(of: section)
    guard sections.count == 1, contents.count <= Self.largest else {
      throw .badStamp(path: path, "it has more than one stamp")
    }
    var texts = contents.split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    while texts.last?.isEmpty == true { texts.removeLast() }
    guard texts.first == Self.magic else { throw .badStamp(path: path, "it does not begin with '\(Self.magic)'") }
    guard texts.count == 5 else { throw .badStamp(path: path, "it has \(texts.count) strings instead of 5") }
    guard let revision = Int(texts[3]), revision > 0 else {
      throw .badStamp(path: path, "its contract revision '\(texts[3])' is not a number of 1 or more")
    }
    (id, version, self.revision, compiler) = (texts[1], texts[2], revision, texts[4])
    if let reason = PluginID.objection(to: id) { throw .badStamp(path: path, reason) }
    guard PluginID.isVersion(version) else {
      throw .badStamp(path: path, "its version '\(version)' is not three numbers such as 1.0.0")
    }
  }

  /// Creates a stamp from its parts.
  init(id: String, version: String, revision: Int, compiler: String) {
    self.id = id
    self.version = version
    self.revision = revision
    self.compiler = compiler
  }

  /// Checks that the contract in this process can serve the plugin.
  func checkContract(_ contract: ContractStamp = .current) throws(PluginRefusal) {
    if revision < contract.oldest {
      throw .revisionTooOld(id: id, has: revision, oldest: contract.oldest, current: contract.revision)
    }
    if revision > contract.revision {
      throw .revisionTooNew(id: id, has: revision, oldest: contract.oldest, current: contract.revision)
    }
    if compiler != contract.compiler {
      throw .otherCompiler(id: id, has: compiler, wanted: contract.compiler)
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
