import PluginAPI
import PluginTesting
import Testing

@testable import PathCase

/// The behavior of the scenario browser while a result is pending.
@MainActor struct ScenarioCountingTests {
  /// A progress receiver that ignores reports and never cancels.
  private struct Unheard: WorkProgress {
    var isCancelled: Bool { false }
    func report(_ progress: Progress) {}
  }

  /// Two processes in sequence, the first of which is reversible.
  private static let network: ScenarioNetwork = {
    var network = ScenarioNetwork(name: "row")
    network.pools = ["a", "b", "c"].map { ScenarioPool(id: $0, isBoundary: $0 != "b") }
    network.processes = [
      ScenarioProcess(id: "ab", isReversible: true, inputs: [.init(pool: 0, trigger: .available)], outputs: [1]),
      ScenarioProcess(id: "bc", inputs: [.init(pool: 1, trigger: .available)], outputs: [2]),
    ]
    return network
  }()

  /// Returns a controller with a network and the result of its first query.
  private func controller() async throws -> ScenarioController {
    let lab = try await ScreenLab()
    let shown = ShownNetwork(word: "row", opened: .file("row", .scenario(Self.network)), graph: Self.network.graph)
    let controller = ScenarioController(
      ContentRequest(
        network: shown, shelf: PathwayShelf(), context: lab.test.context, onOverlay: { _ in }, onDetails: { _ in }))
    _ = controller.handle(.resize(ScreenGeometry(size: Size(width: 100, height: 30))))
    let counting = controller.receive(.finished(ScenarioController.opening, try StudiedNetwork(shown)))
    try answer(counting, controller)
    return controller
  }

  /// Runs effects and delivers their results; effects other than computations are skipped.
  private func answer(_ effects: [Effect], _ controller: ScenarioController) throws {
    for effect in effects {
      guard case .compute(let id, _, let work) = effect else { continue }
      _ = controller.receive(.finished(id, try work(Unheard())))
    }
  }

  private func computes(_ effects: [Effect]?) -> Bool {
    (effects ?? []).contains { if case .compute = $0 { true } else { false } }
  }

  @Test func `nothing is asked of the answer before while another is on its way`() async throws {
    let controller = try await controller()
    #expect(controller.state.findings?.set.count == 2)
    let counting = controller.handle(.key(Key(.character("X")))) ?? []
    #expect(controller.state.isCounting && computes(counting))
    #expect(!computes(controller.handle(.key(Key(.character("v"))))) && controller.state.panel == .shares)
    #expect(!computes(controller.sample()) && !computes(controller.turnPage(1)) && !computes(controller.page(from: 0)))
    try answer(counting, controller)
    // The shares of the new result are requested with it, because the panel is open.
    #expect(computes(controller.share()))
  }

  @Test func `what kept shares and pages from coming is told`() async throws {
    let controller = try await controller()
    let report = ErrorReport(code: "pathcase.smda-too-wide", kind: .failure, "it is too wide")
    for id in [
      EffectID(ScenarioController.sharing, generation: controller.round),
      EffectID(ScenarioController.paging, generation: controller.pageRound),
    ] {
      let effects = controller.receive(.failed(id, report))
      #expect(effects.contains { if case .status = $0 { true } else { false } })
    }
    #expect(controller.state.findings != nil)
  }
}
