import PluginAPI
import PluginTesting
import Testing

@testable import PathCase

/// The behavior of the scenario browser while a result is pending.
@MainActor struct ScenarioCountingTests {
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
      ContentRequest(network: shown, shelf: PathwayShelf(), context: lab.test.context))
    _ = controller.handle(.resize(ScreenGeometry(size: Size(width: 100, height: 30))))
    try answer(try answer(controller.start(), controller), controller)
    return controller
  }

  /// Runs computed work, and returns the effects that follow.
  @discardableResult
  private func answer(_ effects: [Effect], _ controller: ScenarioController) throws -> [Effect] {
    try effects.loads.flatMap { try controller.finish($0) }
  }

  /// Returns the state that the browser's view draws.
  private func state(_ controller: ScenarioController) throws -> ScenarioBrowserState {
    try #require(controller.view as? ScenarioView).state
  }

  private func computes(_ effects: [Effect]?) -> Bool { effects?.loads.isEmpty == false }

  @Test func `no request refers to the previous result while another is pending`() async throws {
    let controller = try await controller()
    #expect(try state(controller).findings?.set.count == 2)
    let counting = controller.handle(.key(Key(.character("X")))) ?? []
    #expect(try state(controller).isCounting && computes(counting))
    #expect(!computes(controller.handle(.key(Key(.character("v"))))))
    #expect(try state(controller).panel == .shares)
    #expect(!computes(controller.sample()) && !computes(controller.turnPage(1)) && !computes(controller.page(from: 0)))
    try answer(counting, controller)
    // The shares of the new result are requested with it, because the panel is open.
    #expect(computes(controller.share()))
  }

  @Test func `the reason of a failed count is visible in each panel and beside the pools`() async throws {
    let controller = try await controller()
    let report = ErrorReport(code: "pathcase.smda-too-wide", kind: .failure, "it is too wide")
    let counting = controller.handle(.key(Key(.character("X")))) ?? []
    for load in counting.loads { #expect(controller.fail(load, .failed(report)).isEmpty) }
    var state = try state(controller)
    #expect(state.findings == nil && !state.isCounting)
    // The reasons of an earlier result.
    state.reasons = ["pool b is accumulated"]
    func text(_ size: Size) -> String {
      var frame = TextFrame(size: size)
      ScenarioView(state: state).draw(into: &frame)
      return frame.plainText
    }
    for panel in ScenarioBrowserState.Panel.allCases {
      state.panel = panel
      #expect(state.rowCount == 0)
      for isAtPools in [false, true] {
        state.isAtPools = isAtPools
        for size in [Size(width: 100, height: 30), Size(width: 50, height: 14)] {
          #expect(text(size).contains("it is too wide"), "\(panel), pools: \(isAtPools), \(size)")
        }
      }
    }
  }

  @Test func `failed shares and pages leave the results`() async throws {
    let controller = try await controller()
    let report = ErrorReport(code: "pathcase.smda-too-wide", kind: .failure, "it is too wide")
    let before = try state(controller).headline
    for load in (controller.share() + controller.page(from: 0)).loads {
      #expect(controller.fail(load, .failed(report)).isEmpty)
    }
    let after = try state(controller)
    #expect(after.findings != nil && after.headline == before)
  }
}
