import Foundation
import PluginAPI
import PluginJSON
import PluginTesting
import TestSupport
import Testing

@testable import Molecules

struct SearchCommandTests {
  /// The services' responses in the shared data, if present.
  private static let mock = SharedData.molecules?.appendingPathComponent("mock")

  private static func mockFile(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: try #require(mock).appendingPathComponent(name)))
  }

  @Test func `hits are in the order of the search, with titles looked up by code`() async throws {
    let services = try await ServiceFixture()
    let result = try await services.plugin.run("search", ["text": "crambin"])
    let table = try #require(result.value.table)
    #expect(table.columns.map(\.name) == ["code", "title", "method", "resolution"])
    #expect((0..<3).map { table.row($0)["code"] } == ["1CRN", "9ZZZ", "4HHB"])
    #expect((0..<3).map { table.row($0)["title"] } == ["CRAMBIN", "", "DEOXYHAEMOGLOBIN"])
    #expect(
      (0..<3).map { table.row($0)["method"] } == ["SOLUTION NMR", .null, "X-RAY DIFFRACTION; NEUTRON DIFFRACTION"])
    #expect((0..<3).map { table.row($0)["resolution"] } == [.null, .null, 1.74])
    #expect(result.diagnostics.isEmpty)
  }

  @Test(.enabled(if: mock != nil, "no shared data")) func `search requests match the services' specifications`() throws
  {
    let search = try Value(json: Self.mockFile("search_v2_request.json"))
    #expect(try Value(json: Array(RCSBService.searchBody("crambin", rows: 50).utf8)) == search)
    let soap = String(decoding: try Self.mockFile("soap_request.xml"), as: UTF8.self)
    #expect(SOAPService.searchBody("crambin") == soap)
  }

  @Test func `quotes and control characters of the text are escaped in a search request`() throws {
    let text = "a\"b\\c\n\t\u{1}é😀/"
    let body = try Value(json: Array(RCSBService.searchBody(text, rows: 1).utf8))
    #expect(body["query"]["parameters"]["value"] == .text(text))
  }

  @Test(.enabled(if: mock != nil, "no shared data")) func `the GraphQL request matches its specification`()
    async throws
  {
    let services = try await ServiceFixture { request in
      guard request.path == "/search" else { return nil }
      let hits = ["1CRN", "1BNA", "4HHB", "1UBQ"].map { #"{"identifier":"\#($0)"}"# }.joined(separator: ",")
      return .text(#"{"result_set":[\#(hits)]}"#)
    }
    _ = try await services.codes(["text": "x"])
    let asked = try #require(services.server.requests.last)
    #expect(asked.path == "/graphql" && asked.headers["content-type"] == "application/json")
    #expect(try Value(json: asked.body) == Value(json: Self.mockFile("graphql_request.json")))
  }

  @Test(.enabled(if: mock != nil, "no shared data")) func `the recorded responses of the services are parsed`()
    async throws
  {
    let files = try [
      "/search": "search_v2_response.json", "/graphql": "graphql_response.json", "/pdbws": "soap_response.xml",
      "/titles.jsp": "titles.txt", "/esearch.fcgi": "pubchem_esearch.xml",
    ]
    .mapValues(Self.mockFile)
    let services = try await ServiceFixture { request in files[request.path].map { FixtureReply(200, $0) } }
    let new = try #require(try await services.plugin.run("search", ["text": "crambin"]).value.table)
    let old = try #require(try await services.plugin.run("search", ["text": "crambin", "service": "soap"]).value.table)
    for table in [new, old] {
      #expect((0..<table.rowCount).map { table.row($0)["code"] } == ["1CRN", "1BNA", "4HHB", "1UBQ"])
      #expect(table.row(3)["title"] == "STRUCTURE OF UBIQUITIN REFINED AT 1.8 ANGSTROMS RESOLUTION")
    }
    #expect(new.row(2)["resolution"] == 1.74 && new.row(2)["method"] == "X-RAY DIFFRACTION")
    #expect(old.row(0)["title"]?.text?.hasSuffix("RESOLUTION") == true)
    #expect(try await services.codes(["text": "stimulant", "service": "pubchem"]) == ["2519", "2244"])
  }

  @Test(.enabled(if: mock != nil, "no shared data")) func `a long SOAP response is ended once it has enough hits`()
    async throws
  {
    let reply = try Self.mockFile("soap_response_500.xml")
    // The response repeats endlessly: a client that kept reading would never end.
    let services = try await ServiceFixture { request in
      request.path == "/pdbws" ? FixtureReply(200, reply, .endless) : nil
    }
    #expect(try await services.codes(["text": "kinase", "service": "soap"]).count == 50)
    #expect(try await services.codes(["text": "kinase", "service": "soap", "rows": 7]).first == "1AA0")
    #expect(try await services.codes(["text": "kinase", "service": "soap", "rows": 7]).count == 7)
  }

  @Test(arguments: [300, 420, 500, 600]) func `a truncated SOAP response gives its complete hits`(length: Int)
    async throws
  {
    let reply = Array(ServiceFixture.soap(["1CRN", "1BNA", "4HHB", "1UBQ"]).utf8)
    let services = try await ServiceFixture { request in
      request.path == "/pdbws" ? FixtureReply(200, Array(reply.prefix(length)), .unstated) : nil
    }
    let whole = String(decoding: reply.prefix(length), as: UTF8.self).components(separatedBy: "</keywordQueryReturn>")
    let expected = whole.dropLast().compactMap { $0.components(separatedBy: ">").last }.filter { !$0.isEmpty }
    if expected.isEmpty {
      let report = await services.plugin.report("search", ["text": "x", "service": "soap"])
      #expect(report?.code == "molecules.unreadable-reply")
    } else {
      #expect(try await services.codes(["text": "x", "service": "soap"]) == expected)
    }
  }

  @Test func `the SOAP keyword is escaped, and titles come from the legacy address`() async throws {
    let services = try await ServiceFixture()
    #expect(try await services.codes(["text": "a<b & \"c\"", "service": "soap"]) == ["1CRN", "1BNA"])
    let asked = services.server.requests
    #expect(asked[0].method == "POST" && asked[0].headers["content-type"] == "text/xml")
    #expect(asked[0].headers["soapaction"] != nil)
    #expect(String(decoding: asked[0].body, as: UTF8.self).contains(">a&lt;b &amp; &quot;c&quot;</in0>"))
    #expect(asked[1].target == "/titles.jsp?structureIdList=,1CRN,1BNA")
  }

  @Test func `the text service of 2009 gives codes and titles, page by page`() async throws {
    let services = try await ServiceFixture { request in
      guard request.path == "/navbarsearch.do" || request.path == "/results.do" else { return nil }
      let page = request.path == "/results.do" ? Int(request.target.suffix(1)) ?? 0 : 1
      let rows = (0..<(page < 3 ? 25 : 4)).map { "\(page)\(String(format: "%03d", $0))\tTITLE \(page) \($0)" }
      return FixtureReply(
        200, Array(rows.joined(separator: "\n").utf8), type: "text/plain",
        headers: page == 1 ? [("Set-Cookie", "JSESSIONID=abc; Path=/")] : [])
    }
    let found = try await services.plugin.run("search", ["text": "a&b", "service": "text"])
    let table = try #require(found.value.table)
    #expect(table.rowCount == 50)
    #expect(table.row(25) == ["code": "2000", "title": "TITLE 2 0", "method": .null, "resolution": .null])
    let asked = services.server.requests
    #expect(asked.count == 2 && asked[0].target.contains("inputQuickSearch=a%26b&outformat=text&resultsperpage=25"))
    #expect(
      asked[1].target == "/results.do?outformat=text&gotopage=2" && asked[1].headers["cookie"] == "JSESSIONID=abc")
    #expect(try await services.codes(["text": "x", "service": "text", "rows": 100]).count == 54)
  }

  @Test func `the text service of 2009 ends at a short page, and HTML is unreadable`() async throws {
    let services = try await ServiceFixture()
    #expect(try await services.codes(["text": "x", "service": "text"]) == ["1CRN", "1BNA"])
    #expect(services.server.requests.count == 1)
    let gone = try await ServiceFixture { _ in .text("<html>moved</html>", type: "text/html") }
    #expect(
      await gone.plugin.report("search", ["text": "x", "service": "text"])?.code == "molecules.unreadable-reply")
  }

  @Test func `AlphaFold is searched by accession only`() async throws {
    let services = try await ServiceFixture()
    let table = try #require(
      try await services.plugin.run("search", ["text": "p69905", "service": "alphafold"]).value.table)
    #expect(
      table.row(0) == [
        "code": "AF-P69905-F1", "title": "Hemoglobin subunit alpha", "method": "PREDICTED", "resolution": .null,
      ])
    #expect(try await services.codes(["text": "P00001", "service": "alphafold"]) == [])
    let report = await services.plugin.report("search", ["text": "haemoglobin", "service": "alphafold"])
    #expect(report?.code == "molecules.query-refused" && report?.message.contains("P69905") == true)
    let page = try await services.plugin.run("page", ["code": "AF-P69905-F1", "service": "alphafold"]).value
    #expect(page["abstract"] == "Homo sapiens, gene HBA1")
    #expect(page["address"] == .text(services.server.address + "/entry/P69905"))
  }

  @Test func `accessions are checked by the rules of UniProt`() {
    let good = ["P69905", "q8n3y7", "A0A023GPI8", "O12345", "AF-P69905-F1", "A2BC19"]
    #expect(good.allSatisfy { (try? AlphaFoldService.checked($0)) != nil })
    let bad = ["4HHB", "P6990", "P699055", "669905", "A12345", "A0A023GPI", "AF-", "", "P69 05"]
    #expect(bad.allSatisfy { (try? AlphaFoldService.checked($0)) == nil })
  }

  @Test func `a SOAP fault is reported with its text`() async throws {
    let fault =
      "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Body><e:Fault><faultcode>e:Server</faultcode>"
      + "<faultstring>out of order</faultstring></e:Fault></e:Body></e:Envelope>"
    let services = try await ServiceFixture { request in
      request.path == "/pdbws" ? .text(fault, status: 500, type: "text/xml") : nil
    }
    let report = await services.plugin.report("search", ["text": "x", "service": "soap"])
    #expect(report?.code == "molecules.service-fault" && report?.exitStatus == 6)
    #expect(report?.message.contains("out of order") == true)
  }

  @Test func `a search without hits gives an empty table and a diagnostic`() async throws {
    let services = try await ServiceFixture { request in
      switch request.path {
      case "/search": FixtureReply(204)
      case "/pdbws": .text(ServiceFixture.soap([]))
      case "/esearch.fcgi": .text("<eSearchResult><Count>0</Count><IdList/></eSearchResult>")
      default: nil
      }
    }
    for service in ["rcsb", "soap", "pubchem"] {
      let result = try await services.plugin.run("search", ["text": "nothing", "service": .text(service)])
      #expect(result.value.table?.rowCount == 0)
      #expect(result.diagnostics.map(\.code) == ["molecules.no-hits"])
    }
    #expect(!services.server.requests.contains { $0.path == "/graphql" || $0.path == "/titles.jsp" })
  }

  @Test func `hits are listed without titles if the titles are unavailable`() async throws {
    let services = try await ServiceFixture { request in
      ["/graphql", "/titles.jsp"].contains(request.path) ? FixtureReply(500) : nil
    }
    for service in ["rcsb", "soap"] {
      let result = try await services.plugin.run("search", ["text": "x", "service": .text(service)])
      #expect(result.value.table?.row(0)["code"] == "1CRN")
      #expect(result.diagnostics.map(\.code) == ["molecules.titles-missing"])
    }
  }

  @Test func `PubChem is searched by name, then by any text`() async throws {
    let services = try await ServiceFixture { request in
      request.path == "/esearch.fcgi"
        ? .text(
          "<!DOCTYPE eSearchResult PUBLIC \"-//NLM//DTD esearch//EN\" \"http://127.0.0.1:1/x.dtd\">"
            + "<eSearchResult><IdList><Id>2519</Id><Id>7</Id></IdList></eSearchResult>") : nil
    }
    let table = try #require(
      try await services.plugin.run("search", ["text": "caffeine", "service": "pubchem"]).value.table)
    #expect(table.row(0) == ["code": "2519", "title": "Caffeine", "method": "C8H10N4O2", "resolution": .null])
    #expect(try await services.codes(["text": "wakes people", "service": "pubchem"]) == ["2519", "7"])
    let asked = try #require(services.server.requests.first { $0.path == "/esearch.fcgi" })
    #expect(asked.target.contains("term=wakes%20people%20%22has%203d%20conformer%22%5BFilter%5D"))
  }

  @Test(arguments: [
    (400, #"{"status":400,"message":"bad query"}"#, "molecules.query-refused"),
    (200, "no JSON", "molecules.unreadable-reply"),
    (200, #"{"x":1}"#, "molecules.unreadable-reply"), (500, "", "net.status"), (429, "", "net.busy"),
  ]) func `a failed search has an error code for its cause`(status: Int, body: String, code: String) async throws {
    let services = try await ServiceFixture { $0.path == "/search" ? .text(body, status: status) : nil }
    let report = await services.plugin.report("search", ["text": "x"])
    #expect(report?.code == code)
    #expect(services.server.requests.count == (status == 429 ? 3 : 1))
  }

  @Test func `an offline client and a slow service have error codes of their own`() async throws {
    let offline = try await ServiceFixture(isOffline: true)
    let report = await offline.plugin.report("search", ["text": "x"])
    #expect(report?.code == "net.offline" && report?.exitStatus == 6)
    #expect(offline.server.connections == 0)
    let slow = try await ServiceFixture(deadline: 2) { _ in FixtureReply(200, [1, 2, 3], .drip(milliseconds: 60_000)) }
    #expect(await slow.plugin.report("search", ["text": "x"])?.code == "net.timed-out")
  }

  @Test func `the service from the settings is used unless one is named`() async throws {
    let services = try await ServiceFixture()
    try services.plugin.context.set("service", to: "pubchem")
    #expect(try await services.codes(["text": "caffeine"]) == ["2519", "1"])
  }
}
