import PluginJSON
import PluginText

/// A normal form of a document that another reader can produce too: `{k:v,k:v}`, `[v,v]`, `#1.50`, `n`, `t`, `f`, and
/// texts as the hexadecimal digits of their UTF-8 between quotes; `E` for anything but JSON.
public enum PlainForm {
  /// Returns the form as PluginJSON reads the document, pushed in pieces of a number of bytes.
  public static func read(_ document: [UInt8], piece: Int) -> String {
    let form = Form()
    do {
      let reader = try JSONReader { event in
        form.take(event)
        return .more
      }
      for start in stride(from: 0, to: document.count, by: piece) {
        try reader.push(document[start..<min(document.count, start + piece)])
      }
      try reader.finish()
    } catch {
      return "E"
    }
    return String(decoding: form.bytes, as: UTF8.self)
  }

  private final class Form {
    var bytes: [UInt8] = []
    /// A Boolean value indicating whether a comma is due before the next value.
    private var owesComma = false

    func take(_ event: JSONEvent) {
      let isEnd = if case .endObject = event { true } else if case .endArray = event { true } else { false }
      if owesComma, !isEnd { add(",") }
      owesComma = true
      switch event {
      case .beginObject: begin("{")
      case .beginArray: begin("[")
      case .endObject: add("}")
      case .endArray: add("]")
      case .key(let text):
        add(text)
        begin(":")
      case .text(let text): add(text)
      case .number(let text): add("#" + text.string)
      case .bool(let flag): add(flag ? "t" : "f")
      case .null: add("n")
      case .raw: break
      }
    }

    private func begin(_ mark: String) {
      add(mark)
      owesComma = false
    }

    private func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private func add(_ text: JSONText) {
      add("\"\(Hexadecimal.text(text.bytes))\"")
    }
  }
}
