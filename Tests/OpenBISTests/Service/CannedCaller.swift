import PluginAPI
import PluginJSON

@testable import OpenBIS

/// A caller that returns results written by a test, in chunks of a few bytes.
final class CannedCaller: RPCCaller {
  private let results: Mutexed<[String]>
  private let seen = Mutexed<[RPCCall]>([])
  private let pieceInBytes: Int

  /// Creates a caller.
  ///
  /// - Parameters:
  ///   - results: The result of each call; further calls get the last one.
  ///   - pieceInBytes: The size of the chunks of a result.
  init(_ results: String..., pieceInBytes: Int = 7) {
    self.results = Mutexed(results)
    self.pieceInBytes = pieceInBytes
  }

  /// The calls so far, in order.
  var calls: [RPCCall] { seen.value }

  /// The parameters of the last call, as values.
  var lastParameters: [Value] { (calls.last?.parameters ?? []).compactMap { try? Value(json: $0) } }

  func call(_ call: RPCCall, _ reader: any RPCResultReader & Sendable) async throws -> RPCResponse {
    seen.withLock { $0.append(call) }
    let json = results.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    let body = Array(#"{"result":\#(json),"id":1}"#.utf8)
    let envelope = RPCEnvelope(reader)
    let stream = try JSONReader { try envelope.take($0) }
    for start in stride(from: 0, to: body.count, by: pieceInBytes) {
      try stream.push(body[start..<min(start + pieceInBytes, body.count)])
    }
    try stream.finish()
    return RPCResponse(sizeInBytes: body.count, replacedSurrogates: stream.replacedSurrogates)
  }
}

/// Tables in the format of servers.
enum TableText {
  /// Returns a table of V1: cells are objects, values texts.
  static func v1(_ columns: [String], _ rows: [[String]]) -> String {
    var writer = JSONWriter()
    write(columns, &writer, "QueryTableModel", "QueryTableColumn")
    for row in rows {
      writer.beginArray()
      for (index, cell) in row.enumerated() {
        writer.write(.record(["@id": .integer(100 + index), "type": "STRING", "value": .text(cell)]))
      }
      writer.endArray()
    }
    return end(&writer)
  }

  /// Returns a table of V3: cells are objects, numbers are numbers.
  static func v3(_ columns: [String], _ rows: [[Value]]) -> String {
    var writer = JSONWriter()
    write(columns, &writer, "as.dto.common.TableModel", "as.dto.common.TableColumn")
    for row in rows {
      writer.beginArray()
      for cell in row {
        let kind = cell.integer != nil ? "Long" : cell.number != nil ? "Double" : "String"
        writer.write(.record(["@type": .text("as.dto.common.Table\(kind)Cell"), "@id": 9, "value": cell]))
      }
      writer.endArray()
    }
    return end(&writer)
  }

  private static func write(_ columns: [String], _ writer: inout JSONWriter, _ table: String, _ column: String) {
    writer.beginObject()
    writer.key("@type")
    writer.write(table)
    writer.key("columns")
    writer.beginArray()
    for (index, title) in columns.enumerated() {
      writer.write(
        .record(["@type": .text(column), "@id": .integer(index + 2), "title": .text(title), "dataType": "STRING"]))
    }
    writer.endArray()
    writer.key("rows")
    writer.beginArray()
  }

  private static func end(_ writer: inout JSONWriter) -> String {
    writer.endArray()
    writer.endObject()
    return String(decoding: writer.take(), as: UTF8.self)
  }
}
