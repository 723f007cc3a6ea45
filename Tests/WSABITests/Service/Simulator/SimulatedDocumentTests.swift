import PluginXML
import Testing

@testable import WSABI
@testable import WSABISimulator

/// All documents of simulated sensors are accepted by an independent XML parser.
struct SimulatedDocumentTests {
  private static let schema = "http://www.w3.org/2001/XMLSchema"
  private static let instance = "http://www.w3.org/2001/XMLSchema-instance"
  /// The types of the protocol.
  private static let types: Set = [
    "Parameter", "Range", "Resolution", "Resource", "ResourceArray", "Array", "StringArray", "Dictionary",
    "SensorStatus",
  ]

  /// Returns the problems of a document: names outside the protocol's namespace, undeclared types.
  private func problems(_ answer: ProbeAnswer, _ namespace: String) throws -> [String] {
    var problems: [String] = []
    var isType = false
    var text: [UInt8] = []
    var holder: XMLReader?
    let reader = try XMLReader { event in
      switch event {
      case .begin(let element):
        if element.name.namespace != namespace { problems.append("<\(element.name.local)>") }
        for attribute in element.attributes {
          let isKnown = attribute.name.namespace == Self.instance && ["type", "nil"].contains(attribute.name.local)
          if !isKnown { problems.append("attribute \(attribute.name.local)") }
          if attribute.name.local == "type", !isName(attribute.value, holder, namespace) {
            problems.append("type \(attribute.value)")
          }
        }
        isType = element.name.local == "type"
        text = []
      case .text(let bytes): text += bytes
      case .end:
        let name = String(decoding: text, as: UTF8.self)
        if isType, !isName(name, holder, namespace) { problems.append("type text \(name)") }
        isType = false
      @unknown default: break
      }
    }
    holder = reader
    try reader.push(answer.body)
    try reader.finish()
    holder = nil
    return problems
  }

  /// Returns true if a text is the name of a type whose prefix is declared there.
  private func isName(_ text: String, _ reader: XMLReader?, _ namespace: String) -> Bool {
    let parts = text.split(separator: ":").map(String.init)
    let space = reader?.namespace(of: parts.count == 2 ? parts[0] : "")
    return space == Self.schema || (space == namespace && Self.types.contains(parts.last ?? ""))
  }

  @Test(arguments: SimulatedNamespace.allCases, SimulatorConfiguration.Style.allCases)
  func `names and types are in their namespaces, whatever their prefixes`(
    _ namespace: SimulatedNamespace, _ style: SimulatorConfiguration.Style
  ) async throws {
    for fault in [nil, "prefixed", "other-style", "cdata", "references", "padded", "comments"] {
      let simulator = try SensorSimulator(.init(namespace: namespace, style: style, modalities: [.iris]))
      let probe = SensorProbe(simulator.addresses[0])
      let session = await probe.ready()
      let id = await probe.ask("POST", "/capture/\(session)").captureIDs.first ?? ""
      if let fault { try simulator.script(fault) }
      for (method, path) in [
        ("GET", "/info"), ("GET", "/status"), ("GET", "/configure/\(session)"), ("POST", "/capture/\(session)"),
        ("GET", "/download/\(id)"), ("GET", "/download/\(id)/info"), ("GET", "/download/\(id)/20"),
        ("POST", "/lock/\(id)"), ("DELETE", "/lock/\(session)"),
      ] {
        let answer = await probe.ask(method, path)
        let found = try problems(answer, namespace.urn)
        #expect(found == [], "\(fault ?? "") \(path)")
      }
      await simulator.stop()
    }
  }

  @Test func `a configuration of every type is read back`() async throws {
    let simulator = try SensorSimulator(.init(modalities: [.iris]))
    let probe = SensorProbe(simulator.addresses[0])
    let session = await probe.ready()
    let space = SimulatedNamespace.bioserv.urn
    let items = [
      ("submodality", "xs:string\">RightIris"), ("illumination", "xs:unsignedByte\">17"),
      ("exposure", "xs:double\">0.25"), ("operatorNote", "xs:string\">a &lt; b &amp; c"),
      ("imageSize", "p:Resolution\" xmlns:p=\"\(space)\"><width>200</width><height>150</height>"),
    ]
    #expect(await probe.ask("POST", "/configure/\(session)", SensorProbe.configuration(items)).status == "success")
    let answer = await probe.ask("GET", "/configure/\(session)")
    #expect(answer.value("submodality") == "RightIris")
    #expect(answer.value("illumination") == "17" && answer.whole.contains(":unsignedByte\""))
    #expect(answer.value("exposure") == "0.25")
    #expect(answer.value("operatorNote") == "a &lt; b &amp; c")
    #expect(answer.value("imageSize") == "<width>200</width><height>150</height>")
    await simulator.stop()
  }
}
