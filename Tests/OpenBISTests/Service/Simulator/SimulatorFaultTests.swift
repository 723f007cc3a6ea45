import PluginAPI
import PluginImages
import PluginJSON
import PluginNet
import PluginSimulation
import PluginTesting
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

@Suite(.serialized, .timeLimit(.minutes(3)))
struct SimulatorFaultTests {
  private func server(_ faults: SimulatorFaultRule..., shape: SimulatorShape = .demo) throws -> SimulatorServer {
    var configuration = SimulatorConfiguration(shape: shape)
    configuration.faults = faults
    (configuration.dripBytes, configuration.dripMilliseconds, configuration.largeSize) = (20_000, 1, 5000)
    return try SimulatorServer(configuration)
  }

  /// Returns a server's responses to a few calls of each kind, as text; "error" for a missing one.
  private func answers(_ server: SimulatorServer, _ fault: SimulatorFault? = nil) async throws -> [String] {
    let caller = SimulatorCaller(server)
    let token = try await caller.logIn()
    if let fault { server.add(SimulatorFaultRule.usual(fault)) }
    let material: Value = ["PERM_ID": .text(server.permIDs(0..<1)[0]), "REFCON": ["code": "X"]]
    let category: Value = ["PERM_ID": "TARGETS AND COMPOUNDS", "REFCON": "x"]
    let reports: [Value] = [
      ["requestKey": "CLIENT_PREFS"], ["requestKey": "NAVIGATION"],
      ["requestKey": "ROOT", "entities": [category], "lastupdate": "0.000000"],
      ["requestKey": "DETAIL", "entities": [material]],
    ]
    var texts: [String] = []
    func add(_ method: String, _ parameters: [Value], _ interface: SimulatedCall.Interface) async {
      do {
        let answer = try await caller.send(interface, method, parameters, deadlineInSeconds: 60)
        texts.append("\(answer.head.status) \(answer.text)".replacing(server.url, with: "BASE"))
      } catch {
        texts.append("error")
      }
    }
    for report in reports {
      await add(
        "createReportFromAggregationService", [.text(token), "DSS1", "ipad-read-service-v1", report], .query)
    }
    let samples: Value = ["@type": "as.dto.sample.search.SampleSearchCriteria"]
    let options: Value = [
      "@type": "as.dto.sample.fetchoptions.SampleFetchOptions", "count": 20,
      "type": ["@type": "as.dto.sample.fetchoptions.SampleTypeFetchOptions"],
    ]
    await add("searchSamples", [.text(token), samples, options], .application)
    return texts
  }

  @Test(arguments: SimulatorFault.allCases.filter { $0.stage != .standing && $0 != .stall })
  func `every fault changes the responses, and healing restores them`(_ fault: SimulatorFault) async throws {
    let server = try server()
    let usual = try await answers(server)
    let faulty = try await answers(server, fault)
    switch fault {
    case .gzip, .chunked, .connectionClose, .slowRows, .redirectSameHost, .pageCost: #expect(faulty == usual)
    default: #expect(faulty != usual)
    }
    if fault.stage == .table { #expect(faulty.last == usual.last) }
    server.heal()
    #expect(try await answers(server) == usual)
    await server.stop()
  }

  @Test func `a stalled response ends with the client's timeout`() async throws {
    let server = try server(SimulatorFaultRule(.stall))
    let caller = SimulatorCaller(server)
    let token = try await caller.logIn()
    let parameters: [Value] = [.text(token), "DSS1", "ipad-read-service-v1", ["requestKey": "NAVIGATION"]]
    await #expect(throws: (any Error).self) {
      try await caller.send(.query, "createReportFromAggregationService", parameters, deadlineInSeconds: 0.2)
    }
    await server.stop()
  }

  @Test func `a session expires once, at the specified call`() async throws {
    let server = try server(SimulatorFaultRule(.expireSession, calls: 4...4, times: 1))
    let caller = SimulatorCaller(server)
    let token = try await caller.logIn()
    func isRefused(_ token: String) async throws -> Bool {
      let error = try await caller.report(token, ["requestKey": "PING"])["error"]
      return error["data"]["exceptionTypeName"].text?.hasSuffix("InvalidSessionException") == true
    }
    #expect(
      try await [isRefused(token), isRefused(token), isRefused(token), isRefused(token)] == [false, false, true, true])
    let other = try await caller.logIn()
    #expect(try await !isRefused(other))
    #expect(server.calls.compactMap(\.fault) == [.expireSession] && server.calls[3].fault == .expireSession)
    await server.stop()
  }

  @Test(arguments: [
    ("stall", SimulatorFaultRule(.stall, times: 1)),
    ("expire-session@7", SimulatorFaultRule(.expireSession, calls: 7...7, times: 1)),
    ("expire-session#7", SimulatorFaultRule(.expireSession, calls: 7...7, times: 1)),
    ("html-page@7-", SimulatorFaultRule(.htmlPage, calls: 7...Int.max)),
    ("cut-body@ROOTx3", SimulatorFaultRule(.cutBody, on: "ROOT", times: 3)),
    ("no-result@searchSamples", SimulatorFaultRule(.noResult, on: "searchSamples")),
    ("huge-cell", SimulatorFaultRule(.hugeCell, on: "ROOT", times: 1)),
  ])
  func `fault rules are parsed`(_ text: String, _ rule: SimulatorFaultRule) throws {
    #expect(try SimulatorFaultRule.rules([text]) == [rule])
  }

  @Test(arguments: SimulatorFault.allCases.filter { $0.stage == .standing })
  func `a standing fault takes no conditions`(_ fault: SimulatorFault) throws {
    #expect(try SimulatorFaultRule.rules([fault.rawValue]).map(\.fault) == [fault])
    for condition in ["@7-", "@ROOT", "#2", "~50", "x2"] {
      #expect(throws: FaultScriptError.self) { try SimulatorFaultRule.rules([fault.rawValue + condition]) }
    }
  }

  @Test func `two hundred hostile texts are distinct, and every fault has its own summary`() {
    #expect(SimulatorFault.hostileTexts.count == 200 && Set(SimulatorFault.hostileTexts).count == 200)
    #expect(Set(SimulatorFault.allCases.map(\.summary)).count == SimulatorFault.allCases.count)
  }

  @Test func `services are missing or come from two data stores`() async throws {
    for (fault, wanted) in [(SimulatorFault.serviceMissing, []), (.twoDataStores, ["DSS1", "DSS2"])] {
      let server = try server(SimulatorFaultRule(fault))
      let caller = SimulatorCaller(server)
      let token = try await caller.logIn()
      let list = try await caller.answer(.query, "listAggregationServices", [.text(token)])["result"].list ?? []
      let found = list.filter { $0["serviceKey"].text == "ipad-read-service-v1" }
      #expect(found.compactMap { $0["dataStoreCode"].text } == wanted)
      await server.stop()
    }
  }

  @Test func `the list of services matches the description of the protocol`() async throws {
    let server = try server()
    let caller = SimulatorCaller(server)
    let token = try await caller.logIn()
    let text = try await caller.send(.query, "listAggregationServices", [.text(token)]).text
    #expect(
      text.hasSuffix(
        #"{"@type":"AggregationServiceDescription","@id":2,"dataStoreCode":"DSS1","dataStoreBaseUrl":"\#(server.url)","serviceKey":"ipad-read-service-v1","label":"iPad Read Service","type":"REPORT"}]}"#
      ))
    await server.stop()
  }

  @Test(arguments: [(SimulatorFault.clockAhead, 600_000), (.clockBehind, -600_000)])
  func `the Date header matches the server's clock`(_ fault: SimulatorFault, _ skew: Int) async throws {
    let server = try server(SimulatorFaultRule(fault))
    let healthy = try self.server()
    let date = try await SimulatorCaller(server).get("/").head.headers["Date"]
    #expect(date == SimulatedDates.http(server.now) || date == SimulatedDates.http(server.now - 1000))
    #expect(abs(server.now - healthy.now - skew) < 5000)
    await server.stop()
    await healthy.stop()
  }

  @Test func `times are formatted as in HTTP and scripts`() {
    #expect(SimulatedDates.http(784_111_777_000) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(SimulatedDates.text(1_709_210_096_000) == "2024-02-29 12:34:56 +0000")
    #expect(SimulatedDates.stamp(1_704_110_400_007) == "240101120000007")
  }

  @Test func `invalid methods, parameters and documents have their error codes`() async throws {
    let server = try server()
    let caller = SimulatorCaller(server)
    func outcome(_ body: String) async throws -> String {
      let answer = try await caller.send(.query, body)
      return "\(answer.head.status) \(try Value(json: answer.body)["error"]["code"].integer ?? 0)"
    }
    #expect(try await outcome(#"{"id":1,"method":"nonsense","params":[]}"#) == "404 -32601")
    #expect(try await outcome(#"{"id":1,"method":"tryToAuthenticateAtQueryServer","params":["a"]}"#) == "500 -32602")
    #expect(try await outcome(#"{"id":1,"#) == "400 -32700")
    #expect(try await outcome("[1]") == "400 -32600")
    await server.stop()
  }

  // MARK: Dialects

  @Test(arguments: SimulatorDialect.allCases)
  func `each dialect has its own tables`(_ dialect: SimulatorDialect) async throws {
    var configuration = SimulatorConfiguration(shape: .yeastlab)
    configuration.dialect = dialect
    let server = try SimulatorServer(configuration)
    let caller = SimulatorCaller(server)
    let token = try await caller.logIn()
    func count(_ parameters: Value) async throws -> Int { try await caller.rows(token, parameters).count }
    let hasNavigation = dialect == .final || dialect == .mid
    #expect(try await count(["requestKey": "NAVIGATION"]) == (hasNavigation ? 12 : 0))
    #expect(try await count(["requestKey": "CATEGORIES"]) == (dialect == .seed ? 12 : 0))
    let category: Value = ["PERM_ID": "OLIGO", "REFCON": "x"]
    let rows = try await caller.rows(token, ["requestKey": "ROOT", "entities": [category], "lastupdate": "0"])
    #expect(rows.count == 40 && (rows[0]["DELETED"] != nil) == (dialect == .final))
    // Plasmids and yeasts are sent twice when everything is requested.
    #expect(try await count(["requestKey": "ROOT", "entities": []]) == 346 + 108)
    let seed: Value = ["requestKey": "ROOT", "category": ["code": "OLIGO"], "entities": []]
    if dialect == .seed { #expect(try await count(seed) == 40) }
    await server.stop()
  }

  @Test func `a hidden category is sent as one deletion`() async throws {
    let server = try server()
    let caller = SimulatorCaller(server)
    let token = try await caller.logIn()
    let rows = try await caller.rows(token, ["requestKey": "NAVIGATION", "HIDE": [["PERM_ID": "PROBES"]]])
    #expect(rows.map { $0["DELETED"] } == ["", "true"] && rows[1]["REFCON"] == "")
    await server.stop()
  }

  // MARK: Pictures and TLS

  @Test func `pictures are valid images, and those of data stores require a session`() async throws {
    let server = try server()
    let caller = SimulatorCaller(server)
    let token = try await caller.logIn()
    let molecule = try await caller.get("/images/molecule/3.png")
    #expect(try ImageReader.picture(from: molecule.body).width == 160)
    let photograph = "/datastore_server/DSS1/original/images/7.jpg"
    #expect(try await caller.get(photograph).head.status == 401)
    let picture = try ImageReader.picture(from: try await caller.get(photograph + "?sessionID=\(token)").body)
    #expect(picture.width == 160 && picture.height == 120)
    #expect(Set(picture.pixels).count > 10)
    let map = try await caller.get("/datastore_server/DSS1/original/plasmids/4.svg?sessionID=\(token)")
    #expect(map.text.hasPrefix("<svg ") && map.head.headers["Content-Type"] == "image/svg+xml")
    #expect(server.fetched.count == 4)
    for fault in [SimulatorFault.pictureMissing, .pictureIsPage] {
      server.add(SimulatorFaultRule(fault))
      #expect(try await caller.get("/images/molecule/3.png").body != molecule.body)
      server.heal()
    }
    await server.stop()
  }

  @Test(arguments: [SimulatorConfiguration.Security.on, .expired, .wrongHost])
  func `self-signed certificates are refused`(_ security: SimulatorConfiguration.Security) async throws {
    var configuration = SimulatorConfiguration()
    configuration.security = security
    let server = try SimulatorServer(configuration)
    #expect(server.url.hasPrefix("https://127.0.0.1:") && server.certificate != nil)
    await #expect(throws: HTTPError.self) { try await SimulatorCaller(server).get("/") }
    await server.stop()
  }

  // MARK: The command

  @Test func `the command lists its faults and suggests the nearest`() async throws {
    let plugin = try await TestPlugin(OpenBISPlugin())
    let list = try await plugin.run("simulate", ["fault": ["list"]])
    #expect(list.values.count == SimulatorFault.allCases.count)
    let error = await #expect(throws: ErrorReport.self) { try await plugin.run("simulate", ["fault": ["stal"]]) }
    #expect(error?.code == "openbis.unknown-fault" && error?.advice?.contains("'stall'") == true)
    let malformed = await #expect(throws: ErrorReport.self) { try await plugin.run("simulate", ["fault": ["stall#0"]]) }
    #expect(malformed?.code == "openbis.bad-fault-rule" && malformed?.kind == .usage)
  }
}
