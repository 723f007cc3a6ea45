import PluginAPI
import PluginJSON

/// A reader's events as text: `{ k"a" 1 "b" t f n }`, followed by the code of the error and its byte, if there is one.
struct JSONTrace {
  var options = JSONReader.Options()
  /// Decides about the content that follows.
  var decide: (JSONEvent) -> JSONFlow = { _ in .more }

  /// Reads a document in pieces that end at such places.
  func read(_ document: [UInt8], ends: [Int]) -> String {
    var words: [String] = []
    do {
      let reader = try JSONReader(options) { event in
        words.append(Self.word(event))
        return decide(event)
      }
      var start = 0
      for end in ends + [document.count] {
        try reader.push(document[start..<end])
        start = end
      }
      try reader.finish()
      if reader.replacedSurrogates > 0 { words.append("replaced \(reader.replacedSurrogates)") }
    } catch let error as JSONError {
      words.append("\(error.report.code)@\(error.report.details["offset"]?.integer ?? -1)")
    } catch {
      words.append("\(error)")
    }
    return words.joined(separator: " ")
  }

  /// Reads a document at once.
  func read(_ text: String) -> String { read(Array(text.utf8), ends: []) }

  private static func word(_ event: JSONEvent) -> String {
    switch event {
    case .beginObject: "{"
    case .endObject: "}"
    case .beginArray: "["
    case .endArray: "]"
    case .key(let text): "k\"\(text.string)\""
    case .text(let text): "\"\(text.string)\""
    case .number(let text): text.string
    case .bool(let flag): flag ? "t" : "f"
    case .null: "n"
    case .raw(let text): "raw(\(text.string))"
    }
  }
}
