import PluginText
import PluginXML

/// The notes of a file while they are read: as XHTML, and as machine-readable lines such as `FORMULA: C6H12O6`.
///
/// Lines of the form `key: value` that are alone in paragraphs become entries of ``ModelNotes``; other notes are kept
/// as XHTML too.
struct SBMLNotes {
  private var line: [UInt8] = []
  private var markup = SBMLText()
  /// The open elements, outermost first.
  private var open: [String] = []
  /// A Boolean value indicating whether the element that was opened last is still empty.
  private var isEmptyElement = false
  private var isPlain = true

  /// The names in uppercase and the values, both trimmed; empty ones are left out.
  private(set) var entries: [(key: String, value: String)] = []
  private var notes = ModelNotes()

  /// The finished notes.
  var finished: ModelNotes {
    var finished = notes
    if !isPlain { finished.markup = String(decoding: markup.bytes, as: UTF8.self) }
    return finished
  }

  mutating func begin(_ element: XMLElement) {
    finishLine()
    endStartTag()
    let name = element.name.local
    let isWrapper = open.isEmpty && (name == "html" || name == "body") || open == ["html"] && name == "body"
    let isParagraph = name == "p" && open.last.map { $0 == "html" || $0 == "body" } ?? true
    if !isWrapper && !isParagraph || !element.attributes.isEmpty { isPlain = false }
    var attributes = element.attributes.filter { $0.name.prefix.isEmpty }.map { ($0.name.local, Optional($0.value)) }
    if open.isEmpty { attributes.insert(("xmlns", "http://www.w3.org/1999/xhtml"), at: 0) }
    markup.startTag(name, attributes)
    open.append(name)
    isEmptyElement = true
  }

  mutating func end() {
    finishLine()
    guard let name = open.popLast() else { return }
    markup.raw(isEmptyElement ? "/>" : "</\(name)>")
    isEmptyElement = false
  }

  mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) {
    // The lines that programs read are short; the rest is for people.
    if line.count < 1 << 16 { line.append(contentsOf: bytes) }
    if open.isEmpty { return }
    endStartTag()
    markup.escape(String(decoding: bytes, as: UTF8.self))
  }

  private mutating func endStartTag() {
    if isEmptyElement { markup.raw(">") }
    isEmptyElement = false
  }

  private mutating func finishLine() {
    defer { line.removeAll(keepingCapacity: true) }
    if line.allSatisfy({ $0 <= 32 }) { return }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
      isPlain = false
      return
    }
    let key = String(decoding: line[..<colon], as: UTF8.self).trimmed()
    let value = String(decoding: line[(colon + 1)...], as: UTF8.self).trimmed()
    let isLine = !key.isEmpty && open.last == "p"
    if isLine { notes.add(key, value) } else { isPlain = false }
    if !key.isEmpty, !value.isEmpty { entries.append((key.uppercased(), value)) }
  }
}
