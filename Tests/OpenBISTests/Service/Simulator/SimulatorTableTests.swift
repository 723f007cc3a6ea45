import PluginAPI
import PluginJSON
import PluginNet
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

@Suite(.timeLimit(.minutes(2)))
struct SimulatorTableTests {
  private func parsed(_ text: String) throws -> Value { try Value(json: Array(text.utf8)) }

  @Test func `the preferences match the description of the protocol byte for byte`() async throws {
    let server = try SimulatorServer()
    let caller = SimulatorCaller(server)
    let token = try await caller.logIn()
    let answer = try await caller.send(
      .query,
      #"{"method":"createReportFromAggregationService","params":["\#(token)","DSS1","ipad-read-service-v1",{"requestKey":"CLIENT_PREFS"}],"id":1,"version":"2.0"}"#
    )
    #expect(answer.head.status == 200 && answer.head.headers["Content-Type"] == "application/json-rpc")
    #expect(
      answer.text.hasPrefix(
        #"{"jsonrpc":"2.0","id":1,"result":{"@type":"QueryTableModel","@id":1,"columns":[{"@type":"QueryTableColumn","@id":2,"title":"KEY","dataType":"STRING"},{"@type":"QueryTableColumn","@id":3,"title":"VALUE","dataType":"STRING"}],"rows":[[{"@id":4,"type":"STRING","value":"ROOT_SET_REFRESH_INTERVAL"},{"@id":5,"type":"STRING","value":"1800"}],[{"@id":6,"#
      ))
    await server.stop()
  }

  @Test func `ids are returned with their type, and notifications get no body`() async throws {
    let server = try SimulatorServer()
    let caller = SimulatorCaller(server)
    let login = #""method":"tryToAuthenticateAtQueryServer","params":["alice","wrong"]"#
    for id in ["7", #""seven""#, "9007199254740993"] {
      let answer = try await caller.send(.query, #"{"id":\#(id),\#(login)}"#)
      #expect(answer.text == #"{"jsonrpc":"2.0","id":\#(id),"result":null}"#)
    }
    #expect(try await caller.send(.query, "{\(login)}").body.isEmpty)
    await server.stop()
  }

  @Test func `the demonstration has two categories, 43 targets, 204 compounds and 319 probes`() async throws {
    let server = try SimulatorServer()
    let caller = SimulatorCaller(server)
    let token = try await caller.logIn()
    let categories = try await caller.rows(token, ["requestKey": "NAVIGATION"])
    #expect(categories.map { $0["SUMMARY_HEADER"] } == ["Targets and Compounds", "Probes"])
    #expect(categories.allSatisfy { $0["ROOT_LEVEL"] == "true" && $0["CHILDREN"] == nil && $0["SUMMARY"] == "" })
    var counts: [Int] = []
    for category in categories {
      let rows = try await caller.rows(
        token,
        [
          "requestKey": "ROOT", "entities": [SimulatorCaller.entity(category, asText: true)], "lastupdate": "0.000000",
        ])
      #expect(rows[0]["PERM_ID"] == category["PERM_ID"])
      let children = try parsed(rows[0]["CHILDREN"] ?? "").list ?? []
      #expect(children.count == rows.count - 1)
      counts.append(rows.count - 1)
    }
    #expect(counts == [43 + 204, 319])
    await server.stop()
  }

  @Test func `a probe drills to three rows, whose details have properties`() async throws {
    let server = try SimulatorServer()
    let caller = SimulatorCaller(server)
    let token = try await caller.logIn()
    let permID = server.permIDs(247..<248)[0]
    let probe: Value = ["PERM_ID": .text(permID), "REFCON": ["code": "PROBE-1"]]
    let rows = try await caller.rows(token, ["requestKey": "DRILL", "entities": [probe]])
    #expect(rows.count == 3)
    let details = try await caller.rows(
      token,
      ["requestKey": "DETAIL", "entities": .list(rows.map { SimulatorCaller.entity($0, asText: false) })])
    #expect(details.count == 3 && details.allSatisfy { $0["PROPERTIES"]?.hasPrefix("[{") == true })
    #expect(details.allSatisfy { $0["CHILDREN"] == nil })
    #expect(details.contains { $0["PROPERTIES"]?.contains("A pröperty wïth accents.") == true })
    #expect(try await caller.rows(token, ["requestKey": "SEARCH", "searchtext": "  "]).isEmpty)
    #expect(try await caller.rows(token, ["requestKey": "SEARCH", "searchtext": "PROBE-31"]).count >= 3)
    await server.stop()
  }

  @Test func `REFCON must be an object in DETAIL, as scripts look into it`() async throws {
    let server = try SimulatorServer()
    let caller = SimulatorCaller(server)
    let token = try await caller.logIn()
    let asText: Value = ["PERM_ID": .text(server.permIDs(0..<1)[0]), "REFCON": "{}"]
    let answer = try await caller.report(token, ["requestKey": "DETAIL", "entities": [asText]])
    #expect(answer["error"]["code"].integer == 0)
    #expect(answer["error"]["message"].text?.hasPrefix("Chosen plugin failed to create a report: ") == true)
    #expect(
      answer["error"]["data"]["exceptionTypeName"].text
        == "ch.systemsx.cisd.common.exceptions.UserFailureException")
    await server.stop()
  }

  @Test func `changed, deleted and added entities are in the next delta of a plain lab`() async throws {
    var configuration = SimulatorConfiguration(shape: .plain)
    (configuration.entities, configuration.categories) = (1000, 4)
    let server = try SimulatorServer(configuration)
    let caller = SimulatorCaller(server)
    let token = try await caller.logIn()
    let category: Value = ["PERM_ID": "TYPE_01", "REFCON": "x"]
    func roots(_ since: String) async throws -> [[String: String]] {
      try await caller.rows(token, ["requestKey": "ROOT", "entities": [category], "lastupdate": .text(since)])
    }
    #expect(try await roots("0.000000").count == 250)
    let since = "\(server.now / 1000).123456"
    server.advanceClock(bySeconds: 5)
    let ids = server.permIDs(0..<9)
    #expect(try await roots(since).isEmpty)
    server.modify([ids[4], ids[5]])
    server.delete([ids[8]])
    let added = server.addEntity(header: "New", category: 0)
    let rows = try await roots(since)
    #expect(rows.map { $0["PERM_ID"] } == [ids[4], added, ids[8]])
    #expect(rows.map { $0["DELETED"] } == ["", "", "true"])
    #expect(rows[0]["SUMMARY"]?.hasSuffix("(changed 1)") == true && rows[2]["REFCON"] == "")
    #expect(try await roots("0.000000").count == 251)
    await server.stop()
  }

  @Test func `rows written directly equal those written from entities`() async throws {
    var configuration = SimulatorConfiguration(shape: .plain)
    (configuration.entities, configuration.categories) = (1003, 3)
    let view = SimulatorCore(configuration).view(hidden: [])
    for dialect in [SimulatorDialect.final, .mid] {
      for syntax in [SimulatedTableSyntax.v1, .v3] {
        var columns = ["PERM_ID", "REFCON", "CATEGORY", "SUMMARY_HEADER", "SUMMARY", "CHILDREN", "ROOT_LEVEL"]
        if dialect == .final { columns.append("DELETED") }
        let quick = SimulatedRows(view: view, columns: columns, members: view.members(of: 1), since: 0)
        let slow = SimulatedRows(view: view, columns: columns, members: view.members(of: 1), since: 1)
        var (one, other) = (WireBuffer(), WireBuffer())
        try await quick.write(syntax, &one) { _ in }
        try await slow.write(syntax, &other) { _ in }
        #expect(one.count > 10_000 && one.bytes == other.bytes)
      }
    }
  }

  @Test func `expired sessions are reported in a server's words`() async throws {
    var configuration = SimulatorConfiguration()
    configuration.sessionTimeoutInSeconds = 60
    let server = try SimulatorServer(configuration)
    let caller = SimulatorCaller(server)
    func words(_ token: String) async throws -> String? {
      let error = try await caller.report(token, ["requestKey": "PING"])["error"]
      if error.isNull { return nil }
      #expect(
        error["data"]["exceptionTypeName"].text
          == "ch.systemsx.cisd.common.exceptions.InvalidSessionException")
      return error["message"].text
    }
    #expect(try await words("alice-1x2") == "Session token 'alice-1x2' is invalid: user is not logged in.")
    #expect(try await words("nonsense") == "Session token 'nonsense' is malformed. Please login again.")
    let token = try await caller.logIn()
    #expect(token.hasPrefix("alice-"))
    #expect(try await words("alice-1x2") == "Session token 'alice-1x2' is invalid: wrong token. Please login again.")
    #expect(try await words(token) == nil)
    server.advanceClock(bySeconds: 61)
    #expect(try await words(token) == "Session no longer available. Please login again.")
    await server.stop()
  }

  @Test(arguments: SimulatorShape.allCases)
  func `every shape responds to every request key, and to unknown ones with an empty table`(
    _ shape: SimulatorShape
  ) async throws {
    let server = try SimulatorServer(.init(shape: shape))
    let caller = SimulatorCaller(server)
    let token = try await caller.logIn()
    let categories = try await caller.rows(token, ["requestKey": "NAVIGATION"])
    #expect(categories.count == [.demo: 2, .yeastlab: 12, .tagBrowser: 3, .plain: 4][shape])
    for key in ["PING", "CATEGORIES", "ALLDATA"] {
      let table = try await caller.report(token, ["requestKey": .text(key)])["result"]
      #expect(table["columns"].list?.map { $0["title"].text } == ["PERM_ID", "REFCON"])
      #expect(table["rows"].list == [])
    }
    for category in categories {
      let rows = try await caller.rows(
        token, ["requestKey": "ROOT", "entities": [SimulatorCaller.entity(category, asText: true)], "lastupdate": "0"])
      #expect(rows.count > 3)
      let asked = SimulatorCaller.entity(rows[1], asText: false)
      #expect(try await caller.rows(token, ["requestKey": "DETAIL", "entities": [asked]]).count == 1)
    }
    #expect(server.log.prefix(3) == ["tryToAuthenticateAtQueryServer", "NAVIGATION", "PING"])
    await server.stop()
  }
}
