import PluginAPI
import PluginTesting
import Testing

@testable import Molecules

/// Tests of reading about a found molecule, and downloading it.
@MainActor struct DownloadControllerTests {
  private static let found: Record = [
    "code": "1CRN", "title": "WATER STRUCTURE OF A HYDROPHOBIC PROTEIN", "method": "X-RAY DIFFRACTION",
    "resolution": 1.5, "service": "rcsb",
  ]

  private func download(
    isOffline: Bool = false, _ answers: [String: ServingPlugin.Answer]
  ) async throws -> (ScreenDriver, ServingPlugin) {
    let plugin = ServingPlugin(answers)
    let host = try await TestPlugin(plugin, isOffline: isOffline)
    return (try host.screen("download", Self.found, size: Size(width: 70, height: 14)), plugin)
  }

  @Test func `title, method and resolution are shown above the actions`() async throws {
    let (driver, _) = try await download([:])
    let lines = driver.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines[0].contains("WATER STRUCTURE OF A HYDROPHOBIC PROTEIN"))
    #expect(lines[1].contains("1CRN  X-ray 1.5 Å  Protein Data Bank"))
    #expect(lines[3].contains("Download") && lines[4].contains("Read more"))
  }

  @Test func `a download returns the molecule's number`() async throws {
    let (driver, plugin) = try await download([
      "fetch": { call in
        call.report(Progress("downloading 1CRN.cif: 12 KiB", fraction: 0.5))
        try await call.emit([["file": "1CRN.cif", "id": 12]])
      }
    ])
    driver.press("enter")
    #expect(driver.text.contains("downloading 1CRN"))
    driver.press("enter")
    await driver.settle()
    #expect(plugin.calls.map(\.command) == ["fetch"])
    #expect(plugin.calls.first?.arguments["code"] == "1CRN")
    guard case .pop(let value)? = driver.requests.last else {
      Issue.record("nothing was given back")
      return
    }
    #expect(value == 12)
  }

  @Test func `a download shows its progress and can be canceled`() async throws {
    let (driver, plugin) = try await download(["fetch": { try await $0.emit([]) }])
    driver.press("D")
    driver.receive(.progress("fetch", Progress("downloading 1CRN.cif: 12 KiB", fraction: 0.256)))
    #expect(driver.text.contains("downloading 1CRN.cif: 12 KiB 25 %"))
    #expect(driver.text.contains("esc cancels"))
    driver.perform(ActionInvocation("cancel"))
    await driver.settle()
    #expect(plugin.calls.isEmpty)
    #expect(driver.text.contains("Download canceled"))
    driver.press("D")
    await driver.settle()
    #expect(driver.text.contains("The download has no molecule"))
  }

  @Test func `a molecule already in the library can be shown`() async throws {
    let (driver, _) = try await download([
      "fetch": { _ in
        throw ErrorReport(
          code: "molecules.already-there", kind: .refused, "'1CRN' is in the library already, as molecule 3",
          details: ["id": 3])
      }
    ])
    driver.press("D")
    await driver.settle()
    let words = driver.text.split { $0.isWhitespace }.joined(separator: " ")
    #expect(words.contains("'1CRN' is in the library already, as molecule 3; press enter to show it"))
    driver.press("enter")
    guard case .pop(let value)? = driver.requests.last else {
      Issue.record("nothing was given back")
      return
    }
    #expect(value == 3)
  }

  @Test func `a failed download shows advice`() async throws {
    let (driver, _) = try await download([
      "fetch": { _ in
        throw ErrorReport(
          code: "net.timeout", kind: .network, "the server does not answer", advice: "try later", isRetryable: true)
      }
    ])
    driver.press("D")
    await driver.settle()
    #expect(driver.text.contains("the server does not answer; try later"))
    #expect(driver.text.contains("Press D to try again"))
  }

  @Test func `Read more shows the page, and B opens a browser`() async throws {
    let (driver, plugin) = try await download(["page": { try await $0.emit(["title": "x"]) }])
    driver.press("down", "enter")
    #expect(driver.pushed == [ScreenRequest("page", arguments: ["code": "1CRN", "service": "rcsb"])])
    driver.press("B")
    await driver.settle()
    #expect(plugin.calls.first?.arguments["open"] == true)
    #expect(driver.text.contains("Opened the page in the browser"))
  }

  @Test func `the screen says that the network is off`() async throws {
    let (driver, _) = try await download(isOffline: true, [:])
    #expect(driver.text.contains("The network is off"))
  }

  @Test(arguments: [(0, 0), (1, 1), (3, 2), (12, 3), (200, 60)])
  func `every screen size is drawn`(width: Int, height: Int) async throws {
    let (driver, _) = try await download([:])
    driver.resize(width, height)
    driver.press("down", "up")
    driver.click(x: 1, y: 2)
    #expect(driver.frame.frameSize == Size(width: width, height: height))
    #expect(driver.outline.items.count == 3)
  }
}
