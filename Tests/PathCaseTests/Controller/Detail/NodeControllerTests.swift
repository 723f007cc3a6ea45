import PluginAPI
import PluginTesting
import Testing

@testable import PathCase

@MainActor @Suite struct NodeControllerTests {
  private func node(_ subject: String, _ network: String = "w-glycolysis", height: Int = 60) async throws
    -> ScreenDriver
  {
    try (try await ScreenLab()).test.screen(
      "node", ["network": .text(network), "subject": .text(subject)], size: Size(width: 90, height: height))
  }

  @Test func `a pool is told with its metabolite, place, processes, pathways and identifiers`() async throws {
    let screen = try await node("p-pyr-liver-cyt")
    for text in [
      "Pyruvate", "C3H3O3", "-1", "pyruvic acid", "Cytosol in Liver cell, Liver", "Pyruvate kinase:", "linked pathway",
      "› Citrate cycle", "C00022", "m-pyr",
    ] { #expect(screen.text.contains(text), "\(text) in \(screen.text)") }
  }

  @Test func `a process is told with its equation, enzyme number, participants and roles`() async throws {
    let screen = try await node("r-pfk-liver")
    for text in [
      "6-Phosphofructokinase", "D-Fructose 6-phosphate + ATP => D-Fructose 1,6-bisphosphate + ADP + H⁺", "2.7.1.11",
      "one way", "activator", "inhibitor", "substrate",
    ] { #expect(screen.text.contains(text), "\(text) in \(screen.text)") }
  }

  @Test func `links lead from node to node, and escape leads back`() async throws {
    let screen = try await node("p-pyr-liver-cyt")
    let before = screen.text
    let field = try #require(screen.outline.items.first { $0.text.contains("Pyruvate kinase:") })
    screen.perform(try #require(field.action))
    #expect(screen.controller.title == "Pyruvate kinase")
    screen.press("escape")
    #expect(screen.text == before)
    screen.press("escape")
    #expect(screen.unhandled.last == .key(Key(.escape)))
  }

  @Test func `a pathway is opened by whoever asked for the details, with the pool in sight`() async throws {
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

  @Test func `a value that leads nowhere is shown in full`() async throws {
    let screen = try await node("p-pyr-liver-cyt")
    screen.press("enter")
    #expect(screen.pushed.last?.screen == "text")
    #expect(screen.pushed.last?.arguments["text"] == "Name: Pyruvate")
  }

  @Test func `what is gone says so`() async throws {
    #expect(try await node("p-nothing").text.contains("nothing is called 'p-nothing'"))
    #expect(try await node("p-nothing", "w-nothing").text.contains("there is no pathway"))
  }
}
