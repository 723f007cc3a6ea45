import Testing

@testable import OpenBIS

@Suite struct HTMLTextTests {
  @Test func `tags are removed, blanks collapsed, and paragraphs become lines`() {
    #expect(HTMLText.text("<p>One  <b>two</b>\n three</p><p>four</p>") == "One two three\nfour")
    #expect(HTMLText.text("<html><head><title>t</title></head><body>a<br>b<br/>c</body></html>") == "a\nb\nc")
  }

  @Test func `table cells are aligned in columns`() {
    let table = "<table><tr><th>Gene</th><th>OD 600</th></tr><tr><td>lacZ</td><td>0.4</td></tr></table>"
    #expect(HTMLText.text(table) == "Gene  OD 600\nlacZ  0.4")
  }

  @Test func `cells and rows need no closing tags`() {
    #expect(HTMLText.text("<table><tr><td>a<td>bb<tr><td>ccc<td>d</table>e") == "a    bb\nccc  d\ne")
  }

  @Test func `a nested table is written into its cell`() {
    let nested = "<table><tr><td>a</td><td><table><tr><td>x</td><td>y</td></tr></table></td></tr></table>"
    #expect(HTMLText.text(nested) == "a  x y")
  }

  @Test func `a long cell is wrapped`() {
    let words = Array(repeating: "word", count: 16).joined(separator: " ")
    let lines = HTMLText.text("<table><tr><td>\(words)</td><td>end</td></tr></table>").split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasSuffix("  end") == true)
    #expect(lines.allSatisfy { $0.count <= TableLayout.widest + 5 })
  }

  @Test func `references are decoded, and malformed ones stay`() {
    #expect(
      HTMLText.text("<p>5&nbsp;&micro;l &lt;x&gt; &#8211;&#x2013; &amp;amp; &unknown; a&b</p>")
        == "5 µl <x> –– &amp; &unknown; a&b")
    #expect(HTMLText.text("<p>&#0;&#x110000;&#xD800;&#-1;</p>") == "\u{FFFD}\u{FFFD}\u{FFFD}&#-1;")
  }

  @Test func `an escape character written as a reference is sanitized`() {
    #expect(HTMLText.text("<p>&#27;[31mred&#x9b;2J</p>") == "\u{FFFD}[31mred\u{FFFD}2J")
  }

  @Test func `lists, rules and preformatted text keep their layout`() {
    #expect(HTMLText.text("<ul><li>a</li><li>b</li></ul><hr>c") == "• a\n• b\n───\nc")
    #expect(HTMLText.text("<pre>x  y\n  z</pre>") == "x  y\n  z")
  }

  @Test func `scripts and styles are left out`() {
    #expect(HTMLText.text("a<script>if (a < b) alert(1)</script>b<style>p{}</style>c<!-- no -->d") == "abcd")
  }

  @Test func `only text with HTML elements is detected as HTML`() {
    #expect(HTMLText.isHTML("<html><p>a"))
    #expect(HTMLText.isHTML("<b>x</b>"))
    #expect(HTMLText.isHTML("one<br>two"))
    #expect(!HTMLText.isHTML("a < b and c > d"))
    #expect(!HTMLText.isHTML("<Sample permID=\"1\"/>"))
    #expect(!HTMLText.isHTML("if x<y then z>0"))
  }

  @Test func `deeply nested tables and unclosed tags are read`() {
    let deep = String(repeating: "<table><tr><td>", count: 100_000) + "x"
    #expect(HTMLText.text(deep).contains("x"))
    #expect(HTMLText.text("<p>a <b") == "a <b")
    #expect(HTMLText.text(String(repeating: "<a '", count: 100_000) + "b</p>").hasSuffix("b"))
    #expect(HTMLText.text("<!-- never closed") == "")
  }

  @Test func `the time grows linearly with the page`() {
    // Copying at each piece would make any of these take minutes.
    let count = 400_000
    let row = HTMLText.text("<table><tr>" + String(repeating: "<td>x ", count: count) + "</table>")
    #expect(row.utf8.count { $0 == UInt8(ascii: "x") } == count)
    #expect(HTMLText.text("<p>" + String(repeating: "<b>ab</b>", count: count)).utf8.count == 2 * count)
    #expect(HTMLText.text("<p>" + String(repeating: "&amp", count: count)).utf8.count == 4 * count)
    let cell = HTMLText.text("<table><tr><td>" + String(repeating: "<i>ab</i>", count: count) + "</table>")
    #expect(cell.utf8.count { $0 == UInt8(ascii: "b") } == count)
  }

  @Test func `each line of a long cell starts at its column`() {
    let text = HTMLText.text("<table><tr><td>ab<td>" + String(repeating: "word ", count: 12) + "<tr><td>c<td></table>")
    let words = Array(repeating: "word", count: 8).joined(separator: " ")
    #expect(text == "ab  \(words)\n    word word word word\nc")
  }
}
