import PluginAPI
import PluginJSON
import Testing

@testable import OpenBIS

/// The requests to the table service, and its small responses.
struct TableServiceTests {
  private static let empty = TableText.v1(["PERM_ID", "REFCON"], [])

  /// Returns the parameters of a request as V1 sends them, as JSON.
  private func parameters(_ request: TableRequest) -> String { String(decoding: request.parameters, as: UTF8.self) }

  private static let tricky = #"{"b":9007199254740993, "a":"\ud83d😀"}"#
  private static let references = [
    EntityReference(permID: "P \"1\"", refcon: tricky), EntityReference(permID: "P2", refcon: "{broken"),
    EntityReference(permID: "P3", refcon: ""), EntityReference(permID: "P4", refcon: "\u{FEFF}1"),
  ]

  @Test func `V1 and V3 send the same parameters in their envelopes`() async throws {
    let caller = CannedCaller(Self.empty)
    _ = try await TableService(caller, host: .v1, dataStore: "DSS1").rows(.ping, into: RowChannel())
    #expect(caller.calls.last?.interface == .query)
    #expect(caller.calls.last?.method == "createReportFromAggregationService")
    #expect(caller.lastParameters == ["DSS1", "ipad-read-service-v1", .record(["requestKey": "PING"])])
    _ = try await TableService(caller, host: .v3, dataStore: "DSS1").rows(.ping, into: RowChannel())
    #expect(caller.calls.last?.interface == .application)
    #expect(caller.calls.last?.method == "executeAggregationService")
    #expect(caller.lastParameters[0]["@type"] == "as.dto.service.id.DssServicePermId")
    #expect(caller.lastParameters[0]["dataStoreId"]["permId"] == "DSS1")
    #expect(caller.lastParameters[1]["parameters"] == .record(["requestKey": "PING"]))
  }

  @Test func `each request has its requestKey`() {
    let expected: [(TableRequest, String)] = [
      (.navigation, "NAVIGATION"), (.categories, "CATEGORIES"), (.drill([]), "DRILL"), (.details([]), "DETAIL"),
      (.search("x", domain: nil), "SEARCH"), (.ping, "PING"), (.preferences, "CLIENT_PREFS"),
      (.roots([], lastUpdate: "0.000000", namesCategory: false), "ROOT"),
    ]
    for (request, key) in expected { #expect(parameters(request).hasPrefix(#"{"requestKey":"\#(key)""#)) }
  }

  @Test func `cases 34 and 35: ROOT sends REFCON as text`() throws {
    let request = TableRequest.roots(Self.references, lastUpdate: "1363219200.250000", namesCategory: false)
    let value = try Value(json: request.parameters)
    #expect(value["lastupdate"] == "1363219200.250000")
    let entities = try #require(value["entities"].list)
    #expect(entities.map { $0["PERM_ID"].text } == ["P \"1\"", "P2", "P3", "P4"])
    #expect(entities.map { $0["REFCON"].text } == [Self.tricky, "{broken", "", "\u{FEFF}1"])
    #expect(value["category"].isNull)
  }

  @Test func `cases 34 and 35: DRILL and DETAIL send REFCON unchanged, or as text if it is not JSON`() {
    for request in [TableRequest.drill(Self.references), .details(Self.references)] {
      let text = parameters(request)
      #expect(text.contains(#"{"PERM_ID":"P \"1\"","REFCON":\#(Self.tricky)}"#))
      #expect(text.contains(#"{"PERM_ID":"P2","REFCON":"{broken"}"#))
      #expect(text.contains(#"{"PERM_ID":"P3","REFCON":""}"#))
      #expect(text.contains("{\"PERM_ID\":\"P4\",\"REFCON\":\"\u{FEFF}1\"}"))
    }
  }

  @Test func `the oldest dialect gets the first entity's REFCON as category`() {
    let request = TableRequest.roots([Self.references[0]], lastUpdate: "0.000000", namesCategory: true)
    #expect(parameters(request).hasSuffix(#""category":\#(Self.tricky)}"#))
  }

  @Test func `a search may name its domain`() throws {
    let domain = ClientPreferences.SearchDomain(key: "BARCODE", label: "Barcode")
    #expect(parameters(.search("x*\"", domain: nil)) == #"{"requestKey":"SEARCH","searchtext":"x*\""}"#)
    let value = try Value(json: TableRequest.search("x", domain: domain).parameters)
    #expect(value["searchdomain"] == .record(["key": "BARCODE", "label": "Barcode"]))
  }

  @Test(arguments: [
    ("1800", 1800), ("0", 60), ("-5", 60), ("1e9", 604_800), ("abc", 3600), ("", 3600), ("nan", 3600),
  ])
  func `case 48: the refresh interval is limited`(text: String, seconds: Int) async throws {
    let caller = CannedCaller(TableText.v1(["VALUE", "KEY"], [[text, "ROOT_SET_REFRESH_INTERVAL"]]))
    let preferences = try await TableService(caller, host: .v1, dataStore: "D").preferences()
    #expect(preferences.refreshIntervalInSeconds == seconds && preferences.searchDomains.isEmpty)
  }

  @Test func `search domains are listed in display order`() async throws {
    let domains = #"[{"key":"GLOBAL","label":"Search"},{"label":"no key"},{"key":"BARCODE"},7]"#
    let caller = CannedCaller(
      TableText.v3(["KEY", "VALUE"], [["SEARCH_DOMAINS", .text(domains)], ["ROOT_SET_REFRESH_INTERVAL", 1800]]),
      TableText.v1(["KEY", "VALUE"], [["SEARCH_DOMAINS", "{broken"]]), Self.empty)
    let service = TableService(caller, host: .v3, dataStore: "D")
    let preferences = try await service.preferences()
    #expect(preferences.searchDomains.map(\.key) == ["GLOBAL", "BARCODE"])
    #expect(preferences.searchDomains.map(\.label) == ["Search", "BARCODE"])
    #expect(preferences.refreshIntervalInSeconds == 1800)
    #expect(try await service.preferences() == ClientPreferences())
    // A server that does not know the request responds with an empty table of entities.
    #expect(try await service.preferences() == ClientPreferences())
  }

  @Test func `cases 6 and 7: the data stores that offer the service are listed in order, by V1`() async throws {
    let caller = CannedCaller(
      """
      [{"@id":1,"dataStoreCode":"DSS2","dataStoreBaseUrl":"https://h:8444","serviceKey":"ipad-read-service-v1","label":"A"},
       {"@id":2,"dataStoreCode":"DSS2","dataStoreBaseUrl":"https://h:8444","serviceKey":"other","label":"B"},
       {"@id":3,"dataStoreCode":"DSS1","serviceKey":"ipad-read-service-v1"}]
      """, "[]", "null")
    let found = try await TableService.services(caller, host: .v1)
    #expect(found.map(\.dataStore) == ["DSS2", "DSS1"] && found.map(\.baseAddress) == ["https://h:8444", ""])
    #expect(found.map(\.label) == ["A", "ipad-read-service-v1"])
    #expect(try await TableService.services(caller, host: .v1).isEmpty)
    #expect(try await TableService.services(caller, host: .v1).isEmpty)
    #expect(RPCError.noTables(server: "https://h").report.advice?.contains("V3") == true)
  }

  @Test func `cases 6 and 7: V3 lists the data stores too, with references to earlier ones`() async throws {
    let caller = CannedCaller(
      """
      {"@type":"as.dto.common.search.SearchResult","@id":1,"totalCount":3,"objects":[
       {"@id":2,"label":"A","permId":{"@id":3,"permId":"other","dataStoreId":{"@id":4,"permId":"DSS2"}}},
       {"@id":5,"label":"B","permId":{"@id":6,"permId":"ipad-read-service-v1","dataStoreId":4}},
       {"@id":7,"label":"C","permId":{"@id":8,"permId":"ipad-read-service-v1","dataStoreId":{"@id":9,"permId":"DSS1"}}}]}
      """)
    let found = try await TableService.services(caller, host: .v3)
    #expect(found.map(\.dataStore) == ["DSS2", "DSS1"] && found.map(\.label) == ["B", "C"])
    #expect(caller.calls.last?.method == "searchAggregationServices")
  }
}
