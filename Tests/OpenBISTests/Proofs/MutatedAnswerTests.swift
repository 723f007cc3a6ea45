import Foundation
import PluginAPI
import PluginStore
import TestSupport
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// Corrupted responses of servers, applied to a cache that already contains entities.
///
/// WORKBENCH_MUTATIONS sets their number, by default two thousand, and WORKBENCH_SEED selects them.
@Suite(.timeLimit(.minutes(60)))
struct MutatedAnswerTests {
  private static let count = CampaignNumber.of("WORKBENCH_MUTATIONS", else: 2000)
  private static let seed = CampaignNumber.of("WORKBENCH_SEED", else: 20_261_121)

  /// A recorded response, and the way to apply it.
  private struct Recorded: Sendable {
    var name: String
    var body: [UInt8]
    /// Reads a response and pushes its rows.
    var read: @Sendable (RecordedCaller, RowChannel) async throws -> Void
    var kind: ResponseKind
    /// The ids named in the request.
    var asked: Set<String> = []
  }

  private static func tables(_ request: TableRequest, _ host: TableService.Host)
    -> @Sendable (
      RecordedCaller, RowChannel
    ) async throws -> Void
  {
    { caller, channel in _ = try await TableService(caller, host: host, dataStore: "DSS1").rows(request, into: channel)
    }
  }

  private static func objects(_ mapping: Mapping) -> @Sendable (RecordedCaller, RowChannel) async throws -> Void {
    { caller, channel in
      let objects = Mutexed<[NativeObject]>([])
      _ = try await NativeService(caller).page(.sample, NativePageRequest(count: 1000)) { more in
        objects.withLock { $0 += more }
      }
      let mapped = mapping.rows(of: objects.value, MappingSurroundings())
      channel.push(mapped.groups + mapped.rows)
    }
  }

  /// Returns responses of a small lab: tables of V1 and of V3, and a page of objects.
  private static func recorded() async throws -> [Recorded] {
    var configuration = SimulatorConfiguration(shape: .plain)
    (configuration.entities, configuration.categories) = (60, 3)
    let server = try SimulatorServer(configuration)
    let caller = SimulatorCaller(server)
    let recorder = RecordingCaller(caller: caller, token: try await caller.logIn())
    let category = EntityReference(permID: "TYPE_01", refcon: "{}")
    let ids = server.permIDs(0..<6)
    let references = ids.map { EntityReference(permID: $0, refcon: "{}") }
    let roots = TableRequest.roots([category], lastUpdate: "0.000000", namesCategory: false)
    let mapping = try MappingFile.read(Checkout.root.path + "/Plugins/OpenBIS/Resources/default-mapping.json")
    var all = [
      Recorded(name: "ROOT", body: [], read: tables(roots, .v1), kind: .roots(of: "TYPE_01")),
      Recorded(
        name: "DETAIL", body: [], read: tables(.details(references), .v1), kind: .details(of: ids), asked: Set(ids)),
      Recorded(name: "ROOT of V3", body: [], read: tables(roots, .v3), kind: .roots(of: "TYPE_01")),
      Recorded(name: "objects", body: [], read: objects(mapping), kind: .objects),
    ]
    for index in all.indices {
      let channel = RowChannel(capacity: .max)
      switch index {
      case 0: _ = try await TableService(recorder, host: .v1, dataStore: "DSS1").rows(roots, into: channel)
      case 1:
        _ = try await TableService(recorder, host: .v1, dataStore: "DSS1").rows(.details(references), into: channel)
      case 2: _ = try await TableService(recorder, host: .v3, dataStore: "DSS1").rows(roots, into: channel)
      default: _ = try await NativeService(recorder).page(.sample, NativePageRequest(count: 40)) { _ in }
      }
      all[index].body = recorder.bodies.value[index]
    }
    await server.stop()
    return all
  }

  /// A cache with the recorded entities, and forty entities that no response names.
  private struct Cache {
    let folder = CacheFolder()
    let store: EntityStore
    let reader: SQLiteStore

    init(_ recorded: [Recorded]) async throws {
      store = folder.store()
      reader = SQLiteStore(name: "entities", path: folder.file, migrations: EntityMigrations.all)
      for answer in recorded {
        let error = await errorOf { try await take(answer, answer.body) }
        #expect(error == nil, "\(answer.name): \(String(describing: error))")
      }
      let others = (0..<40).map {
        EntityRow("OTHER-\($0)", "Other \($0)", children: ["OTHER-\(($0 + 1) % 40)"], root: true)
      }
      try await store.take(others)
    }

    func content() throws -> CacheContent { try CacheContent(reader) }

    func take(_ answer: Recorded, _ body: [UInt8]) async throws {
      let setting = SyncSetting(cache: store, clock: { 1_800_000_000 }, report: { _ in }, warn: { _ in })
      _ = try await setting.takeSeparately(answer.kind, generation: 1) { channel in
        try await answer.read(RecordedCaller(body: body), channel)
      }
    }

    /// Returns the ids that a response names, as far as it can be read.
    func named(_ answer: Recorded, _ body: [UInt8]) async -> Set<String> {
      let channel = RowChannel(capacity: .max)
      if await errorOf({ try await answer.read(RecordedCaller(body: body), channel) }) == nil {
        channel.finish()
      } else {
        channel.fail(CancellationError())
      }
      var named = answer.asked
      while let rows = try? channel.next() {
        for row in rows {
          named.insert(row.permID)
          if case .ids(let ids) = row.children { named.formUnion(ids) }
          if let parents = row.parents { named.formUnion(parents) }
        }
      }
      return named
    }

    func close() async {
      await reader.close()
      await store.close()
    }
  }

  @Test func `thousands of damaged responses cause no crash, hang or loss of cached data`() async throws {
    let recorded = try await Self.recorded()
    var gnawer = Gnawer(seed: UInt64(Self.seed))
    var (good, bad, slowest) = (0, 0, Duration.zero)
    var cache = try await Cache(recorded)
    var before = try cache.content()
    #expect(before.entities.count > 100)
    for number in 0..<Self.count {
      if number % 250 == 249 {
        await cache.close()
        cache = try await Cache(recorded)
        before = try cache.content()
      }
      let answer = recorded[number % recorded.count]
      let body = gnawer.gnawed(answer.body)
      let named = await cache.named(answer, body)
      let start = ContinuousClock.now
      let error = await errorOf { try await cache.take(answer, body) }
      let time = ContinuousClock.now - start
      slowest = max(slowest, time)
      #expect(
        time < .seconds(60),
        "input \(number), \(answer.name), \(body.count) bytes, took \(time): \(String(describing: error))")
      let after = try cache.content()
      if error != nil {
        bad += 1
        #expect(after == before, "input \(number): \(after.differences(from: before))")
      } else {
        good += 1
        let (left, kept) = (after.without(named), before.without(named))
        #expect(left == kept, "input \(number): \(left.differences(from: kept))")
      }
      before = after
    }
    CampaignLine(
      "damaged responses of lab servers", seed: Self.seed, runs: Self.count,
      words: "\(good) accepted and \(bad) rejected, no cached data lost, the slowest in \(slowest)"
    ).print()
    #expect(good > Self.count / 20 && bad > Self.count / 4)
    #expect(try cache.store.check(in: cache.folder) == [])
    await cache.close()
  }
}
