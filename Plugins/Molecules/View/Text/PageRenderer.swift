import PluginAPI

/// Renders the result of `page`: title, address, abstract, and the web page with its links if it was read.
struct PageRenderer: TextRenderer {
  var typeName: String { MoleculeValueType.page }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var page = FieldPage(request)
    let (code, title) = (value["code"].text ?? "", value["title"].text ?? "")
    page.heading([code, title].filter { !$0.isEmpty }.joined(separator: " "))
    page.note(value["address"].text ?? "")
    if let abstract = value["abstract"].text {
      page.gap()
      page.lines(abstract)
    }
    if let text = value["text"].text {
      page.gap()
      page.lines(text)
      let links = value["links"].list ?? []
      if !links.isEmpty { page.gap() }
      for link in links { page.note("[\(link["number"].integer ?? 0)] \(link["address"].text ?? "")") }
    }
    return page.text
  }
}

extension FieldPage {
  /// Adds a text of several lines, each wrapped.
  mutating func lines(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) { paragraph(String(line)) }
  }
}
