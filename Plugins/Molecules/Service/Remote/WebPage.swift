import PluginNet
import PluginXML

/// A web page as people read it.
struct WebPage: Equatable, Sendable {
  /// Where a link leads.
  struct Link: Equatable, Sendable {
    /// The number that stands behind it in the text, from 1.
    var number: Int
    var text: String
    var address: String
  }

  var title: String
  /// The address that answered.
  var address: String
  /// The text; behind each link stands its number in brackets.
  var text: String
  /// The links; those that lead nowhere on the web are left out.
  var links: [Link]

  /// Makes the page of what a server answered.
  ///
  /// - Parameters:
  ///   - html: The page as it came.
  ///   - encoding: The name of its character set if the server said it.
  ///   - address: Where it came from.
  /// - Throws: What ``ReadablePage`` throws.
  init(html: [UInt8], encoding: String?, address: String) throws(XMLError) {
    let page = try ReadablePage(html: html, encoding: encoding)
    let base = page.base.flatMap { HTTPAddress.resolved($0, against: address) } ?? address
    self.address = address
    title = page.title
    text = Self.text(page)
    links = page.links.enumerated().compactMap { index, link in
      HTTPAddress.resolved(link.reference, against: base).map {
        Link(number: index + 1, text: link.text, address: $0)
      }
    }
  }

  private static func text(_ page: ReadablePage) -> String {
    var marked = page
    for block in marked.blocks.indices {
      var runs = marked.blocks[block].runs
      for run in runs.indices {
        guard let link = runs[run].link else { continue }
        let isLast = run == runs.count - 1 || runs[run + 1].link != link
        if isLast { runs[run].text += "[\(link + 1)]" }
      }
      marked.blocks[block].runs = runs
    }
    return marked.plainText
  }
}
