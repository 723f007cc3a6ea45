import PluginAPI
import Testing

@testable import Host

@MainActor struct PromptViewTests {
  private func text(_ title: String, _ size: Size) -> String {
    var frame = TextFrame(size: size)
    let request = PromptRequest(title)
    PromptView(request: request, line: InputLine("yes"), explanation: "", isError: false).draw(into: &frame)
    return frame.plainText
  }

  @Test func `a short question appears only in the heading`() {
    #expect(text("Name", Size(width: 40, height: 1)) == "› yes")
  }

  @Test func `a long question is readable in full above the answer`() {
    let question = "The key of the server is " + String(repeating: "A", count: 44) + ". Trust it from now on? [y/N]"
    let size = PromptController(PromptRequest(question)).popoverSize(in: Size(width: 60, height: 20))
    #expect(size.width == 60)
    let shown = text(question, size).split(separator: "\n").joined(separator: " ")
    #expect(shown.contains(String(repeating: "A", count: 44)))
    #expect(shown.contains("Trust it from now on? [y/N]"))
    #expect(shown.hasSuffix("› yes"))
  }

  @Test(arguments: 40...70) func `the error of an answer is readable in full`(length: Int) {
    let words = String(repeating: "x", count: length - 30) + " is not a whole number, or so says the end"
    let prompt = PromptController(PromptRequest("Quality"), explanation: "a number") { _ in words }
    #expect(prompt.answer("abc").isEmpty)
    let size = prompt.popoverSize(in: Size(width: 80, height: 20))
    var frame = TextFrame(size: size)
    prompt.view.draw(into: &frame)
    #expect(frame.plainText.split(whereSeparator: \.isWhitespace).suffix(4) == ["so", "says", "the", "end"])
  }
}
