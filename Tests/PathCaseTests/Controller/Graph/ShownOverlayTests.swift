import FoundationEssentials
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import PathCase

@MainActor @Suite struct ShownOverlayTests {
  private var records: DatabaseRecords {
    var records = DatabaseRecords(snapshot: "chain")
    records.addChain("w", count: 5)
    for index in records.processes.indices { records.processes[index].isReversible = true }
    return records
  }

  /// Returns a screen with a graph alone, which shows an overlay.
  private func screen(_ overlay: GraphOverlay?) async throws -> ScreenDriver {
    let (lab, shelf) = (try await ScreenLab(records), PathwayShelf())
    let plugin = GraphPlugin(try await ShownNetwork.open("w", shelf, lab.test.context), shelf)
    let test = try await TestPlugin(plugin)
    let screen = try await test.screen("graph", size: Size(width: 60, height: 59)).settled()
    show(overlay, screen)
    return screen
  }

  private func show(_ overlay: GraphOverlay?, _ screen: ScreenDriver) {
    (screen.controller as? GraphController)?.show(overlay)
  }

  /// Returns the screen of the pathway.
  private func pathway() async throws -> ScreenDriver {
    try await (try await ScreenLab(records)).pathway("w", width: 60, height: 60)
  }

  private var overlay: GraphOverlay {
    var overlay = GraphOverlay(title: "scenario 3 of 208")
    overlay.processes["p-r0"] = .init(state: .forward, isForced: true)
    overlay.processes["p-r1"] = .init(state: .backward)
    overlay.processes["p-r2"] = .init(state: .idle)
    overlay.processes["p-r3"] = .init(value: 12.345)
    overlay.pools["p0"] = .init(label: "A|C", isObserved: true)
    overlay.pools["p1"] = .init(label: "C")
    return overlay
  }

  @Test func `an overlay's value of the selected node is shown at every zoom`() async throws {
    let screen = try await screen(overlay)
    screen.press("-", "/")
    screen.type("Step p3")
    screen.press("enter", "escape")
    #expect(screen.rows.last?.hasPrefix(" 12.35 · Step p3") == true, "\(screen.text)")
    screen.press("/")
    screen.type("Step p0")
    screen.press("enter", "escape")
    #expect(screen.rows.last?.hasPrefix(" +! · Step p0") == true, "\(screen.text)")
    screen.press("O")
    #expect(screen.rows.last?.hasPrefix(" Step p0") == true)
  }

  /// Returns the style of a text on the screen.
  private func style(of text: String, _ screen: ScreenDriver) throws -> Style {
    let frame = screen.frame
    for y in 0..<frame.frameSize.height {
      let row = (0..<frame.frameSize.width).map { frame[$0, y].text }
      for x in row.indices where row[x...].prefix(text.count).joined() == text { return frame[x, y].style }
    }
    Issue.record("'\(text)' is not on the screen")
    return .plain
  }

  @Test func `a legend describes the overlay, and labels and numbers are drawn at the boxes`() async throws {
    let screen = try await screen(overlay)
    #expect(screen.text.contains("scenario 3 of 208"))
    #expect(screen.text.contains("+ runs  - runs backward"), "\(screen.text)")
    #expect(
      screen.text.contains("A|C╮") && screen.text.contains("12.35┘") && screen.text.contains("+!┐"), "\(screen.text)")
  }

  @Test func `overlay styles differ without colors`() async throws {
    let screen = try await screen(overlay)
    #expect(try style(of: "Step p0", screen).attributes.contains([.bold, .underline]))
    #expect(try style(of: "Step p1", screen).attributes.contains(.bold))
    #expect(try style(of: "Step p2", screen).attributes == .dim)
    #expect(try style(of: "Pool 0", screen).attributes.contains([.bold, .underline]))
  }

  @Test func `compartments and small numbers are drawn in a blue that is readable on black`() async throws {
    var overlay = GraphOverlay(title: "numbers")
    overlay.processes["p-r0"] = .init(value: 1)
    overlay.processes["p-r1"] = .init(value: 100)
    overlay.pools["p0"] = .init(label: "U")
    let screen = try await screen(overlay)
    for text in ["Cytosol", "Step p0", "Pool 0"] {
      #expect(try style(of: text, screen).foreground == .palette(12), "\(text)")
    }
  }

  @Test func `arrows point in the direction of flow`() async throws {
    let both = try await screen(nil)
    let heads = both.text.count { $0 == "▲" }
    #expect(heads == 8)
    var overlay = GraphOverlay(title: "all forwards")
    for number in 0..<4 { overlay.processes[Identifier("p-r\(number)")] = .init(state: .forward) }
    let forwards = try await screen(overlay)
    #expect(!forwards.text.contains("▲") && forwards.text.contains("▼"))
    for number in 0..<4 { overlay.processes[Identifier("p-r\(number)")] = .init(state: .backward) }
    let backwards = try await screen(overlay)
    #expect(backwards.text.contains("▲") && !backwards.text.contains("▼"))
  }

  @Test func `dots become letters, in the map too`() async throws {
    let screen = try await screen(overlay)
    screen.press("-", "-")
    for letter in ["C", "+", "-"] { #expect(screen.rows[0..<50].joined().contains(letter)) }
    screen.press("-")
    #expect(screen.rows[0..<50].joined().contains("C"))
  }

  @Test func `overlays are cycled through and removed`() async throws {
    let screen = try await screen(overlay)
    show(GraphOverlay(title: "second"), screen)
    #expect(screen.text.contains("second"))
    screen.press("o")
    #expect(!screen.text.contains("second") && !screen.text.contains("scenario 3"))
    screen.press("o")
    #expect(screen.text.contains("scenario 3"))
    screen.press("O")
    #expect(!screen.text.contains("scenario 3"))
  }

  @Test func `numbers in a file are shown as an overlay`() async throws {
    let screen = try await pathway()
    let folder = try PathCaseFolder()
    let path = folder.path + "/fluxes.json"
    try Data(#"{"p-r0": 2.5, "p-r1": -7, "nowhere": 1}"#.utf8).write(to: URL(fileURLWithPath: path))
    screen.press("F")
    screen.answer(" \(path) ")
    #expect(
      screen.text.contains("fluxes.json") && screen.text.contains("2.5┘") && screen.text.contains("-7┘"),
      "\(screen.text)")
    #expect(screen.told?.code == "pathcase.overlay-missing")
    screen.press("2", "F")
    screen.answer("no/such.json")
    #expect(screen.text.contains("[Graph]") && !screen.failures.isEmpty)
  }

  @Test func `best fluxes are available only for models`() async throws {
    let screen = try await pathway()
    screen.press("B")
    #expect(screen.failures.last?.code == "pathcase.no-fluxes", "\(screen.failures)")
    guard let shared = SharedData.folder?.path else { return }
    let model = try await (try await ScreenLab()).pathway(shared + "/pathcase/sbml/e_coli_core.xml")
    model.press("B")
    #expect(model.text.contains("optimal") && model.text.contains("up to"), "\(model.text)")
  }

  @Test func `extreme numbers and control characters in an overlay are drawn safely`() async throws {
    var overlay = GraphOverlay(title: "\u{1B}[31m")
    for (number, value) in [Double.nan, .infinity, -1e300, 1e-300].enumerated() {
      overlay.processes[Identifier("p-r\(number)")] = .init(value: value)
    }
    let screen = try await screen(overlay)
    screen.press("-", "-", "-")
    #expect(!screen.text.unicodeScalars.contains { $0.value == 0x1B })
  }
}

/// A plugin whose only screen is the graph of a network.
private final class GraphPlugin: Plugin {
  let identity = PluginIdentity(id: "pathcase", name: "Graph", version: "0.1.0", summary: "The graph of a network")
  private let network: ShownNetwork
  private let shelf: PathwayShelf

  init(_ network: ShownNetwork, _ shelf: PathwayShelf) { (self.network, self.shelf) = (network, shelf) }

  var parts: PluginParts {
    let description = ScreenDescription("graph", title: "Graph", summary: "A graph", actions: GraphAction.all)
    let screen = ScreenPart(description) { [network, shelf] _, context in
      GraphController(ContentRequest(network: network, shelf: shelf, context: context), place: nil)
    }
    return PluginParts(screens: [screen])
  }
}
