import PluginAPI
import PluginPostgres
import Testing

private let hasLibrary = (try? PostgresAddress("postgresql://localhost/lab")) != nil

/// Addresses and errors, without a server.
@Suite(.enabled(if: hasLibrary, "libpq is not installed"))
struct PostgresAddressTests {
  /// Returns the code of the error for an address; nil if it is accepted.
  private func refusal(_ text: String, _ environment: [String: String] = [:]) -> String? {
    do {
      _ = try PostgresAddress(text, environment: { environment[$0] })
      return nil
    } catch {
      return error.report.code
    }
  }

  @Test(arguments: [
    "postgresql://ada:secret@localhost/lab", "postgresql://ada@localhost/lab?password=secret",
    "postgres://localhost/lab?sslpassword=secret", "postgresql://:secret@/lab",
  ])
  func `an address with a password is refused and not repeated`(text: String) {
    let error = #expect(throws: PostgresError.passwordInAddress) { try PostgresAddress(text) }
    #expect(error?.report.kind == .refused)
    #expect(error?.description.contains("secret") == false)
  }

  @Test(arguments: [
    "", "lab", "host=localhost password=secret", "https://localhost/lab", "postgresql://localhost/lab?colour=red",
    "postgresql://ada:secret@[::1/lab",
  ])
  func `a text that is not an address is refused and not repeated`(text: String) {
    let error = #expect(throws: PostgresError.self) { try PostgresAddress(text) }
    #expect(error?.report.code == "store.bad-address" && error?.report.exitStatus == 2)
    #expect(error?.description.contains("secret") == false)
  }

  @Test(arguments: [
    "postgresql:///lab", "postgresql://localhost/lab?sslmode=disable", "postgresql://127.3.2.1:6543/lab?sslmode=prefer",
    "postgresql://[::1]/lab?sslmode=allow", "postgresql://%2Frun%2Fpostgresql/lab?sslmode=disable",
    "postgresql://db.example.org/lab", "postgresql://db.example.org/lab?sslmode=verify-full",
    "postgresql://db.example.org/lab?hostaddr=127.0.0.1&sslmode=disable",
  ])
  func `local servers need no TLS, and other servers are verified`(text: String) {
    #expect(refusal(text) == nil)
  }

  @Test(arguments: [
    "postgresql://db.example.org/lab?sslmode=require", "postgresql://db.example.org/lab?sslmode=verify-ca",
    "postgresql://localhost,db.example.org/lab?sslmode=prefer", "postgresql://128.0.0.1/lab?sslmode=disable",
    "postgresql://localhost.example.org/lab?sslmode=disable",
    "postgresql://localhost/lab?hostaddr=192.0.2.1&sslmode=disable",
  ])
  func `a remote server is refused if it is not verified`(text: String) {
    #expect(refusal(text) == "store.insecure-address")
  }

  @Test func `an address whose environment names a remote server is checked too`() {
    let text = "postgresql:///lab?sslmode=disable"
    #expect(refusal(text, ["PGHOST": "/run/postgresql"]) == nil)
    #expect(refusal(text, ["PGHOST": "db.example.org"]) == "store.insecure-address")
    #expect(refusal(text, ["PGHOSTADDR": "192.0.2.1"]) == "store.insecure-address")
    #expect(refusal(text, ["PGSERVICE": "lab"]) == "store.insecure-address")
    // The service may have a 'hostaddr', to which libpq would connect.
    let local = "postgresql://localhost/lab?sslmode=disable"
    #expect(refusal(local, ["PGSERVICE": "lab"]) == "store.insecure-address")
    #expect(refusal(local + "&hostaddr=127.0.0.1", ["PGSERVICE": "lab"]) == nil)
    #expect(refusal("postgresql://localhost/lab?sslmode=disable", ["PGHOST": "db.example.org"]) == nil)
  }

  @Test func `the name of an address contains the server and the database`() throws {
    let address = try PostgresAddress(
      "postgresql://ada@db.example.org:6543/lab?application_name=x", environment: { _ in nil })
    #expect(address.name == "postgresql://db.example.org:6543/lab")
  }

  @Test(arguments: [
    (
      "FATAL:  28P01: password authentication failed for user \"ada\"\nLOCATION:  auth_failed, auth.c:335\n",
      "login-refused"
    ),
    ("FATAL:  28000: no pg_hba.conf entry for host", "login-refused"),
    (
      "FATAL:  28P01: password authentication failed\npassword retrieved from file \"/home/ada/.pgpass\"",
      "login-refused"
    ),
    ("FATAL:  3D000: database \"lab\" does not exist\nLOCATION:  InitPostgres", "no-database"),
    ("FATAL:  57P03: the database system is starting up", "unreachable"),
    ("FATAL:  53300: sorry, too many clients already", "unreachable"),
    ("Connection refused\n\tIs the server running on that host?\n", "unreachable"),
    ("ДЕСТ:  28P01: пользователь не прошёл проверку", "login-refused"), ("", "unreachable"),
  ])
  func `the message of a refused connection determines the error code`(message: String, code: String) {
    let start = message.isEmpty ? "" : "connection to server at \"127.0.0.1\", port 5432 failed: "
    let error = PostgresError(connecting: start + message, needsPassword: false, server: "lab")
    #expect(error.report.code == "store." + code)
    #expect(!error.description.contains("LOCATION") && !error.description.contains("\n"))
  }

  @Test func `a missing root certificate file is named, without advice to disable the check`() {
    let message = """
      connection to server at "db.example.org", port 5432 failed: root certificate file "/ada/root.crt" does not exist
      Either provide the file or change sslmode to disable server certificate verification.

      """
    let error = PostgresError(connecting: message, needsPassword: false, server: "lab")
    #expect(error.report.code == "store.unreachable")
    #expect(error.description.contains("/ada/root.crt") && !error.description.contains("disable"))
  }

  @Test func `a missing password is a refused login`() {
    let error = PostgresError(
      connecting: "failed: fe_sendauth: no password supplied\n", needsPassword: true, server: "lab")
    #expect(error.report.code == "store.login-refused" && error.report.exitStatus == 7)
  }

  @Test(arguments: [
    ("08006", "store.unreachable", 6), ("57P01", "store.unreachable", 6), ("28P01", "store.login-refused", 7),
    ("3D000", "store.no-database", 3), ("42501", "store.no-permission", 7), ("25006", "store.read-only", 7),
    ("53100", "store.disk-full", 1), ("40P01", "store.locked", 7), ("55P03", "store.locked", 7),
    ("23505", "store.constraint", 5), ("22021", "store.constraint", 5), ("42P01", "store.failed", 1),
    ("57014", "store.failed", 1),
  ])
  func `SQL states of the server have error codes`(state: String, code: String, status: Int32) {
    let report = PostgresError(.init(state: state, message: "no", sql: "SELECT 1", server: "lab")).report
    #expect(report.code == code && report.exitStatus == status)
    #expect(report.details["sqlState"] == .text(state))
  }

  @Test func `identifiers and literals are quoted`() {
    #expect(PostgresQuoting.identifier(#"a"b\"#) == #""a""b\""#)
    #expect(PostgresQuoting.literal(#"it's \"#) == #"'it''s \'"#)
    #expect(PostgresQuoting.identifier("é") == "\"é\"")
  }
}
