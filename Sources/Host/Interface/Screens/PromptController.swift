import PluginAPI

/// A question answered with a line of text.
@MainActor final class PromptController: HostController {
  let request: PromptRequest
  private let explanation: String
  private let check: @MainActor (String) -> String?
  private var line: InputLine
  private var error: String?

  /// Creates a prompt.
  ///
  /// - Parameters:
  ///   - request: The question.
  ///   - explanation: What is expected, in words; empty for none.
  ///   - check: Says what is wrong with an answer; nil if nothing is.
  init(
    _ request: PromptRequest, explanation: String = "", check: @escaping @MainActor (String) -> String? = { _ in nil }
  ) {
    self.request = request
    self.explanation = explanation
    self.check = check
    line = InputLine(request.text)
  }

  var title: String { request.title }
  var wantsText: Bool { true }
  var hints: [KeyHint] { [KeyHint("enter", "answer"), KeyHint("esc", "close")] }
  var view: any View {
    PromptView(request: request, line: line, explanation: error ?? explanation, isError: error != nil)
  }

  func popoverSize(in size: Size) -> Size {
    let width = max(56, TextWidth.columns(request.title) + 8)
    let lines = TextWidth.wrapped(error ?? explanation, to: min(width, size.width) - 2).count
    return Size(width: width, height: explanation.isEmpty && error == nil ? 1 : 2 + max(1, lines))
  }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .key(Key(.enter)): return answer(line.text)
    case .key(Key(.escape)): return [.pop(.null)]
    case .key, .paste:
      guard line.handle(event) else { return nil }
      error = nil
      return []
    default: return nil
    }
  }

  /// Answers with a text, unless something is wrong with it.
  func answer(_ text: String) -> [Effect] {
    error = check(text)
    return error == nil ? [.pop(.text(text))] : []
  }
}

/// Draws a line to type into, with what is expected or wrong below it.
struct PromptView: View {
  var request: PromptRequest
  var line: InputLine
  var explanation: String
  var isError: Bool

  func draw(into frame: inout TextFrame) {
    frame.put("›", x: 0, y: 0, .accent)
    line.draw(into: &frame, x: 2, y: 0, width: frame.size.width - 3, isSecret: request.isSecret)
    let shown = isError ? "! " + explanation : explanation
    for (row, text) in TextWidth.wrapped(shown, to: frame.size.width - 2).enumerated() {
      frame.put(text, x: 2, y: 2 + row, isError ? .warning : .secondary)
    }
  }

  var outline: Outline {
    Outline(title: request.title, text: explanation.isEmpty ? [] : [explanation])
  }
}
