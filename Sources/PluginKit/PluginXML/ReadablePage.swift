internal import Glibc

/// What a person reads of a web page: its text in blocks, with the places its links lead to.
///
/// Scripts, styles, drawings, forms' controls and navigation bars are left out. Any bytes give a page.
public struct ReadablePage: Sendable, Hashable {
  /// A piece of text of one kind.
  public struct Run: Sendable, Hashable {
    /// The text.
    public var text: String
    /// The index of the link it belongs to; nil for none.
    public var link: Int?

    /// Creates a run.
    public init(_ text: String, link: Int? = nil) {
      self.text = text
      self.link = link
    }
  }

  /// A block of text with its own lines.
  public struct Block: Sendable, Hashable {
    /// The kinds of blocks.
    public enum Kind: Sendable, Hashable {
      /// A heading, 1 to 6.
      case heading(Int)
      /// A paragraph.
      case paragraph
      /// An item of a list, nested so many deep, from 1.
      case item(depth: Int)
      /// Text whose line ends and blanks count.
      case preformatted
      /// A row of a table, its cells two blanks apart.
      case row
    }

    /// What it is.
    public var kind: Kind
    /// Its text.
    public var runs: [Run]

    /// Creates a block.
    public init(_ kind: Kind, _ runs: [Run]) {
      self.kind = kind
      self.runs = runs
    }

    /// Its text without links.
    public var text: String { runs.map(\.text).joined() }
  }

  /// A link.
  public struct Link: Sendable, Hashable {
    /// What is shown.
    public var text: String
    /// Where it leads, as it stands on the page.
    public var reference: String

    /// Creates a link.
    public init(text: String, reference: String) {
      self.text = text
      self.reference = reference
    }
  }

  /// The title; empty if it has none.
  public var title: String
  /// The address that references are relative to, as it stands on the page; nil if the page names none.
  public var base: String?
  /// The text.
  public var blocks: [Block]
  /// The links, in order.
  public var links: [Link]
  /// Whether the page had more than is taken: so many blocks and links, or bytes.
  public var isCut: Bool

  /// The most blocks that are taken.
  public static let blockLimit = 20_000
  /// The most bytes that are read.
  public static let sizeLimitInBytes = 8 << 20

  /// Reads a page.
  ///
  /// - Parameters:
  ///   - html: The page.
  ///   - encoding: The name of its character set if the server said it; nil to look into the page.
  /// - Throws: ``XMLError/libraryMissing(reason:)``, ``XMLError/outOfMemory``.
  public init(html: [UInt8], encoding: String? = nil) throws(XMLError) {
    let builder = PageBuilder()
    let bytes = html.prefix(Self.sizeLimitInBytes)
    try HTMLEvents.read(bytes, encoding: encoding ?? Self.guessedEncoding(bytes), builder)
    self = builder.page
    if html.count > Self.sizeLimitInBytes { isCut = true }
  }

  /// UTF-8 for a page that is that and says nothing; nil for one that names its set, or is anything else.
  ///
  /// libxml2 by itself takes what says nothing for ISO 8859-1.
  private static func guessedEncoding(_ html: ArraySlice<UInt8>) -> String? {
    let head = String(decoding: html.prefix(4096), as: UTF8.self)
    return strstr(head.lowercased(), "charset") != nil || String(validating: html, as: UTF8.self) == nil ? nil : "utf-8"
  }

  init() {
    (title, base, blocks, links, isCut) = ("", nil, [], [], false)
  }

  /// The page as plain text, blocks apart by empty lines, items and rows in lines of their own.
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
