import Testing

@testable import OpenBIS

struct SearchedTextTests {
  @Test func `the text of HTML is searched, without tags and attributes`() {
    #expect(SearchedText.of("<p class=\"wide\">one <b>two</b></p>") == "one two")
    #expect(SearchedText.of("<html><a href=\"https://x.org\">H<sub>2</sub>O &amp; ice</a>") == "H2O & ice")
  }

  @Test func `the text of XML is searched, without tags, attributes and comments`() {
    #expect(
      SearchedText.of("<?xml version=\"1.0\"?><experimentDescription kind='a>b'>text &lt; 5</experimentDescription>")
        == "text < 5")
    #expect(SearchedText.of(" <root><entry date=\"7\">one</entry><!-- no --><entry>two</entry></root>\n") == "one\ntwo")
    #expect(SearchedText.of("<r><![CDATA[a <b> c]]></r>") == "a <b> c")
    #expect(SearchedText.of("<root/>") == "")
    #expect(SearchedText.of("<a b=\"c") == "<a b=\"c")
  }

  @Test(arguments: ["", "plain", "a < b", "< 5 mg", "<5>", "<LOQ>", "a -> b <- c", "if (a<b && c>d)", "<", "<<>>"])
  func `text without markup is searched unchanged`(value: String) {
    #expect(SearchedText.of(value) == value)
  }
}
