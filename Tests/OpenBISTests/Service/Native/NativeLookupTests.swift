import PluginAPI
import Testing

@testable import OpenBIS

@Suite struct NativeLookupTests {
  @Test func `Modifications of kinds are read with their times`() async throws {
    let answer = """
      {"@type":"as.dto.common.search.SearchResult","@id":1,"objects":[
      {"@type":"as.dto.objectkindmodification.ObjectKindModification","@id":2,"fetchOptions":{"@id":3},
      "objectKind":"SAMPLE","operationKind":"CREATE_OR_DELETE","lastModificationTimeStamp":1700000000123},
      {"@type":"as.dto.objectkindmodification.ObjectKindModification","@id":4,"fetchOptions":3,
      "objectKind":"SAMPLE","operationKind":"UPDATE","lastModificationTimeStamp":1700000000456},
      {"@id":5,"objectKind":"DATA_SET","operationKind":"OTHER","lastModificationTimeStamp":1}],"totalCount":3}
      """
    let service = NativeService(TextCaller(["searchObjectKindModifications": answer]))
    #expect(
      try await service.modifications().changes == [
        NativeModification(kind: "SAMPLE", operation: .createOrDelete, at: 1_700_000_000_123),
        NativeModification(kind: "SAMPLE", operation: .update, at: 1_700_000_000_456),
      ])
  }

  @Test func `A global search returns only kinds that can be browsed`() async throws {
    let answer = """
      {"@id":1,"objects":[{"@type":"as.dto.global.GlobalSearchObject","@id":2,"objectKind":"SAMPLE",
      "objectPermId":{"@type":"as.dto.sample.id.SamplePermId","@id":3,"permId":"20240101-1"},
      "objectIdentifier":{"@type":"as.dto.sample.id.SampleIdentifier","@id":4,"identifier":"/LAB/Y1"},
      "match":"Property 'Name': kinase","score":0.5,"experiment":null,"sample":null},
      {"@id":5,"objectKind":"MATERIAL","objectPermId":{"@id":6,"permId":"M"},"match":"x"},
      {"@id":7,"objectKind":"SAMPLE","objectPermId":3,"objectIdentifier":4,"match":null}],"totalCount":3}
      """
    let matches = try await NativeService(TextCaller(["searchGlobally": answer])).searchGlobally("kinase")
    #expect(
      matches == [
        NativeMatch(kind: .sample, permID: "20240101-1", identifier: "/LAB/Y1", text: "Property 'Name': kinase"),
        NativeMatch(kind: .sample, permID: "20240101-1", identifier: "/LAB/Y1", text: ""),
      ])
  }

  @Test func `Property types shared by types are resolved, in their assigned order`() async throws {
    let answer = """
      {"@id":1,"objects":[{"@type":"as.dto.sample.SampleType","@id":2,"code":"YEAST","propertyAssignments":[
      {"@type":"as.dto.property.PropertyAssignment","@id":3,"ordinal":2,"propertyType":{"@type":
      "as.dto.property.PropertyType","@id":4,"code":"NOTES","label":"Notes","dataType":"MULTILINE_VARCHAR"}},
      {"@id":5,"ordinal":1,"propertyType":{"@id":6,"code":"NAME","label":"","dataType":"VARCHAR"}}]},
      {"@id":7,"code":"OLIGO","propertyAssignments":[{"@id":8,"propertyType":4},{"@id":9,"propertyType":null}]},
      {"@id":10,"code":"BARE","propertyAssignments":[]}],"totalCount":3}
      """
    let caller = TextCaller(["searchSampleTypes": answer])
    let notes = NativePropertyType(code: "NOTES", label: "Notes", dataType: "MULTILINE_VARCHAR")
    let name = NativePropertyType(code: "NAME", label: "NAME", dataType: "VARCHAR")
    #expect(
      try await NativeService(caller).propertyTypes(.sample) == ["YEAST": [name, notes], "OLIGO": [notes], "BARE": []])
    #expect(try await NativeService(caller).propertyTypes(.space) == [:])
  }

  @Test func `Terms of vocabularies have their labels, and samples become ids of entities`() async throws {
    let answer = """
      {"objects":[{"@type":"as.dto.sample.SampleType","@id":1,"code":"YEAST","propertyAssignments":[
      {"@type":"as.dto.property.PropertyAssignment","@id":2,"ordinal":1,"propertyType":{
      "@type":"as.dto.property.PropertyType","@id":3,"code":"GENDER","label":"Gender","dataType":"CONTROLLEDVOCABULARY",
      "vocabulary":{"@type":"as.dto.vocabulary.Vocabulary","@id":4,"code":"GENDERS","terms":[
      {"@type":"as.dto.vocabulary.VocabularyTerm","@id":5,"code":"M","label":"male"},
      {"@type":"as.dto.vocabulary.VocabularyTerm","@id":6,"code":"F","label":null}]}}},
      {"@type":"as.dto.property.PropertyAssignment","@id":7,"ordinal":2,"propertyType":{
      "@type":"as.dto.property.PropertyType","@id":8,"code":"FROM","label":"From","dataType":"SAMPLE","vocabulary":null}}
      ]}],"totalCount":1}
      """
    let types = try await NativeService(TextCaller(["searchSampleTypes": answer])).propertyTypes(.sample)["YEAST"] ?? []
    #expect(types.map(\.code) == ["GENDER", "FROM"] && types.first?.terms == ["M": "male"])
    #expect(types.first?.readable("M") == "male" && types.first?.readable("F") == "F")
    #expect(types.last?.readable("20240101-7") == "SAMPLE.20240101-7" && types.last?.readable("") == "")
  }

  @Test func `Data stores and services are listed`() async throws {
    let stores = """
      {"@id":1,"objects":[{"@type":"as.dto.datastore.DataStore","@id":2,"code":"DSS1","downloadUrl":"https://h:444",
      "remoteUrl":"https://h:445"}],"totalCount":1}
      """
    let services = """
      {"@id":1,"objects":[{"@type":"as.dto.service.AggregationService","@id":2,"permId":{"@type":
      "as.dto.service.id.DssServicePermId","@id":3,"permId":"ipad-read-service-v1","dataStoreId":{"@type":
      "as.dto.datastore.id.DataStorePermId","@id":4,"permId":"DSS1"}},"name":"ipad","label":"iPad Read Service"},
      {"@id":5,"permId":{"@id":6,"permId":"other","dataStoreId":4},"label":null,"name":null}],"totalCount":2}
      """
    let service = NativeService(TextCaller(["searchDataStores": stores, "searchAggregationServices": services]))
    #expect(try await service.dataStores() == [NativeDataStore(code: "DSS1", downloadAddress: "https://h:444")])
    #expect(
      try await service.aggregationServices() == [
        NativeAggregationService(key: "ipad-read-service-v1", dataStore: "DSS1", label: "iPad Read Service"),
        NativeAggregationService(key: "other", dataStore: "DSS1", label: "other"),
      ])
  }

  @Test func `Files of a data set have sizes and checksums, folders none`() async throws {
    let answer = """
      {"@id":1,"objects":[{"@type":"dss.dto.datasetfile.DataSetFile","@id":2,"permId":{"@id":3,"dataSetId":{"@id":4,
      "permId":"20240101-1"},"filePath":"original"},"dataSetPermId":4,"dataStore":{"@id":5,"code":"DSS1",
      "downloadUrl":"https://h"},"path":"original","directory":true,"fileLength":0,"checksumCRC32":0},
      {"@id":6,"dataSetPermId":4,"dataStore":5,"path":"/original/a b#1.txt","directory":false,"fileLength":11,
      "checksumCRC32":-1,"checksum":"abc","checksumType":"MD5"},
      {"@id":7,"dataSetPermId":4,"path":"original/none","directory":false,"fileLength":5,"checksumCRC32":0},
      {"@id":8,"dataSetPermId":4,"path":"original/empty","directory":false,"fileLength":0,"checksumCRC32":0}],
      "totalCount":4}
      """
    let caller = TextCaller(["searchFiles": answer])
    let files = try await NativeService(caller).files(of: "20240101-1", at: "https://h")
    #expect(files.map(\.path) == ["original", "original/a b#1.txt", "original/none", "original/empty"])
    #expect(files.map(\.isFolder) == [true, false, false, false])
    #expect(files.map(\.size) == [0, 11, 5, 0])
    #expect(files.map(\.checksum) == [0, 0xFFFF_FFFF, nil, 0])
    #expect(Set(files.map(\.dataSet)) == ["20240101-1"])
    #expect(caller.calls[0].interface == .dataStore("https://h"))
  }

  /// A caller with responses for data stores of which some fail.
  private final class StoresCaller: RPCCaller {
    let texts: TextCaller
    let failing: Set<String>
    let asked = Mutexed<[String]>([])

    init(owner: String, failing: Set<String>, files: String) {
      self.failing = failing
      let dataSet =
        #"{"D":{"@type":"as.dto.dataset.DataSet","@id":1,"code":"D","permId":{"@id":2,"permId":"D"},"#
        + #""dataStore":{"@id":3,"code":"\#(owner)"}}}"#
      texts = TextCaller(["getDataSets": owner.isEmpty ? "{}" : dataSet, "searchFiles": files])
    }

    func call(_ call: RPCCall, _ reader: any RPCResultReader & Sendable) async throws -> RPCResponse {
      if case .dataStore(let address) = call.interface {
        asked.withLock { $0.append(address) }
        if failing.contains(address) { throw RPCError.noTables(server: address) }
      }
      return try await texts.call(call, reader)
    }
  }

  @Test func `Files are requested from their own data store, or else from all that respond`() async throws {
    let stores = ["A", "B", "C"].map { NativeDataStore(code: $0, downloadAddress: $0) }
    let (some, none) = (
      #"{"@id":1,"objects":[{"@id":2,"path":"a","directory":false,"fileLength":1,"checksumCRC32":1}],"totalCount":1}"#,
      #"{"@id":1,"objects":[],"totalCount":0}"#
    )
    func asked(_ owner: String, _ failing: Set<String>, _ files: String) async -> ([String], String) {
      let caller = StoresCaller(owner: owner, failing: failing, files: files)
      do {
        let found = try await NativeService(caller).files(of: "D", among: stores)
        return (caller.asked.value, found.map(\.path).joined())
      } catch {
        return (caller.asked.value, (error as? any ReportableError)?.report.message ?? "\(error)")
      }
    }
    #expect(await asked("B", ["A"], some) == (["B"], "a"))
    #expect(await asked("", ["A"], some) == (["A", "B"], "a"))
    #expect(await asked("elsewhere", ["A", "C"], none) == (["A", "B", "C"], ""))
    let (all, message) = await asked("", ["A", "B", "C"], some)
    #expect(all == ["A", "B", "C"] && message.contains("'C'"), "\(message)")
  }

  @Test func `A personal access token is the id in the response`() async throws {
    let answer = #"[{"@type":"as.dto.pat.id.PersonalAccessTokenPermId","@id":1,"permId":"$pat-ada-1"}]"#
    let caller = TextCaller(["createPersonalAccessTokens": answer])
    #expect(try await NativeService(caller).createAccessToken(name: "workbench", from: 1, to: 2) == "$pat-ada-1")
    await #expect(throws: GraphError.otherShape(expected: "the id of a personal access token", found: "nothing")) {
      try await NativeService(TextCaller(["createPersonalAccessTokens": "[]"])).createAccessToken(
        name: "x", from: 1, to: 2)
    }
  }
}
