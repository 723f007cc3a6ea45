import PluginAPI
import PluginJSON
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

  /// The stable codes of errors of the network, and of the library that reads responses.
  static let errorCodes: [ErrorCodeDescription] =
    HTTPError.errorCodes + JSONError.errorCodes.filter { $0.code == JSONError.libraryMissing(reason: "").report.code }

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
          .warning, code: "molecules.titles-missing", "titles could not be loaded: \(error.report.message)",
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
    let response = try await client.send(request)
    if response.head.status == 404 || response.head.status == 410 { throw ServiceError.noFile(address: address) }
    try response.head.checked()
    let (body, head) = (response.body, response.head)
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

extension HTTPResponse {
  /// Returns the body as plain data; nil if it is not JSON.
  ///
  /// - Throws: ``JSONError/libraryMissing(reason:)``.
  func json() throws(JSONError) -> Value? {
    do throws(JSONError) {
      return try Value(json: body)
    } catch {
      if case .libraryMissing = error { throw error }
      return nil
    }
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

/// The addresses of the services, each of which can be changed by a setting.
struct ServiceEndpoints: Equatable, Sendable {
  /// One address: the setting's name, its purpose, and its default.
  enum Name: String, CaseIterable, Sendable {
    case rcsbSearch = "rcsb-search-url"
    case rcsbData = "rcsb-data-url"
    case rcsbFiles = "rcsb-files-url"
    case rcsbPages = "rcsb-pages-url"
    case soapQuery = "soap-query-url"
    case soapTitles = "soap-titles-url"
    case soapFiles = "soap-files-url"
    case soapPages = "soap-pages-url"
    case textSearch = "text-search-url"
    case textResults = "text-results-url"
    case pubchem = "pubchem-url"
    case pubchemSearch = "pubchem-search-url"
    case pubchemPages = "pubchem-pages-url"
    case alphafold = "alphafold-url"
    case alphafoldPages = "alphafold-pages-url"

    /// The default address, and the purpose.
    fileprivate var declaration: (standard: String, summary: String) {
      switch self {
      case .rcsbSearch:
        ("https://search.rcsb.org/rcsbsearch/v2/query", "Search service of the Protein Data Bank, version 2")
      case .rcsbData:
        ("https://data.rcsb.org/graphql", "GraphQL service of the Protein Data Bank for titles and abstracts")
      case .rcsbFiles: ("https://files.rcsb.org/download", "Folder of the files of the Protein Data Bank")
      case .rcsbPages: ("https://www.rcsb.org/structure", "Folder of the web pages of the Protein Data Bank")
      case .soapQuery:
        ("http://www.pdb.org/pdb/services/pdbws", "Search service of the Protein Data Bank of 2008, SOAP keywordQuery")
      case .soapTitles:
        ("http://www.rcsb.org/pdb/results/titles.jsp", "Titles of the Protein Data Bank of 2008, titles.jsp")
      case .soapFiles: ("http://www.rcsb.org/pdb/files", "Folder of the files of the Protein Data Bank of 2008")
      case .soapPages:
        ("http://www.rcsb.org/pdb/explore/explore.do", "Web page of the Protein Data Bank of 2008, explore.do")
      case .textSearch:
        (
          "http://www.rcsb.org/pdb/search/navbarsearch.do",
          "Search service of the Protein Data Bank of 2009, navbarsearch.do"
        )
      case .textResults:
        (
          "http://www.rcsb.org/pdb/results/results.do",
          "More search results of the Protein Data Bank of 2009, results.do"
        )
      case .pubchem:
        ("https://pubchem.ncbi.nlm.nih.gov/rest/pug", "PubChem service for names, properties and structures")
      case .pubchemSearch:
        (
          "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/esearch.fcgi",
          "PubChem search by any text, E-utilities esearch"
        )
      case .pubchemPages: ("https://pubchem.ncbi.nlm.nih.gov/compound", "Folder of the web pages of PubChem")
      case .alphafold:
        (
          "https://alphafold.ebi.ac.uk/api/prediction",
          "AlphaFold database service for predictions by UniProt accession"
        )
      case .alphafoldPages: ("https://alphafold.ebi.ac.uk/entry", "Folder of the web pages of the AlphaFold database")
      }
    }
  }

  private var addresses: [Name: String] = [:]

  /// Creates addresses from settings.
  ///
  /// - Parameter setting: Returns the value of a setting by its name.
  init(_ setting: (String) -> Value) {
    for name in Name.allCases { addresses[name] = setting(name.rawValue).text ?? name.declaration.standard }
  }

  subscript(name: Name) -> String { addresses[name] ?? name.declaration.standard }

  /// The settings that change the addresses.
  static let settings = Name.allCases.map {
    Parameter($0.rawValue, .url, $0.declaration.summary, defaultValue: .text($0.declaration.standard))
  }
}

/// The errors of services, apart from those of the network.
enum ServiceError {
  static let nothingNamed = DeclaredError("molecules.nothing-named", .usage, "neither a code nor --url was given")
  static let codeAndURL = DeclaredError(
    "molecules.code-and-url", .usage, "both a code and --url were given; leave one out")

  private static let unfittingCode = DeclaredError(
    "molecules.unfitting-code", .usage, "the text is not a code of the service")
  static func unfittingCode(_ code: String, expected: String) -> ErrorReport {
    unfittingCode(
      "'\(code)' is not an entry code; expected \(expected)",
      advice: "find codes with 'workbench molecules search TEXT'", details: ["code": .text(code)])
  }

  private static let unknownCode = DeclaredError(
    "molecules.unknown-code", .notFound, "the service has no structure with this code")
  static func unknownCode(_ code: String, service: String) -> ErrorReport {
    unknownCode(
      "\(service) has no structure '\(code)'", advice: "check the code, or search for it",
      details: ["code": .text(code)])
  }

  private static let noFile = DeclaredError(
    "molecules.no-such-file", .notFound, "the address has no structure file, only a web page or nothing")
  static func noFile(address: String) -> ErrorReport {
    noFile(
      "no structure file found at '\(address)'", advice: "check the address",
      details: ["address": .text(address)])
  }

  private static let queryRefused = DeclaredError(
    "molecules.query-refused", .usage, "the service rejected the query")
  static func queryRefused(service: String, reason: String) -> ErrorReport {
    queryRefused("\(service) rejected the query: \(reason)", advice: "use other words")
  }

  private static let fault = DeclaredError("molecules.service-fault", .network, "the service reported a failure")
  static func fault(service: String, reason: String) -> ErrorReport {
    fault("\(service) failed: \(reason)", advice: "try later", isRetryable: true)
  }

  private static let unreadableReply = DeclaredError(
    "molecules.unreadable-reply", .network, "the response of the service has an unexpected form")
  static func unreadableReply(service: String, reason: String) -> ErrorReport {
    unreadableReply(
      "the response of \(service) is unreadable: \(reason)",
      advice: "check the address of the service in the settings")
  }

  private static let alreadyThere = DeclaredError(
    "molecules.already-there", .refused, "the library has the molecule already; download it again with '--force'")
  static func alreadyThere(_ name: String, id: Int) -> ErrorReport {
    alreadyThere(
      "'\(name)' is in the library already, as molecule \(id)", advice: "download it again with '--force'",
      details: ["id": .integer(id)])
  }

  static let alreadyDownloading = DeclaredError(
    "molecules.already-downloading", .refused, "another process is downloading the same file")

  private static let notKept = DeclaredError(
    "molecules.download-not-kept", .failure, "the downloaded file could not be written")
  static func notKept(path: String, reason: String) -> ErrorReport {
    notKept(
      "the download '\(path)' could not be written: \(reason)", advice: "free disk space, or make the folder writable")
  }

  static let noBrowser = DeclaredError("molecules.no-browser", .failure, "the browser could not be started")

  /// The stable codes of errors and notes.
  static let codes =
    [
      nothingNamed, codeAndURL, unfittingCode, unknownCode, noFile, queryRefused, fault, unreadableReply, alreadyThere,
      alreadyDownloading, notKept, noBrowser,
    ].map(\.catalogueEntry) + [
      ErrorCodeDescription("molecules.no-hits", "a search found nothing"),
      ErrorCodeDescription(
        "molecules.titles-missing", "the results have no titles, because loading them failed"),
    ]
}
