import Foundation
import Glibc
import PluginAPI
import PluginPostgres
import TestSupport
import Testing

/// A connection to a real server.
@Suite(.enabled(if: PostgresServer.isInstalled, Comment(rawValue: PostgresServer.absence)), .timeLimit(.minutes(10)))
struct PostgresConnectionTests {
  private struct Stop: Error {}

  private func connection(isCancelled: @escaping () -> Bool = { false }) throws -> PostgresConnection {
    try PostgresConnection(
      PostgresAddress(PostgresServer.shared.get().address), timeoutInSeconds: 60, isCancelled: isCancelled)
  }

  /// Returns a row that has every type and every character with a meaning in a copy.
  private func sample(_ index: Int) -> [PostgresValue] {
    [
      .boolean(index % 2 == 0), .integer(index), .number(Double(index) / 3), .text("é\\\t\n\r'\u{1}\\N \(index)"),
      index % 3 == 0 ? .null : .bytes([0, 0x5C, 0xFF, UInt8(truncatingIfNeeded: index)]),
    ]
  }

  private func makeTable(_ connection: PostgresConnection) throws {
    try connection.execute("CREATE TEMPORARY TABLE t (b boolean, i bigint, n float8, t text, y bytea)")
  }

  @Test func `values of all types are sent to the server and read back`() throws {
    let connection = try connection()
    defer { connection.close() }
    let values: [PostgresValue] = [
      .boolean(true), .boolean(false), .integer(.min), .integer(.max), .number(0.1), .number(-.infinity),
      .number(.leastNonzeroMagnitude), .text(""), .text("é\\\t\n\r'\"\u{1}😀"), .bytes(Array(0...255)), .bytes([]),
    ]
    let names = values.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    #expect(try connection.rows("SELECT " + names, values).first?.values == values)
    let others = try connection.rows(
      "SELECT NULL, 7::int2, 8::int4, 1.5::float4, 'NaN'::float8, 12.50::numeric, '{\"a\": 1.50}'::json, $1::json, $2::uuid",
      [.text("[1.0]"), .text("0123456789abcdef0123456789ABCDEF")])
    let row = try #require(others.first)
    #expect(
      Array(row.values[..<4]) + Array(row.values[5...]) == [
        .null, .integer(7), .integer(8), .number(1.5), .text("12.50"), .text("{\"a\": 1.50}"), .text("[1.0]"),
        .text("01234567-89ab-cdef-0123-456789abcdef"),
      ])
    #expect(row[4].number?.isNaN == true)
  }

  @Test func `a text with a null character is refused, not truncated`() throws {
    let connection = try connection()
    defer { connection.close() }
    let error = #expect(throws: PostgresError.self) { try connection.rows("SELECT $1", [.text("a\0b")]) }
    #expect(error?.report.code == "store.constraint")
    #expect(try connection.rows("SELECT 1").first?[0].integer == 1)
  }

  @Test func `a mebibyte of bytes is sent and read back, as an argument and by COPY`() throws {
    let connection = try connection()
    defer { connection.close() }
    try makeTable(connection)
    let bytes = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 8) }
    try connection.execute("INSERT INTO t (i, y) VALUES (1, $1)", [.bytes(bytes)])
    try connection.copyIn("COPY t (i, y) FROM STDIN") { try $0([.integer(2), .bytes(bytes)]) }
    let digests = try connection.rows("SELECT DISTINCT sha256(y) FROM t")
    #expect(digests.count == 1)
    for index in 1...2 {
      #expect(try connection.first("SELECT y FROM t WHERE i = $1", [.integer(index)])?.bytes(0) == bytes)
    }
  }

  @Test func `a script of several statements runs as a whole or not at all`() throws {
    let connection = try connection()
    defer { connection.close() }
    try makeTable(connection)
    try connection.execute(script: "INSERT INTO t (i) VALUES (1); INSERT INTO t (i) VALUES (2);")
    let error = #expect(throws: PostgresError.self) {
      try connection.execute(script: "INSERT INTO t (i) VALUES (3); SELECT 1/0; INSERT INTO t (i) VALUES (4)")
    }
    #expect(error?.report.code == "store.constraint")
    #expect(try connection.value("SELECT count(*) FROM t") == .integer(2))
  }

  @Test func `the first row and the first value of a statement are returned, or nil`() throws {
    let connection = try connection()
    defer { connection.close() }
    let numbers = "SELECT i, i = 2, i / 2.0::float8, 'n' || i, NULL FROM generate_series(2, 5) AS i WHERE i > $1"
    let row = try #require(try connection.first(numbers, [.integer(0)]))
    #expect(row.integer(0) == 2 && row.boolean(1) && row.number(2) == 1 && row.text(3) == "n2" && row.isNull(4))
    #expect(row.number(0) == 2 && row.text(0) == "" && row.integer(4) == 0 && row.bytes(4) == [])
    #expect(try connection.value(numbers, [.integer(3)]) == .integer(4))
    #expect(try connection.first(numbers, [.integer(9)]) == nil)
    #expect(try connection.value(numbers, [.integer(9)]) == .null)
  }

  @Test func `a hundred thousand rows are copied in and out`() throws {
    let connection = try connection()
    defer { connection.close() }
    try makeTable(connection)
    let count = 100_000
    let stored = try connection.copyIn("COPY t FROM STDIN") { write in
      for index in 0..<count { try write(sample(index)) }
    }
    #expect(stored == count)
    var next = 0
    try connection.forEach("SELECT * FROM t ORDER BY i") { row in
      if row.values != sample(next) { throw Stop() }
      next += 1
    }
    #expect(next == count)
    var (lines, bytes) = (0, 0)
    try connection.copyOut("COPY t TO STDOUT") { row in
      lines += 1
      bytes += row.count
    }
    #expect(lines == count && bytes > 40 * count)
  }

  @Test func `a failure during a copy stores nothing and leaves the connection usable`() throws {
    let connection = try connection()
    defer { connection.close() }
    try makeTable(connection)
    #expect(throws: Stop.self) {
      try connection.copyIn("COPY t FROM STDIN") { write in
        for index in 0..<5000 { try write(sample(index)) }
        throw Stop()
      }
    }
    #expect(throws: PostgresError.self) { try connection.copyIn("COPY t FROM STDIN") { try $0([.text("x")]) } }
    #expect(throws: PostgresError.self) { try connection.copyIn("COPY nothing FROM STDIN") { _ in } }
    #expect(throws: PostgresError.self) { try connection.execute("COPY t FROM STDIN") }
    #expect(throws: PostgresError.self) { try connection.execute("COPY t TO STDOUT") }
    #expect(try connection.rows("SELECT count(*) FROM t").first?[0] == .integer(0))
    try connection.copyIn("COPY t FROM STDIN") { write in for index in 0..<5000 { try write(sample(index)) } }
    #expect(throws: Stop.self) { try connection.copyOut("COPY t TO STDOUT") { _ in throw Stop() } }
    #expect(throws: Stop.self) { try connection.forEach("SELECT * FROM t") { _ in throw Stop() } }
    #expect(try connection.rows("SELECT count(*) FROM t").first?[0] == .integer(5000))
  }

  @Test func `a transaction is committed or rolled back as a whole`() throws {
    let connection = try connection()
    defer { connection.close() }
    try makeTable(connection)
    try connection.transaction { _ = try connection.execute("INSERT INTO t (i) VALUES (1), (2)") }
    #expect(throws: Stop.self) {
      try connection.transaction {
        try connection.execute("DELETE FROM t")
        throw Stop()
      }
    }
    // The server would take the commit and roll back.
    #expect(throws: PostgresError.self) {
      try connection.transaction {
        try connection.execute("DELETE FROM t")
        _ = try? connection.execute("SELECT 1/0")
      }
    }
    #expect(try connection.execute("UPDATE t SET i = i + 1") == 2)
  }

  @Test func `cancellation ends a statement on the server, and the connection stays usable`() throws {
    let observer = try self.connection()
    defer { observer.close() }
    var process: PostgresValue?
    func isSleeping() throws -> Bool {
      guard let process else { return false }
      let sql = "SELECT wait_event = 'PgSleep' FROM pg_stat_activity WHERE pid = $1::int"
      return try observer.rows(sql, [process]).first?[0] == .boolean(true)
    }
    let connection = try connection { (try? isSleeping()) == true }
    defer { connection.close() }
    process = try connection.rows("SELECT pg_backend_pid()").first?[0]
    #expect(throws: CancellationError.self) { try connection.execute("SELECT pg_sleep(600)") }
    #expect(try !isSleeping())
    #expect(try connection.rows("SELECT 1").first?[0] == .integer(1))
  }

  @Test func `messages to a channel arrive through the socket of the listener`() throws {
    let (listener, sender) = (try connection(), try connection())
    defer {
      listener.close()
      sender.close()
    }
    try listener.listen(to: "a\"b")
    #expect(try listener.notifications() == [])
    try sender.transaction { try sender.notify("a\"b", "hé") }
    var entry = pollfd(fd: listener.socket, events: Int16(POLLIN), revents: 0)
    #expect(poll(&entry, 1, 60_000) == 1)
    let messages = try listener.notifications()
    #expect(messages.map(\.channel) == ["a\"b"] && messages.map(\.payload) == ["hé"])
    let process = try sender.rows("SELECT pg_backend_pid()").first?[0].integer
    #expect(messages.first?.sender == process)
  }

  @Test func `refused logins, missing databases and unreachable servers have error codes`() throws {
    let address = try PostgresServer.shared.get().address
    func code(_ old: String, _ new: String) throws -> String? {
      let parts = address.components(separatedBy: old)
      let error = #expect(throws: PostgresError.self) {
        try PostgresConnection(PostgresAddress(parts.joined(separator: new)), timeoutInSeconds: 60)
      }
      return error?.report.code
    }
    #expect(try code("workbench@", "nobody@") == "store.login-refused")
    #expect(try code("/passfile", "/none") == "store.login-refused")
    #expect(try code("/postgres?", "/nothing?") == "store.no-database")
    let error = #expect(throws: PostgresError.self) {
      try PostgresConnection(PostgresAddress("postgresql://127.0.0.1:1/lab"))
    }
    #expect(error?.report.code == "store.unreachable" && error?.report.exitStatus == 6)
  }

  @Test func `a connection that the server ended is reported as unreachable`() throws {
    let (victim, other) = (try connection(), try connection())
    defer {
      victim.close()
      other.close()
    }
    let process = try #require(try victim.rows("SELECT pg_backend_pid()").first?[0])
    try other.execute("SELECT pg_terminate_backend($1::int)", [process])
    for _ in 0..<2 {
      let error = #expect(throws: PostgresError.self) { try victim.execute("SELECT 1") }
      #expect(error?.report.code == "store.unreachable")
    }
    victim.close()
    let error = #expect(throws: PostgresError.self) { try victim.execute("SELECT 1") }
    #expect(error?.report.code == "store.unreachable")
  }
}
