import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import Molecules

/// Tests of the whole way from search words to a molecule in the viewer, with the real commands and services on the
/// loopback interface.
@MainActor struct DownloadFlowTests {
  private nonisolated static let page = """
    <html><head><title>1CRN page</title></head><body><h1>Crambin</h1><p>See <a href="/structure/4HHB">another</a>.</p>
    </body></html>
    """

  private func services(isOffline: Bool = false) async throws -> ServiceFixture {
    try await ServiceFixture(isOffline: isOffline) { request in
      switch request.path {
      case "/download/1CRN.cif.gz", "/download/1CRN.pdb.gz": FixtureReply(200, ServiceFixture.file("1CRN"))
      case let path where path.hasPrefix("/structure"): .text(Self.page, type: "text/html; charset=utf-8")
      default: nil
      }
    }
  }

  @Test(.timeLimit(.minutes(5))) func `a search leads to a downloaded molecule in the viewer`() async throws {
    let services = try await services()
    let search = try services.plugin.screen("search")
    search.type("crambin")
    search.advance(by: 1)
    await search.settle()
    #expect(search.text.contains("CRAMBIN") && search.text.contains("1CRN") && search.text.contains("NMR"))
    #expect(search.text.contains("4HHB") && search.text.contains("1.74 Å"))
    search.press("enter")
    let request = try #require(search.pushed.last)
    let download = try services.plugin.screen(request.screen, request.arguments)
    #expect(download.text.contains("CRAMBIN"))
    download.press("enter")
    await download.settle()
    guard case .pop(let id)? = download.requests.last else {
      Issue.record("nothing was downloaded: \(download.text)")
      return
    }
    let viewer = try services.plugin.screen("viewer", ["molecule": id])
    await viewer.settle()
    #expect(viewer.controller.title.hasPrefix("1CRN"))
    // A second download is refused and shows the existing molecule.
    download.press("D")
    await download.settle()
    #expect(download.text.contains("is in the library already"))
  }

  @Test(.timeLimit(.minutes(5))) func `the page is shown and its links can be followed`() async throws {
    let services = try await services()
    let page = try services.plugin.screen("page", ["code": "1CRN", "service": "rcsb"])
    await page.settle()
    #expect(page.text.contains("See another[1]."))
    page.press("tab", "enter")
    await page.settle()
    #expect(services.server.requests.map(\.path).suffix(1) == ["/structure/4HHB"])
    page.press("backspace")
    #expect(page.text.contains("See another[1]."))
  }

  @Test func `offline screens send no request`() async throws {
    let services = try await services(isOffline: true)
    let search = try services.plugin.screen("search")
    search.type("crambin")
    search.press("enter")
    await search.settle()
    let page = try services.plugin.screen("page", ["code": "1CRN", "service": "rcsb"])
    await page.settle()
    let download = try services.plugin.screen("download", ["code": "1CRN", "service": "rcsb"])
    download.press("D")
    await download.settle()
    #expect(services.server.requests.isEmpty)
    #expect([search, page, download].allSatisfy { $0.text.contains("off") })
  }
}
