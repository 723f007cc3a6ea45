import PluginAPI
import Testing

@testable import PathCase

struct DrawingRendererTests {
  private let drawing: Value = """
    ┌╌ Cell ╌╌┐
    ┆ ╭─────╮ ┆
    ┆ │ ATP ├▶┆
    └╌╌╌╌╌╌╌╌╌┘
    """

  @Test func `a drawing is rendered unchanged`() {
    #expect(DrawingRenderer().render(drawing, for: TextRequest()).plainText == drawing.text)
  }

  @Test func `plain text uses ASCII characters for lines, boxes and arrows`() {
    #expect(
      DrawingRenderer().render(drawing, for: TextRequest(isPlain: true)).plainText == """
        +- Cell --+
        | +-----+ |
        | | ATP +>|
        +---------+
        """)
  }
}
