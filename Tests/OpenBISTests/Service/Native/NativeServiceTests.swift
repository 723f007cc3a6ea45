import Synchronization
import Testing

@testable import OpenBIS

@Suite struct NativeServiceTests {
  /// A page of two samples: the second one shares type, space and project with the first one, which is also its parent.
  private let samples = """
    {"@type":"as.dto.common.search.SearchResult","@id":1,"objects":[
    {"@type":"as.dto.sample.Sample","@id":2,"fetchOptions":{"@type":"as.dto.sample.fetchoptions.SampleFetchOptions",
    "@id":3,"from":0,"count":2,"sort":{"@type":"as.dto.sample.fetchoptions.SampleSortOptions","@id":4}},
    "permId":{"@type":"as.dto.sample.id.SamplePermId","@id":5,"permId":"20240101120000000-1"},
    "identifier":{"@type":"as.dto.sample.id.SampleIdentifier","@id":6,"identifier":"/LAB/YEASTS/Y1"},"code":"Y1",
    "frozen":false,"registrationDate":1700000000000,"modificationDate":1700000001000,
    "type":{"@type":"as.dto.sample.SampleType","@id":7,"fetchOptions":null,"permId":
    {"@type":"as.dto.entitytype.id.EntityTypePermId","@id":8,"permId":"YEAST","entityKind":"SAMPLE"},"code":"YEAST",
    "description":"of the type","modificationDate":5},
    "project":{"@type":"as.dto.project.Project","@id":9,"permId":{"@type":"as.dto.project.id.ProjectPermId","@id":10,
    "permId":"20240101-7"},"identifier":{"@id":11,"identifier":"/LAB/YEASTS"},"code":"YEASTS","space":null},
    "space":{"@type":"as.dto.space.Space","@id":12,"code":"LAB","permId":{"@id":13,"permId":"LAB"}},
    "experiment":{"@type":"as.dto.experiment.Experiment","@id":14,"permId":{"@id":15,"permId":"20240101-8"},
    "code":"E1"},"container":null,"parents":[],"children":null,
    "properties":{"NAME":"strain \\u00e4","NOTES":["first","second"],"PH":7.4,"EMPTY":"","UNSET":null},
    "registrator":{"@type":"as.dto.person.Person","@id":16,"userId":"ada","email":null},"tags":null},
    {"@type":"as.dto.sample.Sample","@id":17,"fetchOptions":3,"permId":{"@id":18,"permId":"20240101120000000-2"},
    "identifier":{"@id":19,"identifier":"/LAB/YEASTS/Y2"},"code":"Y2","registrationDate":1700000000500,
    "modificationDate":1700000002000,"type":7,"project":9,"space":12,"experiment":14,
    "container":{"@type":"as.dto.sample.Sample","@id":20,"permId":{"@id":21,"permId":"20240101120000000-9"},
    "code":"BOX"},"parents":[2,20],"properties":{},"registrator":16},
    {"@id":22,"properties":{}}, 20],"totalCount":4}
    """

  @Test func `A page returns its objects with their relations`() async throws {
    for size in [1, 7, 64, 100_000] {
      let found = Mutex<[NativeObject]>([])
      let summary = try await NativeService(TextCaller(["searchSamples": samples], pieceSize: size)).page(
        .sample, NativePageRequest(modifiedSince: 5, from: 0, count: 2)
      ) { objects in found.withLock { $0 += objects } }
      #expect(found.withLock { $0 } == [Self.first, Self.second, Self.box])
      #expect(
        summary
          == NativePageSummary(
            count: 3, unusableCount: 1, totalCount: 4, latestModification: 1_700_000_002_000,
            serverTimeInSeconds: 1_700_000_000, sizeInBytes: samples.utf8.count))
    }
  }

  private static let first = NativeObject(
    kind: .sample, permID: "20240101120000000-1", code: "Y1", identifier: "/LAB/YEASTS/Y1", type: "YEAST",
    properties: [
      .init(code: "NAME", value: "strain ä"), .init(code: "NOTES", value: "first\nsecond"),
      .init(code: "PH", value: "7.4"), .init(code: "EMPTY", value: ""),
    ], space: "LAB", project: "20240101-7", experiment: "20240101-8", registeredAt: 1_700_000_000_000,
    modifiedAt: 1_700_000_001_000, registrator: "ada")
  private static let second = NativeObject(
    kind: .sample, permID: "20240101120000000-2", code: "Y2", identifier: "/LAB/YEASTS/Y2", type: "YEAST",
    space: "LAB", project: "20240101-7", experiment: "20240101-8", container: "20240101120000000-9",
    parents: ["20240101120000000-1", "20240101120000000-9"], registeredAt: 1_700_000_000_500,
    modifiedAt: 1_700_000_002_000, registrator: "ada")
  private static let box = NativeObject(kind: .sample, permID: "20240101120000000-9", code: "BOX")

  @Test func `Many objects are delivered in batches while the response arrives`() async throws {
    let objects = (0..<1200).map { #"{"@id":\#($0 + 2),"code":"S\#($0)"}"# }
    let answer = #"{"@id":1,"objects":["# + objects.joined(separator: ",") + "],\"totalCount\":1200}"
    let sizes = Mutex<[Int]>([])
    let service = NativeService(TextCaller(["searchDataSets": answer]))
    _ = try await service.page(.dataSet, NativePageRequest()) { objects in sizes.withLock { $0.append(objects.count) } }
    #expect(sizes.withLock { $0 } == [512, 512, 176])
  }

  @Test func `An error of the handler ends the page`() async {
    struct Full: Error {}
    let service = NativeService(TextCaller(["searchSamples": samples]))
    await #expect(throws: Full.self) { try await service.page(.sample, NativePageRequest()) { _ in throw Full() } }
  }

  @Test func `An experiment belongs to the space of its project`() async throws {
    let answer = """
      {"E-1":{"@id":2,"permId":{"@id":3,"permId":"E-1"},"code":"E1","type":{"@id":4,"code":"COLLECTION"},
      "project":{"@id":5,"permId":{"@id":6,"permId":"P-1"},"code":"P","space":{"@id":7,"code":"LAB"}}}}
      """
    let objects = try await NativeService(TextCaller(["getExperiments": answer])).objects(.experiment, ["E-1"])
    #expect(objects.map(\.space) == ["LAB"])
    #expect(objects.map(\.project) == ["P-1"])
  }

  @Test func `Objects by permId are read from a map, and repeated ones returned once`() async throws {
    let answer = """
      {"20240101-1":{"@type":"as.dto.dataset.DataSet","@id":1,"permId":{"@id":2,"permId":"20240101-1"},
      "code":"20240101-1","dataStore":{"@type":"as.dto.datastore.DataStore","@id":3,"code":"DSS1","downloadUrl":"x"},
      "containers":[{"@id":4,"permId":{"@id":5,"permId":"C-1"}},{"@id":6,"permId":{"@id":7,"permId":"C-2"}}],
      "sample":{"@id":8,"permId":{"@id":9,"permId":"S-1"}}},"20240101-01":1,"C-2":6}
      """
    let caller = TextCaller(["getDataSets": answer])
    let objects = try await NativeService(caller).objects(.dataSet, ["20240101-1", "20240101-01", "C-2", "gone"])
    #expect(objects.map(\.permID) == ["20240101-1", "C-2"])
    #expect(objects[0].dataStore == "DSS1")
    #expect(objects[0].container == "C-1")
    #expect(objects[0].sample == "S-1")
    #expect(objects[1].code == "C-2")
    #expect(
      caller.calls[0].parameterTexts[0].hasPrefix(
        #"[{"@type":"as.dto.dataset.id.DataSetPermId","permId":"20240101-1"},"#))
  }

  @Test func `An empty list of ids needs no request`() async throws {
    let caller = TextCaller([:])
    #expect(try await NativeService(caller).objects(.sample, []) == [])
    #expect(caller.calls.isEmpty)
  }

  @Test func `Spaces are identified by their codes`() async throws {
    let answer = """
      {"@id":1,"objects":[{"@type":"as.dto.space.Space","@id":2,"permId":{"@type":"as.dto.space.id.SpacePermId","@id":3,
      "permId":"LAB"},"code":"LAB","description":"Our lab","registrator":null}],"totalCount":1}
      """
    let spaces = Mutex<[NativeObject]>([])
    _ = try await NativeService(TextCaller(["searchSpaces": answer])).page(.space, NativePageRequest()) { objects in
      spaces.withLock { $0 += objects }
    }
    #expect(spaces.withLock { $0 } == [NativeObject(kind: .space, permID: "LAB", code: "LAB", description: "Our lab")])
  }

  @Test func `Server information is a map of texts`() async throws {
    let answer = #"{"api-version":"3.7","project-samples-enabled":"true","limit":2592000,"none":null}"#
    let caller = TextCaller(["getServerInformation": answer])
    let service = NativeService(caller)
    #expect(
      try await service.serverInformation()
        == ["api-version": "3.7", "project-samples-enabled": "true", "limit": "2592000"])
    #expect(caller.calls.map(\.takesToken) == [true])
  }
}
