import PluginAPI
import PluginText
import Synchronization
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// Refreshes from V3 objects, where the test writes the server's responses.
@Suite struct NativeSyncTests {
  /// A server with samples whose responses a test may replace.
  private final class Server: RPCCaller {
    struct State {
      var samples: [String] = []
      /// The time of the last creation or deletion.
      var changedAt = 1
      /// The response to a search for ids; nil for the actual objects.
      var ids: String?
      /// The response to a search for samples; nil for the actual objects.
      var objects: String?
      /// The number of searches for ids that are answered; further ones fail.
      var answeredIDs = Int.max
      var idPages: [String] = []
      /// The name of the sample to which the data set belongs, and the time of its change.
      var name = "first"
      var namedAt = 1
      var dataSetSearches: [String] = []
      /// The methods for which the user lacks the rights.
      var refused: Set<String> = []
      /// The server's exception for these methods.
      var refusal = "ch.systemsx.cisd.common.exceptions.AuthorizationFailureException"
      /// The methods whose responses are broken.
      var broken: Set<String> = []
    }
    let state = Mutex(State())

    init(_ samples: [String]) { state.withLock { $0.samples = samples } }

    func call(_ call: RPCCall, _ reader: any RPCResultReader & Sendable) async throws -> RPCResponse {
      let text = try answer(call)
      try read(Array(text.utf8), pieceSize: .max, reader)
      return RPCResponse(serverTimeInSeconds: nil, sizeInBytes: text.utf8.count)
    }

    private func answer(_ call: RPCCall) throws -> String {
      try state.withLock { state in
        if state.refused.contains(call.method) {
          throw RPCError.remote(
            RPCTarget(method: call.method, server: "test"),
            exception: state.refusal, message: "Authorization failure: no role")
        }
        if state.broken.contains(call.method) { throw UselessResult("broken") }
        switch call.method {
        case "searchObjectKindModifications":
          return """
            {"@id":1,"objects":[{"@id":2,"objectKind":"SAMPLE","operationKind":"CREATE_OR_DELETE",
            "lastModificationTimeStamp":\(state.changedAt)},{"@id":3,"objectKind":"SAMPLE","operationKind":"UPDATE",
            "lastModificationTimeStamp":\(state.namedAt)}],"totalCount":2}
            """
        case "searchSamples":
          let options = call.parameterTexts[1]
          if options.contains("\"count\":0") {
            let count = Self.isAtItsTime(call.parameterTexts[0]) ? state.samples.count : 0
            return #"{"@id":1,"objects":[],"totalCount":\#(count)}"#
          }
          let samples = Self.isAtItsTime(call.parameterTexts[0]) ? state.samples : []
          let found = Self.range(of: samples, in: call.parameterTexts[0])
          guard !options.contains("registrator") else { return state.objects ?? Self.page(found, options) }
          // The search for a bound between ranges of ids.
          if Self.number("\"count\":", options) == 1 { return Self.page(found, options) }
          state.idPages.append(call.parameterTexts[0] + options)
          if state.idPages.count > state.answeredIDs { throw UselessResult("broken") }
          return state.ids ?? Self.page(found, options)
        case "getSamples":
          let asked = state.samples.filter { call.parameterTexts[0].contains("\"\($0)\"") }
          return "{"
            + asked.enumerated().map { place, sample in
              #""\#(sample)":{"@id":\#(place + 1),"permId":"\#(sample)","code":"\#(sample)","modificationDate":5,"#
                + #""properties":{"NAME":"\#(state.name)"}}"#
            }.joined(separator: ",") + "}"
        case "searchDataSets":
          if !call.parameterTexts[1].contains("\"count\":0") { state.dataSetSearches.append(call.parameterTexts[0]) }
          return """
            {"@id":1,"objects":[{"@id":2,"permId":"D","code":"D","modificationDate":5,"sample":{"@id":3,"permId":"S0"}}],
            "totalCount":1}
            """
        default: return #"{"@id":1,"objects":[],"totalCount":0}"#
        }
      }
    }

    /// Returns true if a search is for the time at which all samples changed.
    private static func isAtItsTime(_ criteria: String) -> Bool {
      (!criteria.contains("LaterThan") || number("LaterThanOrEqualToValue\",\"value\":", criteria) <= 5)
        && (!criteria.contains("EarlierThan") || number("EarlierThanValue\",\"value\":", criteria) > 5)
    }

    /// Returns the samples in a range of permIds; the order of the server is that of the list.
    private static func range(of samples: [String], in criteria: String) -> ArraySlice<String> {
      func index(_ comparison: String) -> Int? {
        let word = "String\(comparison)Value\",\"value\":\""
        guard let start = ByteSearch.firstIndex(of: word.utf8, in: criteria.utf8) else { return nil }
        let bound = criteria.utf8[start...].dropFirst(word.utf8.count).prefix { $0 != UInt8(ascii: "\"") }
        return samples.firstIndex(of: String(decoding: bound, as: UTF8.self))
      }
      return samples[(index("GreaterThanOrEqualTo") ?? 0)..<(index("LessThan") ?? samples.count)]
    }

    private static func page(_ samples: ArraySlice<String>, _ options: String) -> String {
      let from = number("\"from\":", options)
      let objects = samples.enumerated().dropFirst(from).prefix(number("\"count\":", options)).map { place, sample in
        #"{"@id":\#(place + 2),"permId":"\#(sample)","code":"\#(sample)","modificationDate":5}"#
      }
      return #"{"@id":1,"objects":["# + objects.joined(separator: ",") + "],\"totalCount\":\(samples.count)}"
    }

    private static func number(_ word: String, _ text: String) -> Int {
      let start = ByteSearch.firstIndex(of: word.utf8, in: text.utf8) ?? text.endIndex
      let rest = text.utf8[start...]
      return Int(String(decoding: rest.dropFirst(word.utf8.count).prefix { $0 >= 48 && $0 <= 57 }, as: UTF8.self)) ?? 0
    }
  }

  private let folder = CacheFolder()
  private let warnings = Mutexed<[String]>([])

  private func sync(
    _ server: Server, _ cache: EntityStore, isFull: Bool = false,
    rules: Value = [["kind": "SAMPLE", "root": true]]
  ) async throws -> SyncTotals {
    let warnings = self.warnings
    let setting = SyncSetting(
      cache: cache, clock: { 1_800_000_000 }, report: { _ in },
      warn: { warning in warnings.withLock { $0.append(warning.code) } })
    let mapping = try Mapping(["mapping": 1, "rules": rules], file: "test.json")
    return try await NativeSync(service: NativeService(server), mapping: mapping, setting: setting).run(isFull: isFull)
  }

  private func names(_ count: Int) -> [String] { (0..<count).map { "S\($0)" } }

  @Test(arguments: [
    #"{"@id":1,"objects":[],"totalCount":100}"#, #"{"@id":1,"totalCount":0}"#, "{}",
  ])
  func `a response without ids is an error, and nothing is removed`(_ answer: String) async throws {
    let (server, cache) = (Server(names(100)), folder.store())
    #expect(try await sync(server, cache).added == 100)
    server.state.withLock { ($0.changedAt, $0.samples, $0.ids) = (2, names(99), answer) }
    await #expect(throws: UselessResult.self) { try await sync(server, cache) }
    #expect(try await cache.counts().entities == 100)
    server.state.withLock { $0.ids = nil }
    #expect(try await sync(server, cache).removed == 1)
    await cache.close()
  }

  @Test(arguments: [false, true])
  func `a kind that is suddenly empty on the server is kept, with a warning`(_ isFull: Bool) async throws {
    let (server, cache) = (Server(names(100)), folder.store())
    _ = try await sync(server, cache)
    server.state.withLock { ($0.changedAt, $0.samples) = (2, []) }
    #expect(try await sync(server, cache, isFull: isFull).removed == 0)
    #expect(warnings.value == ["openbis.kind-empty"])
    server.state.withLock { $0.samples = names(1) }
    #expect(try await sync(server, cache).removed == 99)
    await cache.close()
  }

  @Test func `objects missing on the server are removed`() async throws {
    let (server, cache) = (Server(names(100)), folder.store())
    _ = try await sync(server, cache)
    server.state.withLock { ($0.changedAt, $0.samples) = (2, names(97)) }
    #expect(try await sync(server, cache).removed == 3)
    #expect(warnings.value.isEmpty)
    await cache.close()
  }

  @Test(arguments: [false, true])
  func `an object that the server returns by its id is not removed`(_ isFull: Bool) async throws {
    let (server, cache) = (Server(names(100)), folder.store())
    _ = try await sync(server, cache)
    // A listing that omits most of them without an indication.
    let few = #"{"@id":1,"objects":[{"@id":2,"permId":"S1","code":"S1","modificationDate":5}],"totalCount":1}"#
    server.state.withLock { ($0.changedAt, $0.samples, $0.ids, $0.objects) = (2, names(99), few, few) }
    #expect(try await sync(server, cache, isFull: isFull).removed == 1)
    #expect(try await cache.counts().entities == 99)
    await cache.close()
  }

  @Test(arguments: [false, true])
  func `a listing that is shorter than its total removes nothing`(_ isFull: Bool) async throws {
    let (server, cache) = (Server(names(100)), folder.store())
    _ = try await sync(server, cache)
    let few = """
      {"@id":1,"objects":[{"@id":2,"permId":"S1","code":"S1","modificationDate":5}],"totalCount":1000000}
      """
    server.state.withLock { ($0.changedAt, $0.samples, $0.ids, $0.objects) = (2, names(97), few, few) }
    await #expect(throws: PagingError.self) { try await sync(server, cache, isFull: isFull) }
    #expect(try await cache.counts().entities == 100)
    server.state.withLock { ($0.ids, $0.objects) = (nil, nil) }
    #expect(try await sync(server, cache).removed == 3)
    await cache.close()
  }

  @Test(arguments: [false, true])
  func `a listing with an unusable object removes nothing`(_ isFull: Bool) async throws {
    let (server, cache) = (Server(names(100)), folder.store())
    _ = try await sync(server, cache)
    let broken = #"{"@id":1,"objects":[{"@id":2,"permId":"S1","modificationDate":5},{"@id":3}],"totalCount":2}"#
    server.state.withLock { ($0.changedAt, $0.ids, $0.objects) = (2, broken, broken) }
    let totals = try await sync(server, cache, isFull: isFull)
    #expect(totals.removed == 0 && totals.skipped > 0)
    #expect(warnings.value == ["openbis.nothing-pruned"])
    #expect(try await cache.counts().entities == 100)
    // The next refresh checks again.
    server.state.withLock { ($0.samples, $0.ids, $0.objects) = (names(97), nil, nil) }
    #expect(try await sync(server, cache).removed == 3)
    await cache.close()
  }

  @Test(arguments: [2, 4])
  func `an interrupted comparison of ids resumes where it stopped`(_ answered: Int) async throws {
    let (server, cache) = (Server(names(25_000)), folder.store())
    _ = try await sync(server, cache)
    server.state.withLock { ($0.changedAt, $0.samples, $0.answeredIDs) = (2, names(24_999), answered) }
    await #expect(throws: UselessResult.self) { try await sync(server, cache) }
    server.state.withLock { $0.answeredIDs = .max }
    #expect(try await sync(server, cache).removed == 1)
    let pages = server.state.withLock { $0.idPages }
    // The failed page is requested again, and none before it.
    try #require(pages.count > 5)
    let repeated = pages.filter { $0 == pages[answered] }
    #expect(repeated.count == 2 && Set(pages).count == pages.count - 1)
    await cache.close()
  }

  @Test(arguments: [false, true])
  func `an entity with inherited properties is updated when their object changes, also if that is hidden`(
    _ isShown: Bool
  ) async throws {
    let (server, cache) = (Server(names(1)), folder.store())
    let rules: Value = [
      ["kind": "DATA_SET", "root": true, "takes": ["sample"]],
      isShown ? ["kind": "SAMPLE", "root": true] : ["kind": "SAMPLE", "show": false],
    ]
    let taken = { () async throws -> [String] in
      try await cache.entity("DATA_SET.D")?.properties?.map(\.value) ?? []
    }
    _ = try await sync(server, cache, rules: rules)
    #expect(try await taken().contains("first"))
    server.state.withLock { ($0.name, $0.namedAt, $0.dataSetSearches) = ("second", 2, []) }
    _ = try await sync(server, cache, rules: rules)
    #expect(try await taken().contains("second"))
    #expect(try await cache.counts().entities == (isShown ? 2 : 1))
    let searches = server.state.withLock { $0.dataSetSearches }
    #expect(searches.count == 1 && searches[0].contains("SampleSearchCriteria") && searches[0].contains(#""S0""#))
    // Nothing changed, so nothing is requested.
    _ = try await sync(server, cache, rules: rules)
    #expect(server.state.withLock { $0.dataSetSearches.count } == 1)
    await cache.close()
  }

  @Test(arguments: [false, true])
  func `properties inherited from a kind that may no longer be read are removed, also if hidden`(_ isShown: Bool)
    async throws
  {
    let (server, cache) = (Server(names(1)), folder.store())
    let rules: Value = [
      ["kind": "DATA_SET", "root": true, "takes": ["sample"]],
      isShown ? ["kind": "SAMPLE", "root": true] : ["kind": "SAMPLE", "show": false],
    ]
    func isTaken() async throws -> Bool {
      try await cache.entity("DATA_SET.D")?.properties?.contains { $0.value == "first" } == true
    }
    _ = try await sync(server, cache, rules: rules)
    #expect(try await isTaken())
    server.state.withLock { $0.refused = ["searchSamples", "getSamples"] }
    for _ in 0..<2 {
      _ = try await sync(server, cache, rules: rules)
      #expect(try await !isTaken())
      #expect(try await cache.counts().entities == 1)
    }
    #expect(warnings.value == ["openbis.kind-not-allowed", "openbis.kind-not-allowed"])
    server.state.withLock { $0.refused = [] }
    _ = try await sync(server, cache, rules: rules)
    #expect(try await isTaken())
    #expect(try await cache.counts().entities == (isShown ? 2 : 1))
    // A full refresh never searches a hidden kind; only the properties show that it is refused.
    server.state.withLock { $0.refused = ["searchSamples", "getSamples"] }
    _ = try await sync(server, cache, isFull: true, rules: rules)
    #expect(try await !isTaken())
    #expect(warnings.value == Array(repeating: "openbis.kind-not-allowed", count: 3))
    server.state.withLock { $0.refused = [] }
    _ = try await sync(server, cache, rules: rules)
    #expect(try await isTaken())
    #expect(try await cache.counts().entities == (isShown ? 2 : 1))
    await cache.close()
  }

  @Test func `a search refused because of a single object removes nothing`() async throws {
    let (server, cache) = (Server(names(100)), folder.store())
    _ = try await sync(server, cache)
    server.state.withLock {
      $0.refused = ["searchSamples"]
      $0.refusal = "ch.ethz.sis.openbis.generic.asapi.v3.exceptions.UnauthorizedObjectAccessException"
    }
    #expect(try await sync(server, cache, isFull: true).removed == 0)
    #expect(warnings.value == ["openbis.kind-not-allowed"])
    #expect(try await cache.counts().entities == 100)
    server.state.withLock { ($0.changedAt, $0.samples, $0.refused) = (2, names(99), []) }
    #expect(try await sync(server, cache).removed == 1)
    await cache.close()
  }

  @Test func `an interrupted removal of refused kinds causes a warning and a full refresh`() async throws {
    let (server, cache) = (Server(names(1)), folder.store())
    let rules: Value = [["kind": "SAMPLE", "root": true], ["kind": "DATA_SET", "under": ["sample"]]]
    _ = try await sync(server, cache, rules: rules)
    #expect(try await cache.childNames("SAMPLE.S0") == ["DATA_SET.D"])
    server.state.withLock {
      $0.refused = ["searchObjectKindModifications", "searchSamples"]
      $0.broken = ["searchDataSets"]
    }
    await #expect(throws: UselessResult.self) { try await sync(server, cache, rules: rules) }
    #expect(try await cache.counts().entities == 1)
    #expect(warnings.value == ["openbis.rights-lost"])
    server.state.withLock { ($0.refused, $0.broken) = ([], []) }
    _ = try await sync(server, cache, rules: rules)
    #expect(try await cache.childNames("SAMPLE.S0") == ["DATA_SET.D"])
    await cache.close()
  }

  @Test func `entities of tables are removed only if every kind is refused`() async throws {
    let (server, cache) = (Server(names(1)), folder.store())
    _ = try await sync(server, cache)
    try await cache.take([EntityRow("20130115-1", "table")])
    let searches = ["searchSpaces", "searchProjects", "searchExperiments", "searchSamples"]
    server.state.withLock { $0.refused = Set(searches).union(["searchObjectKindModifications"]) }
    await #expect(throws: RPCError.self) { try await sync(server, cache) }
    #expect(try await cache.counts().entities == 1)
    #expect(warnings.value == ["openbis.rights-lost"])
    server.state.withLock { _ = $0.refused.insert("searchDataSets") }
    // What remains is removed, and a cache that is empty already is not mentioned.
    for _ in 0..<2 { await #expect(throws: RPCError.self) { try await sync(server, cache) } }
    #expect(try await cache.counts().entities == 0)
    #expect(warnings.value == ["openbis.rights-lost", "openbis.rights-lost"])
    await cache.close()
  }
}
