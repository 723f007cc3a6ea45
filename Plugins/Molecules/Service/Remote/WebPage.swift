import PluginNet
import PluginXML

/// A web page as readable text.
struct WebPage: Equatable, Sendable {
  var title: String
  /// The final address of the page.
  var address: String
  /// The text; each link is followed by its number in brackets.
  var text: String
  /// The links; those that do not lead to the web are dropped.
  var links: [WebLink]

  /// Creates the page from a server's response.
  ///
  /// - Parameters:
  ///   - html: The page as received.
  ///   - encoding: The name of its character set if the server stated it.
  ///   - address: Its address.
  /// - Throws: The errors of ``ReadablePage``.
  init(html: [UInt8], encoding: String?, address: String) throws(XMLError) {
    let page = try ReadablePage(html: html, encoding: encoding)
    let base = page.base.flatMap { HTTPAddress.resolved($0, against: address) } ?? address
    self.address = address
    title = page.title
    text = Self.text(page)
    links = page.links.enumerated().compactMap { index, link in
      HTTPAddress.resolved(link.reference, against: base).map {
        WebLink(number: index + 1, text: link.text, address: $0)
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
