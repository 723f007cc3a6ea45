import PluginAPI

/// A question answered with a line of text.
@MainActor final class PromptController: HostController {
  private let request: PromptRequest
  private let explanation: String
  private let check: @MainActor (String) -> String?
  private var line: InputLine
  private var error: String?

  /// Creates a prompt.
  ///
  /// - Parameters:
  ///   - request: The question.
  ///   - explanation: The expected form in words; empty for none.
  ///   - check: Returns the problem with an answer; nil if there is none.
  init(
    _ request: PromptRequest, explanation: String = "", check: @escaping @MainActor (String) -> String? = { _ in nil }
  ) {
    self.request = request
    self.explanation = explanation
    self.check = check
    line = InputLine(proposing: request.text)
  }

  /// A Boolean value indicating whether the answer is a secret, which a terminal must not show.
  var asksForSecret: Bool { request.isSecret }
  var title: String { request.title }
  var wantsText: Bool { true }
  var hints: [KeyHint] { [KeyHint("enter", "answer"), KeyHint("esc", "close")] }
  var view: any View {
    PromptView(request: request, line: line, explanation: error ?? explanation, isError: error != nil)
  }

  func heading(width: Int) -> String { QuestionText.heading(title, width: width) }

  func popoverSize(in size: Size) -> Size {
    let width = min(size.width, max(56, TextWidth.columns(request.title) + 8))
    let lines = PromptView.note(error ?? explanation, isError: error != nil, width: width).count
    let room = QuestionText.lines(request.title, width: width).count
    return Size(width: width, height: room + (explanation.isEmpty && error == nil ? 1 : 2 + max(1, lines)))
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

  /// Answers with a text, unless it has a problem.
  func answer(_ text: String) -> [Effect] {
    error = check(text)
    return error == nil ? [.pop(.text(text))] : []
  }
}

/// Draws an input line, with the expected form or the problem below it.
struct PromptView: View {
  var request: PromptRequest
  var line: InputLine
  var explanation: String
  var isError: Bool

  /// Returns the lines that state the expected form or the problem.
  static func note(_ text: String, isError: Bool, width: Int) -> [String] {
    TextWidth.wrapped(isError ? "! " + text : text, to: width - 2)
  }

  func draw(into frame: inout TextFrame) {
    let question = QuestionText.lines(request.title, width: frame.size.width)
    for (row, text) in question.enumerated() { frame.put(text, x: 0, y: row) }
    let y = min(question.count, max(0, frame.size.height - 1))
    frame.put("›", x: 0, y: y, .accent)
    line.draw(into: &frame, x: 2, y: y, width: frame.size.width - 3, isSecret: request.isSecret)
    for (row, text) in Self.note(explanation, isError: isError, width: frame.size.width).enumerated() {
      frame.put(text, x: 2, y: y + 2 + row, isError ? .warning : .secondary)
    }
  }

  var outline: Outline {
    Outline(title: request.title, text: explanation.isEmpty ? [] : [explanation])
  }
}
