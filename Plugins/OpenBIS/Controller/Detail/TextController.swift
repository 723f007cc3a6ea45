import PluginAPI
import PluginText

/// The screen that shows one long text; text in columns is not wrapped.
@MainActor final class TextController: Controller {
  nonisolated static let actions: [ScreenAction] = [
    ScreenAction("wrap", "Break long lines, or not", keys: ["w"])
  ]

  static let making: EffectID = "text"
  /// The length up to which a text is wrapped at first; wrapping longer texts takes too long.
  nonisolated static let longestWrapped = 200_000

  let title: String
  private let text: String
  private var page = TextPageState("…")
  private var hasStarted = false
  private var size = Size(width: 0, height: 0)

  init(_ request: ScreenRequest) {
    title = SanitizedText.line(request.arguments["title"]?.text ?? "Text")
    text = request.arguments["text"]?.text ?? ""
  }

  var view: any View { TextPageView(title, page) }
  var wantsText: Bool { page.isSearching }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      size = geometry.size
      if !hasStarted {
        hasStarted = true
        let text = text
        return [.compute(Self.making, label: "making the text") { _ in StyledText(SanitizedText.block(text)) }]
      }
    }
    return page.handle(event, in: Rect(size)) == nil ? nil : []
  }

  func receive(_ message: Message) -> [Effect] {
    if case .finished(Self.making, let made as StyledText) = message {
      page = TextPageState(made, wraps: text.utf8.count <= Self.longestWrapped)
    }
    return []
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    if invocation.action == "wrap" { page.wraps.toggle() }
    return []
  }
}
