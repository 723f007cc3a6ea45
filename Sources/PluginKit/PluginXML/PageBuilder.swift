/// A builder of a readable page from the elements and texts of an HTML page.
final class PageBuilder {
  private(set) var page = ReadablePage()
  private var kind = ReadablePage.Block.Kind.paragraph
  private var runs: [(bytes: [UInt8], link: Int?)] = []
  /// The number of open elements that hide their contents.
  private var hidden = 0
  private var isInTitle = false
  private var titleBytes: [UInt8] = []
  private var listDepth = 0
  private var preformatted = 0
  private var link: Int?
  /// A Boolean value indicating whether a space is due before the next letter.
  private var owesBlank = false

  private static let hiding: Set<String> = [
    "script", "style", "template", "svg", "math", "select", "option", "button", "textarea", "iframe", "object", "nav",
    "audio", "video", "canvas", "dialog",
  ]
  private static let blocks: Set<String> = [
    "p", "div", "section", "article", "main", "header", "footer", "aside", "ul", "ol", "dl", "table", "thead", "tbody",
    "blockquote", "figure", "figcaption", "form", "fieldset", "address", "details", "summary", "center", "body", "hr",
    "noscript", "caption",
  ]

  func begin(_ name: String, _ attributes: [String: String]) {
    if Self.hiding.contains(name) { hidden += 1 }
    if name == "title" { isInTitle = page.title.isEmpty && hidden == 0 }
    if name == "base", page.base == nil { page.base = attributes["href"] }
    if hidden > 0 { return }
    switch name {
    case "h1", "h2", "h3", "h4", "h5", "h6": open(.heading(Int(name.dropFirst()) ?? 1))
    case "ul", "ol":
      open(.paragraph)
      listDepth += 1
    case "li": open(.item(depth: max(1, listDepth)))
    case "dt", "dd": open(name == "dt" ? .paragraph : .item(depth: 1))
    case "tr": open(.row)
    case "td", "th": if !runs.isEmpty { add(Array("  ".utf8), isRaw: true) }
    case "pre":
      open(.preformatted)
      preformatted += 1
    case "br": lineBreak()
    case "a": openLink(attributes)
    case "img": if let words = attributes["alt"], !words.isEmpty { text("[\(words)]") }
    default: if Self.blocks.contains(name) { open(.paragraph) }
    }
  }

  func end(_ name: String) {
    if Self.hiding.contains(name) { hidden = max(0, hidden - 1) }
    if name == "title", isInTitle {
      page.title = Self.squeezed(titleBytes)
      isInTitle = false
    }
    if hidden > 0 { return }
    switch name {
    case "a": link = nil
    case "ul", "ol":
      open(.paragraph)
      listDepth = max(0, listDepth - 1)
    case "pre":
      open(.paragraph)
      preformatted = max(0, preformatted - 1)
    case "h1", "h2", "h3", "h4", "h5", "h6", "li", "dt", "dd", "tr": open(.paragraph)
    default: if Self.blocks.contains(name) { open(.paragraph) }
    }
  }

  func text(_ bytes: UnsafeRawBufferPointer) {
    if isInTitle {
      titleBytes += bytes
      return
    }
    if hidden == 0 { add(Array(bytes), isRaw: preformatted > 0) }
  }

  private func text(_ words: String) { add(Array(words.utf8), isRaw: false) }

  /// Ends the last block and removes invisible links.
  func finish() {
    open(.paragraph)
    if page.title.isEmpty {
      page.title = page.blocks.first { if case .heading = $0.kind { true } else { false } }?.text ?? ""
    }
    for index in page.links.indices { page.links[index].text = Self.squeezed(Array(page.links[index].text.utf8)) }
  }

  private func openLink(_ attributes: [String: String]) {
    link = nil
    guard let reference = attributes["href"], !reference.isEmpty, !reference.hasPrefix("#") else { return }
    guard page.links.count < ReadablePage.blockLimit else { return page.isCut = true }
    page.links.append(ReadablePage.Link(text: "", reference: reference))
    link = page.links.count - 1
  }

  private func lineBreak() {
    if preformatted > 0 { return add([0x0A], isRaw: true) }
    let continued = kind
    open(continued)
  }

  /// Ends the current block and begins another.
  private func open(_ next: ReadablePage.Block.Kind) {
    let isPreformatted = kind == .preformatted
    var made: [ReadablePage.Run] = []
    for run in runs {
      let text = String(decoding: run.bytes, as: UTF8.self)
      if !text.isEmpty { made.append(ReadablePage.Run(text, link: run.link)) }
    }
    runs = []
    owesBlank = false
    let isEmpty = made.allSatisfy { $0.text.utf8.allSatisfy { $0 <= 32 } }
    if !isEmpty {
      if page.blocks.count < ReadablePage.blockLimit {
        if isPreformatted, let last = made.indices.last {
          made[last].text = Self.withoutTail(made[last].text)
        }
        page.blocks.append(ReadablePage.Block(kind, made))
      } else {
        page.isCut = true
      }
    }
    kind = next
  }

  /// Appends text to the block; collapses spaces unless they are significant.
  private func add(_ bytes: [UInt8], isRaw: Bool) {
    var made: [UInt8] = []
    if isRaw {
      made = bytes
      owesBlank = false
    } else {
      for byte in bytes {
        if byte <= 32 {
          owesBlank = true
          continue
        }
        if owesBlank, !(runs.isEmpty && made.isEmpty), !endsWithBlank(made) { made.append(32) }
        owesBlank = false
        made.append(byte)
      }
    }
    if made.isEmpty { return }
    if let link { page.links[link].text += String(decoding: made, as: UTF8.self) }
    if let last = runs.indices.last, runs[last].link == link {
      runs[last].bytes += made
    } else {
      runs.append((made, link))
    }
  }

  private func endsWithBlank(_ made: [UInt8]) -> Bool { (made.last ?? runs.last?.bytes.last) == 32 }

  /// Returns the text with runs of spaces collapsed, and none at either end.
  private static func squeezed(_ bytes: [UInt8]) -> String {
    String(decoding: Array(bytes.split { $0 <= 32 }.joined(separator: [32])), as: UTF8.self)
  }

  /// Returns the text without trailing spaces and line ends.
  private static func withoutTail(_ text: String) -> String {
    var bytes = Array(text.utf8)
    while let last = bytes.last, last <= 32 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
