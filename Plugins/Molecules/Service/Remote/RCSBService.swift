import PluginAPI
import PluginJSON
import PluginNet

/// The current Protein Data Bank at RCSB.
///
/// - Source: RCSB PDB Search API version 2 and Data API (GraphQL), and its file download services.
struct RCSBService: Sendable {
  private static let name = "RCSB"
  private static let json: HTTPHeaders = ["Content-Type": "application/json", "Accept": "application/json"]
  private let services: RemoteServices

  init(_ services: RemoteServices) {
    self.services = services
  }

  /// Returns the codes of entries that contain a text, best first.
  ///
  /// - Throws: ``ServiceError/queryRefused(service:reason:)``, ``ServiceError/unreadableReply(service:reason:)``,
  ///   network errors.
  func search(_ text: String, rows: Int) async throws -> [String] {
    var request = HTTPRequest(
      services.endpoints[.rcsbSearch], body: Array(Self.searchBody(text, rows: rows).utf8), headers: Self.json)
    request.isRepeatable = true
    let response = try await services.send(request)
    // A separate status without a body means that there are no hits.
    if response.head.status == 204 { return [] }
    let reply = try response.json()
    if response.head.status == 400 {
      throw ServiceError.queryRefused(service: Self.name, reason: reply?["message"].text ?? "status 400")
    }
    try response.head.checked()
    guard let hits = reply?["result_set"].list else {
      throw ServiceError.unreadableReply(service: Self.name, reason: "result_set is missing")
    }
    return hits.prefix(rows).compactMap { $0.text ?? $0["identifier"].text }
  }

  /// Returns the body of a full-text search request.
  static func searchBody(_ text: String, rows: Int) -> String {
    #"{"query":{"type":"terminal","service":"full_text","parameters":{"value":"# + quoted(text)
      + #"}},"return_type":"entry","request_options":{"paginate":{"start":0,"rows":\#(rows)},"#
      + #""sort":[{"sort_by":"score","direction":"desc"}],"results_content_type":["experimental"],"#
      + #""scoring_strategy":"combined"}}"#
  }

  /// Returns a text as JSON, including quotes.
  private static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.write(text)
    return String(decoding: writer.take(), as: UTF8.self)
  }

  /// Returns the hits with title, method and resolution; unknown ones are unchanged.
  func described(_ hits: [SearchHit]) async throws -> [SearchHit] {
    let entries = try await entries(
      "rcsb_id struct{title} exptl{method} rcsb_entry_info{resolution_combined deposited_atom_count} "
        + "rcsb_accession_info{initial_release_date}", hits.map(\.code))
    // The response has entries in any order, without unknown ones.
    var known: [String: Value] = [:]
    for entry in entries { known[entry["rcsb_id"].text?.uppercased() ?? ""] = entry }
    return hits.map { hit in
      guard let entry = known[hit.code.uppercased()] else { return hit }
      let methods = entry["exptl"].list?.compactMap { $0["method"].text } ?? []
      return SearchHit(
        code: hit.code, title: entry["struct"]["title"].text ?? "",
        method: methods.isEmpty ? nil : methods.joined(separator: "; "),
        resolution: entry["rcsb_entry_info"]["resolution_combined"].list?.first?.number)
    }
  }

  /// Returns the page of an entry.
  func page(_ code: String) async throws -> MoleculePage {
    let code = try Self.checked(code)
    let entries = try await entries("rcsb_id struct{title} pubmed{rcsb_pubmed_abstract_text}", [code])
    guard let entry = entries.first else { throw ServiceError.unknownCode(code, service: Self.name) }
    return MoleculePage(
      code: entry["rcsb_id"].text ?? code, title: entry["struct"]["title"].text ?? "",
      abstract: entry["pubmed"]["rcsb_pubmed_abstract_text"].text,
      address: HTTPAddress.appending(code, to: services.endpoints[.rcsbPages]))
  }

  /// Returns the file of an entry; entries without a PDB file have an mmCIF file.
  func file(_ code: String, format: MoleculeService.FileFormat) throws(ErrorReport) -> RemoteFile {
    let code = try Self.checked(code)
    let name = code + (format == .pdb ? ".pdb.gz" : ".cif.gz")
    return RemoteFile(
      address: HTTPAddress.appending(name, to: services.endpoints[.rcsbFiles]), name: name, code: code,
      service: Self.name)
  }

  /// Returns the code in its usual letters: four characters of which the first is a digit, or 'pdb_' and eight.
  static func checked(_ code: String) throws(ErrorReport) -> String {
    let isPlain = code.utf8.allSatisfy { $0.isDigit || $0.isLetter }
    if isPlain, code.utf8.count == 4, let first = code.utf8.first, first.isDigit {
      return code.uppercased()
    }
    let long = code.lowercased()
    if long.hasPrefix("pdb_"), long.utf8.count == 12,
      long.utf8.dropFirst(4).allSatisfy({ $0.isDigit || $0.isLetter })
    {
      return long
    }
    throw ServiceError.unfittingCode(code, expected: "a code such as 4HHB or pdb_00004hhb")
  }

  /// Requests fields of entries from the data service.
  private func entries(_ fields: String, _ codes: [String]) async throws -> [Value] {
    let ids = codes.map(Self.quoted).joined(separator: ",")
    let body =
      #"{"query":"query($ids:[String!]!){entries(entry_ids:$ids){"# + fields + #"}}","variables":{"ids":["# + ids
      + "]}}"
    var request = HTTPRequest(services.endpoints[.rcsbData], body: Array(body.utf8), headers: Self.json)
    request.isRepeatable = true
    let response = try await services.send(request)
    try response.head.checked()
    guard let reply = try response.json() else {
      throw ServiceError.unreadableReply(service: Self.name, reason: "it is not JSON")
    }
    if let entries = reply["data"]["entries"].list { return entries.filter { !$0.isNull } }
    let reason = reply["errors"].list?.first?["message"].text
    throw reason.map { ServiceError.fault(service: Self.name, reason: $0) }
      ?? ServiceError.unreadableReply(service: Self.name, reason: "data.entries is missing")
  }
}
