import PluginImages
import PluginSimulation
import PluginText

/// A maker of a response's document, with its faults and oddities.
struct FaultyDocument: Sendable {
  let configuration: SimulatorConfiguration
  let faults: [SimulatorFaultRule]
  /// The id of the first capture there was.
  let earlier: String?

  /// Returns the document, with the faults of its elements applied.
  ///
  /// - Parameter word: An unknown status; nil for that of the response.
  func document(_ response: SimulatedAnswer, word: String?) -> SimulatedDocument {
    var response = response
    for rule in faults { change(&response, rule) }
    var element = response.element(configuration)
    if let word { element["status"]?.text = word }
    for rule in faults { change(&element, rule) }
    var document = writer.document(element)
    for rule in faults {
      if let form = Self.dataForms[rule.fault] { document.dataForm = form }
    }
    return document
  }

  private static let dataForms: [SimulatorFault: SimulatedDocument.DataForm] = [
    .wrappedData: .wrapped, .cdataData: .inCDATA, .junkData: .junk, .cutData: .cut, .paddedData: .paddedInside,
    .emptyData: .empty,
  ]

  private var writer: SimulatedWriter {
    var writer = SimulatedWriter(namespace: configuration.namespace.urn, style: configuration.style)
    for rule in faults {
      switch rule.fault {
      case .unknownNamespace: writer.namespace = rule.value ?? "urn:example:not-a-sensor"
      case .noNamespace: writer.namespace = ""
      case .otherNamespace:
        writer.namespace = (configuration.namespace == .nist ? SimulatedNamespace.bioserv : .nist).urn
      case .prefixed: writer.isPrefixed = true
      case .otherStyle: writer.style = configuration.style == .wcf ? .jaxb : .wcf
      case .cdata: writer.textForm = .inCDATA
      case .comments: writer.textForm = .withComments
      case .references: writer.textForm = .asReferences
      case .padded: writer.textForm = .padded
      default: break
      }
    }
    return writer
  }

  // MARK: Responses

  private func change(_ response: inout SimulatedAnswer, _ rule: SimulatorFaultRule) {
    switch rule.fault {
    case .noSession: response.sessionID = nil
    case .badSession: response.sessionID = response.sessionID.map { _ in "session-42" }
    case .pathSession: response.sessionID = response.sessionID.map { _ in "../../admin" }
    case .blankSession: response.sessionID = response.sessionID.map { "\($0.prefix(18)) \($0.dropFirst(18))" }
    case .noCaptures: response.captureIDs = nil
    case .emptyCaptures: response.captureIDs = response.captureIDs.map { _ in [] }
    case .doubleCaptures: response.captureIDs = response.captureIDs.map { $0.flatMap { [$0, $0.uppercased()] } }
    case .manyCaptures:
      var chance = SeededChance(configuration.seed, 10_000)
      response.captureIDs = response.captureIDs.map { $0 + (0..<10_000).map { _ in chance.identifier() } }
    case .foreignCapture:
      if let earlier { response.captureIDs = response.captureIDs.map { _ in [earlier] } }
    case .noData: response.data = nil
    case .noMetadata: response.metadata = nil
    case .cutPicture: response.data = response.data.map { SimulatedData(Array($0.bytes.prefix($0.count / 2))) }
    case .emptyPicture:
      response.data = response.data.map { _ in
        SimulatedData(BitmapWriter.head(width: 0, height: 0, pixelsPerInch: 0))
      }
    case .bombPicture:
      response.data = response.data.map { _ in SimulatedData(SimulatedImage.pngClaim(width: 50_000, height: 50_000)) }
    case .hostileTexts:
      response.message = Self.hostile
      response.metadata?.append(SimulatedItem("vendor", .text(Self.hostile)))
    default: if let metadata = response.metadata { response.metadata = FaultyMetadata(rule).changed(metadata) }
    }
  }

  /// Marks that reverse the writing direction, and other characters that no terminal should receive unfiltered.
  private static let hostile = "ok \u{202E}gnp.drawkcab\u{2066}\u{200B}\u{85}\u{9B}31m\u{2028}end"

  // MARK: Elements

  private func change(_ element: inout SimulatedElement, _ rule: SimulatorFaultRule) {
    switch rule.fault {
    case .noStatus: element["status"] = nil
    case .twoStatuses: element.children.insert(SimulatedElement("status", text: "failure"), at: 1)
    case .unknownStatus: element["status"]?.text = rule.value ?? "sensorOnFire"
    case .upperCaseStatus:
      let word = element["status"]?.text.uppercased() ?? ""
      element["status"]?.text = word
    case .reordered: element.children.reverse()
    case .namelessParameter:
      guard let index = element["metadata"]?.children.indices.last else { return }
      element["metadata"]?.children[index]["value"]?["name"] = nil
    default: break
    }
  }

  // MARK: Bytes

  private static let ofBytes: Set<SimulatorFault> = [
    .cutTag, .junkBehind, .mismatchedTags, .doctype, .externalEntity, .entityBomb, .deep, .manyItems, .bigKey, .badUTF8,
    .escapeCharacters, .nul, .utf16, .bom,
  ]

  /// True if its bytes are changed as well.
  var changesBytes: Bool { faults.contains { Self.ofBytes.contains($0.fault) } }

  /// Returns the bytes with changes that make them malformed, or unusual.
  func changed(_ bytes: [UInt8]) -> [UInt8] {
    faults.reduce(bytes) { bytes, rule in FaultyBytes(rule.fault).changed(bytes) }
  }
}

/// A change of the metadata of a capture or a service.
struct FaultyMetadata: Sendable {
  private let rule: SimulatorFaultRule

  init(_ rule: SimulatorFaultRule) { self.rule = rule }

  func changed(_ items: [SimulatedItem]) -> [SimulatedItem] {
    switch rule.fault {
    case .doubleKeys: items + items.suffix(1).map { SimulatedItem($0.key, .text("the second")) }
    case .wrongTypes:
      items + [
        SimulatedItem("count", .plain("many", type: "int")), SimulatedItem("flag", .plain("maybe", type: "boolean")),
        SimulatedItem("odd", .plain("?", type: "notAType")), SimulatedItem("bytes", .plain("*", type: "base64Binary")),
      ]
    case .hugeNumbers:
      items + [
        SimulatedItem("huge", .plain(String(repeating: "9", count: 400), type: "integer")),
        SimulatedItem("beyond", .plain("9223372036854775808", type: "long")),
        SimulatedItem("tiny", .plain("-9223372036854775809", type: "integer")),
      ]
    case .notANumber:
      items + [
        SimulatedItem("nan", .plain("NaN", type: "double")), SimulatedItem("inf", .plain("-INF", type: "float")),
        SimulatedItem("swift", .plain("nan", type: "double")), SimulatedItem("hex", .plain("0x10", type: "double")),
      ]
    case .badDates: with("captureDate", .plain("2026-02-31T25:61:61Zulu", type: "dateTime"), items)
    case .date: with("captureDate", .plain(rule.value ?? "1970-01-01T00:00:00", type: "dateTime"), items)
    case .lyingType: with("contentType", .text("image/x-wsq"), items)
    case .unknownType: with("contentType", .text("x-biometric/unheard-of"), items)
    case .noType: items.filter { $0.key != "contentType" }
    case .unknownModality: parameter("modality", "Aura", items)
    case .noModality: items.filter { $0.key != "modality" }
    case .noSubmodality: items.filter { $0.key != "submodality" }
    default: items
    }
  }

  /// Returns the items with the value of a key replaced; old services use another name for the key.
  private func with(_ key: String, _ value: SimulatedValue, _ items: [SimulatedItem]) -> [SimulatedItem] {
    items.map { item in
      item.key == key || (key == "captureDate" && item.key == "captureTime") ? SimulatedItem(item.key, value) : item
    }
  }

  private func parameter(_ key: String, _ word: String, _ items: [SimulatedItem]) -> [SimulatedItem] {
    items.map { $0.key == key ? SimulatedItem(key, .parameter(.fixed(key, .text(word)))) : $0 }
  }
}

/// Changes the bytes of a document.
struct FaultyBytes: Sendable {
  private let fault: SimulatorFault

  init(_ fault: SimulatorFault) { self.fault = fault }

  func changed(_ bytes: [UInt8]) -> [UInt8] {
    switch fault {
    case .cutTag: Array(bytes.dropLast(5))
    case .junkBehind: bytes + Array("<more/>junk".utf8)
    case .mismatchedTags: bytes.replacing("</status>", with: "</state>")
    case .doctype: prolog(bytes, "<!DOCTYPE result>")
    case .externalEntity:
      prolog(bytes, "<!DOCTYPE result [<!ENTITY file SYSTEM \"file:///etc/hostname\">]>")
        .inserting(Self.plain("<message>&file;</message>"), before: "<status>")
    case .entityBomb: prolog(bytes, Self.bomb).inserting(Self.plain("<message>&e9;</message>"), before: "<status>")
    case .deep: bytes.inserting(Self.nesting, before: "<status>")
    case .manyItems: bytes.inserting(Self.items, before: "</metadata>")
    case .bigKey:
      bytes.inserting(
        Self.plain("<item><key>") + [UInt8](repeating: UInt8(ascii: "k"), count: 10 << 20)
          + Self.plain("</key><value/></item>"), before: "</metadata>")
    case .badUTF8:
      bytes.inserting([UInt8]("<message>".utf8) + [0xC3, 0x28, 0xFF] + Self.plain("</message>"), before: "<status>")
    case .escapeCharacters:
      bytes.inserting([UInt8]("<message>".utf8) + [0x1B] + Self.plain("[2J</message>"), before: "<status>")
    case .nul: bytes.inserting([0], before: "</status>")
    case .utf16: utf16(bytes)
    case .bom: [0xEF, 0xBB, 0xBF] + bytes
    default: bytes
    }
  }

  /// Returns the document with an insertion between its declaration and its first element.
  private func prolog(_ bytes: [UInt8], _ text: String) -> [UInt8] {
    let offset =
      ByteSearch.firstIndex(of: "<result".utf8, in: bytes) ?? ByteSearch.firstIndex(of: "<w:result".utf8, in: bytes)
      ?? 0
    return Array(bytes[..<offset]) + Array(text.utf8) + Array(bytes[offset...])
  }

  private static func plain(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// Elements within each other, 100000 of them.
  private static let nesting = plain(
    String(repeating: "<a>", count: 100_000) + String(repeating: "</a>", count: 100_000))

  /// 300000 items of different keys, made once.
  private static let items: [UInt8] = {
    let one = "<item><key>k000000</key><value/></item>"
    let (length, last) = (one.utf8.count, 17)
    var items = plain(String(repeating: one, count: 300_000))
    items.withUnsafeMutableBufferPointer { items in
      for number in 0..<300_000 {
        var (remaining, offset) = (number, number * length + last)
        while remaining > 0 {
          items[offset] += UInt8(remaining % 10)
          remaining /= 10
          offset -= 1
        }
      }
    }
    return items
  }()

  private static let bomb: String = {
    let steps = (1...9).map { step in
      "<!ENTITY e\(step) \"\(String(repeating: "&e\(step - 1);", count: 10))\">"
    }
    return "<!DOCTYPE result [<!ENTITY e0 \"boom\">\(steps.joined())]>"
  }()

  /// Returns little-endian UTF-16 with a byte order mark and a matching declaration.
  private func utf16(_ bytes: [UInt8]) -> [UInt8] {
    let text = String(decoding: bytes.replacing("UTF-8", with: "UTF-16"), as: UTF8.self)
    return [0xFF, 0xFE] + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
  }
}

extension [UInt8] {
  /// Returns the bytes with the first occurrence of a text replaced.
  func replacing(_ text: String, with other: String) -> [UInt8] {
    guard let offset = ByteSearch.firstIndex(of: text.utf8, in: self) else { return self }
    return Array(self[..<offset]) + Array(other.utf8) + Array(self[(offset + text.utf8.count)...])
  }
}
