import FoundationEssentials
import PluginAPI
import PluginTesting
import PluginText
import TestSupport
import Testing

@testable import PathCase

@MainActor @Suite struct GraphControllerTests {
  private func chain(_ count: Int = 12, _ name: @escaping (Int) -> String = { "Pool \($0)" }) -> DatabaseRecords {
    var records = DatabaseRecords(snapshot: "chain")
    records.addChain("w", count: count, poolName: name)
    return records
  }

  /// Returns the position of a text on the screen.
  private func position(_ text: String, _ screen: ScreenDriver) -> Point? {
    for (y, row) in screen.rows.enumerated() {
      if let range = ByteSearch.firstIndex(of: text.utf8, in: row.utf8) {
        return Point(x: row.distance(from: row.startIndex, to: range), y: y)
      }
    }
    return nil
  }

  @Test func `the graph is drawn with boxes, arrows and its compartment`() async throws {
    let screen = try await (try await ScreenLab(chain())).pathway("w", width: 60, height: 30)
    for text in ["╭────────╮", "│ Pool 0 │", "┌─────────┐", "│ Step p0 │", "▼", "Cytosol"] {
      #expect(screen.text.contains(text), "\(screen.text)")
    }
  }

  @Test func `arrows and letters pan, and stop at the edges`() async throws {
    let screen = try await (try await ScreenLab(chain())).pathway("w", width: 60, height: 20)
    let start = screen.text
    screen.press("j")
    #expect(screen.text != start)
    screen.press("k")
    #expect(screen.text == start)
    for _ in 0..<200 { screen.press("down") }
    #expect(screen.text.contains("Pool 11"))
    let end = screen.text
    screen.press("page-down")
    #expect(screen.text == end)
    for _ in 0..<200 { screen.press("page-up") }
    #expect(screen.text == start)
  }

  @Test(arguments: [("w-tca", 100, 30), ("w-cori", 300, 90), ("w-cori", 60, 15), ("w-glycolysis", 80, 24)])
  func `the first view shows the start and the left edge, also after a resize`(
    id: String, width: Int, height: Int
  ) async throws {
    let lab = try await ScreenLab()
    let screen = try await lab.pathway(id, width: width, height: height)
    func expectStart(_ width: Int) throws {
      let state = try #require(screen.graph?.state)
      let picture = try #require(state.picture)
      #expect(state.origin.x <= 0, "the left of \(id) is cut off")
      let first = try #require(
        picture.layout.places.indices.filter { picture.node($0).isPrimary && picture.node($0).kind == .pool }
          .map { picture.rect(ofPlace: $0, in: state.window) }.min { ($0.y, $0.x) < ($1.y, $1.x) })
      let seen = Rect(x: state.origin.x, y: state.origin.y, width: state.window.width, height: state.window.height)
      #expect(seen.intersection(first) == first, "\(screen.text)")
    }
    try expectStart(width)
    screen.resize(70, 20)
    try expectStart(70)
  }

  nonisolated private static let model = SharedData.folder.map { $0.path + "/found/pathcase/iCS291.xml.gz" } ?? ""

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: model), "the shared data is missing"),
    arguments: [(80, 24), (100, 30), (120, 40), (200, 60)])
  func `the first view of a large model shows metabolites of its first row without a cut top`(
    width: Int, height: Int
  ) async throws {
    let screen = try await (try await ScreenLab()).test.screen(
      "pathway", ["document": .text(Self.model)], size: Size(width: width, height: height)
    ).settled()
    let state = try #require(screen.graph?.state)
    let picture = try #require(state.picture)
    #expect(state.origin.y == 0, "\(screen.text)")
    let seen = picture.layout.places.indices.filter(state.isSeen)
    let top = picture.starts.map { picture.rect(ofPlace: $0, in: state.window).y }.min()
    let first = seen.filter { picture.starts.contains($0) && picture.rect(ofPlace: $0, in: state.window).y == top }
    #expect(first.count >= 2, "\(screen.text)")
  }

  @Test(
    .enabled(if: SharedData.folder != nil, "the shared data is missing"),
    arguments: [
      "found/pathcase/WP4016.gpml.gz", "found/pathcase/WP5064_gpml2021.gpml", "pathcase/sbml/e_coli_core.xml",
    ])
  func `the first view of a tangled network shows nodes and cuts few edges`(_ file: String) async throws {
    let path = try #require(SharedData.folder).path + "/" + file
    let screen = try await (try await ScreenLab()).test.screen(
      "pathway", ["document": .text(path)], size: Size(width: 100, height: 30)
    ).settled()
    let state = try #require(screen.graph?.state)
    let picture = try #require(state.picture)
    let window = TextDrawing.Window(
      column: state.origin.x, row: state.origin.y, width: state.window.width, height: state.window.height)
    #expect(picture.drawing.cuts(of: window) <= 3, "\(screen.text)")
    #expect(picture.drawing.places(in: window).contains { !picture.node($0).isPoint }, "\(screen.text)")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: model), "the shared data is missing"))
  func `a large model opens with nodes in view, and no resize leaves the view empty`() async throws {
    let screen = try await (try await ScreenLab()).test.screen(
      "pathway", ["document": .text(Self.model)], size: Size(width: 120, height: 40)
    ).settled()
    func seen() -> Int {
      guard let state = screen.graph?.state, let picture = state.picture else { return 0 }
      return picture.layout.places.indices.count { state.isSeen($0) }
    }
    #expect(seen() > 2, "\(screen.text)")
    if let told = screen.told, told.code == "pathcase.busy-pool" { #expect(told.message.contains("processes or more")) }
    for (width, height) in [(60, 15), (200, 60), (20, 8), (60, 15)] {
      screen.resize(width, height)
      #expect(seen() > 0, "\(width)×\(height)\n\(screen.text)")
    }
    for _ in 0..<3 { screen.press("right") }
    screen.resize(30, 10)
    #expect(seen() > 0, "\(screen.text)")
  }

  @Test func `a search names the selected node where nodes are drawn as dots`() async throws {
    let screen = try await (try await ScreenLab(chain(40))).pathway("w", width: 80, height: 30)
    screen.press("-", "-", "-", "/")
    screen.type("pool 2")
    screen.press("enter")
    #expect(screen.text.contains("1 of 11 found: Pool 2 ·"), "\(screen.text)")
    screen.press("n")
    #expect(screen.text.contains("2 of 11 found: Pool 20"), "\(screen.text)")
  }

  @Test func `symbols mark the selected and found nodes without colors`() async throws {
    let screen = try await (try await ScreenLab(chain(40))).pathway("w", width: 80, height: 30)
    screen.press("/")
    screen.type("pool 2")
    screen.press("enter")
    for _ in 0..<2 {
      #expect(screen.text.contains("◉"), "\(screen.text)")
      screen.press("-")
    }
    screen.press("-")
    #expect(screen.text.contains("◉") && screen.text.contains("◆"), "\(screen.text)")
    screen.press("escape")
    #expect(!screen.text.contains("◆"))
  }

  @Test func `zooming keeps the position of the selected node`() async throws {
    let screen = try await (try await ScreenLab(chain(40))).pathway("w", width: 60, height: 30)
    screen.press("/")
    screen.type("pool 20")
    screen.press("enter", "escape")
    let full = try #require(position("Pool 20", screen))
    screen.press("-")
    let names = try #require(position("Pool 20", screen))
    #expect(abs(names.y - full.y) <= 1 && abs(names.x - full.x) <= 3)
    screen.press("-")
    #expect(screen.text.contains("●") && !screen.text.contains("Pool 2 "))
    screen.press("+", "+")
    #expect(position("Pool 20", screen) == full)
    screen.press("+")
    #expect(position("Pool 20", screen) == full)
  }

  @Test func `fit shows the whole graph at the closest zoom with room for it`() async throws {
    let lab = try await ScreenLab(chain(5))
    let screen = try await lab.pathway("w", width: 60, height: 60)
    screen.press("-", "f")
    #expect(screen.graph?.state.place.zoom == .full)
    screen.resize(60, 30)
    screen.press("f")
    #expect(screen.graph?.state.place.zoom == .names || screen.graph?.state.place.zoom == .dots)
    screen.resize(60, 8)
    screen.press("f")
    #expect(screen.graph?.state.place.zoom == .map)
    #expect(screen.text.contains("•"))
  }

  @Test func `nodes are found while typing, and n selects the next`() async throws {
    let screen = try await (try await ScreenLab(chain(30))).pathway("w", width: 60, height: 20)
    screen.press("/")
    #expect(screen.controller.wantsText)
    screen.type("Pool 2")
    #expect(screen.text.contains("11 found"))
    #expect(screen.graph?.state.selectedNode?.label == "Pool 2")
    screen.press("enter", "n")
    #expect(screen.graph?.state.selectedNode?.label == "Pool 20")
    #expect(screen.text.contains("Pool 20"))
    screen.press("N", "N")
    #expect(screen.graph?.state.selectedNode?.label == "Pool 29")
    screen.press("escape")
    #expect(!screen.text.contains("found"))
    screen.press("n")
    #expect(screen.graph?.state.selectedNode?.label == "Pool 0")
    screen.press("/")
    screen.type("nothing like it")
    #expect(screen.text.contains("nothing found"))
    screen.press("escape")
  }

  @Test func `the nearest node in a direction is selected, and the window follows`() async throws {
    let screen = try await (try await ScreenLab(chain(30))).pathway("w", width: 60, height: 16)
    screen.press("shift-down")
    let first = try #require(screen.graph?.state.selectedNode?.label)
    screen.press("J")
    let second = try #require(screen.graph?.state.selectedNode?.label)
    #expect(first != second)
    screen.press("K")
    #expect(screen.graph?.state.selectedNode?.label == first)
    for _ in 0..<70 { screen.press("shift-down") }
    #expect(screen.graph?.state.selectedNode?.label == "Pool 29")
    #expect(screen.text.contains("│ Pool 29 │"))
    #expect(screen.rows.last?.hasPrefix(" Pool 29 · pool · Cytosol") == true, "\(screen.rows.last ?? "")")
    #expect(screen.rows.last?.contains("Cytosol") == true)
  }

  @Test func `enter shows details of the selected node; without one it explains how to select`() async throws {
    let screen = try await (try await ScreenLab(chain())).pathway("w")
    screen.press("enter")
    #expect(screen.told?.code == "pathcase.nothing-selected")
    screen.press("n", "enter")
    #expect(screen.pushed.last?.arguments == ["network": "w", "subject": "p0"])
  }

  @Test func `common molecules are hidden, and shown beside their processes`() async throws {
    let screen = try await (try await ScreenLab()).pathway("w-glycolysis", width: 400, height: 120)
    #expect(!screen.text.contains("ATP ──"))
    #expect(screen.controller.status.contains { $0.text.contains("8 common hidden") })
    let places = screen.graph?.layout?.places.map(\.frame)
    screen.press("c")
    #expect(screen.text.contains("ATP ──"))
    #expect(screen.controller.status.contains { $0.text.contains("common shown") })
    screen.press("c")
    #expect(!screen.text.contains("ATP ──"))
    #expect(places != nil && screen.graph?.layout?.places.map(\.frame) == places)
    let plain = try await (try await ScreenLab(chain())).pathway("w")
    plain.press("c")
    #expect(plain.told?.code == "pathcase.no-common")
  }

  @Test func `only ASCII characters are drawn on request`() async throws {
    let screen = try await (try await ScreenLab(chain())).pathway("w", width: 60, height: 30)
    screen.press("a")
    let picture = screen.rows.dropFirst().dropLast().joined()
    #expect(picture.utf8.allSatisfy { $0 < 0x80 }, "\(screen.text)")
    #expect(picture.contains("v") && picture.contains("Pool 0"))
    screen.press("-", "-", "-")
    #expect(screen.rows.dropFirst().dropLast().joined().utf8.allSatisfy { $0 < 0x80 })
  }

  @Test func `a resize keeps the selected node in view`() async throws {
    let screen = try await (try await ScreenLab(chain(40))).pathway("w", width: 60, height: 30)
    screen.press("/")
    screen.type("pool 20")
    screen.press("enter", "escape")
    screen.resize(30, 12)
    #expect(screen.text.contains("Pool 20"))
    screen.resize(120, 50)
    #expect(screen.text.contains("Pool 20"))
    screen.resize(20, 5)
    #expect(screen.text.contains("Pool 20"), "\(screen.text)")
  }

  @Test func `the mouse selects, opens and pans`() async throws {
    let screen = try await (try await ScreenLab(chain(30))).pathway("w", width: 60, height: 30)
    let point = try #require(position("Step p1", screen))
    screen.click(x: point.x, y: point.y)
    #expect(screen.graph?.state.selectedNode?.label == "Step p1")
    screen.click(x: point.x, y: point.y, clicks: 2)
    #expect(screen.pushed.last?.arguments["subject"] == "p-r1")
    screen.send(.mouse(Mouse(.scroll(1), at: point)))
    let scrolled = try #require(position("Step p1", screen))
    #expect(scrolled == Point(x: point.x, y: point.y - 3))
    screen.send(.mouse(Mouse(.press(clicks: 1), at: scrolled)))
    screen.send(.mouse(Mouse(.drag, at: Point(x: scrolled.x, y: scrolled.y + 2))))
    #expect(position("Step p1", screen) == Point(x: point.x, y: point.y - 1))
  }

  @Test func `a canceled layout can be restarted`() async throws {
    let lab = try await ScreenLab(chain())
    let shelf = PathwayShelf()
    let network = try await ShownNetwork.open("w", shelf, lab.test.context)
    let graph = GraphController(
      ContentRequest(network: network, shelf: shelf, context: lab.test.context), place: nil)
    _ = graph.handle(.resize(ScreenGeometry(size: Size(width: 60, height: 20))))
    let first = try #require(graph.start().loads.first)
    #expect(graph.drawn?.message.hasPrefix("laying out 23 nodes") == true)
    _ = graph.fail(first, .canceled)
    #expect(graph.drawn?.message.contains("layout canceled") == true)
    #expect(graph.perform(ActionInvocation("zoom", ["step": -1])).isEmpty)
    let again = try #require(graph.perform(ActionInvocation("lay-out")).loads.first)
    // The host drops the work that this one supersedes.
    #expect(again.id == first.id && graph.drawn?.message.hasPrefix("laying out 23 nodes") == true)
  }

  @Test func `the picture always matches its layout while another layout is computed`() async throws {
    let lab = try await ScreenLab()
    let shelf = PathwayShelf()
    let network = try await ShownNetwork.open("w-glycolysis", shelf, lab.test.context)
    let graph = GraphController(
      ContentRequest(network: network, shelf: shelf, context: lab.test.context), place: nil)
    // Runs requested effects, but only on demand.
    var waiting: [Load] = []
    func run() throws {
      while !waiting.isEmpty { waiting += try graph.finish(waiting.removeFirst()).loads }
    }
    _ = graph.handle(.resize(ScreenGeometry(size: Size(width: 60, height: 20))))
    waiting += graph.start().loads
    _ = graph.perform(ActionInvocation("zoom", ["step": -1]))
    try run()
    #expect(graph.drawn?.picture?.zoom == .names)
    _ = graph.perform(ActionInvocation("next", ["step": 1]))
    waiting += graph.perform(ActionInvocation("move", ["direction": "right"])).loads
    try run()
    // The clones are absent from the next layout; the visible picture still belongs to the previous one.
    waiting += graph.perform(ActionInvocation("lay-out")).loads
    let later = waiting
    waiting =
      graph.perform(ActionInvocation("zoom", ["step": 1])).loads + graph.perform(ActionInvocation("fit")).loads
    try run()
    waiting = later
    try run()
    let picture = try #require(graph.drawn?.picture)
    #expect(!picture.layout.isFrozen)
    var frame = TextFrame(size: Size(width: 60, height: 20))
    graph.view.draw(into: &frame)
    #expect(!frame.plainText.isEmpty)
  }
}

extension GraphController {
  /// The state that the graph's view draws.
  fileprivate var drawn: GraphState? { (view as? GraphView)?.state }
}
