import PluginAPI
import PluginServer
import PluginText
import Testing

@testable import WSABI

/// Documents that are not as they should be, by the numbers of the catalog of faults.
@Suite struct DocumentFaultTests {
  private static let success = "<status>success</status>"

  /// Reads a document in pieces of a number of bytes.
  private func read(
    _ bytes: [UInt8], piece: Int = .max, into sink: KeptBytes? = nil, _ change: (inout SensorLimits) -> Void = { _ in }
  ) throws(SensorFault.Kind) -> SensorAnswer {
    var limits = SensorLimits()
    change(&limits)
    let data = sink.map { DataReceiver($0, limitInBytes: limits.dataInBytes) }
    let reader = try DocumentReader(limits: limits, data: data)
    var rest = bytes[...]
    while !rest.isEmpty {
      let next = Array(rest.prefix(piece))
      rest = rest.dropFirst(next.count)
      var failure: SensorFault.Kind?
      next.withUnsafeBytes { raw in
        do throws(SensorFault.Kind) { try reader.push(raw) } catch { failure = error }
      }
      if let failure { throw failure }
    }
    return try reader.finish()
  }

  /// Returns the name of the fault that reading a text ends with; `ok` if it is read.
  private func outcome(_ text: String, into sink: KeptBytes? = nil, _ change: (inout SensorLimits) -> Void = { _ in })
    -> String
  {
    outcome(Array(text.utf8), into: sink, change)
  }

  private func outcome(_ bytes: [UInt8], into sink: KeptBytes? = nil, _ change: (inout SensorLimits) -> Void = { _ in })
    -> String
  {
    var words: Set<String> = []
    for piece in bytes.count > 20_000 ? [Int.max] : [Int.max, 1, 7] {
      do throws(SensorFault.Kind) {
        _ = try read(bytes, piece: piece, into: sink, change)
        words.insert("ok")
      } catch {
        words.insert(String("\(error)".prefix { $0.isLetter }))
      }
    }
    return words.sorted().joined(separator: " or ")
  }

  private func answer(_ content: String) throws -> SensorAnswer { try read(Array(resultDocument(content).utf8)) }

  @Test func `14: a login page is not a service`() async throws {
    let page = "<!DOCTYPE html><html><head><title>Log in</title></head><body><br><form></body></html>"
    let service = try AnsweringService(page, type: "text/html; charset=utf-8")
    let found = await fault(try service.connection(), .complete(.getServiceInfo))
    #expect(found?.kind == .notAService(found: "a web page"))
    #expect(found?.reach == .answered)
    let strict = try AnsweringService("<html xmlns='http://www.w3.org/1999/xhtml'/>", type: "application/xml")
    #expect(await fault(try strict.connection(), .complete(.capture))?.word == "notAService")
    let text = try AnsweringService("Service is running", type: "text/plain")
    #expect(
      await fault(try text.connection(), .complete(.capture))?.kind
        == .notAService(found: "something that is not XML (text/plain)"))
  }

  @Test func `15: the right document with another content type is accepted and reported`() async throws {
    let service = try AnsweringService(resultDocument(Self.success), type: "text/plain")
    let answer = try await service.connection().ask(.complete(.tryLock))
    #expect(answer.status == .success)
    #expect(answer.oddities == ["the response has the type 'text/plain', not XML"])
  }

  @Test func `16: an empty body is not a response`() async throws {
    for body in ["", "  \n", "\u{FEFF}"] {
      let service = try AnsweringService(body)
      let found = await fault(try service.connection(), .complete(.tryLock))
      #expect(found?.kind == .notAService(found: "an empty response"))
    }
  }

  @Test func `17: malformed, truncated and trailing content is rejected`() {
    let whole = resultDocument(Self.success)
    for cut in 1..<whole.utf8.count where outcome(Array(whole.utf8.prefix(cut))) == "ok" {
      Issue.record("taken after \(cut) bytes")
    }
    #expect(outcome(whole) == "ok")
    #expect(outcome(whole + "\n<!-- well -->\n") == "ok")
    #expect(outcome(whole + "x") == "malformed")
    #expect(outcome(whole + "<more/>") == "malformed")
    #expect(outcome(resultDocument("<status>success</stat>")) == "malformed")
    #expect(outcome(resultDocument("<status a=1>success</status>")) == "malformed")
    #expect(outcome(resultDocument("<q:status>success</q:status>")) == "malformed")
    #expect(outcome(resultDocument("<status q:type='x'>success</status>")) == "malformed")
  }

  @Test func `17: the start of a malformed response is kept for diagnosis, without the sensor's data`() async throws {
    let service = try AnsweringService(resultDocument("<status>success</status><sensorData>QUJDREVG<"))
    let found = await fault(try service.connection(), .complete(.download), into: KeptBytes())
    let start = String(decoding: found?.start ?? [], as: UTF8.self)
    #expect(start.hasPrefix("<result xmlns="))
    #expect(!start.contains("QUJD"))
    #expect(found?.report.message.contains("<result") == false)
  }

  @Test(arguments: [
    "<!DOCTYPE result>", "<!DOCTYPE result SYSTEM \"file:///etc/passwd\">",
    "<!DOCTYPE result PUBLIC \"-//X\" \"http://127.0.0.1:1/x.dtd\">",
    "<!DOCTYPE result [<!ENTITY a \"b\">]>",
    "<!--c--><?p i?>\n<!DOCTYPE result [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>",
    "<?xml version=\"1.0\"?><!DOCTYPE result [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>",
  ])
  func `18: a document type is rejected in any form`(type: String) {
    #expect(outcome(type + resultDocument(Self.success)) == "malformed")
    let wide = (type + resultDocument(Self.success)).utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    #expect(outcome([0xFF, 0xFE] + wide) == "malformed")
    #expect(outcome(wide) == "malformed")
  }

  @Test func `18: only XML's five entities and character references are accepted in text`() throws {
    #expect(outcome(resultDocument("<status>success</status><message>a&x;b</message>")) == "malformed")
    let message = try answer("<status>failure</status><message>a&lt;&amp;&#66;&#x43;b</message>").message
    #expect(message == "a<&BCb")
  }

  @Test func `19: depth, count and lengths are limited`() {
    let deep = String(repeating: "<a>", count: 100_000)
    #expect(outcome(resultDocument(deep)) == "malformed")
    let items = String(repeating: "<item><key>k</key></item>", count: 2000)
    #expect(outcome(resultDocument("<metadata>\(items)</metadata>")) { $0.elements = 3999 } == "malformed")
    let key = String(repeating: "k", count: 5000)
    #expect(outcome(resultDocument("<metadata><item><key>\(key)</key></item></metadata>")) == "malformed")
    let long = String(repeating: "k", count: 10 << 20)
    #expect(
      (try? read(Array(resultDocument("<metadata><item><key>\(long)</key></item></metadata>").utf8))) == nil)
    let attributes = (0..<300).map { " a\($0)='x'" }.joined()
    #expect(outcome(resultDocument("<status\(attributes)>success</status>")) == "malformed")
    #expect(
      outcome(resultDocument("<status\(attributes.replacing("='x'", with: " = \"x\""))>success</status>"))
        == "malformed")
  }

  @Test func `20: four namespaces are accepted, and other or missing ones are rejected by name`() throws {
    #expect(outcome("<result><status>success</status></result>") == "otherNamespace")
    do throws(SensorFault.Kind) {
      _ = try read(Array("<result xmlns='urn:x'><status>success</status></result>".utf8))
      Issue.record("taken")
    } catch {
      #expect(error == .otherNamespace("urn:x"))
    }
    for namespace in ProtocolNamespace.allCases {
      let prefixed = "<w:result xmlns:w='\(namespace.rawValue)'><w:status>success</w:status></w:result>"
      #expect(try read(Array(prefixed.utf8)).namespace == namespace)
      let scattered =
        "<a:result xmlns:a='\(namespace.rawValue)'><status xmlns='\(namespace.rawValue)'>success</status>"
        + "<b:message xmlns:b='\(namespace.rawValue)'>m</b:message><c:message xmlns:c='urn:x'>no</c:message></a:result>"
      let answer = try read(Array(scattered.utf8))
      #expect(answer.message == "m")
      #expect(answer.oddities == ["an element is of another namespace"])
    }
    #expect(outcome("<configuration xmlns='\(ProtocolNamespace.bioserv.rawValue)'/>") == "notAService")
  }

  @Test func `21: UTF-16 and byte order marks are read, and malformed bytes are rejected`() throws {
    let text = resultDocument("<status>failure</status><message>Gr\u{FC}\u{DF}e \u{1F600}</message>")
    let little = text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    for bytes in [[0xFF, 0xFE] + little, [0xFE, 0xFF] + big, [0xEF, 0xBB, 0xBF] + Array(text.utf8)] {
      for piece in [Int.max, 1, 5] {
        #expect(try read(bytes, piece: piece).message == "Gr\u{FC}\u{DF}e \u{1F600}")
      }
    }
    let start = Array((resultDocument("").dropLast(9) + "<status>failure</status><message>").utf8)
    let end = Array("</message></result>".utf8)
    for bad: [UInt8] in [[0xC3, 0x28], [0xFF], [0xED, 0xA0, 0x80], [0x00], [0x1B], [0x08], [0xEF, 0xBF, 0xBF]] {
      #expect(outcome(start + bad + end) == "malformed")
    }
    #expect(outcome("<?xml version='1.0' encoding='UTF-7'?>" + text) == "malformed")
    #expect(outcome("<?xml version='1.0' encoding='EBCDIC-CP-US'?>" + text) == "malformed")
    #expect(outcome("<?xml version='1.0' encoding='ISO-8859-1'?>" + resultDocument(Self.success)) == "ok")
  }

  @Test func `21: bidirectional marks and control characters are never shown`() throws {
    let answer = try answer(
      "<status>failure</status><badFields><element>a&#x202E;b</element></badFields>"
        + "<message>x&#x9b;31m&#x2066;y&#xD;&#xA;z&#x7f;</message><contentType>a&#x85;b</contentType>")
    #expect(answer.message == "x\u{FFFD}31m\u{FFFD}y z\u{FFFD}")
    #expect(answer.badFields == ["a\u{FFFD}b"])
    #expect(answer.contentType == "a b")
    let raw = try self.answer(
      "<status>success</status><metadata><item><key>k</key><value xsi:type='xs:string'>a&#x202E;b</value></item></metadata>"
    )
    #expect(raw.metadata?["k"] == .string("a\u{202E}b"))
  }

  @Test func `22: CDATA, comments, references in text and blanks around a status are accepted`() throws {
    let answer = try answer(
      "<!-- a -->\n<status>\n\t succ<!-- b -->ess&#32;\n</status><message><![CDATA[a <b> & c]]> d</message>"
        + "<sessionId>\n\(TestID.session)\n</sessionId>")
    #expect(answer.status == .success)
    #expect(answer.message == "a <b> & c d")
    #expect(answer.sessionID == SensorUUID(TestID.session))
    #expect(answer.sessionID?.text == TestID.session)
  }

  @Test func `23: a missing or duplicate status is malformed, and an unknown one is a failure with its text`() throws {
    #expect(outcome(resultDocument("<message>m</message>")) == "malformed")
    #expect(outcome(resultDocument("<status/>")) == "malformed")
    #expect(outcome(resultDocument("<status xsi:nil='true'/>")) == "malformed")
    #expect(outcome(resultDocument("<status>success</status><status>success</status>")) == "malformed")
    #expect(try answer("<status>sensorAsleep</status>").status == .unknown("sensorAsleep"))
    #expect(try answer("<status>SUCCESS</status>").status == .success)
    #expect(try answer("<status>noSuchParamter</status>").status == .noSuchParameter)
    #expect(try answer("<status>Invalidid</status>").status == .invalidID)
  }

  @Test(arguments: [
    (SensorOperation.register, "a session id"), (.capture, "ids of captured data"),
    (.endCapture, "ids of captured data"),
    (.download, "data of the sensor"), (.thriftyDownload, "data of the sensor"), (.getServiceInfo, "metadata"),
    (.getConfiguration, "metadata"), (.getDownloadInfo, "metadata"), (.getSensorStatus, "metadata"),
  ])
  func `24: a success without its content is an error`(operation: SensorOperation, missing: String) async throws {
    let service = try AnsweringService(resultDocument(Self.success))
    let found = await fault(try service.connection(), .complete(operation), into: KeptBytes())
    #expect(found?.kind == .incomplete(missing: missing))
    #expect(found?.reach == .answered)
    let refusing = try AnsweringService(resultDocument("<status>failure</status>"))
    #expect(try await refusing.connection().ask(.complete(operation), into: KeptBytes()).status == .failure)
  }

  @Test(arguments: [
    "../../x", "not a uuid", "2e6e1e1f-9d4b-4C56-8a20-f5e0a2b7c9d1/..", "2e6e1e1f9d4b4C568a20f5e0a2b7c9d1",
  ])
  func `25: a session id that is not a UUID is rejected`(id: String) async throws {
    let service = try AnsweringService(resultDocument("<status>success</status><sessionId>\(id)</sessionId>"))
    let found = await fault(try service.connection(), .complete(.register))
    #expect(found?.word == "malformed")
    #expect(found?.report.message.contains(id) == false)
  }

  @Test func `26: duplicate capture ids count once, and malformed ones are left out`() throws {
    let ids = [TestID.capture, TestID.capture.uppercased(), "../x", TestID.other, " \(TestID.capture) "]
    let elements = ids.map { "<element>\($0)</element>" }.joined()
    let answer = try answer("<status>success</status><captureIds>\(elements)</captureIds>")
    #expect(answer.captureIDs.map(\.text) == [TestID.capture, TestID.other])
    #expect(
      answer.oddities == [
        "a capture id occurs twice", "a capture id that is not a UUID was ignored",
      ])
    #expect(try self.answer("<status>success</status><captureIds/>").missingPart(of: .capture) != nil)
  }

  @Test func `26: ten thousand ids are accepted, and further ones are reported`() throws {
    let ids = (0..<10_050 as Range<UInt32>).map { number in
      "<element>7d1a5b3e-0c2f-4e8a-b6d4-93f1e5a7\(Hexadecimal.text(number, digits: 4))</element>"
    }.joined()
    let answer = try answer("<status>success</status><captureIds>\(ids)</captureIds>")
    #expect(answer.captureIDs.count == 10_000)
    #expect(answer.oddities == ["more than 10000 capture ids; the others were ignored"])
  }

  @Test func `28: base64 in lines, with references for line ends, and in CDATA is accepted`() throws {
    let data = Situation.someBytes(5000)
    let forms = [
      base64Text(data), base64Text(data, line: 76, end: "\r\n"), base64Text(data, line: 76, end: "&#13;\n"),
      "<![CDATA[\(base64Text(data, line: 64))]]>", " \n\(base64Text(data, line: 4)) \t",
      "<!-- data -->\(base64Text(data))<?p i?>",
    ]
    for form in forms {
      for piece in [Int.max, 1, 13] {
        let sink = KeptBytes()
        let text = resultDocument("<sensorData>\(form)</sensorData><status>success</status>")
        let answer = try read(Array(text.utf8), piece: piece, into: sink)
        #expect(sink.bytes == data)
        #expect(answer.data?.sizeInBytes == data.count)
      }
    }
  }

  @Test(arguments: [
    "QUJD!", "QUI", "QUJDR", "QQ==QUJD", "QQ=A", "=QUI", "Q===", "QUI==", "", " \n ", "QUJD-_==", "QUJD\u{FC}",
  ])
  func `29: junk, truncation, padding in the middle and no data are rejected`(text: String) async throws {
    let service = try AnsweringService(
      resultDocument("<status>success</status><metadata/><sensorData>\(text)</sensorData>"))
    let found = await fault(try service.connection(), .complete(.download), into: KeptBytes())
    #expect(found?.word == "brokenData")
    #expect(found?.report.isRetryable == true)
  }

  @Test func `data is read directly from the document, with the same result as through the XML parser`() throws {
    let bytes = Situation.someBytes(5000)
    let text = base64Text(bytes, line: 76)
    let plain = resultDocument("<status>success</status><sensorData a='&gt;' >\(text)</sensorData>")
    let commented = resultDocument("<status>success</status><sensorData>\(text)<!--c--></sensorData>")
    let wide: [UInt8] =
      [0xFF, 0xFE] + plain.utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 255), UInt8(unit >> 8)] }
    let latin = "<?xml version='1.0' encoding='ISO-8859-1'?>" + plain
    let named = resultDocument(
      "<message>sensorData&gt;></message><!--<sensorData>--><status>success</status><sensorData>\(text)</sensorData>")
    let documents = [
      (Array(plain.utf8), true), (Array(commented.utf8), true), (wide, false), (Array(latin.utf8), false),
      (Array(named.utf8), true),
    ]
    for (document, isDirect) in documents {
      let sink = KeptBytes()
      let reader = try DocumentReader(limits: SensorLimits(), data: DataReceiver(sink, limitInBytes: 1 << 20))
      try document.withUnsafeBytes { try reader.push($0) }
      #expect(try reader.finish().data?.sizeInBytes == 5000)
      #expect(sink.bytes == bytes)
      #expect(reader.directBytes == (isDirect ? text.utf8.count : 0))
    }
  }

  @Test func `29: elements within data and a second data element are rejected`() {
    let sink = KeptBytes()
    #expect(outcome(resultDocument(Self.success + "<sensorData>QUJD<x/></sensorData>"), into: sink) == "malformed")
    #expect(
      outcome(resultDocument("<sensorData>QUJD</sensorData><sensorData>QUJD</sensorData>"), into: sink) == "malformed")
  }

  @Test func `30: data of any type is stored, and its stated type is reported`() async throws {
    let service = try AnsweringService(
      resultDocument(
        Self.success + "<contentType>image/bmp</contentType><metadata/><sensorData>iVBORw0KGgo=</sensorData>"))
    let sink = KeptBytes()
    let answer = try await service.connection().ask(.complete(.thriftyDownload), into: sink)
    #expect(answer.contentType == "image/bmp")
    #expect(sink.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(answer.data?.sizeInBytes == 8)
  }

  @Test func `a full sink ends the download with its own error`() async throws {
    let data = Situation.someBytes(900_000)
    let service = try AnsweringService(
      resultDocument(Self.success + "<metadata/><sensorData>\(base64Text(data))</sensorData>"))
    let found = await fault(try service.connection(), .complete(.download), into: KeptBytes(limit: 300_000))
    #expect(found?.word == "notKept")
    #expect(found?.report.code == "wsabi.not-kept")
  }

  @Test func `unrequested data is skipped and reported`() async throws {
    let service = try AnsweringService(resultDocument(Self.success + "<sensorData>QUJD</sensorData>"))
    let answer = try await service.connection().ask(.complete(.tryLock))
    #expect(answer.data == nil)
    #expect(answer.oddities == ["the response contains sensor data that was not requested"])
  }
}
