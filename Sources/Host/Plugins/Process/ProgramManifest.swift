import Glibc
import PluginAPI

/// The manifest of a plugin that is a program: the file `plugin.json` in its folder.
///
/// It is the value form of `Contributions` as JSON, with `protocol`, `features` and `run`.
struct ProgramManifest: Sendable, Equatable {
  /// The name of the file.
  static let fileName = "plugin.json"
  /// The version of the protocol that this host speaks; minor additions are features.
  static let protocolVersion = 1
  /// The parts of the protocol that programs may need and that this host has.
  static let knownFeatures = [
    "ask", "call", "checks", "emit", "notify", "progress", "render", "screens", "setting", "stores",
    "subscribe", "warn",
  ]
  /// The largest file in bytes.
  static let largest = 1 << 20
  private static let deepest = 64
  private static let mostWords = 64

  /// The descriptions of the plugin's parts.
  var contributions: Contributions
  /// The command line of the program.
  var run: [String]

  /// The stamp that a library of the plugin would have; a program is built on no contract.
  var stamp: PluginStamp {
    PluginStamp(id: contributions.plugin.id, version: contributions.plugin.version, revision: 0, compiler: "")
  }

  /// Returns a Boolean value indicating whether a path is that of a manifest.
  static func isManifest(_ path: String) -> Bool { FilePath.name(of: path) == fileName }

  /// Reads a manifest.
  ///
  /// - Parameter path: The file, for messages.
  init(_ bytes: [UInt8], path: String) throws(ErrorReport) {
    do throws(Problem) {
      self = try Self(Self.document(bytes))
    } catch {
      throw PluginRefusal.badManifest(path: path, error.message)
    }
    do throws(ContributionsCheck.Contradiction) {
      try ContributionsCheck.checkConsistency(of: contributions)
    } catch {
      throw PluginRefusal.badManifest(path: path, error.reason)
    }
  }

  /// Reads the manifest at a path.
  ///
  /// - Returns: The manifest, and the identity of its file.
  static func read(_ path: String) throws(ErrorReport) -> (ProgramManifest, FileIdentity) {
    let (bytes, identity) = try FileTrust.read(path, limit: largest + 1)
    return (try ProgramManifest(bytes, path: path), identity)
  }

  /// The reason why a manifest cannot be used.
  private struct Problem: Error {
    var message: String
  }

  private static func document(_ bytes: [UInt8]) throws(Problem) -> Value {
    if bytes.count > largest { throw Problem(message: "it is larger than \(largest) bytes") }
    let json: Value
    do throws(JSONError) {
      json = try JSONReader.read(bytes, deepest: deepest)
    } catch {
      throw Problem(message: "line \(error.line), column \(error.column): \(error.problem)")
    }
    do throws(WireValue.Problem) {
      return try WireValue.value(json)
    } catch {
      throw Problem(message: error.message)
    }
  }

  private init(_ document: Value) throws(Problem) {
    guard document.record != nil else { throw Problem(message: "it is not an object in braces") }
    guard let version = document["protocol"].integer else { throw Problem(message: "'protocol' is not a number") }
    guard version == Self.protocolVersion else {
      throw Problem(
        message: "it needs version \(version) of the protocol; this workbench has version \(Self.protocolVersion)")
    }
    let features = try Self.texts("features", document)
    if let unknown = features.first(where: { !Self.knownFeatures.contains($0) }) {
      throw Problem(
        message: "it needs the feature '\(unknown)'; this workbench has " + Self.knownFeatures.joined(separator: ", "))
    }
    run = try Self.texts("run", document)
    guard let program = run.first, !program.isEmpty, run.count <= Self.mostWords,
      run.allSatisfy({ !$0.utf8.contains(0) })
    else { throw Problem(message: "'run' is not a program with at most \(Self.mostWords - 1) arguments") }
    try Self.checkEffects(document)
    contributions = try Self.contributions(document)
    if let objection = PluginID.objection(to: contributions.plugin.id) { throw Problem(message: objection) }
    guard PluginID.isVersion(contributions.plugin.version) else {
      throw Problem(
        message: "its version '\(contributions.plugin.version)' is not three numbers such as 1.0.0")
    }
  }

  private static func texts(_ name: String, _ document: Value) throws(Problem) -> [String] {
    if document[name].isNull { return [] }
    guard let texts = document[name].list?.map(\.text), !texts.contains(nil) else {
      throw Problem(message: "'\(name)' is not a list of texts")
    }
    return texts.compactMap { $0 }
  }

  /// Checks that all effects are known: the user agrees to those that are shown, and others would be left out.
  private static func checkEffects(_ document: Value) throws(Problem) {
    let known = CommandDescription.Effect.allCases.map(\.rawValue)
    for (index, command) in (document["commands"].list ?? []).enumerated() where !command["effects"].isNull {
      let effects = command["effects"].list?.map(\.text) ?? [nil]
      if effects.contains(where: { $0.map(known.contains) != true }) {
        throw Problem(message: "commands[\(index)]: 'effects' is not a list of " + known.joined(separator: ", "))
      }
    }
  }

  private static func contributions(_ document: Value) throws(Problem) -> Contributions {
    do {
      return try Contributions(value: document)
    } catch {
      throw Problem(message: location(of: error, in: document) + "\(error)")
    }
  }

  /// Returns the list and element that cause an error, as the start of a sentence; empty if it is in no list.
  private static func location(of error: any Error, in document: Value) -> String {
    if (try? PluginIdentity(value: document["plugin"])) == nil { return "plugin: " }
    for field in document.record?.fields ?? [] {
      for (index, element) in (field.value.list ?? []).enumerated() {
        let alone: Value = .record(
          Record([Record.Field("plugin", document["plugin"]), Record.Field(field.name, .list([element]))]))
        do {
          _ = try Contributions(value: alone)
        } catch let found as ValueDecodingError where found == error as? ValueDecodingError {
          return "\(field.name)[\(index)]: "
        } catch {
          continue
        }
      }
    }
    return ""
  }
}
