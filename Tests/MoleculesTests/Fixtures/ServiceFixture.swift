import Foundation
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import Molecules

/// Simulators of the network services on the loopback interface, and a plugin configured to use them.
///
/// Their responses were written for these tests from the services' descriptions.
final class ServiceFixture: Sendable {
  let server: FixtureServer
  let plugin: TestPlugin

  /// Starts the services.
  ///
  /// - Parameter answer: Returns the response to a request; nil for the standard response.
  init(
    isOffline: Bool = false, deadline: Double = 120,
    _ answer: @escaping @Sendable (FixtureRequest) -> FixtureReply? = { _ in nil }
  ) async throws {
    server = try FixtureServer { answer($0) ?? Self.standard($0) }
    plugin = try await TestPlugin(MoleculesPlugin(), isOffline: isOffline)
    let paths: [ServiceEndpoints.Name: String] = [
      .rcsbSearch: "/search", .rcsbData: "/graphql", .rcsbFiles: "/download", .rcsbPages: "/structure",
      .soapQuery: "/pdbws", .soapTitles: "/titles.jsp", .soapFiles: "/pdb/files", .soapPages: "/explore.do",
      .pubchem: "/pug", .pubchemSearch: "/esearch.fcgi", .pubchemPages: "/compound",
      .textSearch: "/navbarsearch.do", .textResults: "/results.do", .alphafold: "/prediction",
      .alphafoldPages: "/entry",
    ]
    for (name, path) in paths { try plugin.context.set(name.rawValue, to: .text(server.address + path)) }
    try plugin.context.set("repeat-delay", to: 0)
    try plugin.context.set("deadline", to: .number(deadline))
  }

  /// Returns the services' responses without errors.
  static func standard(_ request: FixtureRequest) -> FixtureReply {
    switch request.path {
    case "/search":
      return .text(
        #"{"total_count":3,"result_set":[{"identifier":"1CRN","score":1.0},{"identifier":"9ZZZ","score":0.9},"#
          + #"{"identifier":"4HHB","score":0.5}]}"#, type: "application/json")
    case "/graphql": return .text(graph(request), type: "application/json")
    case "/pdbws": return .text(soap(["1CRN", "1BNA"]), type: "text/xml")
    case "/titles.jsp": return .text("1CRN WATER STRUCTURE;\n1BNA B-DNA\n\nshort\n")
    case "/navbarsearch.do": return .text("1CRN\tWATER STRUCTURE\r\n\r\n1BNA\tB-DNA\r\nno code\tat all\r\n")
    case "/prediction/P69905":
      return .text(
        #"[{"entryId":"AF-P69905-F1","uniprotDescription":"Hemoglobin subunit alpha","gene":"HBA1","#
          + #""organismScientificName":"Homo sapiens","cifUrl":"http://127.0.0.1:1/x.cif"}]"#, type: "application/json")
    case "/pug/compound/name/caffeine/cids/JSON": return .text(#"{"IdentifierList":{"CID":[2519,1]}}"#)
    case "/pug/compound/cid/2519,1/property/Title,MolecularFormula/JSON":
      return .text(
        #"{"PropertyTable":{"Properties":[{"CID":2519,"Title":"Caffeine","MolecularFormula":"C8H10N4O2"}]}}"#)
    case "/pug/compound/cid/2519/description/JSON":
      return .text(
        #"{"InformationList":{"Information":[{"CID":2519,"Title":"Caffeine"},{"CID":2519,"Description":"A stimulant."}]}}"#
      )
    default: return .text("<!DOCTYPE html><html><body>Not found</body></html>", status: 404, type: "text/html")
    }
  }

  /// Returns entries in a different order than requested, without the unknown one.
  private static func graph(_ request: FixtureRequest) -> String {
    if String(decoding: request.body, as: UTF8.self).contains("pubmed") {
      return #"{"data":{"entries":[{"rcsb_id":"1CRN","struct":{"title":"CRAMBIN"},"#
        + #""pubmed":{"rcsb_pubmed_abstract_text":"A small protein."}}]}}"#
    }
    return #"{"data":{"entries":[{"rcsb_id":"4HHB","struct":{"title":"DEOXYHAEMOGLOBIN"},"exptl":"#
      + #"[{"method":"X-RAY DIFFRACTION"},{"method":"NEUTRON DIFFRACTION"}],"#
      + #""rcsb_entry_info":{"resolution_combined":[1.74]}},{"rcsb_id":"1CRN","struct":{"title":"CRAMBIN"},"#
      + #""exptl":[{"method":"SOLUTION NMR"}],"rcsb_entry_info":{"resolution_combined":null}}]}}"#
  }

  /// Returns a response of keywordQuery: the array has the same name as its elements.
  static func soap(_ codes: [String]) -> String {
    let hits = codes.map { "<keywordQueryReturn xsi:type=\"xsd:string\">\($0)</keywordQueryReturn>" }.joined()
    return "<?xml version=\"1.0\"?><e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\" "
      + "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><e:Body><n:keywordQueryResponse "
      + "xmlns:n=\"webservices.pdb.org\"><keywordQueryReturn>\(hits)</keywordQueryReturn></n:keywordQueryResponse>"
      + "</e:Body></e:Envelope>"
  }

  /// Returns the codes found by a search.
  func codes(_ arguments: Record) async throws -> [String] {
    let table = try #require(try await plugin.run("search", arguments).value.table)
    return (0..<table.rowCount).compactMap { table.row($0)["code"]?.text }
  }

  /// Returns a file as provided by the services.
  static func file(_ code: String, title: String = "PEPTIDE") -> [UInt8] {
    Array(LibraryFixture.text(title, code: code).utf8)
  }
}
