import PluginStore

/// Reads networks from files of all formats.
enum NetworkFile {
  /// What a file holds.
  enum Content: Sendable {
    case model(SBMLDocument)
    case map(MapDocument)
    case scenario(ScenarioNetwork)
    /// One document of a snapshot, with what is odd in it by itself.
    case document(ContractDocument)
  }

  /// The largest file, in bytes.
  static let limitInBytes = 1 << 30

  /// Reads a file, whose format is told by its content.
  ///
  /// - Throws: ``NetworkFileError``; the errors of the formats.
  static func read(_ path: String) throws -> Content {
    let bytes = try bytes(path)
    switch try FormatDetector.format(of: bytes) {
    case .sbml: return .model(try SBMLReader.model(bytes))
    case .scenario: return .scenario(try ScenarioNetworkReader.read(bytes))
    case .contract:
      var document = try ContractReader().read(bytes, name: path)
      document.warnings += try document.lookedAtAlone()
      return .document(document)
    default: return .map(try MapReader.read(bytes))
    }
  }

  /// The bytes of a plain file.
  ///
  /// - Throws: ``NetworkFileError``.
  static func bytes(_ path: String) throws(NetworkFileError) -> [UInt8] {
    do throws(WholeFile.ReadFailure) {
      return try WholeFile.read(path, limitInBytes: limitInBytes)
    } catch {
      if error.isMissing { throw .missing(path) }
      throw .unreadable(path, reason: error.reason)
    }
  }
}
