import PluginAPI
import PluginTesting

extension ScreenDriver {
  /// The sheet of choices that was requested last; nil if the last request was something else.
  var lastChoice: ChoiceRequest? {
    guard case .question(let question)? = requests.last, case .choice(let request) = question.form else { return nil }
    return request
  }

  /// The latest question for a line of text.
  var lastPrompt: PromptRequest? {
    for case .question(let question) in requests.reversed() {
      if case .line(let request) = question.form { return request }
    }
    return nil
  }
}
