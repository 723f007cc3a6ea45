import PluginVault

/// The expected content of the store, sealed in its header.
///
/// It reveals parts that were removed as a whole, or restored to an earlier state.
struct Anchor: Sendable, Equatable {
  /// The number of entries of the audit log.
  var auditCount = 0
  /// The code of its last entry, which holds those of all before.
  var auditCode = [UInt8](repeating: 0, count: Vault.codeSize)
  /// The sum of all records: the exclusive or of the codes of their places, so that each change updates it in one step.
  var census = [UInt8](repeating: 0, count: Vault.codeSize)
  var people = 0
  var items = 0
  var captures = 0
  /// Counts changes of people, so that another process's are noticed.
  var turn = 0

  var bytes: [UInt8] {
    var writer = ByteWriter(form: 1)
    writer.put(auditCount)
    writer.put(auditCode)
    writer.put(census)
    for number in [people, items, captures, turn] { writer.put(number) }
    return writer.bytes
  }

  init() {}

  /// Creates an anchor from its bytes; nil if they are malformed.
  init?(_ bytes: [UInt8]) {
    do {
      var reader = try ByteReader(bytes)
      auditCount = try reader.number()
      auditCode = try reader.content()
      census = try reader.content()
      people = try reader.number()
      items = try reader.number()
      captures = try reader.number()
      turn = try reader.number()
      try reader.checkEnd()
    } catch {
      return nil
    }
    if auditCode.count != Vault.codeSize || census.count != Vault.codeSize { return nil }
  }

  /// The last entry of the log.
  var head: AuditHead { AuditHead(number: auditCount, code: auditCode) }

  /// Adds a record to the sum, or removes it.
  mutating func toggle(_ place: RecordPlace, _ keys: VaultKeys) {
    Self.toggle(place, keys, in: &census)
  }

  static func toggle(_ place: RecordPlace, _ keys: VaultKeys, in sum: inout [UInt8]) {
    for (index, byte) in keys.census.code(place.part(.key)).enumerated() { sum[index] ^= byte }
  }
}
