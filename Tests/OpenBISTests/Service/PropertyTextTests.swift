import PluginAPI
import PluginText
import Testing

@testable import OpenBIS

@Suite struct PropertyTextTests {
  @Test func `a spreadsheet is a table of its values, without empty rows and columns`() {
    let json =
      #"{"headers":["Sample","Weight","C"],"data":[["A","=1+1",""],["B","",""],["","",""]],"#
      + #""values":[["A","2",""],["B",3.5,null],["","",""]]}"#
    let value = "<DATA>\(Base64.text(Array(json.utf8)))</DATA>"
    #expect(PropertyText.readable(value) == "Sample  Weight\nA       2\nB       3.5")
    let plain = #"{"headers":["A","B"],"data":[["x","y"]]}"#
    #expect(PropertyText.readable("<DATA>\(Base64.text(Array(plain.utf8)))</DATA>") == "x  y")
  }

  @Test func `comments are shown with time and author`() {
    let value =
      #"<root><commentEntry date="1489587462218" person="anna">first &amp; last</commentEntry>"#
      + #"<commentEntry person='bob' date='0'>second</commentEntry></root>"#
    #expect(PropertyText.readable(value) == "2017-03-15T14:17:42Z anna: first & last\nbob: second")
  }

  @Test(arguments: [
    "<DATA>not base64!</DATA>", "<DATA>e30=</DATA>", "<DATA>", "<root/>", "<root><commentEntry", "<p>text</p>", "",
    "plain", "<?xml version=\"1.0\"?><html><p>x</p></html>",
  ]) func `other values stay unchanged`(value: String) {
    #expect(PropertyText.readable(value) == value)
  }

  @Test func `HTML summaries become plain text`() {
    let html =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<html><head></head><body><p>A <strong>new</strong> strain</p></body></html>"
    #expect(HTMLText.plain(html) == "A new strain")
    #expect(HTMLText.plain("a < b and c > d") == "a < b and c > d")
  }
}
