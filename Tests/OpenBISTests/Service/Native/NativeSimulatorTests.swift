import Glibc
import PluginAPI
import PluginNet
import PluginTesting
import Synchronization
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// The service and the simulator, which shares no code with it.
@Suite(.timeLimit(.minutes(2)))
struct NativeSimulatorTests {
  private func server(_ entities: Int = 2500, shape: SimulatorShape = .plain) throws -> SimulatorServer {
    var configuration = SimulatorConfiguration(shape: shape)
    (configuration.entities, configuration.categories) = (entities, 4)
    return try SimulatorServer(configuration)
  }

  private func service(_ server: SimulatorServer) -> NativeService {
    let connection = RPCConnection(ServerAddress(base: server.url), HTTPClient(.init(isOffline: false)))
    return NativeService(RPCSession(connection, user: "alice", key: .password(Secret("wonderland"))))
  }

  private func all(_ pager: NativePager) async throws -> [NativeObject] {
    let found = Mutex<[NativeObject]>([])
    while try await pager.next({ objects in found.withLock { $0 += objects } }) != nil {}
    return found.withLock { $0 }
  }

  @Test func `Samples are paged, each once, with their relations`() async throws {
    let server = try server()
    defer { withExtendedLifetime(server) {} }
    let service = service(server)
    let spaces = try await all(NativePager(service, .space, from: NativePageRequest()))
    #expect(!spaces.isEmpty)
    let samples = try await all(NativePager(service, .sample, from: NativePageRequest(count: 400)))
    #expect(samples.count > 1000)
    #expect(Set(samples.map(\.permID)).count == samples.count)
    #expect(samples.allSatisfy { !$0.code.isEmpty && !$0.type.isEmpty && $0.modifiedAt > 0 })
    #expect(samples.contains { !$0.properties.isEmpty })
    #expect(Set(samples.compactMap(\.space)).isSubset(of: Set(spaces.map(\.permID))))
    let types = try await service.propertyTypes(.sample)
    #expect(Set(samples.map(\.type)).isSubset(of: Set(types.keys)))
    let some = samples[7]
    #expect(try await service.objects(.sample, [some.permID, "20000101-404"]) == [some])
  }

  @Test func `Pages of ids return all samples without their contents`() async throws {
    let server = try server(500)
    defer { withExtendedLifetime(server) {} }
    let service = service(server)
    let full = try await all(NativePager(service, .sample, from: NativePageRequest(count: 150)))
    let bare = try await all(NativePager(service, .sample, from: NativePageRequest(count: 150), idsOnly: true))
    #expect(Set(full.map(\.permID)) == Set(bare.map(\.permID)))
    #expect(bare.allSatisfy { $0.properties.isEmpty && $0.space == nil })
  }

  @Test func `Samples that change during paging are returned in their last state`() async throws {
    let server = try server(1200)
    defer { withExtendedLifetime(server) {} }
    let pager = NativePager(service(server), .sample, from: NativePageRequest(count: 200))
    let found = Mutex<[String: Int]>([:])
    var pages = 0
    while try await pager.next({ objects in
      found.withLock { for object in objects { $0[object.permID] = object.modifiedAt } }
    }) != nil {
      pages += 1
      if pages <= 4 { server.modify(server.permIDs(pages * 50..<pages * 50 + 45)) }
    }
    let now = try await all(NativePager(service(server), .sample, from: NativePageRequest(count: 5000)))
    #expect(found.withLock { $0 } == Dictionary(uniqueKeysWithValues: now.map { ($0.permID, $0.modifiedAt) }))
  }

  @Test func `Cyclic objects are read`() async throws {
    let server = try server(200, shape: .tagBrowser)
    defer { withExtendedLifetime(server) {} }
    let samples = try await all(NativePager(service(server), .sample, from: NativePageRequest(count: 50)))
    #expect(samples.contains { !$0.parents.isEmpty })
    let known = Set(samples.map(\.permID))
    #expect(samples.allSatisfy { known.isSuperset(of: $0.parents) })
  }

  @Test func `Terms, samples and spreadsheets among the properties are readable`() async throws {
    let user = try await LabUser.synced(.yeastlab, "--native")
    let first = YeastLab.types.prefix { $0.code != "YEAST" }.reduce(0) { $0 + $1.count }
    let yeast = try await user.entity("SAMPLE." + ListedLab.nativePermID(first + 1))
    let values = (yeast["properties"].list ?? []).compactMap { property in
      property["key"].text.map { ($0, property["value"].text ?? "") }
    }
    let byKey = Dictionary(values) { first, _ in first }
    #expect(byKey["STORAGE"] == "Freezer, −80 °C")
    #expect(byKey["DERIVED_FROM"] == "SAMPLE." + ListedLab.nativePermID(first))
    let shown = try user.plugin.text(yeast)
    #expect(shown.contains("OD600") && shown.contains("0.204") && !shown.contains("<DATA>") && !shown.contains("=B1"))
  }

  @Test func `The server reports its version, modifications, stores and services`() async throws {
    let server = try server(50)
    defer { withExtendedLifetime(server) {} }
    let service = service(server)
    #expect(try await service.serverInformation()["api-version"] != nil)
    #expect(try await service.modifications([.sample]).changes.contains { $0.kind == "SAMPLE" && $0.at > 0 })
    #expect(try await service.dataStores().map(\.code) == ["DSS1"])
    #expect(try await service.aggregationServices().map(\.key).contains("ipad-read-service-v1"))
    let sample = try await all(NativePager(service, .sample, from: NativePageRequest(count: 500)))[0]
    #expect(try await service.searchGlobally(sample.code).contains { $0.permID == sample.permID })
  }

  @Test func `Files of data sets are listed and downloaded, also with a personal access token`() async throws {
    let server = try server(50, shape: .demo)
    defer { withExtendedLifetime(server) {} }
    let service = service(server)
    let store = try #require(try await service.dataStores().first)
    let dataSets = try await all(NativePager(service, .dataSet, from: NativePageRequest(count: 100)))
    #expect(dataSets.allSatisfy { $0.dataStore == "DSS1" })
    let dataSet = try #require(dataSets.first)
    let files = try await service.files(of: dataSet.permID, at: store.downloadAddress)
    let file = try #require(files.first { !$0.isFolder && $0.checksum != nil })
    let from = server.now
    let token = try await service.createAccessToken(name: "workbench", from: from, to: from + 86_400_000)
    let download = FileDownload(client: HTTPClient(.init(isOffline: false))) { token }
    let path = "/tmp/openbis-native-\(UInt64.random(in: 0...UInt64.max))"
    defer { unlink(path) }
    #expect(try await download.fetch(file, to: path))
  }
}
