import PluginText
import PluginXML

/// An XML document of a map in memory: its elements in the order of the file.
///
/// The elements within another follow it up to its `end`, so that a subtree is a range; no recursion is needed.
struct MarkupTree {
  /// An element.
  struct Element {
    /// Its name without prefix.
    var name: String
    var namespace: String
    var attributes: [XMLElement.Attribute]
    /// All text directly in it, if texts are kept.
    var text = ""
    /// The index behind the last element in it.
    var end = 0
    /// Where its start tag ends, from 1.
    var line = 0
    var column = 0

    /// The value of the attribute without namespace; nil if there is none.
    subscript(name: String) -> String? {
      attributes.first { $0.name.namespace.isEmpty && $0.name.local == name }?.value
    }

    /// The value of the attribute with a namespace; nil if there is none.
    subscript(name: String, namespace: String) -> String? {
      attributes.first { $0.name.namespace == namespace && $0.name.local == name }?.value
    }
  }

  /// In the order of their starts; the outermost is the first.
  fileprivate(set) var elements: [Element] = []

  /// The outermost element.
  var root: Element { elements[0] }

  subscript(index: Int) -> Element { elements[index] }

  /// The elements directly in another, by index.
  func children(of index: Int) -> some Sequence<Int> {
    sequence(first: index + 1) { elements[$0].end }.prefix { $0 < elements[index].end }
  }

  /// The elements of a name directly in another, by index.
  func children(of index: Int, named name: String) -> some Sequence<Int> {
    children(of: index).lazy.filter { elements[$0].name == name }
  }

  /// The first element of a name directly in another.
  func child(of index: Int, named name: String) -> Element? {
    children(of: index).first { elements[$0].name == name }.map { elements[$0] }
  }

  /// All elements in another, however deep, by index.
  func descendants(of index: Int) -> Range<Int> { index + 1..<elements[index].end }
}

extension MarkupTree.Element {
  /// Does something about the element; an error of it tells the element's place, unless it has one.
  func placing<Result>(_ work: () throws(MapError) -> Result) throws(MapError) -> Result {
    try MapError.placing(line: line, column: column, work)
  }
}

extension MapError {
  /// Does something about a place of a file; an error of it tells the place, unless it has one of its own.
  ///
  /// - Parameters:
  ///   - line: From 1; 0 if it is not known.
  ///   - column: From 1.
  static func placing<Result>(
    line: Int, column: Int, _ work: () throws(MapError) -> Result
  ) throws(MapError) -> Result {
    do {
      return try work()
    } catch .placed(let line, let column, let error) {
      throw .placed(line: line, column: column, error)
    } catch {
      throw line > 0 ? .placed(line: line, column: column, error) : error
    }
  }
}

/// How a document of a map is read.
struct MarkupRules {
  /// Elements that are left out with all that is in them.
  var skipped: Set<String> = []
  /// Whether texts between marks are kept.
  var keepsText = false
  /// Whether a document type may be named, which is never fetched.
  var allowsDoctype = false
  /// How many elements are kept.
  ///
  /// Each takes some hundred bytes. The largest pathway databases have a million.
  var elementLimit = 4_000_000
  /// How deep elements may be nested.
  static let depth = 512
}

extension MarkupTree {
  /// Reads a document.
  ///
  /// - Throws: ``MapError`` for what is no XML, too deep or has a document type that is not allowed.
  init(_ bytes: [UInt8], _ rules: MarkupRules) throws(MapError) {
    try MarkupProlog.check(bytes, allowsDoctype: rules.allowsDoctype)
    if !AttributeBudget.suffices(for: bytes) { throw .tooDeep("the file's elements have too many attributes") }
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
      // libxml2 tells only of some wrong bytes that they are, and never where.
      if let offset = MarkupProlog.firstOddByte(bytes) {
        throw .encoding("the file is no UTF-8 at byte \(offset)")
      }
      throw MapError(reading: error)
    }
    elements = builder.tree.elements
  }
}

extension MapError {
  /// An error of a reader of XML in the words of maps.
  init(reading error: any Error) {
    switch error {
    case let error as MapError: self = error
    case let error as XMLError:
      switch error {
      case .entity(let name, let line): self = .forbidden("the file has the entity '\(name)' in line \(line)")
      case .tooDeep: self = .tooDeep(error.description)
      case .tooLarge(let limit): self = .tooLarge(limitInBytes: limit)
      // The words of libxml2.
      case .notWellFormed(_, _, let reason) where ByteSearch.contains("UTF-8".utf8, in: reason.utf8):
        self = .encoding(error.description)
      case .outOfMemory, .libraryMissing: self = .system(error.description)
      default: self = .malformed(error.description)
      }
    default: self = .system("\(error)")
    }
  }
}

/// Makes a tree of events.
private final class MarkupBuilder {
  var tree = MarkupTree()
  /// Knows the place.
  weak var reader: XMLReader?
  private let rules: MarkupRules
  /// The open elements, by index.
  private var open: [Int] = []
  /// How many elements are open of which nothing is kept.
  private var skippedDepth = 0

  init(_ rules: MarkupRules) {
    self.rules = rules
  }

  func take(_ event: XMLEvent) throws(MapError) {
    switch event {
    case .begin(let element):
      // The outermost is kept, whatever its name is.
      if skippedDepth > 0 || !open.isEmpty && rules.skipped.contains(element.name.local) {
        skippedDepth += 1
        return
      }
      if tree.elements.count == rules.elementLimit {
        throw .tooDeep("the file has more than \(rules.elementLimit) elements")
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
