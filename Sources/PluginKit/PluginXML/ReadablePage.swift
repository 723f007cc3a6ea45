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
