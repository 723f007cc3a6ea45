import PluginAPI
import PluginText

/// The screen that shows one long text; text in columns is not wrapped.
@MainActor final class TextController: Controller {
  nonisolated static let description = ScreenDescription(
    "text", title: "Text", summary: "shows one long text",
    actions: [ScreenAction("wrap", "Break long lines, or not", keys: ["w"])])

  /// The length up to which a text is wrapped at first; wrapping longer texts takes too long.
  private static let longestWrapped = 200_000

  let title: String
  private let text: String
  private var page = TextPageState("…")
  private var size = Size(width: 0, height: 0)

  init(_ request: ScreenRequest) {
    title = SanitizedText.line(request.arguments["title"]?.text ?? "Text")
    text = request.arguments["text"]?.text ?? ""
  }

  var view: any View { TextPageView(title, page) }
  var wantsText: Bool { page.isSearching }

  func start() -> [Effect] {
    [
      compute("text", "making the text") { [text] _ in
        StyledText(SanitizedText.block(text))
      } then: { controller, made in
        controller.page = TextPageState(made, wraps: controller.text.utf8.count <= Self.longestWrapped)
      }
    ]
  }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event { size = geometry.size }
    return page.handle(event, in: Rect(size)) == nil ? nil : []
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    if invocation.action == "wrap" { page.wraps.toggle() }
    return []
  }
}
