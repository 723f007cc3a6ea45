import PluginAPI
import PluginTesting
import Testing

@testable import PathCase

/// What the browser of scenarios does while an answer is on its way.
@MainActor struct ScenarioCountingTests {
  /// Progress that nobody looks at, of work that nobody cancels.
  private struct Unheard: WorkProgress {
    var isCancelled: Bool { false }
    func report(_ progress: Progress) {}
  }

  /// Two processes in a row; the first one runs both ways.
  private static let network: ScenarioNetwork = {
    var network = ScenarioNetwork(name: "row")
    network.pools = ["a", "b", "c"].map { ScenarioPool(id: $0, isBoundary: $0 != "b") }
    network.processes = [
      ScenarioProcess(id: "ab", isReversible: true, inputs: [.init(pool: 0, trigger: .available)], outputs: [1]),
      ScenarioProcess(id: "bc", inputs: [.init(pool: 1, trigger: .available)], outputs: [2]),
    ]
    return network
  }()

  /// A controller whose network is there, with an answer to its first question.
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

  /// Does the work of effects and gives what comes of it; what is not computed is passed over.
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
    // The shares of the new answer are asked for with it, as the panel is open.
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
