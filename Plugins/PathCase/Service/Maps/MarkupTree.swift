import PluginAPI
import PluginText
import PluginXML

/// An XML document of a map in memory: its elements in document order.
///
/// The elements in another follow it up to its `end`, so a subtree is a range and needs no recursion.
struct MarkupTree {
  /// An element.
  struct Element {
    /// The name without prefix.
    var name: String
    var namespace: String
    var attributes: [XMLElement.Attribute]
    /// The text directly in it, if texts are kept.
    var text = ""
    /// The index after the last element in it.
    var end = 0
    /// The line at which its start tag ends, from 1.
    var line = 0
    var column = 0

    /// Returns the value of an attribute without namespace; nil if there is none.
    subscript(name: String) -> String? {
      attributes.first { $0.name.namespace.isEmpty && $0.name.local == name }?.value
    }

    /// Returns the value of an attribute with a namespace; nil if there is none.
    subscript(name: String, namespace: String) -> String? {
      attributes.first { $0.name.namespace == namespace && $0.name.local == name }?.value
    }
  }

  /// The elements in the order of their start tags, beginning with the root.
  fileprivate(set) var elements: [Element] = []

  /// The root element.
  var root: Element { elements[0] }

  subscript(index: Int) -> Element { elements[index] }

  /// Returns the direct children of an element, by index.
  func children(of index: Int) -> some Sequence<Int> {
    sequence(first: index + 1) { elements[$0].end }.prefix { $0 < elements[index].end }
  }

  /// Returns the direct children of an element with a name, by index.
  func children(of index: Int, named name: String) -> some Sequence<Int> {
    children(of: index).lazy.filter { elements[$0].name == name }
  }

  /// Returns the first direct child of an element with a name.
  func child(of index: Int, named name: String) -> Element? {
    children(of: index).first { elements[$0].name == name }.map { elements[$0] }
  }

  /// Returns all descendants of an element, by index.
  func descendants(of index: Int) -> Range<Int> { index + 1..<elements[index].end }
}

extension MarkupTree.Element {
  /// Calls a function; adds the element's position to its error unless the error has one.
  func placing<Result>(_ work: () throws(ErrorReport) -> Result) throws(ErrorReport) -> Result {
    try MapError.placing(line: line, column: column, work)
  }
}

/// The options for reading a map's document.
struct MarkupRules {
  /// The names of elements that are skipped with their contents.
  var skipped: Set<String> = []
  /// A Boolean value indicating whether texts are kept.
  var keepsText = false
  /// A Boolean value indicating whether a document type, which is never fetched, may be named.
  var allowsDoctype = false
  /// The maximum number of elements.
  ///
  /// Each takes some hundred bytes. The largest pathway databases have a million.
  var elementLimit = 4_000_000
  /// The maximum nesting depth of elements.
  static let depth = 512
}

extension MarkupTree {
  /// Reads a document.
  ///
  /// - Throws: ``MapError`` for documents that are not XML, are too deeply nested or have a forbidden document type.
  init(_ bytes: [UInt8], _ rules: MarkupRules) throws(ErrorReport) {
    try MarkupProlog.check(bytes, allowsDoctype: rules.allowsDoctype)
    if !AttributeBudget.suffices(for: bytes) { throw MapError.tooDeep("the file's elements have too many attributes") }
    let builder = MarkupBuilder(rules)
    do {
      var limits = XMLReader.Limits()
      limits.depth = MarkupRules.depth
      limits.sizeInBytes = MapBytes.limitInBytes * 4
      let reader = try XMLReader(limits: limits) { try builder.take($0) }
      builder.reader = reader
      try reader.push(bytes)
      try reader.finish()
    } catch {
      // libxml2 reports only some invalid bytes, and never their position.
      if let offset = MarkupProlog.firstOddByte(bytes) {
        throw MapError.encoding("the file is not UTF-8 at byte \(offset)")
      }
      throw MapError.of(reading: error)
    }
    elements = builder.tree.elements
  }
}

/// Builds a tree from events.
private final class MarkupBuilder {
  var tree = MarkupTree()
  /// The reader, which knows the position.
  weak var reader: XMLReader?
  private let rules: MarkupRules
  /// The open elements, by index.
  private var open: [Int] = []
  /// The number of open elements that are skipped.
  private var skippedDepth = 0

  init(_ rules: MarkupRules) {
    self.rules = rules
  }

  func take(_ event: XMLEvent) throws(ErrorReport) {
    switch event {
    case .begin(let element):
      // The root is kept, whatever its name.
      if skippedDepth > 0 || !open.isEmpty && rules.skipped.contains(element.name.local) {
        skippedDepth += 1
        return
      }
      if tree.elements.count == rules.elementLimit {
        throw MapError.tooDeep("the file has more than \(rules.elementLimit) elements")
      }
      open.append(tree.elements.count)
      tree.elements.append(
        MarkupTree.Element(
          name: element.name.local, namespace: element.name.namespace, attributes: element.attributes,
          line: reader?.line ?? 0, column: reader?.column ?? 0))
    case .text(let bytes):
      guard rules.keepsText, skippedDepth == 0, let index = open.last else { return }
      tree.elements[index].text += String(decoding: bytes, as: UTF8.self)
    case .end:
      if skippedDepth > 0 {
        skippedDepth -= 1
      } else if let index = open.popLast() {
        tree.elements[index].end = tree.elements.count
      }
    @unknown default: break
    }
  }
}

/// Checks the prolog of an XML document, before its root element.
enum MarkupProlog {
  /// The maximum number of bytes checked; a document type is at the beginning.
  private static let limitInBytes = 1 << 16

  /// Rejects document types: those with internal declarations always, others unless they are permitted.
  ///
  /// - Source: XML 1.0, section 2.8.
  static func check(_ bytes: [UInt8], allowsDoctype: Bool) throws(ErrorReport) {
    // In UTF-16 every second byte of ASCII is zero.
    let isWide = bytes.prefix(4).contains(0) || bytes.first == 0xFE || bytes.first == 0xFF
    let start = bytes.prefix(limitInBytes)
    let head = isWide ? start.filter { $0 != 0 }[...] : start
    guard let mark = doctype(head) else { return }
    let line = head[..<mark].count { $0 == 0x0A } + 1
    var quote: UInt8?
    for byte in head[mark...] {
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "[") {
        throw MapError.forbidden("the file declares its own document type in line \(line)")
      } else if byte == UInt8(ascii: ">") {
        break
      }
    }
    if !allowsDoctype { throw MapError.forbidden("the file has a document type in line \(line)") }
  }

  /// Returns whether a document is a web page, ignoring case.
  static func isWebPage(_ bytes: ArraySlice<UInt8>) -> Bool {
    let head = bytes.prefix(512).drop { $0 <= 0x20 || $0 >= 0x80 }.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    return head.starts(with: "<!doctype html".utf8) || head.starts(with: "<html".utf8)
  }

  /// Returns the offset of a document type; nil if there is none before the root element.
  private static func doctype(_ head: ArraySlice<UInt8>) -> Int? {
    var offset = head.startIndex
    while let mark = head[offset...].firstIndex(of: UInt8(ascii: "<")) {
      let remaining = head[mark...]
      if remaining.starts(with: "<!--".utf8) {
        guard let end = ByteSearch.firstIndex(of: "-->".utf8, in: remaining.dropFirst(4)) else { return nil }
        offset = end + 3
      } else if remaining.starts(with: "<?".utf8) {
        guard let end = ByteSearch.firstIndex(of: "?>".utf8, in: remaining.dropFirst(2)) else { return nil }
        offset = end + 2
      } else {
        return remaining.starts(with: "<!DOCTYPE".utf8) ? mark : nil
      }
    }
    return nil
  }

  /// Returns the offset of the first byte that is not valid UTF-8; nil if there is none, or if the file has another
  /// encoding.
  static func firstOddByte(_ bytes: [UInt8]) -> Int? {
    let declaration = bytes.prefix { $0 != UInt8(ascii: ">") }.prefix(200)
    if declaration.first == 0xFE || declaration.first == 0xFF { return nil }
    func declares(_ word: String) -> Bool { ByteSearch.contains(word.utf8, in: declaration) }
    if declares("encoding"), !declares("UTF-8"), !declares("utf-8") { return nil }
    do {
      _ = try UTF8Span(validating: bytes.span)
      return nil
    } catch {
      return error.byteOffsets.lowerBound
    }
  }
}
