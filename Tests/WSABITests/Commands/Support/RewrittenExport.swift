import Foundation
import PluginAPI
import PluginJSON
import PluginText

@testable import WSABI

/// An export in a folder whose manifest is rewritten, with its hash, as a person editing exports by hand could do.
struct RewrittenExport {
  let path: String
  let manifest: Value

  init(_ path: String) throws {
    self.path = path
    manifest = try Value(json: Array(Data(contentsOf: URL(fileURLWithPath: path + "/manifest.json"))))
  }

  func write(_ manifest: Value) throws {
    var writer = JSONWriter(indentation: 2)
    writer.write(manifest)
    let bytes = writer.take()
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/manifest.json"))
    let sums = URL(fileURLWithPath: path + "/SHA256SUMS")
    let others = try String(contentsOf: sums, encoding: .utf8).split(separator: "\n").filter {
      !$0.hasSuffix("  manifest.json")
    }
    let line = "\(Hexadecimal.text(SHA256Digest.of(bytes)))  manifest.json\n"
    try Data((others.map { $0 + "\n" }.joined() + line).utf8).write(to: sums)
  }

  /// Returns a value with every record mapped, outer ones first.
  static func mapped(_ value: Value, _ change: (Record) -> Record) -> Value {
    switch value.content {
    case .record(let record):
      .record(Record(change(record).fields.map { .init($0.name, mapped($0.value, change)) }))
    case .list(let values): .list(values.map { mapped($0, change) })
    default: value
    }
  }
}
