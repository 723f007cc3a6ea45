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

  @Test func `a drawing is shown as it is`() {
    #expect(DrawingRenderer().render(drawing, for: TextRequest()).plainText == drawing.text)
  }

  @Test func `plain text has characters of ASCII in the place of lines, boxes and arrows`() {
    #expect(
      DrawingRenderer().render(drawing, for: TextRequest(isPlain: true)).plainText == """
        +- Cell --+
        | +-----+ |
        | | ATP +>|
        +---------+
        """)
  }
}
