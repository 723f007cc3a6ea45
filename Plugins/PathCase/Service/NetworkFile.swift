import PluginAPI
import PluginStore

/// Reads networks from files of all formats.
enum NetworkFile {
  /// The content of a file.
  enum Content: Sendable {
    case model(SBMLDocument)
    case map(MapDocument)
    case scenario(ScenarioNetwork)
    /// A single document of a snapshot, with its own warnings.
    case document(ContractDocument)
  }

  /// The maximum file size in bytes.
  static let limitInBytes = 1 << 30

  /// Reads a file, whose format is detected by its content.
  ///
  /// - Throws: ``NetworkFileError``.
  static func read(_ path: String) throws -> Content { try content(of: try bytes(path), name: path) }

  /// Returns the content of a file's bytes.
  ///
  /// - Parameter name: The name of the file in messages.
  /// - Throws: ``NetworkFileError``: the file is not a network, or is unusable for a format's reason.
  static func content(of bytes: [UInt8], name: String) throws -> Content {
    do {
      return try unnamedContent(of: bytes, name: name)
    } catch let error as any ReportableError {
      // Some errors name the file already.
      if error is ContractError || NetworkFileError.noNetwork ~= error { throw error }
      var report = error.report
      report.message = "'\(name)': " + report.message
      report.details["file"] = .text(name)
      throw report
    }
  }

  private static func unnamedContent(of bytes: [UInt8], name: String) throws -> Content {
    let format = try FormatDetector.format(of: bytes)
    switch format {
    case .sbml: return .model(try SBMLReader.model(bytes))
    case .cobra: return .model(try COBRAReader.document(try MapBytes.plain(bytes)))
    case .scenario: return .scenario(try ScenarioNetworkReader.read(bytes))
    case .contract:
      var document = try ContractReader().read(bytes, name: name)
      document.warnings += try document.lookedAtAlone()
      return .document(document)
    case .overlay:
      throw NetworkFileError.noNetwork(
        "'\(name)' is \(format.title) and no network", advice: "lay it over one: 'draw NETWORK --overlay FILE'")
    case .escher, .kgml, .sbgn, .gpml, .biopax, .graph: return .map(try MapReader.read(bytes))
    }
  }

  /// Returns the name of a file without folders, its extension, and a trailing `.gz`.
  static func stem(of path: String) -> String {
    let file = path.split(separator: "/").last ?? ""
    var parts = file.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count > 1, parts.last == "gz" { parts.removeLast() }
    if parts.count > 1 { parts.removeLast() }
    let stem = parts.joined(separator: ".")
    return stem.isEmpty ? String(file) : stem
  }

  /// Returns the bytes of a regular file, or of a pipe up to its end.
  ///
  /// - Parameter shouldStop: Called while waiting for a pipe.
  /// - Throws: ``NetworkFileError``, `CancellationError`.
  static func bytes(_ path: String, shouldStop: () -> Bool = { Task.isCancelled }) throws -> [UInt8] {
    do throws(WholeFile.ReadFailure) {
      return try WholeFile.read(path, limitInBytes: limitInBytes)
    } catch {
      if error == .notPlain, let bytes = try PipeFile.bytes(path, limitInBytes: limitInBytes, shouldStop) {
        return bytes
      }
      if error.isMissing {
        throw NetworkFileError.missing(
          "there is no file '\(path)'", advice: "'workbench pathcase list' names the pathways that are bundled")
      }
      throw NetworkFileError.unreadable(path, reason: SystemReason(error))
    }
  }
}
