import PluginAPI
import PluginJSON
import PluginNet
import PluginSimulation
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

@Suite(.timeLimit(.minutes(2)))
struct SimulatorNativeTests {
  private func value(_ json: String) throws -> Value { try Value(json: Array(json.utf8)) }

  private func plain(_ entities: Int = 100) throws -> SimulatorServer {
    var configuration = SimulatorConfiguration(shape: .plain)
    (configuration.entities, configuration.categories) = (entities, 4)
    return try SimulatorServer(configuration)
  }

  private func logIn(_ caller: SimulatorCaller) async throws -> Value {
    try await caller.answer(.application, "login", ["alice", "wonderland"])["result"]
  }

  private static let samples = #"{"@type":"as.dto.sample.search.SampleSearchCriteria"}"#

  private func options(_ rest: String) -> String {
    #"{"@type":"as.dto.sample.fetchoptions.SampleFetchOptions"\#(rest)}"#
  }

  @Test func `a page contains full objects first and references afterwards, and unfetched parts are null`() async throws
  {
    let server = try plain()
    let caller = SimulatorCaller(server)
    let token = try await logIn(caller).text ?? ""
    let answer = try await caller.send(
      .application,
      #"{"jsonrpc":"2.0","id":"2","method":"searchSamples","params":["\#(token)",\#(Self.samples),"#
        + options(#","from":0,"count":9,"type":{"@type":"as.dto.sample.fetchoptions.SampleTypeFetchOptions"}"#) + "]}")
    let start =
      #"{"jsonrpc":"2.0","id":"2","result":{"@type":"as.dto.common.search.SearchResult","@id":1,"objects":[{"@type":"as.dto.sample.Sample","@id":2,"fetchOptions":{"@type":"as.dto.sample.fetchoptions.SampleFetchOptions","@id":3,"#
    #expect(answer.text.hasPrefix(start))
    let result = try Value(json: answer.body)["result"]
    let objects = result["objects"].list ?? []
    #expect(objects.count == 9 && result["totalCount"].integer == 100)
    #expect(objects[1]["fetchOptions"].integer == 3)
    #expect(objects[0]["type"]["code"].text == "TYPE_01" && objects[4]["type"] == objects[0]["type"]["@id"])
    for name in ["space", "project", "experiment", "properties", "parents", "children", "container", "dataSets"] {
      #expect(objects[0].record?[name] == .null)
    }
    #expect(objects[0]["permId"]["permId"].text == "20240101120000000-1")
    #expect(objects[0]["identifier"]["identifier"].text == "/LAB_1/PROJECT_1/S1")
    #expect(objects[0]["modificationDate"].integer == SimulatedTime.birth)
    await server.stop()
  }

  @Test func `shared graphs contain cycles, and repeated objects are listed as numbers`() async throws {
    let server = try SimulatorServer(.init(shape: .tagBrowser))
    let caller = SimulatorCaller(server)
    let token = try await logIn(caller)
    let relatives = #"{"@type":"as.dto.sample.fetchoptions.SampleFetchOptions"}"#
    let result = try await caller.answer(
      .application, "searchSamples",
      [
        token, value(Self.samples), value(options(#","count":5,"parents":\#(relatives),"children":\#(relatives)"#)),
      ])["result"]
    let objects = result["objects"].list ?? []
    #expect(objects.count == 5 && result["totalCount"].integer == 72)
    #expect(objects[0].record != nil && objects.dropFirst().allSatisfy { $0.integer != nil })
    let child = objects[0]["children"].list?.first ?? .null
    #expect(child["@id"] == objects[1] && child["parents"].list == [objects[0]["@id"]])
    await server.stop()
  }

  @Test func `criteria on types, dates, ids and words select matching objects`() async throws {
    let server = try plain(1000)
    let caller = SimulatorCaller(server)
    let token = try await logIn(caller)
    func total(_ criteria: String, kind: String = "Sample") async throws -> Int? {
      let whole =
        #"{"@type":"as.dto.\#(kind.lowercased()).search.\#(kind)SearchCriteria","operator":"AND","criteria":[\#(criteria)]}"#
      return try await caller.answer(
        .application, "search\(kind)s", [token, value(whole), value(options(#","count":1"#))])["result"]["totalCount"]
        .integer
    }
    func equals(_ name: String, _ text: String) -> String {
      #"{"@type":"as.dto.common.search.\#(name)SearchCriteria","fieldValue":{"@type":"as.dto.common.search.StringEqualToValue","value":"\#(text)"}}"#
    }
    func type(_ code: String) -> String {
      #"{"@type":"as.dto.sample.search.SampleTypeSearchCriteria","criteria":[\#(equals("Code", code))]}"#
    }
    func later(_ moment: Int) -> String {
      #"{"@type":"as.dto.common.search.ModificationDateSearchCriteria","fieldName":"modification_date","fieldType":"ATTRIBUTE","fieldValue":{"@type":"as.dto.common.search.DateObjectLaterThanOrEqualToValue","value":\#(moment)}}"#
    }
    #expect(try await total("") == 1000)
    #expect(try await total(type("TYPE_02")) == 250)
    #expect(try await total(type("TYPE_99")) == 0)
    #expect(try await total(equals("Code", "s17")) == 1)
    #expect(try await total(equals("PermId", "20240101120000000-1000")) == 1)
    #expect(try await total(later(SimulatedTime.birth + 990)) == 10)
    #expect(try await total(type("TYPE_01") + "," + later(SimulatedTime.birth + 990)) == 2)
    #expect(try await total("", kind: "DataSet") == 100)
    server.advanceClock(bySeconds: 1)
    let now = server.now
    server.modify(server.permIDs(0..<1) + server.permIDs(5..<6))
    server.delete(server.permIDs(4..<5))
    #expect(try await total(later(now)) == 2)
    #expect(try await total(type("TYPE_01") + "," + later(now)) == 1)
    #expect(try await total("") == 999)
    await server.stop()
  }

  @Test(arguments: [1, 1000])
  func `permIds are compared and sorted by their bytes, within one timestamp`(importSize: Int) async throws {
    var configuration = SimulatorConfiguration(shape: .plain)
    (configuration.entities, configuration.importSize) = (1000, importSize)
    let server = try SimulatorServer(configuration)
    let caller = SimulatorCaller(server)
    let token = try await logIn(caller)
    let prefix = "20240101120000000-"
    func found(from: String, before: String) async throws -> (permIDs: [String], total: Int?) {
      func bound(_ comparison: String, _ text: String) -> String {
        #"{"@type":"as.dto.common.search.PermIdSearchCriteria","fieldName":"perm id","fieldType":"ATTRIBUTE","#
          + #""fieldValue":{"@type":"as.dto.common.search.String\#(comparison)Value","value":"\#(prefix)\#(text)"}}"#
      }
      let bounds = [bound("GreaterThanOrEqualTo", from), bound("LessThan", before)].joined(separator: ",")
      let criteria =
        #"{"@type":"as.dto.sample.search.SampleSearchCriteria","operator":"AND","criteria":[\#(bounds)]}"#
      let sort = #","sort":{"sortings":[{"field":"MODIFICATION_DATE"},{"field":"PERM_ID"}]}"#
      let result = try await caller.answer(
        .application, "searchSamples", [token, value(criteria), value(options(#","from":1,"count":3\#(sort)"#))])
      let objects = result["result"]["objects"].list ?? []
      return (
        objects.map { String(($0["permId"]["permId"].text ?? "").dropFirst(prefix.count)) },
        result["result"]["totalCount"].integer
      )
    }
    let some = try await found(from: "10", before: "11")
    #expect(some.permIDs == (importSize == 1 ? ["100", "101", "102"] : ["100", "1000", "101"]) && some.total == 12)
    let last = try await found(from: "998", before: "A")
    #expect(last.permIDs == ["999"] && last.total == 2)
    #expect(try await found(from: "5", before: "5").total == 0)
    await server.stop()
  }

  @Test func `a page of zero objects contains the total`() async throws {
    let server = try plain(1000)
    let caller = SimulatorCaller(server)
    let token = try await logIn(caller)
    let result = try await caller.answer(
      .application, "searchSamples", [token, value(Self.samples), value(options(#","count":0"#))])["result"]
    #expect(result["objects"].list?.isEmpty == true && result["totalCount"].integer == 1000)
    #expect(server.examinedObjects == 1000)
    await server.stop()
  }

  @Test func `a change is announced before it is committed, with the time it began`() async throws {
    let server = try plain()
    let caller = SimulatorCaller(server)
    let token = try await logIn(caller)
    func total() async throws -> Int? {
      try await caller.answer(
        .application, "searchSamples", [token, value(Self.samples), value(options(#","count":0"#))])["result"][
          "totalCount"
        ].integer
    }
    func mark() async throws -> Int? {
      let empty: Value = ["@type": "as.dto.objectkindmodification.search.ObjectKindModificationSearchCriteria"]
      let marks = try await caller.answer(.application, "searchObjectKindModifications", [token, empty, .null])
      return marks["result"]["objects"].list?.first {
        $0["objectKind"].text == "SAMPLE" && $0["operationKind"].text == "CREATE_OR_DELETE"
      }?["lastModificationTimeStamp"].integer
    }
    server.add(SimulatorFaultRule(.lateCommit))
    let begun = server.now
    let added = server.addEntity(header: "late")
    #expect(try await total() == 100)
    let marked = try #require(try await mark())
    #expect(marked >= begun)
    server.advanceClock(bySeconds: 3600)
    server.commit()
    #expect(try await total() == 101)
    #expect(try await mark() == marked && server.entity(added)?.modified == marked)
    await server.stop()
  }

  @Test func `pages by date contain every sample once, the last modified at the end`() async throws {
    let server = try plain(95)
    let caller = SimulatorCaller(server)
    let token = try await logIn(caller)
    server.modify(server.permIDs(3..<4))
    let sort =
      #","sort":{"@type":"as.dto.sample.fetchoptions.SampleSortOptions","sortings":[{"@type":"as.dto.common.fetchoptions.Sorting","field":"MODIFICATION_DATE","order":{"@type":"as.dto.common.fetchoptions.SortOrder","asc":true}}]}"#
    var seen: [String] = []
    for from in stride(from: 0, to: 100, by: 20) {
      let page = try await caller.answer(
        .application, "searchSamples",
        [token, value(Self.samples), value(options(#","from":\#(from),"count":20\#(sort)"#))])["result"]
      seen += (page["objects"].list ?? []).map { $0["permId"]["permId"].text ?? "" }
    }
    #expect(seen.count == 95 && Set(seen).count == 95 && seen.last == "20240101120000000-4")
    await server.stop()
  }

  @Test func `the table service also responds in V3 format`() async throws {
    let server = try SimulatorServer()
    let caller = SimulatorCaller(server)
    let token = try await logIn(caller)
    let service = try value(
      #"{"@type":"as.dto.service.id.DssServicePermId","permId":"ipad-read-service-v1","dataStoreId":{"@type":"as.dto.datastore.id.DataStorePermId","permId":"DSS1"}}"#
    )
    let table = try await caller.answer(
      .application, "executeAggregationService",
      [
        token, service,
        [
          "@type": "as.dto.service.execute.AggregationServiceExecutionOptions",
          "parameters": ["requestKey": "NAVIGATION"],
        ],
      ])["result"]
    #expect(table["@type"].text == "as.dto.common.TableModel" && table["rows"].list?.count == 2)
    #expect(table["columns"].list?[0].record?.names == ["@type", "@id", "title"])
    #expect(table["rows"].list?[0].list?[0]["@type"].text == "as.dto.common.TableStringCell")
    let hosted = try await caller.answer(
      .application, "executeCustomASService",
      [
        token, ["@type": "as.dto.service.id.CustomASServiceCode", "permId": "ipad-read-service-v1"],
        ["@type": "as.dto.service.CustomASServiceExecutionOptions", "parameters": ["requestKey": "NAVIGATION"]],
      ])["result"]
    #expect(hosted["rows"] == table["rows"])
    let found = try await caller.answer(.application, "searchAggregationServices", [token, .null, .null])["result"]
    #expect(found["objects"].list?.map { $0["permId"]["permId"].text } == ["plate-overview", "ipad-read-service-v1"])
    #expect(server.log.contains("NAVIGATION"))
    await server.stop()
  }

  @Test func `files are listed with signed checksums and served in ranges`() async throws {
    let server = try plain()
    let caller = SimulatorCaller(server)
    let token = try await logIn(caller).text ?? ""
    let code = SimulatedDataSet.code(10)
    let criteria = try value(
      #"{"@type":"dss.dto.datasetfile.search.DataSetFileSearchCriteria","criteria":[{"@type":"as.dto.dataset.search.DataSetSearchCriteria","criteria":[{"@type":"as.dto.common.search.CodeSearchCriteria","fieldValue":{"@type":"as.dto.common.search.StringEqualToValue","value":"\#(code)"}}]}]}"#
    )
    let list = try await caller.answer(
      .dataStore, "searchFiles",
      [.text(token), criteria, ["@type": "dss.dto.datasetfile.fetchoptions.DataSetFileFetchOptions"]])["result"]
    let files = list["objects"].list ?? []
    #expect(files.count == 9 && files.filter { $0["directory"].bool == true }.count == 2)
    let odd = try #require(files.first { $0["path"].text == "original/raw data #1.bin" })
    #expect(odd["fileLength"].integer == 40_000)
    let address = "/datastore_server/\(code)/original/raw%20data%20%231.bin?sessionID=\(token)"
    let whole = try await caller.get(address)
    let checksum = Int(Int32(bitPattern: SimulatedChecksum.crc32(whole.body)))
    #expect(whole.body.count == 40_000 && odd["checksumCRC32"].integer == checksum)
    let part = try await caller.get(address, headers: ["Range": "bytes=100-"])
    #expect(part.head.status == 206 && part.body == Array(whole.body.dropFirst(100)))
    #expect(part.head.headers["Content-Range"] == "bytes 100-39999/40000")
    #expect(try await caller.get("/datastore_server/\(code)/original/gel.png").head.status == 401)
    await server.stop()
  }

  @Test func `personal access tokens work like sessions, but cannot create others`() async throws {
    let server = try plain()
    let caller = SimulatorCaller(server)
    let token = try await logIn(caller)
    let creation = try value(
      #"[{"@type":"as.dto.pat.create.PersonalAccessTokenCreation","sessionName":"workbench","validFromDate":1,"validToDate":2}]"#
    )
    let ids =
      try await caller.answer(.application, "createPersonalAccessTokens", [token, creation])["result"].list ?? []
    let pat = try #require(ids.first?["permId"].text)
    #expect(pat.hasPrefix("$pat-alice-"))
    server.expireSessions()
    #expect(try await caller.answer(.application, "isSessionActive", [token])["result"] == false)
    #expect(try await caller.answer(.application, "isSessionActive", [.text(pat)])["result"] == true)
    let again = try await caller.answer(.application, "createPersonalAccessTokens", [.text(pat), creation])
    #expect(again["error"]["data"]["exceptionTypeName"].text?.hasSuffix("UserFailureException") == true)
    await server.stop()
  }

  @Test func `modifications contain the times of additions, deletions and changes`() async throws {
    let server = try plain()
    let caller = SimulatorCaller(server)
    let token = try await logIn(caller)
    let criteria = try value(
      #"{"@type":"as.dto.objectkindmodification.search.ObjectKindModificationSearchCriteria","criteria":[{"@type":"as.dto.objectkindmodification.search.ObjectKindCriteria","objectKinds":["SAMPLE"]},{"@type":"as.dto.objectkindmodification.search.OperationKindCriteria","operationKinds":["CREATE_OR_DELETE","UPDATE"]}]}"#
    )
    func stamps() async throws -> [Int?] {
      try await caller.answer(.application, "searchObjectKindModifications", [token, criteria, .null])["result"][
        "objects"
      ].list?.map { $0["lastModificationTimeStamp"].integer } ?? []
    }
    let first = try await stamps()
    #expect(first.count == 2)
    server.modify(server.permIDs(0..<1))
    let second = try await stamps()
    #expect(second[0] == first[0] && second[1] != first[1])
    server.delete(server.permIDs(0..<1))
    #expect(try await stamps()[0] != first[0])
    await server.stop()
  }

  @Test func `data hidden from a user is missing everywhere`() async throws {
    let server = try plain(40)
    let caller = SimulatorCaller(server)
    let token = try await logIn(caller)
    server.hide([server.permIDs(0..<1)[0], "LAB_2"], from: "alice")
    let spaces = try await caller.answer(.application, "searchSpaces", [token, .null, ["from": 0, "count": 10]])
    #expect(spaces["result"]["objects"].list?.map { $0["code"].text } == ["LAB_1", "LAB_3"])
    let samples = try await caller.answer(
      .application, "searchSamples", [token, value(Self.samples), value(options(#","count":1"#))])
    #expect(samples["result"]["totalCount"].integer == 19)
    let ids = try value(#"[{"@type":"as.dto.sample.id.SamplePermId","permId":"20240101120000000-1"}]"#)
    let asked = try await caller.answer(.application, "getSamples", [token, ids, value(options(""))])
    #expect(asked["result"].record?.isEmpty == true)
    await server.stop()
  }
}
