import PluginAPI
import PluginTesting
import Testing

@testable import PathCase

@MainActor @Suite struct PathwayControllerTests {
  @Test func `the table of reference ranges is titled so, and reports missing ranges`() async throws {
    let screen = try await (try await ScreenLab()).pathway("w-tca")
    screen.press("6")
    #expect(screen.text.contains("6[Reference ranges]") || screen.text.contains("6[Ranges]"), "\(screen.text)")
    #expect(!screen.text.contains("Observations") && !screen.text.contains("Obs."))
    #expect(screen.text.contains("the database has no reference ranges") || screen.text.contains("below"))
    #expect(PathwayActions.all.contains { $0.title == "Show reference ranges" })
  }

  @Test func `a toolbar names the contents, and keys show them`() async throws {
    let screen = try await (try await ScreenLab()).pathway("w-glycolysis")
    #expect(screen.rows[0].contains("1[Graph] 2 Scenarios  3 Processes"))
    screen.press("3")
    #expect(screen.rows[0].contains("3[Processes]"))
    #expect(screen.text.contains("Glucokinase (hexokinase 4)") && screen.text.contains("2.7.1.1"))
    screen.press("4")
    #expect(screen.text.contains("C6H12O6"))
    screen.press("5")
    #expect(screen.text.contains("Cytosol") && screen.text.contains("Liver"))
    screen.press("6")
    #expect(screen.text.contains("Severely above") && screen.text.contains("mmol/L"))
    screen.press("escape")
    #expect(screen.rows[0].contains("1[Graph]"))
  }

  @Test func `keys of the graph move the selection in a table`() async throws {
    let screen = try await (try await ScreenLab()).pathway("w-glycolysis")
    screen.press("3", "j", "down", "enter")
    #expect(screen.pushed.last?.screen == "node")
    #expect(screen.pushed.last?.arguments["subject"] == .text("r-pgi-liver"), "\(screen.pushed)")
  }

  @Test func `rows of a table are searched, also by genes and synonyms, and stay links`() async throws {
    let screen = try await (try await ScreenLab()).pathway("w-glycolysis")
    screen.press("3", "down", "down", "/")
    #expect(screen.controller.wantsText && screen.rows[1].contains("a word of a row"))
    screen.type("PFKL")
    #expect(screen.rows[1].hasPrefix("/ PFKL") && screen.rows[1].hasSuffix("1 found"), "\(screen.text)")
    #expect(screen.rows[3].contains("6-Phosphofructokinase"), "\(screen.text)")
    screen.press("enter")
    #expect(!screen.controller.wantsText)
    screen.click(x: 3, y: 3)
    screen.press("enter")
    #expect(screen.pushed.last?.arguments["subject"] == "r-pfk-liver", "\(screen.pushed)")
    screen.press("escape")
    #expect(screen.rows[1].contains("Process") && screen.text.contains("Glucokinase"))
    let selected = try #require(screen.rows.first { $0.hasPrefix("▌") })
    #expect(selected.contains("6-Phosphofructokinase"))
    screen.press("/")
    screen.type("no such thing")
    #expect(screen.text.contains("nothing found") && screen.text.contains("nothing matches"))
    screen.press("enter", "enter", "escape", "4", "/")
    screen.type("3-pg")
    screen.press("enter", "enter")
    #expect(screen.pushed.last?.arguments["subject"] == "p-pg3-liver-cyt", "\(screen.text)")
  }

  @Test func `a click on a name in the toolbar shows that content`() async throws {
    let screen = try await (try await ScreenLab()).pathway("w-glycolysis")
    let column = try #require(screen.rows[0].split(separator: "Comp").first).count
    screen.click(x: column, y: 0)
    #expect(screen.rows[0].contains("5[Compartments]"))
  }

  @Test func `a drag ends when the button is released on the toolbar`() async throws {
    let screen = try await (try await ScreenLab()).pathway("w-glycolysis")
    func mouse(_ action: Mouse.Action, _ x: Int, _ y: Int) {
      _ = screen.controller.handle(.mouse(Mouse(action, button: .left, at: Point(x: x, y: y))))
    }
    let start = screen.graph?.state.origin
    mouse(.press(clicks: 1), 40, 12)
    mouse(.drag, 40, 8)
    let dragged = screen.graph?.state.origin
    #expect(dragged != start)
    mouse(.release, 40, 0)
    mouse(.press(clicks: 1), 90, 0)
    mouse(.drag, 40, 20)
    #expect(screen.graph?.state.origin == dragged)
  }

  @Test func `another pathway replaces the one shown, and escape returns to the previous view`() async throws {
    let screen = try await (try await ScreenLab()).pathway("w-glycolysis")
    screen.press("-", "down", "shift-right", "shift-right")
    let before = screen.text
    screen.press("p")
    #expect(screen.pushed.last?.screen == "pathways")
    await screen.give(["open": "w-urea"], from: "pathways")
    #expect(screen.controller.title == "Urea cycle")
    await screen.give(["open": "w-tca", "focus": "m-cit"], from: "pathways")
    #expect(screen.graph?.state.selectedNode?.label == "Citrate")
    screen.press("escape")
    #expect(screen.controller.title == "Urea cycle")
    screen.press("backspace")
    #expect(screen.controller.title == "Glycolysis")
    #expect(screen.text == before)
    screen.press("escape")
    #expect(screen.unhandled.last == .key(Key(.escape)))
  }

  @Test func `a link in the graph opens its pathway, with the shared pool in view`() async throws {
    let screen = try await (try await ScreenLab()).pathway("w-glycolysis", height: 40)
    screen.press("/")
    screen.type("Citrate cycle")
    await screen.go("enter", "enter")
    #expect(screen.controller.title.hasPrefix("Citrate cycle"))
    #expect(screen.graph?.state.selectedNode?.label == "Pyruvate")
    #expect(screen.text.contains("Pyruvate"))
  }

  @Test func `cyclic links can be followed endlessly, and escape steps back a limited number of times`() async throws {
    var records = DatabaseRecords(snapshot: "ring")
    records.addChain("a", count: 3, prefix: "a", links: [PathwayLink(pathway: "b", via: "a2")])
    records.addChain("b", count: 3, prefix: "b", links: [PathwayLink(pathway: "a", via: "b2")])
    let screen = try await (try await ScreenLab(records)).pathway("a")
    for _ in 0..<250 {
      for other in ["b", "a"] { await screen.give(["open": .text(other)], from: "node") }
    }
    #expect(screen.controller.title == "a")
    for _ in 0..<200 { await screen.go("escape") }
    #expect(screen.unhandled.isEmpty)
    screen.press("escape")
    #expect(screen.unhandled.count == 1)
  }

  @Test func `observations and overlays of a pathway are restored on return`() async throws {
    let screen = try await (try await ScreenLab()).pathway("w-glycolysis")
    screen.press("2", "left", "down", "u")
    let before = screen.text
    #expect(before.contains("Observed: 1 of 18 pools"))
    screen.press("1")
    let overlay = try #require(screen.graph?.state.overlay)
    screen.press("2")
    #expect(screen.text == before)
    await screen.give(["open": "w-urea"], from: "pathways")
    #expect(screen.controller.title == "Urea cycle" && screen.text.contains("Observed: 0 of"))
    screen.press("escape")
    #expect(screen.controller.title == "Urea cycle")
    screen.press("escape")
    #expect(screen.controller.title == "Glycolysis" && screen.text == before)
    screen.press("1")
    #expect(screen.graph?.state.overlay == overlay)
  }

  @Test func `a pathway visited twice restores each of its views, also after a resize`() async throws {
    let screen = try await (try await ScreenLab()).pathway("w-glycolysis")
    screen.press("shift-right", "shift-down")
    let first = try #require(screen.graph?.state.selectedNode)
    await screen.give(["open": "w-urea"], from: "node")
    #expect(screen.controller.status.last?.text == "esc back to Glycolysis")
    await screen.give(["open": "w-glycolysis", "focus": "p-pyr-liver-cyt"], from: "node")
    #expect(screen.graph?.state.selectedNode?.label == "Pyruvate" && first.label != "Pyruvate")
    screen.resize(60, 20)
    screen.press("escape", "escape")
    #expect(screen.controller.title == "Glycolysis" && screen.graph?.state.selectedNode == first)
    #expect(screen.graph?.state.size == Size(width: 60, height: 19))
  }

  @Test func `escape cancels the opening of a pathway`() async throws {
    let lab = try await ScreenLab()
    let screen = try await lab.pathway("w-glycolysis")
    await screen.give(["open": "w-urea"], from: "node")
    screen.receive(.returned(screen: "node", ["open": "w-tca"]))
    screen.press("escape")
    #expect(screen.unhandled.isEmpty)
    await screen.settle()
    #expect(screen.controller.title == "Urea cycle")
    screen.press("escape")
    #expect(screen.controller.title == "Glycolysis")
  }

  @Test func `long computations are canceled on leaving a pathway and restarted on return`() async throws {
    let (lab, shelf) = (try await ScreenLab(), PathwayShelf())
    let controller = PathwayController(
      ScreenRequest("pathway", arguments: ["pathway": "w-glycolysis"]), lab.test.context, shelf)
    func loaded(_ effects: [Effect]) async throws -> [Effect] {
      guard let load = effects.loads.first, case .concurrent(let work) = load.work else { return [] }
      return controller.complete(try await work(SilentProgress()))
    }
    func layouts(_ effects: [Effect]) -> [Load] { effects.loads.filter { $0.label == "laying out" } }
    _ = controller.handle(.resize(ScreenGeometry(size: Size(width: 80, height: 24))))
    let running = try #require(layouts(try await loaded(controller.start())).first)
    let left = try await loaded(controller.receive(.returned(screen: "node", ["open": "w-urea"])))
    #expect(left.cancel(running.id), "\(left)")
    #expect(layouts(left).count == 1 && layouts(left).first?.id != running.id)
    _ = controller.fail(running, .canceled)
    let back = try #require(controller.handle(.key(Key(.escape))))
    #expect(controller.title == "Glycolysis")
    let again = try #require(layouts(back).first)
    #expect(again.id == running.id)
  }

  @Test func `a node that is not drawn is reported with the reason`() async throws {
    let screen = try await (try await ScreenLab()).pathway("w-glycolysis")
    await screen.give(["show": "p-pg3-muscle-cyt"], from: "node")
    #expect(screen.told?.message == "'3-Phosphoglycerate [Cytosol]' is not in this drawing")
    #expect(screen.told?.advice == nil)
    await screen.give(["show": "p-atp-liver-cyt"], from: "node")
    #expect(screen.told?.message == "'ATP [Cytosol]' is hidden as a common molecule")
    #expect(screen.told?.advice == "c shows it")
  }

  @Test func `a narrow toolbar still shows all keys`() async throws {
    let screen = try await (try await ScreenLab()).pathway("w-glycolysis", width: 40, height: 12)
    #expect(screen.rows[0] == " 1[Graph] 2 3 4 5 6          p pathways")
    screen.click(x: 14, y: 0)
    #expect(screen.rows[0].hasPrefix(" 1 2 3 4[Metab.] 5 6"))
  }

  @Test func `opening a missing pathway leaves the one shown`() async throws {
    let screen = try await (try await ScreenLab()).pathway("w-urea")
    let before = screen.text
    await screen.give(["open": "w-nowhere"], from: "pathways")
    #expect(screen.failures.last?.code == "pathcase.unknown-pathway")
    #expect(screen.controller.title == "Urea cycle" && screen.text == before)
    screen.press("escape")
    #expect(screen.unhandled.count == 1)
  }

  @Test func `a missing pathway or file is reported`() async throws {
    let screen = try await (try await ScreenLab()).pathway("w-nowhere")
    #expect(screen.text.contains("there is no pathway or file 'w-nowhere'"))
    screen.press("3", "+", "enter", "s", "f", "/", "n")
    #expect(screen.text.contains("there is no pathway"))
  }

  @Test func `position and zoom of each pathway are restored at the next start`() async throws {
    let lab = try await ScreenLab()
    let screen = try await lab.pathway("w-glycolysis")
    screen.press("-", "down", "shift-down", "shift-down")
    await screen.give(["open": "w-urea"], from: "pathways")
    screen.press("3")
    let state = screen.controller.saveState()
    let next = PathwayController(ScreenRequest("pathway"), lab.test.context, PathwayShelf())
    next.restore(state)
    #expect(next.title == "w-urea")
    next.restore([1, 2, 3])
    #expect(next.title == "w-urea")
    let place = try #require(PathwayState(state)?.place(of: "w-glycolysis"))
    #expect(place.zoom == .names && place.selected != nil && place.origin != nil)
    #expect(PathwayState(state)?.content == .processes)
  }

  @Test func `loads of each content and visit have distinct ids`() async throws {
    let lab = try await ScreenLab()
    let network = try await ShownNetwork.open("w-glycolysis", PathwayShelf(), lab.test.context)
    let ids = (1...2).flatMap { visit -> [EffectID] in
      let request = ContentRequest(network: network, shelf: PathwayShelf(), context: lab.test.context, visit: visit)
      let contents: [any Controller] = [
        GraphController(request, place: nil), ScenarioController(request), TableController(.processes, request),
        TableController(.ranges, request),
      ]
      return contents.flatMap { $0.start().loads.map(\.id) }
    }
    #expect(ids.count == 8 && Set(ids).count == ids.count)
  }

  @Test(arguments: [(0, 0), (1, 1), (3, 2), (20, 5), (20, 4), (200, 3), (1, 60)])
  func `terminals of any size are drawn`(width: Int, height: Int) async throws {
    let screen = try await (try await ScreenLab()).pathway("w-glycolysis", width: width, height: height)
    screen.press("-", "down", "right", "shift-right", "/", "p", "enter", "f", "3", "down", "6", "1", "escape")
    screen.resize(80, 24)
    #expect(screen.rows[0].contains("Graph"))
  }
}
