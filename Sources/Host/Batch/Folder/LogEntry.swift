import PluginAPI

/// One document of an attempt log.
///
/// Documents begin with their kind and, where they have one, their item, so that records are found without parsing
/// their values.
enum LogEntry: Equatable {
  /// The attempt began.
  case start
  /// An item is about to run, this many seconds after the start.
  case begin(item: Int, seconds: Double)
  /// The record of an item with a value.
  case value(item: Int)
  /// The record of an item that ended in an error with this code; another attempt may not have a transient error.
  case error(item: Int, code: String, isTransient: Bool)
  /// The attempt is alive, this many seconds after its start.
  case heartbeat(seconds: Double)
  /// The attempt ended on its own.
  case end

  /// Reads a document; nil if it is of a kind that this version does not know.
  init?(_ document: UnsafeRawBufferPointer) {
    if let item = Self.item(after: Self.valueHead, in: document) {
      self = .value(item: item)
      return
    }
    guard let fields = try? ItemRecord.read(Array(document)) else { return nil }
    switch fields["kind"].text {
    case "start": self = .start
    case "begin":
      guard let item = fields["item"].integer else { return nil }
      self = .begin(item: item, seconds: fields["seconds"].number ?? 0)
    case "error":
      guard let item = fields["item"].integer, let code = fields["error"]["code"].text else { return nil }
      self = .error(item: item, code: code, isTransient: BatchError.isTransient(fields["error"]))
    case "heartbeat": self = .heartbeat(seconds: fields["seconds"].number ?? 0)
    case "end": self = .end
    default: return nil
    }
  }

  /// The item of a record; nil for other documents.
  var item: Int? {
    switch self {
    case .value(let item), .error(let item, _, _): item
    case .start, .begin, .heartbeat, .end: nil
    }
  }

  private static let valueHead = Array(#"{"kind":"value","item":"#.utf8)

  /// Returns the number after a head, up to a comma; nil if the document begins otherwise.
  private static func item(after head: [UInt8], in document: UnsafeRawBufferPointer) -> Int? {
    guard document.starts(with: head) else { return nil }
    var number = 0
    for byte in document[head.count...] {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let (product, overflow) = number.multipliedReportingOverflow(by: 10)
        if overflow || product > Int.max - 9 { return nil }
        number = product + Int(byte - UInt8(ascii: "0"))
      case UInt8(ascii: ","): return number
      default: return nil
      }
    }
    return nil
  }
}

/// The record of an item: its documents in a log and in gathered results.
enum ItemRecord {
  private static let kinds = [#"{"kind":"value","#, #"{"kind":"error","#].map { Array($0.utf8) }
  private static let runHead = Array(#","run":{"#.utf8)

  /// Returns the document of a record.
  ///
  /// - Parameters:
  ///   - head: The fields before the result: id, input.
  ///   - run: The fields that may differ between attempts: time, memory, tries.
  static func document(
    item: Int, head: Record, result: Result<Value, ErrorReport>, diagnostics: [Diagnostic], run: Record
  ) -> [UInt8] {
    var fields: [Record.Field]
    switch result {
    case .success(let value):
      fields = [.init("kind", "value"), .init("item", .integer(item))] + head.fields + [.init("value", value)]
    case .failure(let error):
      fields = [.init("kind", "error"), .init("item", .integer(item))] + head.fields + [.init("error", error.document)]
    }
    fields.append(.init("diagnostics", .list(diagnostics.map(\.value))))
    fields.append(.init("run", .record(run)))
    return JSONWriter.bytes(of: .record(Record(fields)))
  }

  /// Reads the document of a record, whose value or details may have all levels of a value.
  static func read(_ document: [UInt8]) throws(JSONError) -> Value {
    try JSONReader.read(document, deepest: Value.maximumDepth + 8)
  }

  /// Returns the part of a record's document that is equal in all attempts, as a document: without kind and run.
  ///
  /// `run` is the last field and holds numbers only, so its last occurrence is the field.
  static func comparable(_ document: ArraySlice<UInt8>) -> [UInt8]? {
    guard let kind = kinds.first(where: { document.starts(with: $0) }) else { return nil }
    var start = document.endIndex - runHead.count
    while start > document.startIndex, !document[start...].starts(with: runHead) { start -= 1 }
    guard start > document.startIndex else { return nil }
    var part = [UInt8(ascii: "{")]
    part += document[(document.startIndex + kind.count)..<start]
    part.append(UInt8(ascii: "}"))
    return part
  }
}
