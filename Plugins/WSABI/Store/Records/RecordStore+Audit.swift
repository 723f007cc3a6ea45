import PluginAPI
import PluginStore
import PluginVault

extension RecordStore {
  /// Writes an entry of the audit log.
  func append(_ event: AuditEvent) async throws {
    try await change(nil) { try $0.audit(event) }
  }

  /// Returns entries of the audit log; reading them adds an entry too.
  ///
  /// - Parameter range: Numbers, from 1; those beyond the end are left out.
  func auditEntries(_ range: Range<Int>) async throws -> [AuditEntry] {
    try await change(.readAudit) { scope in
      let keys = scope.keys
      let entries = try scope.connection.list(
        "SELECT number, body FROM audit WHERE number >= ? AND number < ? ORDER BY number",
        [range.lowerBound, range.upperBound]
      ) { try Self.entry($0.integer(0), $0.bytes(1), keys) }
      try scope.auditReading(AuditEvent(.auditRead))
      return entries
    }
  }

  /// Returns the number of entries of the audit log.
  func auditCount() async throws -> Int {
    try await look(.readRecords) { try Header.anchor($0, $1).auditCount }
  }

  /// Returns the last entry of the audit log, to be noted elsewhere.
  func auditHead() async throws -> AuditHead {
    try await look(.readAudit) { try Header.anchor($0, $1).head }
  }

  /// Returns true if the log still has a noted entry; conclusive only if ``verifyAudit()`` found the log intact.
  func contains(_ noted: AuditHead) async throws -> Bool {
    try await look(.readAudit) { connection, _ in
      try connection.value("SELECT code FROM audit WHERE number = ?", [noted.number]).bytes == noted.code
    }
  }

  /// Verifies that the audit log is as it was written: nothing changed, removed, added or moved, its end included.
  ///
  /// If the log and the header were restored together, newer records reveal the missing entries.
  /// - Complexity: O(*entries* + *records*); no record is opened.
  func verifyAudit() async throws -> AuditVerdict {
    try await look(.readAudit) { connection, vault in
      let anchor = try Header.anchor(connection, vault)
      var bad = try Self.firstBad(connection, vault.keys, anchor)
      if bad == nil, try Census.sum(connection, vault.keys) != anchor.census {
        bad = .init(number: anchor.auditCount + 1, fault: .missing)
      }
      return AuditVerdict(count: anchor.auditCount, firstBad: bad)
    }
  }

  private static func entry(_ number: Int, _ body: [UInt8], _ keys: VaultKeys) throws -> AuditEntry {
    let name = "entry \(number) of the audit log"
    guard let bytes = keys.audit.unseal(body, bound: AuditEntry.bound(number)) else { throw VaultError.damaged(name) }
    return try decoded(bytes, named: name) { reader throws(ByteReader.Problem) in
      try AuditEntry(number: number, &reader)
    }
  }

  /// Returns the first altered entry; nil if there is none.
  static func firstBad(
    _ connection: Connection, _ keys: VaultKeys, _ anchor: Anchor
  ) throws -> AuditVerdict.BadEntry? {
    var code = Vault.zeroCode
    var next = 1
    let rows = try connection.rows("SELECT number, body, code FROM audit ORDER BY number")
    while let row = try rows.next() {
      let number = row.integer(0)
      if number > anchor.auditCount || number < 1 { return .init(number: number, fault: .added) }
      if number != next { return .init(number: next, fault: .missing) }
      let body = row.bytes(1)
      let right = keys.chain.code(AuditEntry.chained(number, body, after: code))
      if row.bytes(2) != right || keys.audit.unseal(body, bound: AuditEntry.bound(number)) == nil {
        return .init(number: number, fault: .changed)
      }
      (code, next) = (right, next + 1)
    }
    if next <= anchor.auditCount { return .init(number: next, fault: .missing) }
    return code == anchor.auditCode ? nil : .init(number: anchor.auditCount, fault: .changed)
  }
}

extension AuditEntry {
  /// Returns the associated data of an entry's text.
  static func bound(_ number: Int) -> [UInt8] {
    var writer = ByteWriter(form: 1)
    writer.put(number)
    return writer.bytes
  }

  /// Returns the input of an entry's code, which includes the code of the entry before and so depends on all earlier
  /// ones.
  static func chained(_ number: Int, _ body: [UInt8], after code: [UInt8]) -> [UInt8] {
    var writer = ByteWriter(form: 1)
    writer.put(number)
    writer.put(code)
    writer.put(body)
    return writer.bytes
  }

  var bytes: [UInt8] {
    var writer = ByteWriter(form: 1)
    writer.put(at)
    writer.put(user)
    writer.put(role?.rawValue ?? "")
    writer.put(event.action.rawValue)
    for id in [event.person, event.item, event.capture] { writer.put(optional: id) { $0.put($1) } }
    writer.put(optional: event.address) { $0.put($1) }
    writer.put(optional: event.session) { $0.put($1) }
    writer.put(optional: event.captureID) { $0.put($1) }
    writer.put(event.sha256)
    writer.put(event.outcome)
    return writer.bytes
  }

  /// Reads an entry.
  init(number: Int, _ reader: inout ByteReader) throws(ByteReader.Problem) {
    let (at, user) = (try reader.instant(), try reader.text())
    let role = Role(rawValue: try reader.text())
    guard let action = AuditAction(rawValue: try reader.text()) else { throw ByteReader.Problem() }
    var event = AuditEvent(action)
    event.person = try reader.optional { reader throws(ByteReader.Problem) in try reader.number() }
    event.item = try reader.optional { reader throws(ByteReader.Problem) in try reader.number() }
    event.capture = try reader.optional { reader throws(ByteReader.Problem) in try reader.number() }
    event.address = try reader.optional { reader throws(ByteReader.Problem) in try reader.text() }
    event.session = try reader.optional { reader throws(ByteReader.Problem) in try reader.uuid() }
    event.captureID = try reader.optional { reader throws(ByteReader.Problem) in try reader.uuid() }
    event.sha256 = try reader.content()
    event.outcome = try reader.text()
    self.init(number: number, at: at, user: user, role: role, event: event)
  }
}
