import PluginAPI

// A plugin whose outputs, parameters, parts and errors are each declared once. It shows that the contract's derivations
// from such declarations work across library boundaries.

enum Phase: String, CaseIterable, FieldValue, ParameterValue { case solid, liquid, gas }

struct Element: Model {
  struct Isotope: Model {
    var nucleons: Int
    var abundance: Double?

    static let typeName = "declared.isotope"
    static let fields = Fields<Isotope> {
      Field("nucleons", \.nucleons, "Nucleons", heading: "Nucleons")
      Field("abundance", \.abundance, "Share of the atoms", heading: "Abundance", unit: "percent", decimals: 1)
    }
  }

  var symbol: String
  var weight: Double
  var phase: Phase
  var isotopes: [Isotope]

  static let typeName = "declared.element"
  static let fields = Fields<Element> {
    Field("symbol", \.symbol, "Symbol", heading: "Symbol")
    Field("atomicWeight", \.weight, "Atomic weight", heading: "Weight", unit: "dalton", decimals: 2)
    Field("phase", \.phase, "Phase at room temperature", heading: "Phase")
    Field("isotopes", \.isotopes, "Isotopes")
  }

  static let all = [
    Element(
      symbol: "H", weight: 1.008, phase: .gas,
      isotopes: [Isotope(nucleons: 1, abundance: 99.985), Isotope(nucleons: 3, abundance: nil)]),
    Element(symbol: "Hg", weight: 200.592, phase: .liquid, isotopes: [Isotope(nucleons: 202, abundance: 29.7)]),
  ]
}

enum DeclaredErrors {
  static let unknownElement = DeclaredError("declared.unknown-element", .notFound, "no element has this symbol")
}

final class DeclaredPlugin: Plugin {
  let identity = PluginIdentity(id: "declared", name: "Declared", version: "1.0.0", summary: "parts declared once")

  private static let phase = Option("phase", Phase.self, "Phase at room temperature")
  private static let limit = Option("limit", in: 1...100, "Number of elements", default: 10)
  private static let since = Option("since", Instant.self, "First day")
  private static let symbols = Argument("symbol", list: String.self, "Symbols of elements")

  private static let list = CommandPart(
    CommandDescription("list", "list elements", output: .table(of: Element.self)).taking(phase, limit, since)
      .explained(examples: [CommandDescription.Example("list", "all")])
  ) { call in
    let elements = Element.all.filter { call[phase] == nil || call[phase] == $0.phase }
    if let day = call[since] { call.warn(Diagnostic(.note, code: "declared.since", "since \(day.seconds)")) }
    try await call.emit(table: Array(elements.prefix(call[limit])))
  }

  private static let show = CommandPart(
    CommandDescription("show", "show elements", output: .model(Element.self, isStream: true)).taking(symbols)
      .explained(examples: [CommandDescription.Example("show H", "hydrogen")])
  ) { call in
    for symbol in call[symbols] { try await call.emit(element(symbol)) }
  }

  static func element(_ symbol: String) throws -> Element {
    guard let element = Element.all.first(where: { $0.symbol == symbol }) else {
      throw DeclaredErrors.unknownElement("there is no element '\(symbol)'", advice: "take one of H, Hg")
    }
    return element
  }

  var parts: PluginParts {
    var parts = PluginParts(
      commands: [Self.list, Self.show],
      screens: [ScreenPart(ElementsController.description) { _, _ in ElementsController() }])
    parts.checks = [CheckPart("weights", "atomic weights") { _ in [] }]
    parts.errorCodes = [DeclaredErrors.unknownElement.catalogueEntry]
    return parts
  }
}

/// A screen that shows its most recent load.
@MainActor final class ElementsController: Controller {
  nonisolated static let description = ScreenDescription(
    "elements", title: "Elements",
    actions: [
      ScreenAction("load-twice", "Load twice", keys: ["2"]), ScreenAction("fail", "Fail", keys: ["f"]),
      ScreenAction("compute", "Compute", keys: ["c"]), ScreenAction("ask", "Ask", keys: ["a"]),
      ScreenAction("stop", "Stop", keys: ["s"]),
    ])

  private var lines: [String] = []

  var title: String { "Elements" }
  var view: any View {
    var text = StyledText()
    for line in lines { text.add(StyledText.Run(line)) }
    return TextPageView("", TextPageState(text))
  }

  func start() -> [Effect] { [loading("H")] }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    switch invocation.action {
    // The first never ends on its own: the second supersedes it.
    case "load-twice": [waiting(), loading("Hg")]
    case "stop": [waiting(), .cancel("element")]
    case "fail": [loading("Xx")]
    case "compute":
      [
        compute("sum", "Adding") { _ in
          Element.all.reduce(0) { $0 + $1.weight }
        } then: {
          $0.add("sum \($1)")
        }
      ]
    case "ask": [ask(PromptRequest("Symbol")) { [$0.loading($1)] }]
    default: []
    }
  }

  private func loading(_ symbol: String) -> Effect {
    load("element", "Reading \(symbol)") { _ in
      try DeclaredPlugin.element(symbol)
    } then: {
      $0.add("loaded \($1.symbol)")
    } failed: { controller, failure in
      controller.ended(failure)
    }
  }

  private func waiting() -> Effect {
    load("element", "Waiting") { _ in
      // The sleep is the subject: work that tests cancel, or leave running.
      try await Task.sleep(for: .seconds(600))
      return "never"
    } then: {
      $0.add($1)
    } failed: { controller, failure in
      controller.ended(failure)
    }
  }

  private func ended(_ failure: Load.Failure) -> [Effect] {
    switch failure {
    case .failed(let report): add("failed with \(report.code)")
    case .canceled: add("canceled")
    @unknown default: add("ended")
    }
    return []
  }

  private func add(_ line: String) { lines.append(line) }
}

@c(workbench_plugin_entry)
public func workbenchPluginEntry() -> UnsafeMutableRawPointer {
  PluginEntry.box(DeclaredPlugin())
}
