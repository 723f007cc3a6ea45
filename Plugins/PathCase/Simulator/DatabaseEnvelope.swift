public import PluginAPI
internal import PluginCompression
internal import PluginText

/// The envelope in which a simulated service sends its documents.
public enum DatabaseEnvelope: String, Sendable, CaseIterable, ParameterValue {
  case bare
  /// SOAP 1.1, the document as an element.
  case soap
  /// SOAP 1.1, the document as escaped text.
  case soapText = "soap-text"
  /// The response of an ASP.NET service to a form: escaped text in a `string` element.
  case asmx
  case gzip

  /// Returns a document in the envelope.
  func wrapped(_ document: [UInt8]) -> [UInt8] {
    switch self {
    case .bare: document
    case .soap: Self.soap(Self.withoutDeclaration(document))
    case .soapText: Self.soap(Self.escaped(document))
    case .asmx:
      Array(#"<?xml version="1.0" encoding="utf-8"?><string xmlns="http://tempuri.org/">"#.utf8)
        + Self.escaped(document) + Array("</string>".utf8)
    case .gzip: (try? Gzip.compress(document)) ?? document
    }
  }

  private static func soap(_ content: [UInt8]) -> [UInt8] {
    let head = """
      <?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/">\
      <soap:Body><GetResponse xmlns="http://tempuri.org/"><GetResult>
      """
    return Array(head.utf8) + content + Array("</GetResult></GetResponse></soap:Body></soap:Envelope>".utf8)
  }

  /// Returns a document without its XML declaration, which may occur only at the beginning.
  private static func withoutDeclaration(_ document: [UInt8]) -> [UInt8] {
    guard document.starts(with: Array("<?xml".utf8)), let end = document.firstIndex(of: UInt8(ascii: ">")) else {
      return document
    }
    return Array(document[(end + 1)...])
  }

  private static func escaped(_ document: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(document.count + document.count / 4)
    XMLEscape.append(content: String(decoding: document, as: UTF8.self), to: &bytes)
    return bytes
  }
}
