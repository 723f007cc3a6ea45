import PluginAPI
import PluginTesting
import Testing

@testable import PathCase

@MainActor @Suite struct NodeControllerTests {
  private func node(_ subject: String, _ network: String = "w-glycolysis", height: Int = 60) async throws
    -> ScreenDriver
  {
    try await (try await ScreenLab()).test.screen(
      "node", ["network": .text(network), "subject": .text(subject)], size: Size(width: 90, height: height)
    ).settled()
  }

  @Test func `a pool is shown with its metabolite, compartment, processes, pathways and identifiers`() async throws {
    let screen = try await node("p-pyr-liver-cyt")
    for text in [
      "Pyruvate", "C3H3O3", "-1", "pyruvic acid", "Cytosol in Liver cell, Liver", "Pyruvate kinase:", "linked pathway",
      "› Citrate cycle", "C00022", "m-pyr",
    ] { #expect(screen.text.contains(text), "\(text) in \(screen.text)") }
  }

  @Test func `a process is shown with its equation, enzyme number, participants and roles`() async throws {
    let screen = try await node("r-pfk-liver")
    for text in [
      "6-Phosphofructokinase", "D-Fructose 6-phosphate + ATP => D-Fructose 1,6-bisphosphate + ADP + H⁺", "2.7.1.11",
      "one way", "activator", "inhibitor", "substrate", "PFKL",
    ] { #expect(screen.text.contains(text), "\(text) in \(screen.text)") }
  }

  @Test func `coefficients are shown without a decimal point`() async throws {
    let screen = try await node("r-adk-liver", "w-purine-synthesis")
    #expect(screen.text.contains("ADP [Cytosol] × 2") && !screen.text.contains("× 2.0"), "\(screen.text)")
    #expect(screen.text.contains("AK1"), "\(screen.text)")
  }

  @Test func `links lead from node to node, and escape leads back`() async throws {
    let screen = try await node("p-pyr-liver-cyt")
    let before = screen.text
    let field = try #require(screen.outline.items.first { $0.text.contains("Pyruvate kinase:") })
    screen.perform(try #require(field.action))
    await screen.settle()
    #expect(screen.controller.title == "Pyruvate kinase")
    screen.press("escape")
    #expect(screen.text == before)
    screen.press("escape")
    #expect(screen.unhandled.last == .key(Key(.escape)))
  }

  @Test func `returning to a node restores its selection and scroll position`() async throws {
    let screen = try await node("r-gck-liver", height: 14)
    screen.press("down", "down", "down", "down", "down", "down", "down", "down", "down")
    let before = screen.text
    await screen.go("enter")
    #expect(screen.controller.title == "D-Glucose 6-phosphate")
    screen.press("down", "escape")
    #expect(screen.text == before)
  }

  @Test func `a node that cannot be read leaves the previous node, with the reason`() async throws {
    let lab = try await ScreenLab()
    let screen = try await lab.test.screen(
      "node", ["network": "w-glycolysis", "subject": "r-gck-liver"], size: Size(width: 90, height: 60)
    ).settled()
    let field = try #require(screen.outline.items.first { $0.text.contains("› ATP") }?.action)
    let before = screen.text
    // The database is replaced in the meantime.
    var records = DatabaseRecords(snapshot: "other")
    records.addChain("w-glycolysis", count: 3)
    try PathwayShelf.snapshots(lab.test.context).install(
      DatabaseLinker.link(records),
      origin: SnapshotOrigin(sha256: String(repeating: "a", count: 64), source: "test", fetchedAt: 0))
    screen.perform(field)
    await screen.settle()
    #expect(screen.text == before && screen.failures.last?.code == "pathcase.unknown-node")
    screen.press("g")
    guard case .pop(["show": "r-gck-liver"])? = screen.requests.last else {
      Issue.record("another node is shown")
      return
    }
  }

  @Test func `opening a pathway returns it to the calling screen, with the pool in focus`() async throws {
    let screen = try await node("p-pyr-liver-cyt")
    let field = try #require(screen.outline.items.first { $0.text.contains("› Citrate cycle (TCA cycle)") })
    screen.perform(try #require(field.action))
    guard case .pop(let value)? = screen.requests.last else {
      Issue.record("nothing is handed back")
      return
    }
    #expect(value["open"] == "w-tca" && value["focus"] == "p-pyr-liver-cyt")
    screen.press("g")
    guard case .pop(["show": "p-pyr-liver-cyt"])? = screen.requests.last else {
      Issue.record("the node is not shown")
      return
    }
  }

  @Test func `a value without a link is shown in full`() async throws {
    let screen = try await node("p-pyr-liver-cyt")
    screen.press("enter")
    #expect(screen.pushed.last?.screen == "text")
    #expect(screen.pushed.last?.arguments["text"] == "Name: Pyruvate")
  }

  @Test func `a missing node or pathway is reported`() async throws {
    #expect(try await node("p-nothing").text.contains("no metabolite or process 'p-nothing'"))
    #expect(try await node("p-nothing", "w-nothing").text.contains("there is no pathway"))
  }
}
