internal import CMarkup
internal import Glibc

/// The readable content of a web page: its text in blocks, with its links.
///
/// Scripts, styles, drawings, form controls and navigation bars are omitted. Any bytes give a page.
public struct ReadablePage: Sendable, Hashable {
  /// A piece of text of one kind.
  public struct Run: Sendable, Hashable {
    /// The text.
    public var text: String
    /// The index of its link; nil for none.
    public var link: Int?

    /// Creates a run.
    public init(_ text: String, link: Int? = nil) {
      self.text = text
      self.link = link
    }
  }

  /// A block of text on lines of its own.
  public struct Block: Sendable, Hashable {
    /// The kind of a block.
    public enum Kind: Sendable, Hashable {
      /// A heading, of level 1 to 6.
      case heading(Int)
      /// A paragraph.
      case paragraph
      /// A list item at a nesting depth, from 1.
      case item(depth: Int)
      /// Preformatted text, whose line ends and spaces are significant.
      case preformatted
      /// A table row, with its cells two spaces apart.
      case row
    }

    /// The kind.
    public var kind: Kind
    /// The runs of text.
    public var runs: [Run]

    /// Creates a block.
    public init(_ kind: Kind, _ runs: [Run]) {
      self.kind = kind
      self.runs = runs
    }

    /// The text without links.
    public var text: String { runs.map(\.text).joined() }
  }

  /// A link.
  public struct Link: Sendable, Hashable {
    /// The text.
    public var text: String
    /// The target, as written on the page.
    public var reference: String

    /// Creates a link.
    public init(text: String, reference: String) {
      self.text = text
      self.reference = reference
    }
  }

  /// The title; empty if it has none.
  public var title: String
  /// The address to which references are relative, as written on the page; nil if the page does not give one.
  public var base: String?
  /// The blocks of text.
  public var blocks: [Block]
  /// The links, in order.
  public var links: [Link]
  /// A Boolean value indicating whether the page exceeded the limits of blocks, links or bytes.
  public var isCut: Bool

  /// The maximum number of blocks.
  public static let blockLimit = 20_000
  /// The maximum number of bytes.
  public static let sizeLimitInBytes = 8 << 20

  /// Reads a page.
  ///
  /// - Parameters:
  ///   - html: The page.
  ///   - encoding: The name of the character set, if the server stated it; nil to detect it from the page.
  /// - Throws: ``XMLError/libraryMissing(reason:)``, ``XMLError/outOfMemory``.
  public init(html: [UInt8], encoding: String? = nil) throws(XMLError) {
    let builder = PageBuilder()
    let bytes = html.prefix(Self.sizeLimitInBytes)
    try HTMLEvents.read(bytes, encoding: encoding ?? Self.guessedEncoding(bytes), builder)
    self = builder.page
    if html.count > Self.sizeLimitInBytes { isCut = true }
  }

  /// Returns UTF-8 for an undeclared UTF-8 page; nil for a page that declares its character set, or is anything else.
  ///
  /// By default, libxml2 reads an undeclared page as ISO 8859-1.
  private static func guessedEncoding(_ html: ArraySlice<UInt8>) -> String? {
    let head = String(decoding: html.prefix(4096), as: UTF8.self)
    return strstr(head.lowercased(), "charset") != nil || String(validating: html, as: UTF8.self) == nil ? nil : "utf-8"
  }

  init() {
    (title, base, blocks, links, isCut) = ("", nil, [], [], false)
  }

  /// The page as plain text: blocks are separated by empty lines; items and rows are on lines of their own.
  public var plainText: String {
    var text = ""
    var before: Block.Kind?
    for block in blocks {
      if let before { text += Self.areClose(before, block.kind) ? "\n" : "\n\n" }
      if case .item(let depth) = block.kind { text += String(repeating: "  ", count: depth - 1) + "- " }
      text += block.text
      before = block.kind
    }
    return text
  }

  private static func areClose(_ one: Block.Kind, _ other: Block.Kind) -> Bool {
    switch (one, other) {
    case (.item, .item), (.row, .row): true
    default: false
    }
  }
}

/// A builder of a readable page from the elements and texts of an HTML page.
private final class PageBuilder {
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

/// A parser that passes the elements and texts of an HTML page to a builder.
private enum HTMLEvents {
  static func read(_ page: ArraySlice<UInt8>, encoding: String?, _ builder: PageBuilder) throws(XMLError) {
    // The byte order mark of UTF-8 is not part of the text.
    let html = page.starts(with: [0xEF, 0xBB, 0xBF]) ? page.dropFirst(3) : page
    if let problem = markup_open() { throw .libraryMissing(reason: String(cString: problem)) }
    let parser: OpaquePointer? =
      if let encoding { encoding.withCString { markup_create_html(receiver(builder), $0) } } else {
        markup_create_html(receiver(builder), nil)
      }
    guard let parser else { throw .outOfMemory }
    // Inside an element of our own, nothing ends the page early: libxml2 drops what follows `</html>`, or a first end
    // tag without a start tag.
    if isASCIIBased(encoding) { _ = markup_push(parser, Array("<html>".utf8), 6, 0) }
    html.withUnsafeBufferPointer { bytes in _ = markup_push(parser, bytes.baseAddress, bytes.count, 1) }
    markup_free(parser)
    builder.finish()
  }

  /// Returns true if an ASCII tag can precede the page.
  private static func isASCIIBased(_ encoding: String?) -> Bool {
    let name = (encoding ?? "").lowercased()
    return !["utf-16", "utf-32", "ucs", "utf16", "utf32"].contains { name.hasPrefix($0) }
  }

  private static func receiver(_ builder: PageBuilder) -> markup_receiver {
    var receiver = markup_receiver()
    receiver.context = Unmanaged.passUnretained(builder).toOpaque()
    receiver.begin_html = { context, name, attributes in
      guard let context, let name else { return }
      var pairs: [String: String] = [:]
      var rest = attributes
      while let pair = rest, let key = pair[0] {
        pairs[String(cString: key).lowercased()] = pair[1].map { String(cString: $0) } ?? ""
        rest = pair + 2
      }
      Unmanaged<PageBuilder>.fromOpaque(context).takeUnretainedValue().begin(String(cString: name), pairs)
    }
    receiver.end_html = { context, name in
      guard let context, let name else { return }
      Unmanaged<PageBuilder>.fromOpaque(context).takeUnretainedValue().end(String(cString: name))
    }
    receiver.text = { context, bytes, count in
      guard let context, let bytes else { return }
      let text = UnsafeRawBufferPointer(start: bytes, count: count)
      Unmanaged<PageBuilder>.fromOpaque(context).takeUnretainedValue().text(text)
    }
    return receiver
  }
}
