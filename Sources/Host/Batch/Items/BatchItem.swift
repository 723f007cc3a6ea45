import PluginAPI

/// One item of a run.
struct BatchItem: Sendable, Equatable {
  /// The number of the item, counted from 1.
  var number: Int
  /// The text that `{}` stands for.
  var id: String
  /// The values that `{name}` stands for.
  var fields: Record
  /// The regular file that the item's command reads, with its size and checksum when the run was planned.
  var input: Input?

  struct Input: Sendable, Equatable {
    var path: String
    var bytes: Int
    /// SHA-256 in hexadecimal digits; nil if it was not computed.
    var sha256: String?
  }

  init(number: Int, id: String, fields: Record = Record(), input: Input? = nil) {
    (self.number, self.id, self.fields, self.input) = (number, id, fields, input)
  }

  /// Creates an item from its line in a shard; nil if it is none.
  init?(_ value: Value) {
    guard let number = value["item"].integer, let id = value["id"].text else { return nil }
    self.init(number: number, id: id, fields: value["fields"].record ?? Record())
    if let path = value["path"].text, let bytes = value["bytes"].integer {
      input = Input(path: path, bytes: bytes, sha256: value["sha256"].text)
    }
  }

  /// The fields of the item in its record.
  var head: Record {
    var head: Record = ["id": .text(id)]
    if !fields.isEmpty { head["fields"] = .record(fields) }
    return head
  }

  /// The item as a line of a shard.
  var value: Value {
    var record: Record = ["item": .integer(number), "id": .text(id)]
    if !fields.isEmpty { record["fields"] = .record(fields) }
    if let input {
      record["path"] = .text(input.path)
      record["bytes"] = .integer(input.bytes)
      if let sha256 = input.sha256 { record["sha256"] = .text(sha256) }
    }
    return .record(record)
  }
}
