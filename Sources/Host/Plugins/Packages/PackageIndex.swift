import PluginAPI

/// The plugins that a source offers, read from its `index.json`.
struct PackageIndex: Sendable {
  /// A package for some machines.
  struct Artifact: Sendable, Hashable {
    /// The address, absolute or relative to the index.
    var address: String
    /// SHA-256 of the package in hexadecimal digits.
    var hash: String
    /// The size of the package, in bytes.
    var size: Int
    /// The contract revision of a library; nil for a program.
    fileprivate var revision: Int?
    fileprivate var compiler: String?
    fileprivate var system: String
    fileprivate var processor: String
    fileprivate var library: String
  }

  /// A version of a plugin.
  struct Release: Sendable, Hashable {
    var id: String
    var version: PluginVersion
    var summary: String
    var license: String?
    var homepage: String?
    /// The effects that its commands declare.
    var effects: [String]
    /// A Boolean value indicating whether the publisher withdrew the version.
    var isYanked: Bool
    var artifacts: [Artifact]
  }

  private static let format = 1
  private static let deepest = 16

  /// The name of the source.
  let name: String
  /// The number of the index; a later one has a higher number.
  let serial: Int
  /// The date until which the publisher vouches for it; nil for no end.
  let expires: Instant?
  let releases: [Release]

  /// Reads an index.
  init(_ bytes: [UInt8]) throws(ErrorReport) {
    let json: Value
    do throws(JSONError) {
      json = try JSONReader.read(bytes, deepest: Self.deepest)
    } catch {
      throw SourceError.badIndex("line \(error.line), column \(error.column): \(error.problem)")
    }
    guard let format = json["format"].integer else { throw SourceError.badIndex("'format' is not a number") }
    guard format == Self.format else {
      throw SourceError.badIndex("its format is \(format); this workbench reads format \(Self.format)")
    }
    name = json["name"].text ?? ""
    if let objection = PluginID.objection(to: name) { throw SourceError.badIndex("'name': \(objection)") }
    guard let serial = json["serial"].integer, serial > 0 else {
      throw SourceError.badIndex("'serial' is not a number of 1 or more")
    }
    self.serial = serial
    expires = json["expires"].text.flatMap(Instant.init(iso8601:))
    guard json["expires"].isNull || expires != nil else {
      throw SourceError.badIndex("'expires' is not a date of ISO 8601")
    }
    guard let plugins = json["plugins"].list else { throw SourceError.badIndex("'plugins' is not a list") }
    var releases: [Release] = []
    for (number, plugin) in plugins.enumerated() {
      releases.append(try Self.release(plugin, "plugins[\(number)]"))
    }
    self.releases = releases
  }

  private static func release(_ value: Value, _ path: String) throws(ErrorReport) -> Release {
    guard let id = value["id"].text, PluginID.objection(to: id) == nil else {
      throw SourceError.badIndex("'\(path).id' is not the id of a plugin")
    }
    guard let version = value["version"].text.flatMap(PluginVersion.init) else {
      throw SourceError.badIndex("'\(path).version' is not three numbers such as 1.0.0")
    }
    guard let list = value["artifacts"].list else { throw SourceError.badIndex("'\(path).artifacts' is not a list") }
    var artifacts: [Artifact] = []
    for (number, artifact) in list.enumerated() {
      artifacts.append(try Self.artifact(artifact, "\(path).artifacts[\(number)]"))
    }
    return Release(
      id: id, version: version, summary: value["summary"].text ?? "", license: value["license"].text,
      homepage: value["homepage"].text, effects: value["effects"].list?.compactMap(\.text) ?? [],
      isYanked: value["yanked"].bool ?? false, artifacts: artifacts)
  }

  private static func artifact(_ value: Value, _ path: String) throws(ErrorReport) -> Artifact {
    guard let address = value["url"].text, !address.isEmpty else {
      throw SourceError.badIndex("'\(path).url' is not an address")
    }
    guard let hash = value["sha256"].text, hash.utf8.count == 64,
      hash.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { throw SourceError.badIndex("'\(path).sha256' is not 64 digits of 0-9 and a-f") }
    guard let size = value["size"].integer, (1...PackageArchive.largest).contains(size) else {
      throw SourceError.badIndex("'\(path).size' is not a number of bytes up to \(PackageArchive.largest)")
    }
    let (revision, compiler) = (value["contractRevision"].integer, value["compiler"].text)
    guard (revision == nil) == (compiler == nil) else {
      throw SourceError.badIndex("'\(path)' has only one of 'contractRevision' and 'compiler'")
    }
    return Artifact(
      address: address, hash: hash, size: size, revision: revision, compiler: compiler,
      system: value["os"].text ?? Machine.any, processor: value["arch"].text ?? Machine.any,
      library: value["libc"].text ?? Machine.any)
  }
}

extension PackageIndex.Artifact {
  /// Returns the reason why a host with a contract cannot use the package on this machine; nil if it can.
  func objection(_ contract: ContractStamp, plugin id: String) -> String? {
    if ![Machine.any, Machine.system].contains(system) { return "it is for \(system)" }
    if ![Machine.any, Machine.processor].contains(processor) { return "it is for \(processor)" }
    if ![Machine.any, Machine.library].contains(library) { return "it is for \(library)" }
    guard let revision, let compiler else { return nil }
    return PluginStamp(id: id, version: "", revision: revision, compiler: compiler).objection(contract)
  }
}

/// The kind of this machine, in the words of an index.
enum Machine {
  /// A package for all kinds.
  static let any = "any"
  static let system = "linux"
  static let library = "glibc"
  #if arch(x86_64)
    static let processor = "x86_64"
  #elseif arch(arm64)
    static let processor = "aarch64"
  #endif
}
