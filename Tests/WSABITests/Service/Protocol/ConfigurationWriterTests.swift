import Testing

@testable import WSABI

@Suite struct ConfigurationWriterTests {
  private func text(_ dictionary: WireDictionary, _ namespace: ProtocolNamespace = .bioserv) throws -> String {
    String(decoding: try ConfigurationWriter.document(dictionary, namespace), as: UTF8.self)
  }

  @Test func `a configuration is written in the namespace of the service`() throws {
    for namespace in ProtocolNamespace.allCases {
      let text = try text(WireDictionary([.init("submodality", .string("LeftIris"))]), namespace)
      #expect(
        text == #"<?xml version="1.0" encoding="utf-8"?><configuration xmlns=""# + namespace.rawValue
          + #"" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">"#
          + #"<item><key>submodality</key><value xsi:type="xs:string">LeftIris</value></item></configuration>"#)
    }
  }

  @Test func `characters with a meaning in XML are escaped`() throws {
    let text = try text(WireDictionary([.init("a<b>&\"c", .string("]]> \r\n\t &amp;"))]))
    #expect(text.contains("<key>a&lt;b&gt;&amp;&quot;c</key>"))
    #expect(text.contains(">]]&gt; &#13;\n\t &amp;amp;</value>"))
  }

  @Test(arguments: ["\u{0}", "a\u{1B}[31m", "\u{FFFE}", "\u{8}"])
  func `characters that XML cannot carry are refused`(text: String) {
    #expect(throws: ConfigurationWriter.Fault.self) { try self.text(WireDictionary([.init("k", .string(text))])) }
    #expect(throws: ConfigurationWriter.Fault.self) { try self.text(WireDictionary([.init(text, .null)])) }
  }

  @Test(arguments: SituationTests.dialects)
  func `every value survives writing and reading`(
    namespace: ProtocolNamespace, style: DocumentStyle
  ) throws {
    for metadata in [Situation.everyValue, Situation.serviceMetadata, Situation.captureMetadata] {
      let first = try #require(try read(style.document(WrittenResult(metadata: metadata), namespace)))
      let again = try ConfigurationWriter.document(first, root: "metadata", namespace)
      #expect(try read(wrapped(again, namespace)) == first)
    }
  }

  @Test func `values of unknown types are read back with their types`() throws {
    let values: [WireValue] = [
      .other("x", type: ""), .other("x", type: "int"), .other("x", type: "duration"), .other("<", type: "{urn:a&b}c"),
      .other("x", type: "{\(ProtocolNamespace.nist.rawValue)}Blob"), .array([.other("", type: "")], type: "Array"),
    ]
    let dictionary = WireDictionary(values.enumerated().map { .init("k\($0.offset)", $0.element) })
    let bytes = try ConfigurationWriter.document(dictionary, root: "metadata", .nist)
    #expect(try read(wrapped(bytes, .nist)) == dictionary)
  }

  @Test func `deeply nested values are written`() throws {
    var value = WireValue.string("x")
    for _ in 0..<2000 { value = .array([value], type: "Array") }
    #expect(try text(WireDictionary([.init("k", value)])).contains(">x</element>"))
  }

  private func read(_ bytes: [UInt8]) throws -> WireDictionary? {
    let reader = try DocumentReader(limits: SensorLimits(), data: nil)
    try bytes.withUnsafeBytes { try reader.push($0) }
    return try reader.finish().metadata
  }

  /// Returns a result around metadata.
  private func wrapped(_ metadata: [UInt8], _ namespace: ProtocolNamespace) -> [UInt8] {
    let bare = String(decoding: metadata, as: UTF8.self).dropFirst(#"<?xml version="1.0" encoding="utf-8"?>"#.count)
    return Array("<result xmlns=\"\(namespace.rawValue)\"><status>success</status>\(bare)</result>".utf8)
  }
}
