import PluginAPI
import PluginCompression
import PluginNet
import PluginServer
import PluginSimulation
import Synchronization
import TestSupport
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

@Suite(.timeLimit(.minutes(5))) struct DataSetDownloadTests {
  /// A simulated server with small chunks, a session there, and the files of its first data set.
  private struct Lab {
    let server: SimulatorServer
    let session: RPCSession
    let files: [DataSetFile]
    let folder: DownloadFolder
    let download: DataSetDownload
    static let chunkBytes = 5000

    init(_ faults: SimulatorFaultRule..., hasLists: Bool = true) async throws {
      var configuration = SimulatorConfiguration()
      configuration.chunkBytes = Self.chunkBytes
      configuration.faults = faults
      server = try SimulatorServer(configuration)
      let client = HTTPClient(.init(isOffline: false))
      let session = RPCSession(
        RPCConnection(ServerAddress(base: server.url), client), user: "alice", key: .password(Secret("wonderland")))
      self.session = session
      files = try await NativeService(session).files(of: SimulatedDataSet.code(0), at: server.url)
        .filter { !$0.isFolder }
      folder = try DownloadFolder()
      let plain = FileDownload(
        client: client, token: { try await session.renewed(nil).text },
        renewedToken: { try await session.renewed(Secret($0)).text })
      download = DataSetDownload(
        plain: plain, fast: FastDownload(client: client, caller: session, hasLists: hasLists))
    }

    var targets: [DataSetDownload.Target] {
      files.enumerated().map { .init(file: $1, path: "\(folder.path)/\($0)") }
    }

    /// Returns true if exactly the server's files are stored locally.
    func isComplete() -> Bool {
      let kept = SimulatedDataSet.files(0)
      return folder.names.count == files.count
        && files.enumerated().allSatisfy { index, file in
          folder.bytes("\(index)") == kept.first { $0.path == file.path }?.bytes
        }
    }

    /// The requests for files, without those that begin and end a fast download.
    var plain: [String] { server.fetched.filter { !$0.hasPrefix(SimulatorCore.transferPath) } }
    var queued: [String] {
      server.fetched.compactMap { $0.split(separator: "#").last.map(String.init) }.filter { $0.hasPrefix("queue") }
    }
  }

  @Test(arguments: [true, false]) func `a whole data set is downloaded in chunks, and the download session is closed`(
    hasLists: Bool
  ) async throws {
    let lab = try await Lab(hasLists: hasLists)
    let progress = Mutex(0)
    let outcomes = try await lab.download.fetch(lab.targets) { count in progress.withLock { $0 = max($0, count) } }
    #expect(outcomes.count == 7 && outcomes.allSatisfy { (try? $0.get()) == true })
    #expect(lab.isComplete() && lab.plain.isEmpty && lab.server.transferCount == 0)
    #expect(progress.withLock { $0 } == lab.files.reduce(0) { $0 + $1.size })
    #expect(lab.server.fetched.last?.hasSuffix("#finishDownloadSession") == true)
    await lab.server.stop()
  }

  @Test func `only a damaged chunk is requested again`() async throws {
    let lab = try await Lab(SimulatorFaultRule(.damagedChunk))
    let outcomes = try await lab.download.fetch(lab.targets)
    #expect(outcomes.allSatisfy { (try? $0.get()) == true } && lab.isComplete() && lab.plain.isEmpty)
    // Every chunk is damaged the first time.
    #expect(lab.queued.count == 2 && Set(lab.queued).count == 1)
    await lab.server.stop()
  }

  @Test func `a lost connection repeats only the interrupted chunk`() async throws {
    let lab = try await Lab(SimulatorFaultRule(.cutDownload))
    let outcomes = try await lab.download.fetch(lab.targets)
    #expect(outcomes.allSatisfy { (try? $0.get()) == true } && lab.isComplete() && lab.plain.isEmpty)
    await lab.server.stop()
  }

  @Test func `an interrupted file resumes at the missing chunk`() async throws {
    let lab = try await Lab()
    let index = try #require(lab.files.firstIndex { $0.path.hasSuffix(".bin") })
    let content = try #require(SimulatedDataSet.files(0).first { $0.path.hasSuffix(".bin") }).bytes
    for kept in [0, 1, 4999, 5000, 12_345, content.count - 1] {
      lab.folder.write(Array(content[..<kept]), "\(index).part")
      lab.server.forgetCalls()
      var download = lab.download
      download.smallestFastInBytes = 0
      let outcomes = try await download.fetch([lab.targets[index]])
      #expect((try? outcomes[0].get()) == true && lab.folder.bytes("\(index)") == content)
      // 40 000 bytes are 8 chunks; one too many may be requested, because their size is unknown.
      let first = try #require(lab.queued.first?.split(separator: " ").last?.split(separator: ":").first)
      let expected = kept / Lab.chunkBytes
      #expect((max(0, expected - 1)...expected).contains(Int(first) ?? -1))
      #expect(lab.plain.isEmpty)
    }
    await lab.server.stop()
  }

  @Test func `without fast download files are fetched one by one, and refusals reported`() async throws {
    let lab = try await Lab(SimulatorFaultRule(.noFastDownload), SimulatorFaultRule(.dssPage))
    var targets = lab.targets
    targets[0].file.path = "original/gone.png"
    let outcomes = try await lab.download.fetch(targets)
    #expect(outcomes.filter { (try? $0.get()) == true }.count == 6 && lab.plain.count == 7)
    guard case .failure(let error as DownloadError) = outcomes[0] else {
      Issue.record("a file that is missing came")
      return
    }
    #expect(error.report.kind == .notFound && error.report.message.contains("does not exist in data set"))
    await lab.server.stop()
  }

  @Test func `files without fast download are fetched four at a time`() async throws {
    let folder = try DownloadFolder()
    let door = Door()
    let count = Mutex(0)
    // No file is sent before the fourth is requested: if they came one after another, none would ever come.
    let server = try HTTPServer { request in
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number == 4 { door.open() }
      await door.wait()
      return ServerResponse(text: request.path)
    }
    let download = DataSetDownload(
      plain: FileDownload(client: HTTPClient(.init(isOffline: false))) { "token" },
      fast: FastDownload(
        client: HTTPClient(.init(isOffline: false)), caller: CannedCaller("null"), hasLists: true))
    let targets = (0..<9).map { number in
      let path = "/datastore_server/20240101-1/\(number).txt"
      let file = DataSetFile(
        dataSet: "20240101-1", path: "\(number).txt", isFolder: false, size: path.utf8.count, checksum: nil,
        store: server.url)
      return DataSetDownload.Target(file: file, path: "\(folder.path)/\(number)")
    }
    let outcomes = try await download.fetch(targets)
    #expect(outcomes.allSatisfy { (try? $0.get()) == false } && count.withLock { $0 } == 9)
    for (number, target) in targets.enumerated() {
      #expect(folder.bytes("\(number)") == Array("/datastore_server/20240101-1/\(target.file.path)".utf8))
    }
    await server.stop()
  }

  @Test func `an expired session is renewed for both kinds of download`() async throws {
    for faults in [[SimulatorFaultRule(.dssPage)], [.init(.dssPage), .init(.noFastDownload)]] {
      let lab = try await Lab()
      for fault in faults { lab.server.add(fault) }
      lab.server.expireSessions()
      let outcomes = try await lab.download.fetch(lab.targets)
      #expect(outcomes.allSatisfy { (try? $0.get()) == true } && lab.isComplete())
      await lab.server.stop()
    }
  }

  @Test func `the token is sent only to the address of the data store`() async throws {
    let lab = try await Lab()
    let other = try SimulatorServer()
    let answer =
      #"{"downloadUrl":"\#(other.url)/datastore_server/file-transfer","fileTransferUserSessionId":"secret","files":[]}"#
    let caller = TextCaller(["createFastDownloadSession": answer])
    let fast = FastDownload(client: HTTPClient(.init(isOffline: false)), caller: caller, hasLists: true)
    let part = try PartFile(of: lab.folder.path + "/a")
    #expect(try await !fast.fetch([.init(file: lab.files[0], part: part)]) { _ in })
    #expect(other.fetched.isEmpty)
    part.close()
    await other.stop()
    await lab.server.stop()
  }

  @Test func `chunks are read from pieces of any size, and damage is detected`() throws {
    func chunk(_ number: UInt8, _ bytes: [UInt8], damage: UInt8 = 0, headDamage: UInt8 = 0) -> [UInt8] {
      func sum(_ bytes: [UInt8]) -> [UInt8] {
        var sum = CRC32()
        sum.add(bytes)
        return [0, 0, 0, 0] + (0..<4).map { UInt8(truncatingIfNeeded: sum.value >> (24 - 8 * $0)) }
      }
      var head: [UInt8] = [0, 0, 0, number, 0, 2, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 1, 0] + [0, 0, 0, UInt8(bytes.count)]
      head += Array("idp".utf8)
      let check = sum(head)
      head[0] = headDamage
      var end = sum(bytes)
      end[7] ^= damage
      return head + check + bytes + end
    }
    let stream = chunk(1, [1, 2, 3]) + chunk(2, []) + chunk(3, [4], damage: 1)
    for size in [1, 7, stream.count] {
      var (reader, found) = (FileChunkReader(), [FileChunk]())
      for start in stride(from: 0, to: stream.count, by: size) {
        try stream[start..<min(stream.count, start + size)].withUnsafeBytes { try reader.take($0) { found.append($0) } }
      }
      #expect(found.map(\.number) == [1, 2, 3] && found.map(\.bytes) == [[1, 2, 3], [], nil])
      #expect(found.allSatisfy { $0.item == "id" && $0.offset == 256 })
    }
    var reader = FileChunkReader()
    #expect(throws: FileChunkReader.Damage.self) {
      try chunk(1, [1], headDamage: 9).withUnsafeBytes { try reader.take($0) { _ in } }
    }
  }
}
