import PluginAPI
import PluginNet
import PluginXML

/// The services on the network, as used by commands.
struct RemoteServices: Sendable {
  /// The configuration of the network access.
  struct Access: Sendable {
    var isOffline: Bool
    /// The path of a PEM file with the certificates to trust; nil for the system's.
    var certificates: String?
    /// The time limit of each request.
    var deadlineInSeconds = 60.0
    /// The delay before a request is retried.
    var firstDelayInSeconds = 0.5
  }

  /// The stable codes of network errors of any plugin.
  static let errorCodes: [ErrorCodeDescription] = HTTPError.errorCodes

  let client: HTTPClient
  let endpoints: ServiceEndpoints
  let deadlineInSeconds: Double

  init(_ access: Access, _ endpoints: ServiceEndpoints) {
    var configuration = HTTPClient.Configuration(isOffline: access.isOffline)
    configuration.userAgent = "workbench-molecules"
    configuration.certificates = access.certificates
    configuration.firstDelayInSeconds = access.firstDelayInSeconds
    client = HTTPClient(configuration)
    self.endpoints = endpoints
    deadlineInSeconds = access.deadlineInSeconds
  }

  /// Returns the results of a service for a text, best first.
  ///
  /// - Parameters:
  ///   - rows: The largest number of results.
  ///   - warn: Receives a warning if titles are unavailable: the hits are then returned without them.
  func search(
    _ text: String, _ service: MoleculeService, rows: Int, warn: @Sendable (Diagnostic) -> Void
  ) async throws -> [SearchHit] {
    var hits: [SearchHit]
    switch service {
    case .rcsb: hits = try await RCSBService(self).search(text, rows: rows).map { SearchHit(code: $0) }
    case .soap: hits = try await SOAPService(self).search(text, rows: rows).map { SearchHit(code: $0) }
    case .text: return try await TextService(self).search(text, rows: rows)
    case .alphafold: return try await AlphaFoldService(self).search(text)
    case .pubchem: hits = try await PubChemService(self).search(text, rows: rows).map { SearchHit(code: $0) }
    }
    if hits.isEmpty { return [] }
    do {
      switch service {
      case .rcsb: hits = try await RCSBService(self).described(hits)
      case .soap: hits = try await SOAPService(self).described(hits)
      case .pubchem: hits = try await PubChemService(self).described(hits)
      case .text, .alphafold: break
      }
    } catch let error as any ReportableError {
      warn(
        Diagnostic(
          .warning, code: "molecules.titles-missing", "there are no titles: \(error.report.message)",
          advice: error.report.advice))
    }
    return hits
  }

  /// Returns the page of a molecule at a service.
  func page(_ code: String, _ service: MoleculeService) async throws -> MoleculePage {
    switch service {
    case .rcsb: try await RCSBService(self).page(code)
    // The pages and files of 2009 are those of 2008.
    case .soap, .text: try await SOAPService(self).page(code)
    case .alphafold: try await AlphaFoldService(self).page(code)
    case .pubchem: try await PubChemService(self).page(code)
    }
  }

  /// Returns the address and name of a molecule's file.
  ///
  /// - Throws: ``ServiceError/unfittingCode(_:expected:)``; network errors if the service has to be queried.
  func file(
    _ code: String, _ service: MoleculeService, format: MoleculeService.FileFormat
  ) async throws -> RemoteFile {
    switch service {
    case .rcsb: try RCSBService(self).file(code, format: format)
    case .soap, .text: try SOAPService(self).file(code)
    case .alphafold: try await AlphaFoldService(self).file(code, format: format)
    case .pubchem: try PubChemService(self).file(code)
    }
  }

  /// Downloads a web page.
  ///
  /// - Returns: A closure that makes it readable, which blocks the calling thread.
  func read(_ address: String) async throws -> @Sendable () throws -> WebPage {
    var request = HTTPRequest(address, limitInBytes: ReadablePage.sizeLimitInBytes)
    request.deadlineInSeconds = deadlineInSeconds
    let answer = try await client.send(request)
    if answer.head.status == 404 || answer.head.status == 410 { throw ServiceError.noFile(address: address) }
    try answer.head.checked()
    let (body, head) = (answer.body, answer.head)
    return { try WebPage(html: body, encoding: Self.encoding(head), address: head.address) }
  }

  /// Returns the character set in a response's head.
  private static func encoding(_ head: HTTPHead) -> String? {
    let pieces = (head.headers["Content-Type"] ?? "").lowercased().pieces(separatedBy: UInt8(ascii: ";"))
    guard let piece = pieces.first(where: { $0.hasPrefix("charset=") }) else { return nil }
    return String(piece.dropFirst("charset=".count).filter { $0 != "\"" && $0 != "'" })
  }

  /// Sends a request, within the time limit.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var request = request
    request.deadlineInSeconds = deadlineInSeconds
    return try await client.send(request)
  }
}

/// A file of a service.
struct RemoteFile: Equatable, Sendable {
  var address: String
  /// The name in the library.
  var name: String
  /// The requested code, for messages.
  var code: String?
  /// The name of the service, for messages.
  var service: String?
}
