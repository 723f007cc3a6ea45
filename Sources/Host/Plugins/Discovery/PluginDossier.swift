import PluginAPI

/// What is known of one library file without loading it; kept in the registry.
struct PluginDossier: Sendable, Hashable {
  /// What looking at the file came to.
  enum Verdict: Sendable, Hashable {
    /// A library without a stamp, which is none of our business.
    case notAPlugin
    /// Its file is in order; it was not opened yet.
    case unprobed
    /// It cannot be used, and why.
    case refused(ErrorReport)
    /// It can be used; the byte form of its contributions.
    case usable([UInt8])
  }

  var path: String
  var identity: FileIdentity
  /// SHA-256 of the file in hexadecimal digits; empty where it could not be computed.
  var hash: String
  var stamp: PluginStamp?
  /// The file names of the libraries it needs.
  var needed: [String]
  /// The Swift modules it carries.
  var modules: [String]
  var verdict: Verdict
}

extension PluginDossier: Model {
  static var typeName: String { "host.plugin-dossier" }

  init(value: Value) throws {
    guard let path = value["path"].text, let hash = value["hash"].text,
      let identity = FileIdentity(numbers: value["identity"].list?.compactMap(\.integer) ?? [])
    else { throw ValueDecodingError.unexpectedShape(path: "dossier", expected: "a dossier") }
    (self.path, self.identity, self.hash) = (path, identity, hash)
    if let id = value["id"].text, let version = value["version"].text, let revision = value["revision"].integer,
      let compiler = value["compiler"].text
    {
      stamp = PluginStamp(id: id, version: version, revision: revision, compiler: compiler)
    }
    needed = value["needed"].list?.compactMap(\.text) ?? []
    modules = value["modules"].list?.compactMap(\.text) ?? []
    switch value["verdict"].text {
    case "not-a-plugin": verdict = .notAPlugin
    case "unprobed": verdict = .unprobed
    case "refused": verdict = .refused(try ErrorReport(value: value["error"]))
    case "usable": verdict = .usable(value["contributions"].bytes ?? [])
    default: throw ValueDecodingError.unexpectedShape(path: "verdict", expected: "one of four words")
    }
  }

  var value: Value {
    var record: Record = [
      "path": .text(path), "identity": .list(identity.numbers.map(Value.integer)), "hash": .text(hash),
    ]
    if let stamp {
      record["id"] = .text(stamp.id)
      record["version"] = .text(stamp.version)
      record["revision"] = .integer(stamp.revision)
      record["compiler"] = .text(stamp.compiler)
    }
    record["needed"] = .list(needed.map(Value.text))
    record["modules"] = .list(modules.map(Value.text))
    switch verdict {
    case .notAPlugin: record["verdict"] = "not-a-plugin"
    case .unprobed: record["verdict"] = "unprobed"
    case .refused(let error):
      record["verdict"] = "refused"
      record["error"] = error.value
    case .usable(let contributions):
      record["verdict"] = "usable"
      record["contributions"] = .bytes(contributions)
    }
    return .record(record)
  }
}
