import PluginAPI
import Testing

@testable import Host

@MainActor struct ChoiceControllerTests {
  private static let choices = [
    ChoiceRequest.Choice(id: "keep", title: "Keep it"), .init(id: "go", title: "Delete it"),
  ]
  private static let long = "Delete 'B-DNA DODECAMER CGCGAATTCGCG' and its original?"

  /// Returns a sheet as shown on a screen of a size.
  private func sheet(_ request: ChoiceRequest, in size: Size) -> (controller: ChoiceController, text: [String]) {
    let controller = ChoiceController(request)
    let wanted = controller.popoverSize(in: size)
    let shown = Size(width: min(wanted.width, size.width), height: min(wanted.height, size.height))
    _ = controller.handle(.resize(ScreenGeometry(size: shown)))
    var frame = TextFrame(size: shown)
    controller.view.draw(into: &frame)
    return (controller, frame.plainText.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
  }

  @Test(arguments: ["Delete it?", "Delete the molecule and all its bonds?"])
  func `a short question appears only in the heading`(question: String) {
    let (_, text) = sheet(ChoiceRequest(question, choices: Self.choices), in: Size(width: 80, height: 20))
    #expect(text == ["▌ 1 Keep it", "  2 Delete it"])
  }

  @Test(arguments: [false, true]) func `a long question is readable in full above the choices`(isDestructive: Bool) {
    let request = ChoiceRequest(Self.long, choices: Self.choices, selected: "keep", isDestructive: isDestructive)
    let (controller, text) = sheet(request, in: Size(width: 36, height: 8))
    let warning = isDestructive ? [" ! This cannot be undone", ""] : []
    let question = [" Delete 'B-DNA DODECAMER", " CGCGAATTCGCG' and its original?", ""]
    #expect(text == question + warning + ["▌ 1 Keep it", "  2 Delete it"])
    for (row, line) in text.enumerated() {
      let effects = controller.handle(.mouse(Mouse(.press(clicks: 1), at: Point(x: 5, y: row))))
      let chosen = effects?.compactMap { if case .pop(let value) = $0 { value.text } else { nil } }
      #expect(chosen == (line.contains("Keep") ? ["keep"] : line.contains("2 Delete") ? ["go"] : []))
    }
  }

  @Test func `a choice is visible at any height`() {
    for height in 1...4 {
      let (_, text) = sheet(ChoiceRequest(Self.long, choices: Self.choices), in: Size(width: 36, height: height))
      #expect(text.count == height && text.contains { $0.contains("1 Keep it") })
    }
  }
}
