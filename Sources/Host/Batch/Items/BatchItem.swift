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

extension RunFolder {
  /// Reads the items of a shard, in order.
  ///
  /// - Throws: ``ErrorReport`` with the code `batch.broken-run`.
  func items(of shard: Int) throws -> [BatchItem] {
    let lines = try HostFile.read(self.shard(shard), limit: 1 << 32).split(separator: UInt8(ascii: "\n"))
    return try lines.map { line in
      guard let value = try? JSONReader.read(Array(line)), let item = BatchItem(value) else {
        throw Self.notAnItem(self.shard(shard))
      }
      return item
    }
  }

  /// The error of a shard's file with a line that is not an item.
  static func notAnItem(_ path: String) -> ErrorReport {
    BatchError.brokenRun("'\(path)' has a line that is not an item", advice: "plan a new run")
  }
}
