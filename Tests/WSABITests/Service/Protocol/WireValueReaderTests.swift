import Testing

@testable import WSABI

/// Values that do not match their types (fault 32), times (48), and names with prefixes.
@Suite struct WireValueReaderTests {
  private func answer(_ content: String, root: String = "") throws -> SensorAnswer {
    let text =
      root.isEmpty
      ? resultDocument("<status>success</status><metadata>\(content)</metadata>")
      : root + "<status>success</status><metadata>\(content)</metadata></result>"
    let reader = try DocumentReader(limits: SensorLimits(), data: nil)
    try Array(text.utf8).withUnsafeBytes { try reader.push($0) }
    return try reader.finish()
  }

  /// Returns the value of an item, and its irregularities.
  private func value(_ element: String, root: String = "") throws -> (WireValue?, [String]) {
    let answer = try answer("<item><key>k</key>\(element)</item>", root: root)
    return (answer.metadata?["k"], answer.oddities)
  }

  @Test(arguments: [
    ("int", "twelve"), ("int", "99999999999"), ("int", "1.0"), ("int", ""), ("int", "0x10"), ("unsignedByte", "-1"),
    ("positiveInteger", "0"), ("unsignedLong", "99999999999999999999"), ("boolean", "yes"), ("double", "nan"),
    ("double", "1e999"), ("double", "0x1p3"), ("double", "1e"), ("decimal", "1e5"), ("decimal", "."),
    ("dateTime", "yesterday"), ("dateTime", "2012-13-14T00:00:00"), ("dateTime", "2012-02-14 09:30:15"),
    ("dateTime", "2012-02-14T09:30:15.+01:00"), ("base64Binary", "AAEC/w="),
  ])
  func `32: a value that does not match its type is preserved and reported`(type: String, text: String) throws {
    let (value, oddities) = try value("<value xsi:type='xs:\(type)'>\(text)</value>")
    #expect(value == .other(text, type: type))
    #expect(oddities == ["a value does not fit its type '\(type)'"])
  }

  @Test func `32: NaN is read as a number`() throws {
    guard case .double(let number, "double")? = try value("<value xsi:type='xs:double'>NaN</value>").0 else {
      Issue.record("no number")
      return
    }
    #expect(number.isNaN)
  }

  @Test func `32: the last value of a duplicate key is used, and the duplicate is reported`() throws {
    let one = "<item><key>k</key><value xsi:type='xs:int'>1</value></item>"
    let answer = try answer(one + "<item><key>l</key></item>" + one.replacing(">1<", with: ">2<"))
    #expect(answer.metadata?.items == [.init("k", .integer(2, type: "int")), .init("l", .null)])
    #expect(answer.oddities == ["a key occurs twice; its last value is used"])
  }

  @Test func `32: a parameter without a name and an item without a key are reported`() throws {
    let (value, oddities) = try value(
      "<value xsi:type='Parameter'><type>xs:int</type><readOnly>maybe</readOnly></value>")
    #expect(value == .parameter(SensorParameter(name: "", type: "int")))
    #expect(oddities == ["a parameter has no name", "'readOnly' is neither true nor false"])
    let answer = try answer("<item><value xsi:type='xs:int'>1</value></item>")
    #expect(answer.metadata?.isEmpty == true)
    #expect(answer.oddities == ["an item has no key"])
  }

  @Test func `32: an unknown type is preserved with its namespace`() throws {
    let (value, oddities) = try value("<value xmlns:m='urn:m' xsi:type='m:guid'>x</value>")
    #expect(value == .other("x", type: "{urn:m}guid"))
    #expect(oddities == ["a value has the unknown type 'guid'"])
    let (own, strange) = try self.value("<value xsi:type='Blob'>x</value>")
    #expect(strange == [])
    #expect(own == .other("x", type: "{\(ProtocolNamespace.bioserv.rawValue)}Blob"))
  }

  @Test func `a type is resolved by any prefix in scope`() throws {
    let schema = ProtocolNamespace.schema
    for element in [
      "<value xsi:type='xs:int'>7</value>", "<value xmlns:d4p1='\(schema)' xsi:type='d4p1:int'>7</value>",
      "<value xmlns:x='\(ProtocolNamespace.instance)' x:type=' xs:int '> 7 </value>",
      "<w:value xmlns:w='\(ProtocolNamespace.bioserv.rawValue)' xmlns='\(schema)' xsi:type='int'>7</w:value>",
      "<value xmlns:xs='\(ProtocolNamespace.bioserv.rawValue)' xmlns:y='\(schema)' xsi:type='y:int'>7</value>",
    ] {
      #expect(try value(element).0 == .integer(7, type: "int"))
      #expect(try value(element).1 == [])
    }
    // The same letters mean another thing where the prefix means another.
    let (other, _) = try value("<value xmlns:xs='urn:other' xsi:type='xs:int'>7</value>")
    #expect(other == .other("7", type: "{urn:other}int"))
  }

  @Test func `an undeclared type prefix has its usual meaning, and is reported`() throws {
    let root = "<w:result xmlns:w='urn:oid:2.16.840.1.101.3.9.3.1' xmlns:xsi='\(ProtocolNamespace.instance)'>"
    let text =
      root + "<w:status>success</w:status><w:metadata><w:item><w:key>a</w:key>"
      + "<w:value xsi:type='xs:int'>7</w:value></w:item><w:item><w:key>b</w:key><w:value xsi:type='Resolution'>"
      + "<w:width>1</w:width><w:height>2</w:height></w:value></w:item></w:metadata></w:result>"
    let reader = try DocumentReader(limits: SensorLimits(), data: nil)
    try Array(text.utf8).withUnsafeBytes { try reader.push($0) }
    let answer = try reader.finish()
    #expect(answer.metadata?["a"] == .integer(7, type: "int"))
    #expect(answer.metadata?["b"] == .resolution(WireResolution(width: "1", height: "2")))
    #expect(answer.oddities == ["the prefix of a type is not declared"])
  }

  @Test func `values without a type are read by their content, and by their parameter`() throws {
    #expect(try value("<value>x</value>").0 == .other("x", type: ""))
    #expect(try value("<value><width>1</width><height>2</height></value>").0?.plainText == nil)
    #expect(
      try value("<value><uri>u</uri></value>").0 == .resource(WireResource(uri: "u")))
    #expect(
      try value("<value><item><key>a</key><value xsi:nil='1'/></item></value>").0
        == .dictionary(WireDictionary([.init("a", .null)])))
    let parameter = try value(
      "<value xsi:type='Parameter'><name>n</name><type>xs:int</type><defaultValue>4</defaultValue>"
        + "<allowedValues><allowedValue>5</allowedValue></allowedValues></value>"
    ).0
    var expected = SensorParameter(name: "n", type: "int", defaultValue: .integer(4, type: "int"))
    expected.allowedValues = [.integer(5, type: "int")]
    #expect(parameter == .parameter(expected))
  }

  @Test func `the example of the standard is read`() throws {
    let text = """
      <result xmlns="http://docs.oasis-open.org/bioserv/ns/wsbd-1.0" xmlns:xs="http://www.w3.org/2001/XMLSchema"
              xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
        <status>success</status>
        <metadata>
          <item><key>modality</key><value xsi:type="Parameter"><name>modality</name>
            <q:type xmlns:q="http://docs.oasis-open.org/bioserv/ns/wsbd-1.0"
              xmlns:a="http://www.w3.org/2001/XMLSchema">a:string</q:type><readOnly>true</readOnly>
            <defaultValue xsi:type="xs:string">Iris</defaultValue></value></item>
        </metadata>
      </result>
      """
    let reader = try DocumentReader(limits: SensorLimits(), data: nil)
    try Array(text.utf8).withUnsafeBytes { try reader.push($0) }
    let answer = try reader.finish()
    var expected = SensorParameter(name: "modality", type: "string", defaultValue: .string("Iris"))
    expected.isReadOnly = true
    #expect(answer.metadata?["modality"] == .parameter(expected))
    #expect(answer.oddities == [])
  }

  @Test(arguments: [
    "1970-01-01T00:00:00Z", "2100-12-31T24:00:00+14:00", "2012-02-14T09:30:15.1234567-05:00", "2012-02-14T09:30:15",
    "0001-01-01T00:00:00",
  ])
  func `48: a time keeps the spelling of the service`(text: String) throws {
    let (value, oddities) = try value("<value xsi:type='xs:dateTime'>\(text)</value>")
    #expect(value == .dateTime(text))
    #expect(oddities == [])
  }
}
