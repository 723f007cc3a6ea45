import Foundation
import PluginStore
import PluginText
import TestSupport
import Testing

@testable import WSABI

/// Random documents, read by us and by Python's XML parser, which is independent work.
///
/// WORKBENCH_DOCUMENTS sets their number per namespace and style, by default 40, and WORKBENCH_SEED their selection.
@Suite(.timeLimit(.minutes(60)), .enabled(if: FileManager.default.isExecutableFile(atPath: DocumentOracle.python)))
struct DocumentOracleTests {
  private static let count = CampaignNumber.of("WORKBENCH_DOCUMENTS", else: 40)
  private static let seed = CampaignNumber.of("WORKBENCH_SEED", else: 11)

  @Test func `random documents are read like by an independent reader, in every namespace and style`() async throws {
    var results = RandomResults(seed: UInt64(Self.seed))
    var documents: [[UInt8]] = []
    for _ in 0..<Self.count {
      for namespace in ProtocolNamespace.allCases {
        for style in DocumentStyle.allCases { documents.append(style.document(results.next(), namespace)) }
      }
    }
    let own = try documents.map { try DocumentOracle.text(of: $0) }
    let theirs = try await DocumentOracle.texts(of: documents)
    #expect(theirs.count == documents.count)
    let wrong = zip(own, theirs).enumerated().filter { $0.element.0 != $0.element.1 }
    #expect(wrong.isEmpty, "\(wrong.count) of \(documents.count), seed \(Self.seed)")
    for (place, (own, theirs)) in wrong.prefix(3) {
      let text = String(decoding: documents[place].prefix(3000), as: UTF8.self)
      Issue.record("document \(place)\n\(text)\nwe: \(own)\nthey: \(theirs)")
    }
    // A judge that finds the same in everything proves nothing.
    #expect(Set(theirs).count > documents.count * 9 / 10)
  }
}

/// Random results with everything that services may send.
private struct RandomResults {
  private var random: SplitMix64
  private var count = 0

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// Characters that XML allows and that formats use.
  private static let letters = Array("abcZ09ÖÉ中ع🙂 \"'\\/<>&;,:\n\t\r]=%{}[]|")
  private static let numbers = [
    ("int", "-2147483648"), ("int", "0"), ("long", "9223372036854775807"), ("integer", "170141183460469231731687"),
    ("nonNegativeInteger", "7"), ("unsignedByte", "255"), ("short", "-32768"), ("decimal", "-0019.6850"),
    ("double", "1.5E-3"), ("double", "-INF"), ("double", "INF"), ("double", "NaN"), ("float", "0.1"), ("double", "-0"),
    ("dateTime", "2026-09-21T00:00:00.1234567+14:00"), ("dateTime", "1969-12-31T23:59:60Z"),
    ("anyURI", "http://host/a?b=c&d"), ("base64Binary", "AAEC/w=="), ("boolean", "true"),
    ("boolean", "0"), ("gDay", "---07"),
  ]

  private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

  private mutating func text(_ most: Int = 12) -> String {
    String((0..<below(most + 1)).map { _ in Self.letters[below(Self.letters.count)] })
  }

  mutating func next() -> WrittenResult {
    count += 1
    var result = WrittenResult()
    result.status = ["success", "failure", "badValue", "sensorTimeout"][below(4)]
    result.badFields = below(3) == 0 ? ["gain", "size"] : nil
    result.captureIDs = below(3) == 0 ? [TestID.capture, TestID.other] : nil
    result.metadata = below(10) == 0 ? nil : items(6, 0)
    result.message = below(2) == 0 ? "the answer of number \(count)" : nil
    result.session = below(3) == 0 ? TestID.session : nil
    return result
  }

  private mutating func items(_ most: Int, _ level: Int) -> [(String, WrittenValue)] {
    (0..<below(most + 1)).map { ("k\($0)\(["", "&", "ü", "<>", "."][below(5)])", value(level)) }
  }

  private mutating func values(_ level: Int) -> [WrittenValue] { (0..<below(4)).map { _ in value(level + 1) } }

  private mutating func value(_ level: Int) -> WrittenValue {
    switch below(level > 2 ? 6 : 13) {
    case 0: return .null
    case 1, 2: return .string(text())
    case 3, 4, 5:
      // The client's interpretation is not tested here.
      let (type, text) = Self.numbers[below(Self.numbers.count)]
      return .plain(type, text, .null)
    case 6:
      return .range(
        minimum: below(2) == 0 ? nil : value(level + 1), maximum: below(2) == 0 ? nil : value(level + 1),
        minimumIsExclusive: [nil, true, false][below(3)], maximumIsExclusive: [nil, true, false][below(3)])
    case 7: return .resolution("\(below(9000))", "19.685", unit: below(2) == 0 ? nil : "mm")
    case 8: return .resource("http://host/\(below(99))", contentType: "image/png", relationship: nil)
    case 9: return .array(values(level))
    case 10:
      return [
        .strings((0..<below(4)).map { _ in text() }), .ids([TestID.other]), .resources([("a", "b"), ("c", "d")]),
      ][below(3)]
    case 11:
      let types = ["string", "int", "Resolution", "dateTime"]
      return .parameter(
        WrittenParameter(
          name: "p\(below(99))", type: types[below(4)], isReadOnly: below(2) == 0, supportsMultiple: below(2) == 0,
          defaultValue: value(level + 1), allowedValues: values(level)))
    default: return .dictionary(items(3, level + 1))
    }
  }
}

/// One plain form of a document, by our reader and by Python's.
private enum DocumentOracle {
  static let python = "/usr/bin/python3"

  /// Returns the canonical forms according to Python.
  static func texts(of documents: [[UInt8]]) async throws -> [String] {
    let folder = try TemporaryFolder()
    for (place, document) in documents.enumerated() { try folder.write(document, "\(place).xml") }
    let script = try folder.write(Array(Self.script.utf8), "read.py")
    let arguments = [script.path, folder.path.path, "\(documents.count)"]
    let outcome = try await OwnThread.value { _ in
      try BuiltProgram.run(URL(fileURLWithPath: python), arguments, deadlineInSeconds: 600)
    }
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output.split(separator: "\n").map(String.init)
  }

  /// Returns the canonical form according to our parser.
  static func text(of document: [UInt8]) throws -> String {
    let reader = try DocumentReader(limits: SensorLimits(), data: nil)
    try document.withUnsafeBytes { try reader.push($0) }
    let answer = try reader.finish()
    return [
      answer.namespace.rawValue, answer.status.word, answer.badFields.joined(separator: ","),
      answer.captureIDs.map(\.text).joined(separator: ","), answer.sessionID?.text ?? "", answer.message,
      answer.metadata.map { text(WireValue.dictionary($0)) } ?? "none",
    ].joined(separator: "|")
  }

  private static func text(_ value: WireValue) -> String {
    switch value {
    case .null: "null"
    case .string(let text): "string:\(hex(text))"
    case .boolean(let flag): "boolean:\(flag)"
    case .integer(let number, let type): "\(type):\(number)"
    case .decimal(let text, let type): "\(type):\(text)"
    case .double(let number, let type): "\(type):\(number.isNaN ? "nan" : String(number.bitPattern, radix: 16))"
    case .dateTime(let text): "dateTime:\(hex(text))"
    case .bytes(let bytes): "base64Binary:\(Hexadecimal.text(bytes))"
    case .uri(let text): "anyURI:\(hex(text))"
    case .range(let range):
      "Range(\(text(range.minimum)),\(text(range.maximum)),\(text(range.minimumIsExclusive)),"
        + "\(text(range.maximumIsExclusive)))"
    case .resolution(let size): "Resolution(\(size.width),\(size.height),\(hex(size.unit)))"
    case .resource(let resource):
      "Resource(\(hex(resource.uri)),\(hex(resource.contentType)),\(hex(resource.relationship)))"
    case .parameter(let parameter):
      "Parameter(\(hex(parameter.name)),\(parameter.type),\(parameter.isReadOnly),\(parameter.supportsMultiple),"
        + "\(text(parameter.defaultValue)),[\(parameter.allowedValues.map { text($0) }.joined(separator: ","))])"
    case .array(let values, let type): "\(type)[\(values.map { text($0) }.joined(separator: ","))]"
    case .dictionary(let items):
      "Dictionary{\(items.items.map { "\(hex($0.key))=\(text($0.value))" }.joined(separator: ","))}"
    case .other(let text, let type): "other:\(type):\(hex(text))"
    }
  }

  private static func text(_ value: WireValue?) -> String { value.map { text($0) } ?? "-" }
  private static func text(_ flag: Bool?) -> String { flag.map { "\($0)" } ?? "-" }
  private static func hex(_ text: String?) -> String { text.map { Hexadecimal.text($0.utf8) } ?? "-" }

  private static let script = #"""
    import base64, struct, sys
    import xml.etree.ElementTree as ET

    XS = 'http://www.w3.org/2001/XMLSchema'
    XSI = XS + '-instance'
    OWN = {
        'urn:oid:2.16.840.1.101.3.9.3.0', 'urn:oid:2.16.840.1.101.3.9.3.1',
        'http://docs.oasis-open.org/biometrics/ns/ws-bd-1.0', 'http://docs.oasis-open.org/bioserv/ns/wsbd-1.0',
    }

    def parsed(path):
        """The outermost element, and the prefixes in scope at each."""
        scopes, stack, fresh, root = {}, [{'xml': 'http://www.w3.org/XML/1998/namespace'}], {}, None
        for event, item in ET.iterparse(path, ('start-ns', 'start', 'end')):
            if event == 'start-ns':
                fresh[item[0] or ''] = item[1]
            elif event == 'start':
                root = item if root is None else root
                stack.append({**stack[-1], **fresh})
                scopes[item], fresh = stack[-1], {}
            else:
                stack.pop()
        return root, scopes

    def hexa(text): return '-' if text is None else text.encode('utf-8').hex()
    def bare(text): return (text or '').strip(' \t\r\n')
    def isNil(e): return e.get('{%s}nil' % XSI) in ('true', '1')
    def local(e): return e.tag.rsplit('}', 1)[-1]

    class Result:
        def __init__(self, path):
            self.root, self.scopes = parsed(path)
            self.space = self.root.tag[1:].split('}')[0]
            assert local(self.root) == 'result' and self.space in OWN

        def name(self, text, e):
            prefix, _, word = bare(text).rpartition(':')
            return self.scopes[e].get(prefix, ''), word

        def child(self, e, name):
            return next((c for c in e if local(c) == name and not isNil(c)), None)

        def text(self, e, name):
            c = self.child(e, name)
            return None if c is None else c.text or ''

        def flag(self, e, name):
            t = self.text(e, name)
            return '-' if t is None else 'true' if bare(t) in ('true', '1') else 'false'

        def optional(self, e, name):
            c = self.child(e, name)
            return '-' if c is None else self.value(c)

        def orNull(self, e, name):
            c = self.child(e, name)
            return 'null' if c is None else self.value(c)

        def items(self, e):
            return 'Dictionary{' + ','.join(
                hexa(bare(self.text(i, 'key'))) + '=' + self.orNull(i, 'value') for i in e) + '}'

        def value(self, e, expected=None):
            if isNil(e):
                return 'null'
            said = e.get('{%s}type' % XSI)
            space, word = self.name(said, e) if said else expected or ('', '')
            if space in OWN:
                return self.compound(e, word)
            text = e.text or ''
            one = bare(text)
            if space != XS:
                return 'other::' + hexa(text)
            if word == 'string':
                return 'string:' + hexa(text)
            if word == 'boolean':
                return 'boolean:' + ('true' if one in ('true', '1') else 'false')
            if word in ('float', 'double'):
                number = float(one.replace('INF', 'inf'))
                bits = struct.unpack('>Q', struct.pack('>d', number))[0]
                return word + ':' + ('nan' if number != number else '%x' % bits)
            if word in ('dateTime', 'anyURI'):
                return word + ':' + hexa(one)
            if word == 'base64Binary':
                return word + ':' + base64.b64decode(one, validate=True).hex()
            if word == 'decimal':
                return word + ':' + one
            if word == 'gDay':
                return 'other:' + word + ':' + hexa(text)
            return word + ':' + str(int(one))

        def compound(self, e, word):
            if word == 'Dictionary':
                return self.items(e)
            if word == 'Range':
                return 'Range(%s,%s,%s,%s)' % (
                    self.optional(e, 'minimum'), self.optional(e, 'maximum'), self.flag(e, 'minimumIsExclusive'),
                    self.flag(e, 'maximumIsExclusive'))
            if word == 'Resolution':
                return 'Resolution(%s,%s,%s)' % (
                    bare(self.text(e, 'width')), bare(self.text(e, 'height')), hexa(self.text(e, 'unit')))
            if word == 'Resource':
                return 'Resource(%s,%s,%s)' % (
                    hexa(bare(self.text(e, 'uri'))), hexa(self.text(e, 'contentType')),
                    hexa(self.text(e, 'relationship')))
            if word == 'Parameter':
                allowed, kind = self.child(e, 'allowedValues'), self.child(e, 'type')
                return 'Parameter(%s,%s,%s,%s,%s,[%s])' % (
                    hexa(bare(self.text(e, 'name'))), self.name(kind.text, kind)[1],
                    self.flag(e, 'readOnly'), self.flag(e, 'supportsMultiple'), self.orNull(e, 'defaultValue'),
                    ','.join(self.value(c) for c in ([] if allowed is None else allowed)))
            texts, resources = (XS, 'string'), (self.space, 'Resource')
            inner = {'StringArray': texts, 'UuidArray': texts, 'ResourceArray': resources}.get(word)
            return word + '[' + ','.join(self.value(c, inner) for c in e) + ']'

        def line(self):
            def texts(name):
                found = self.child(self.root, name)
                return '' if found is None else ','.join(c.text or '' for c in found)
            metadata = self.child(self.root, 'metadata')
            return '|'.join([
                self.space, bare(self.text(self.root, 'status')), texts('badFields'), texts('captureIds'),
                bare(self.text(self.root, 'sessionId')), bare(self.text(self.root, 'message')),
                'none' if metadata is None else self.items(metadata)])

    for number in range(int(sys.argv[2])):
        print(Result('%s/%d.xml' % (sys.argv[1], number)).line())
    """#
}
