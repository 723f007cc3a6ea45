import PluginXML
import Testing

struct XMLReaderTests {
  /// Returns the events of a document: `<a p:x='1'>` as `+a x=1`, text in quotes, `-a` for an end; pushed in pieces.
  private func events(_ text: String, piece: Int = .max, finish: Bool = true) throws -> [String] {
    let collector = EventCollector()
    let reader = try XMLReader { collector.take($0) }
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: min(piece, bytes.count)) {
      try reader.push(Array(bytes[start..<min(bytes.count, start + min(piece, bytes.count))]))
    }
    if finish { try reader.finish() }
    return collector.all
  }

  private func error(_ text: String, _ change: (inout XMLReader.Limits) -> Void = { _ in }) -> XMLError? {
    var limits = XMLReader.Limits()
    change(&limits)
    do {
      let reader = try XMLReader(limits: limits) { _ in }
      try reader.push(Array(text.utf8))
      try reader.finish()
      return nil
    } catch {
      return error as? XMLError
    }
  }

  @Test(arguments: [Int.max, 7, 1]) func `elements, attributes and texts arrive in order, however they are chunked`(
    piece: Int
  ) throws {
    let text =
      "<?xml version='1.0'?><a x='1 &lt; 2 &amp;&#233;&quot;'><!-- c --><b>t&#233;&amp;é<![CDATA[<raw>]]></b><c/></a>"
    let found = try events(text, piece: piece)
    #expect(found == ["+a x=1 < 2 &é\"", "+b", "té&é<raw>", "-b", "+c", "-c", "-a"])
  }

  @Test(arguments: ["ISO-8859-1", "windows-1252", "UTF-8", "UTF-16"], [10, 100_000])
  func `a document of any length in one chunk is read in its declared encoding`(
    encoding: String, length: Int
  ) throws {
    let start = "<?xml version='1.0' encoding='\(encoding)'?><a>" + String(repeating: "x", count: length)
    let bytes: [UInt8] =
      switch encoding {
      case "UTF-8": Array((start + "\u{E9}</a>").utf8)
      case "UTF-16":
        [0xFF, 0xFE]
          + (start + "\u{E9}</a>").utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 255), UInt8(unit >> 8)] }
      default: Array(start.utf8) + [0xE9] + Array("</a>".utf8)
      }
    let collector = EventCollector()
    let reader = try XMLReader { collector.take($0) }
    try reader.push(bytes)
    try reader.finish()
    #expect(collector.all == ["+a", String(repeating: "x", count: length) + "\u{E9}", "-a"])
  }

  @Test func `escaped ampersands in attributes are decoded once`() throws {
    let found = try events("<a x='1 &amp; 2 &amp;#38; &#38;&#x26;' y='&amp;lt;'/>", piece: Int.max)
    #expect(found == ["+a x=1 & 2 &#38; && y=&lt;", "-a"])
  }

  @Test func `names have their namespaces, and prefixes apply within their scope`() throws {
    let text = "<s:a xmlns:s='urn:one' xmlns='urn:two'><b s:x='1' y='2'><c xmlns='' xmlns:s='urn:three'/></b></s:a>"
    var names: [XMLName] = []
    var inner: [String?] = []
    var outer: [String?] = []
    let holder = ReaderHolder()
    let reader = try XMLReader { event in
      guard case .begin(let element) = event else { return }
      names.append(element.name)
      if element.name.local == "b" { names += element.attributes.map(\.name) }
      let spaces = ["s", "", "xml", "none"].map { holder.reader?.namespace(of: $0) }
      if element.name.local == "c" { inner = spaces } else { outer = spaces }
    }
    holder.reader = reader
    try reader.push(Array(text.utf8))
    try reader.finish()
    #expect(
      names == [
        XMLName("a", prefix: "s", namespace: "urn:one"), XMLName("b", namespace: "urn:two"),
        XMLName("x", prefix: "s", namespace: "urn:one"), XMLName("y"), XMLName("c"),
      ])
    #expect(outer == ["urn:one", "urn:two", "http://www.w3.org/XML/1998/namespace", nil])
    #expect(inner == ["urn:three", "", "http://www.w3.org/XML/1998/namespace", nil])
    #expect(reader.depth == 0 && reader.namespace(of: "s") == nil)
  }

  @Test func `a document that is not well-formed is reported with line and column`() {
    let found = error("<a>\n  <b></c>\n</a>")
    guard case .notWellFormed(let line, let column, let reason)? = found else {
      Issue.record("\(String(describing: found))")
      return
    }
    #expect(line == 2 && column > 1)
    #expect(reason.contains("mismatch"))
  }

  @Test(arguments: ["", "<a>", "<a><b/>", "<a>text", "<a><b>x</b></", "<a b='"])
  func `a truncated document is reported as truncated`(
    text: String
  ) throws {
    guard case .truncated? = error(text) else {
      Issue.record("\(String(describing: error(text)))")
      return
    }
    #expect(try events("<a><b>x</b><c>y", finish: false).prefix(4) == ["+a", "+b", "x", "-b"])
  }

  @Test(arguments: [
    "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>", "<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><a>&e;</a>",
    "<a>&e;</a>", "<a b='&e;'/>", "<!DOCTYPE a SYSTEM 'http://127.0.0.1:1/x.dtd'><a>&e;</a>",
    "<!DOCTYPE a [<!ENTITY % e SYSTEM 'http://127.0.0.1:1/x'> %e;]><a/>",
    "<!DOCTYPE a [<!ENTITY x '1'><!ENTITY y '&x;&x;&x;&x;&x;&x;&x;&x;'><!ENTITY e '&y;&y;&y;&y;'>]><a>&e;</a>",
  ]) func `entity references are an error`(text: String) {
    guard case .entity? = error(text) else {
      Issue.record("\(String(describing: error(text)))")
      return
    }
  }

  @Test func `an external document type is ignored`() throws {
    #expect(
      try events("<!DOCTYPE a PUBLIC '-//X//DTD a//EN' 'http://127.0.0.1:1/a.dtd'><a>x</a>") == ["+a", "x", "-a"])
  }

  @Test func `depth, size, names and attributes have limits`() {
    let deep = String(repeating: "<a>", count: 100_000)
    #expect(error(deep) == .tooDeep(limit: 256, line: 1))
    #expect(error("<a><a><a/></a></a>", { $0.depth = 2 }) == .tooDeep(limit: 2, line: 1))
    #expect(
      error("<a>\(String(repeating: "x", count: 1000))</a>", { $0.sizeInBytes = 100 }) == .tooLarge(limitInBytes: 100))
    #expect(
      error("<a>\n<\(String(repeating: "n", count: 50))/></a>", { $0.nameInBytes = 40 })
        == .longName(limit: 40, line: 2))
    #expect(error("<a b='' c='' d=''/>", { $0.attributes = 2 }) == .tooManyAttributes(limit: 2, line: 1))
  }

  @Test func `an error of the handler ends the reading and is thrown by every later call`() throws {
    struct Enough: Error {}
    var count = 0
    let reader = try XMLReader { _ in
      count += 1
      if count == 2 { throw Enough() }
    }
    #expect(throws: Enough.self) { try reader.push(Array("<a><b/><c/></a>".utf8)) }
    #expect(throws: Enough.self) { try reader.push(Array("<d/>".utf8)) }
    #expect(throws: Enough.self) { try reader.finish() }
    #expect(count == 2)
  }

  @Test func `a text of a hundred megabytes is read in chunks`() throws {
    var total = 0
    let reader = try XMLReader { event in if case .text(let bytes) = event { total += bytes.count } }
    try reader.push(Array("<a>".utf8))
    let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    for _ in 0..<100 { try reader.push(piece) }
    try reader.push(Array("</a>".utf8))
    try reader.finish()
    #expect(total == 100 << 20)
  }

  @Test func `arbitrary bytes give an error or events, never a trap`() throws {
    let start = Array("<a b='c'>text<!-- x --><d e='f'/>&lt;&#65;</a>".utf8)
    var state: UInt64 = 7
    var outcomes = 0
    for _ in 0..<3000 {
      var bytes = start
      for _ in 0..<3 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 20)
      }
      let reader = try XMLReader { _ in }
      do {
        try reader.push(bytes)
        try reader.finish()
      } catch {
        #expect(error is XMLError)
      }
      outcomes += 1
    }
    #expect(outcomes == 3000)
  }
}

/// A collector of events as short texts; pieces of one text are joined.
private final class EventCollector {
  private(set) var all: [String] = []
  private var isInText = false

  func take(_ event: XMLEvent) {
    switch event {
    case .begin(let element):
      all.append(
        (["+" + element.name.local] + element.attributes.map { "\($0.name.local)=\($0.value)" }).joined(separator: " "))
    case .end(let name): all.append("-" + name.local)
    case .text(let bytes):
      let text = String(decoding: bytes, as: UTF8.self)
      if isInText { all[all.count - 1] += text } else { all.append(text) }
    @unknown default: all.append("?")
    }
    if case .text = event { isInText = true } else { isInText = false }
  }
}

/// Lets a handler ask its reader.
private final class ReaderHolder {
  weak var reader: XMLReader?
}
