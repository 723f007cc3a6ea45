import PluginAPI
import PluginNet
import PluginText

/// Predicted structures of the AlphaFold database, by the UniProt accession of a protein.
///
/// - Source: AlphaFold Protein Structure Database, API `/prediction/{accession}`, https://alphafold.ebi.ac.uk/api-docs
struct AlphaFoldService: Sendable {
  private static let name = "AlphaFold"
  private let services: RemoteServices

  init(_ services: RemoteServices) {
    self.services = services
  }

  /// Returns the predictions of a protein, none if there is none; the database has no text search.
  ///
  /// - Throws: ``ServiceError/queryRefused(service:reason:)`` if the text is not an accession, network errors.
  func search(_ text: String) async throws -> [SearchHit] {
    guard let accession = try? Self.checked(text) else {
      throw ServiceError.queryRefused(
        service: Self.name,
        reason: "'\(text)' is not a UniProt accession such as P69905; AlphaFold does not search for words")
    }
    return try await predictions(accession).map { prediction in
      SearchHit(code: prediction["entryId"].text ?? text, title: Self.title(prediction), method: "PREDICTED")
    }
  }

  /// Returns the page of a prediction.
  func page(_ code: String) async throws -> MoleculePage {
    let (accession, prediction) = try await prediction(code)
    let gene = prediction["gene"].text.map { ", gene \($0)" } ?? ""
    let abstract = (prediction["organismScientificName"].text ?? "") + gene
    return MoleculePage(
      code: prediction["entryId"].text ?? accession, title: Self.title(prediction),
      abstract: abstract.isEmpty ? nil : abstract,
      address: HTTPAddress.appending(accession, to: services.endpoints[.alphafoldPages]))
  }

  /// Returns the file of a prediction; its address is requested from the service, since it contains a changing version.
  func file(_ code: String, format: MoleculeService.FileFormat) async throws -> RemoteFile {
    let (accession, prediction) = try await prediction(code)
    guard let address = prediction[format == .pdb ? "pdbUrl" : "cifUrl"].text,
      address.hasPrefix("https://") || address.hasPrefix("http://")
    else {
      throw ServiceError.unreadableReply(service: Self.name, reason: "it does not name a file")
    }
    let code = prediction["entryId"].text ?? accession
    let name = code + (format == .pdb ? ".pdb" : ".cif")
    return RemoteFile(address: address, name: name, code: code, service: Self.name)
  }

  /// Returns the prediction of a code: the one whose entry it names, else the first.
  private func prediction(_ code: String) async throws -> (accession: String, Value) {
    let accession = try Self.checked(code)
    let predictions = try await predictions(accession)
    let named = predictions.first { $0["entryId"].text?.uppercased() == code.uppercased() }
    guard let prediction = named ?? predictions.first else {
      throw ServiceError.unknownCode(code, service: Self.name)
    }
    return (accession, prediction)
  }

  private func predictions(_ accession: String) async throws -> [Value] {
    let response = try await services.send(
      HTTPRequest(
        HTTPAddress.appending(accession, to: services.endpoints[.alphafold]), headers: ["Accept": "application/json"],
        limitInBytes: 4 << 20))
    if response.head.status == 404 { return [] }
    let reply = try response.json()
    if response.head.status == 400 || response.head.status == 422 {
      throw ServiceError.queryRefused(
        service: Self.name, reason: reply?["error"].text ?? "status \(response.head.status)")
    }
    try response.head.checked()
    guard let list = reply?.list else {
      throw ServiceError.unreadableReply(service: Self.name, reason: "it is not a list of predictions")
    }
    return list
  }

  private static func title(_ prediction: Value) -> String {
    prediction["uniprotDescription"].text ?? prediction["uniprotId"].text ?? ""
  }

  /// Returns the accession in capitals: `P69905`, `A0A023GPI8`, or the one in an entry name as `AF-P69905-F1`.
  ///
  /// - Source: UniProt, "Accession numbers", https://www.uniprot.org/help/accession_numbers
  static func checked(_ code: String) throws(ErrorReport) -> String {
    var text = Substring(code.trimmed().uppercased())
    if text.hasPrefix("AF-") {
      text = text.dropFirst(3).prefix { $0 != "-" }
    }
    let bytes = Array(text.utf8)
    func isDigit(_ index: Int) -> Bool { bytes[index].isDigit }
    func isLetter(_ index: Int) -> Bool { bytes[index].isLetter }
    func isBlock(_ start: Int) -> Bool {
      isLetter(start) && (isLetter(start + 1) || isDigit(start + 1)) && (isLetter(start + 2) || isDigit(start + 2))
        && isDigit(start + 3)
    }
    let fits: Bool
    switch bytes.count {
    case 6:
      // The old form begins with O, P or Q, and its third letter may be a digit.
      let isOld = Array("OPQ".utf8).contains(bytes[0])
      let third = isLetter(2) || (isOld && isDigit(2))
      fits = isLetter(0) && isDigit(1) && third && (3...4).allSatisfy { isLetter($0) || isDigit($0) } && isDigit(5)
    case 10: fits = isLetter(0) && isDigit(1) && isBlock(2) && isBlock(6)
    default: fits = false
    }
    guard fits else { throw ServiceError.unfittingCode(code, expected: "a UniProt accession such as P69905") }
    return String(text)
  }
}
