import PluginText

/// An export of a subtree as one self-contained page: no scripts, no external addresses; images are embedded.
///
/// Every entity is a section with an anchor, children are links to theirs. Texts are escaped and sanitized; a policy in
/// the page's head forbids loading anything else. In print a section stays on one page where it fits.
/// - Source: HTML Living Standard; Content Security Policy Level 3.
struct HTMLExport: EntityExport {
  /// The largest number of children listed; longer lists are cut, and state their number.
  static let mostChildren = 10_000

  private let origin: ExportOrigin
  private var count = 0

  init(_ origin: ExportOrigin) {
    self.origin = origin
  }

  mutating func begin() -> [UInt8] {
    let title = XMLEscape.content(SanitizedText.line(origin.title))
    return Array(
      """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
      <meta name="viewport" content="width=device-width"><title>\(title)</title>
      <style>\(Self.style)</style></head><body>
      <h1 dir="auto">\(title)</h1>
      <p class="origin">from \(XMLEscape.content(SanitizedText.line(origin.server))), \(XMLEscape.content(origin.madeAt))</p>

      """.utf8)
  }

  private static let style = """
    body{font:15px/1.45 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}
    section{border-top:1px solid #bbb;padding:.6em 0;break-inside:avoid-page}
    h2{margin:.2em 0}.kind,.origin,.id{color:#555}table{border-collapse:collapse;margin:.6em 0}
    th,td{text-align:left;vertical-align:top;padding:.15em 1em .15em 0;border-bottom:1px solid #e4e4e4}
    pre{margin:0;font:inherit;white-space:pre-wrap}pre.wide{font:13px/1.35 monospace}
    img{max-width:100%;max-height:30em}img.tile{max-width:12em;max-height:12em;margin:.2em}
    ul.children{columns:3;padding-left:1.2em}@media print{body{margin:0}a{color:inherit;text-decoration:none}}
    """

  mutating func add(_ exported: ExportedEntity) -> [UInt8] {
    let entity = exported.entity
    let category = SanitizedText.line(entity.category)
    var out = "<section id=\"\(Self.anchor(entity.permID))\">\n"
    out += "<h2 dir=\"auto\">\(XMLEscape.content(EntityTitle.heading(entity)))</h2>\n"
    if !category.isEmpty { out += "<p class=\"kind\" dir=\"auto\">\(XMLEscape.content(category))</p>\n" }
    if !entity.summary.isEmpty { out += "<p dir=\"auto\">\(Self.text(entity.summary))</p>\n" }
    let identifier = [entity.identifier ?? "", entity.permID].filter { !$0.isEmpty }.map { SanitizedText.line($0) }
    out += "<p class=\"id\">\(XMLEscape.content(identifier.joined(separator: " · ")))</p>\n"
    out += exported.images.map(Self.image).joined()
    out += Self.table(entity.properties ?? [])
    out += Self.children(exported)
    count += 1
    return Array((out + "</section>\n").utf8)
  }

  mutating func end() -> [UInt8] {
    Array("<p class=\"origin\">\(count) \(count == 1 ? "entity" : "entities")</p>\n</body></html>\n".utf8)
  }

  private static func table(_ properties: [Property]) -> String {
    if properties.isEmpty { return "" }
    let rows = properties.map { property in
      let label = SanitizedText.line(property.label.isEmpty ? property.key : property.label)
      let value = ShownValue(property.value, limit: nil)
      // Former tables keep their columns only in a monospaced font.
      let look = value.hasSeveralLines ? " class=\"wide\"" : ""
      return "<tr><th dir=\"auto\">\(XMLEscape.content(label))</th>"
        + "<td><pre dir=\"auto\"\(look)>\(XMLEscape.content(value.text))</pre></td></tr>\n"
    }
    return "<table>\n" + rows.joined() + "</table>\n"
  }

  private static func image(_ exported: ExportedEntity.Image) -> String {
    let isTile = exported.image.role == .tiled
    if let bytes = exported.bytes, let address = DataAddress.of(image: bytes) {
      return "<img\(isTile ? " class=\"tile\"" : "") alt=\"image\" src=\"\(address)\">\n"
    }
    let reason: String
    switch exported.image.source {
    case .address(let address): reason = "not kept: \(SanitizedText.line(address))"
    case .unusable(let why): reason = SanitizedText.line(why)
    case .bytes, .stored: reason = "not kept, or of a format pages cannot show"
    }
    return "<p class=\"id\">image \(XMLEscape.content(reason))</p>\n"
  }

  private static func children(_ exported: ExportedEntity) -> String {
    if exported.children.isEmpty { return "" }
    var out = "<ul class=\"children\">\n"
    for (index, id) in exported.children.prefix(mostChildren).enumerated() {
      let title = index < exported.childTitles.count ? exported.childTitles[index] : id
      out += "<li dir=\"auto\"><a href=\"#\(anchor(id))\">\(XMLEscape.content(SanitizedText.line(title)))</a></li>\n"
    }
    let rest = exported.children.count - mostChildren
    return out + (rest > 0 ? "<li>… \(rest) more</li>\n" : "") + "</ul>\n"
  }

  /// Returns an id for anchors and links: letters and digits, and all other characters by their bytes.
  static func anchor(_ permID: String) -> String {
    var out = "e-"
    for byte in permID.utf8 {
      let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      if isPlain { out.unicodeScalars.append(Unicode.Scalar(byte)) } else { out += "_" + String(byte, radix: 16) + "." }
    }
    return out
  }

  private static func text(_ text: String) -> String {
    let value = ShownValue(text, limit: nil)
    return XMLEscape.content(value.text).split(separator: "\n", omittingEmptySubsequences: false).joined(
      separator: "<br>")
  }
}
