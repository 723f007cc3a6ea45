import PluginAPI

/// The reagents, and beside them the amount of the selected one.
@MainActor final class ReagentsController: ListController {
  nonisolated static let screen = ScreenDescription(
    "reagents", title: "Reagents", summary: "Reagents and their amounts", topics: ["reagents.reagents-changed"])

  var list = ListState()
  private var page = TextPageState()
  private let context: any PluginContext
  let title = "Reagents"

  init(_ context: any PluginContext) { self.context = context }

  var view: any View {
    SplitView(ListView("Reagents", list, emptyText: "No reagents"), TextPageView("Amount", page))
  }

  func listRect(in screen: Rect) -> Rect { SplitView.Layout().rects(in: screen).first }
  func saveState() -> [UInt8] { list.savedSelection }
  func restore(_ state: [UInt8]) { list.restoreSelection(state) }

  func reload() -> [Effect] {
    let work = load("reagents", "Reading reagents") { [context] _ in
      try await ReagentStore(context).reagents()
    } then: { controller, reagents -> [Effect] in
      controller.list.rows = reagents.map { ListRow(id: $0.name, title: $0.name, detail: "\($0.grams) g") }
      return controller.selectionDidChange()
    }
    return [work]
  }

  func selectionDidChange() -> [Effect] {
    guard let name = list.selectedID else { return [] }
    let work = load("amount", "Counting atoms of \(name)") { [context] _ in
      let reagent = try await ReagentStore(context).reagents().first { $0.name == name }
      return try await Amount(reagent ?? Reagent(name: name, grams: 0), context)
    } then: { controller, amount in
      controller.page = TextPageState(NumberText.fixed(amount.moles, decimals: 4) + " mol")
    } failed: { controller, failure in
      controller.page = TextPageState(failure.text(ifCanceled: ""))
      return []
    }
    return [work]
  }
}
