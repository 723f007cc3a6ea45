import Foundation
import Glibc
import PluginAPI
import PluginNet
import Synchronization
import TestSupport
import Testing

@testable import Molecules

struct FileDownloadTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func download(_ server: FixtureServer) -> FileDownload {
    var configuration = HTTPClient.Configuration(isOffline: false)
    configuration.repeatLimit = 0
    return FileDownload(
      client: HTTPClient(configuration), file: RemoteFile(address: server.address + "/a", name: "a.pdb"),
      folder: folder.path.path, limitInBytes: 1 << 20)
  }

  @Test func `a retry right after a failure finds the part unlocked, even while child processes start`()
    async throws
  {
    let copies = Mutex<[Int32]>([])
    // A starting child has copies of all descriptors until it runs its program.
    let server = try FixtureServer { [folder] _ in
      copies.withLock { $0 = OpenDescriptors.copies(of: folder.path.path) }
      return FixtureReply(404)
    }
    let download = download(server)
    for _ in 0..<100 {
      await #expect(throws: ErrorReport.self) { _ = try await download.run { _ in } }
      #expect(throws: Never.self) {
        try DownloadPart(of: download.file.address, name: "a.pdb", in: folder.path.path).close()
      }
      let held = copies.withLock { $0 }
      #expect(held.count == 1)
      for copy in held { close(copy) }
    }
    server.stop()
  }

  @Test func `two downloads cannot load the same part concurrently`() async throws {
    let server = try FixtureServer { _ in FixtureReply(200, ServiceFixture.file("4HHB")) }
    let download = download(server)
    let part = try DownloadPart(of: download.file.address, name: "a.pdb", in: folder.path.path)
    let refused = await #expect(throws: ErrorReport.self) { _ = try await download.run { _ in } }
    #expect(refused?.code == ServiceError.alreadyDownloading.code)
    part.close()
    #expect(try await download.run { _ in } == ServiceFixture.file("4HHB"))
    server.stop()
  }
}
