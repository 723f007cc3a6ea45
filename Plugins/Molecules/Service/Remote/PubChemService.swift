import PluginAPI
import PluginNet
import PluginText
import PluginXML

/// Small molecules of PubChem.
///
/// - Source: PubChem PUG REST, and NCBI E-utilities (esearch) for texts that are not names.
struct PubChemService: Sendable {
  private static let name = "PubChem"
  private let services: RemoteServices

  init(_ services: RemoteServices) {
    self.services = services
  }

  /// Returns the numbers of compounds with a name or, if there are none, of compounds with a 3-D structure that match a
  /// text.
  func search(_ text: String, rows: Int) async throws -> [String] {
    let named = try await request("/compound/name/" + HTTPAddress.escaped(text) + "/cids/JSON")
    let numbers = named?["IdentifierList"]["CID"].list?.compactMap(\.integer).filter { $0 > 0 } ?? []
    if !numbers.isEmpty { return numbers.prefix(rows).map(String.init) }
    return try await searchTexts(text, rows: rows)
  }

  private func searchTexts(_ text: String, rows: Int) async throws -> [String] {
    let address = HTTPAddress.with(
      services.endpoints[.pubchemSearch],
      query: [("db", "pccompound"), ("retmax", "\(rows)"), ("term", text + " \"has 3d conformer\"[Filter]")])
    let response = try await services.send(HTTPRequest(address, limitInBytes: 1 << 20))
    try response.head.checked()
    return Array(try Self.numbers(response.body).prefix(rows))
  }

  /// Returns the numbers in a response of esearch.
  static func numbers(_ reply: [UInt8]) throws -> [String] {
    let collector = NumberCollector()
    do {
      let reader = try XMLReader { collector.receive($0) }
      try reader.push(reply)
      try reader.finish()
    } catch let error as XMLError {
      throw ServiceError.unreadableReply(service: name, reason: error.description)
    }
    if let reason = collector.problem { throw ServiceError.queryRefused(service: name, reason: reason) }
    return collector.numbers
  }

  /// Returns the hits with names and formulas.
  func described(_ hits: [SearchHit]) async throws -> [SearchHit] {
    let list = hits.map(\.code).joined(separator: ",")
    let reply = try await request("/compound/cid/\(list)/property/Title,MolecularFormula/JSON")
    var known: [String: Value] = [:]
    for entry in reply?["PropertyTable"]["Properties"].list ?? [] { known["\(entry["CID"].integer ?? 0)"] = entry }
    return hits.map { hit in
      guard let entry = known[hit.code] else { return hit }
      return SearchHit(code: hit.code, title: entry["Title"].text ?? "", method: entry["MolecularFormula"].text)
    }
  }

  /// Returns the page of a compound.
  func page(_ code: String) async throws -> MoleculePage {
    let number = try Self.checked(code)
    guard let reply = try await request("/compound/cid/\(number)/description/JSON") else {
      throw ServiceError.unknownCode(code, service: Self.name)
    }
    let information = reply["InformationList"]["Information"].list ?? []
    return MoleculePage(
      code: number, title: information.lazy.compactMap { $0["Title"].text }.first ?? "",
      abstract: information.lazy.compactMap { $0["Description"].text }.first,
      address: HTTPAddress.appending(number, to: services.endpoints[.pubchemPages]))
  }

  /// Returns the file with the 3-D structure of a compound.
  func file(_ code: String) throws(ErrorReport) -> RemoteFile {
    let number = try Self.checked(code)
    let address = services.endpoints[.pubchem] + "/compound/cid/\(number)/SDF?record_type=3d"
    return RemoteFile(address: address, name: "CID\(number).sdf", code: number, service: Self.name)
  }

  /// Returns the number of a compound, from 1.
  private static func checked(_ code: String) throws(ErrorReport) -> String {
    let digits = code.uppercased().hasPrefix("CID") ? String(code.dropFirst(3)) : code
    guard digits.utf8.allSatisfy(\.isDigit), let number = Int(digits), number > 0
    else { throw ServiceError.unfittingCode(code, expected: "the number of a compound such as 2519") }
    return "\(number)"
  }

  /// Returns the response of PUG; nil if there is nothing.
  private func request(_ path: String) async throws -> Value? {
    let response = try await services.send(HTTPRequest(services.endpoints[.pubchem] + path))
    if response.head.status == 404 { return nil }
    let reply = try response.json()
    if response.head.status == 400 {
      let message = reply?["Fault"]["Message"].text ?? "status 400"
      throw ServiceError.queryRefused(service: Self.name, reason: message)
    }
    try response.head.checked()
    guard let reply else { throw ServiceError.unreadableReply(service: Self.name, reason: "it is not JSON") }
    return reply
  }
}

/// Collects the numbers in a response of esearch: texts of `Id` in `IdList`.
private final class NumberCollector {
  private(set) var numbers: [String] = []
  private(set) var problem: String?
  private var text: [UInt8] = []

  func receive(_ event: XMLEvent) {
    switch event {
    case .begin: text = []
    case .text(let bytes): if text.count < 1024 { text += bytes }
    case .end(let name):
      let content = String(decoding: text, as: UTF8.self).trimmed()
      if name.local == "Id", Int(content) != nil { numbers.append(content) }
      if name.local == "ERROR" { problem = content }
      text = []
    @unknown default: break
    }
  }
}
