import Foundation
import PluginText
import Testing

@testable import WSABI
@testable import WSABISimulator

/// The simulator's own writer and parser of XML, and its other messages.
struct SimulatedWireTests {
  private static let space = SimulatedNamespace.nist.urn

  private func items(_ inner: String, _ attributes: String = "") -> SimulatedRequest {
    let document = """
      <?xml version="1.0"?><!-- c --><configuration xmlns="\(Self.space)" \
      xmlns:i="http://www.w3.org/2001/XMLSchema-instance"\(attributes)>\(inner)</configuration>
      """
    return SimulatedRequestReader(namespace: Self.space).request(Array(document.utf8))
  }

  private func value(_ value: String) -> SimulatedValue? {
    guard case .items(let items) = items("<item><key>k</key>\(value)</item>"), items.count == 1 else { return nil }
    return items[0].value
  }

  @Test func `types are resolved by the namespace of their prefix`() {
    let schema = "http://www.w3.org/2001/XMLSchema"
    #expect(value("<value i:type=\"d3p1:int\" xmlns:d3p1=\"\(schema)\">4</value>") == .int(4))
    #expect(value("<value xmlns:i=\"urn:other\" i:type=\"int\">4</value>") == .text("4"))
    #expect(value("<value i:type=\"q:int\">4</value>") == .text("4"))
    #expect(value("<value i:nil=\"true\"/>") == .null)
    #expect(
      value("<value i:type=\"Resolution\"><width>640</width><height>480</height></value>") == .size(640, 480))
    #expect(value("<value i:type=\"Mystery\">x</value>") == .word("x", type: "Mystery"))
  }

  @Test func `text is read with references and CDATA`() {
    #expect(value("<value>a &amp; &lt;b&gt; &#x41;&#66;<![CDATA[ <c> ]]></value>") == .text("a & <b> AB <c> "))
  }

  @Test(arguments: [
    "", "<configuration/>junk", "<a><b></a></b>", "<configuration", "<a/><b/>", "<!DOCTYPE a><a/>", "<a>&x;</a>",
    "<a>&#+65;</a>",
    "<a>&#x+41;</a>",
    "<a>&#X41;</a>",
    "<a b=c/>", "<a b=\"1\"", "<p:a/>", "<a>&amp</a>", "<a><![CDATA[x</a>", "\u{FEFF}\u{FEFF}<a/>",
  ])
  func `malformed XML is refused`(_ text: String) {
    guard case .malformed = SimulatedRequestReader(namespace: "").request(Array(text.utf8)) else {
      Issue.record("taken: \(text)")
      return
    }
  }

  @Test func `malformed UTF-8 and deep nesting are refused`() {
    let deep = String(repeating: "<a>", count: 100) + String(repeating: "</a>", count: 100)
    #expect(throws: SimulatedNodeError.self) { try SimulatedNodeReader.root(of: Array(deep.utf8)) }
    #expect(throws: SimulatedNodeError.self) {
      try SimulatedNodeReader.root(of: Array("<a>".utf8) + [0xFF] + Array("</a>".utf8))
    }
  }

  @Test func `a foreign namespace is reported`() {
    let document = Array("<c:configuration xmlns:c=\"urn:other\"/>".utf8)
    guard case .foreign("urn:other") = SimulatedRequestReader(namespace: Self.space).request(document) else {
      Issue.record("not foreign")
      return
    }
  }

  @Test func `timestamps match the calendar`() {
    #expect(SimulatedClock.text(0) == "1970-01-01T00:00:00.000Z")
    #expect(SimulatedClock.text(951_782_399_999) == "2000-02-28T23:59:59.999Z")
    #expect(SimulatedClock.text(951_868_800_000, fractionDigits: 7) == "2000-03-01T00:00:00.0000000Z")
    #expect(SimulatedClock.text(951_868_800_005) == "2000-03-01T00:00:00.005Z")
    #expect(SimulatedClock.text(-5) == "1969-12-31T23:59:59.995Z")
    #expect(SimulatedClock.text(4_102_444_800_000) == "2100-01-01T00:00:00.000Z")
  }

  @Test func `ids are UUIDs of version 4 and the same for the same seed`() {
    var (first, second) = (SeededChance(7, 1), SeededChance(7, 1))
    for _ in 0..<100 {
      let id = first.identifier()
      #expect(SimulatedSensor.key(of: id) == id)
      #expect(id.utf8.dropFirst(14).first == UInt8(ascii: "4"))
      #expect("89ab".contains(id.dropFirst(19).first ?? " "))
      #expect(second.identifier() == id)
    }
  }

  @Test func `a document is the same whole and in chunks`() async throws {
    var element = SimulatedElement("sensorData")
    element.data = SimulatedData(noiseOfBytes: 500_000, mark: [1, 2, 3])
    let root = SimulatedElement("result", [SimulatedElement("status", text: "a<b"), element])
    let document = SimulatedWriter(namespace: Self.space, style: .wcf).document(root)
    var pieces: [UInt8] = []
    try await document.write { pieces += $0 }
    #expect(pieces == document.bytes)
    #expect(pieces.count == document.count)
    #expect(pieces.starts(with: "<result xmlns=\"\(Self.space)\"".utf8))
  }

  @Test(arguments: [100, 5_000, 197_686, 300_000, 500_000, 800_000])
  func `noise is sent and hashed as the bytes it represents, also a second time`(size: Int) async throws {
    for mark in ["a mark", "another one", "a mark of sensor 12"] {
      let data = SimulatedData(noiseOfBytes: size, mark: Array(mark.utf8))
      let bytes = data.bytes
      #expect(bytes.count == data.count && bytes.suffix(mark.utf8.count).elementsEqual(mark.utf8))
      var text: [UInt8] = []
      try await data.writeBase64 { text += $0 }
      #expect(Data(base64Encoded: Data(text)).map(Array.init) == bytes)
      for _ in 1...2 { #expect(await data.sha256() == SHA256.hexadecimal(of: bytes)) }
    }
  }
}
