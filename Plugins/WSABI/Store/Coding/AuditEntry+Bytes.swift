import PluginAPI

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
