import Foundation
import Glibc
import PluginAPI
import PluginPostgres
import TestSupport
import Testing

/// Connections to a server that has a certificate.
@Suite(
  .enabled(if: PostgresServer.isInstalled, Comment(rawValue: PostgresServer.absence)),
  .enabled(if: TLSServer.isAvailable, "openssl is not installed"), .timeLimit(.minutes(10)))
struct PostgresEncryptionTests {
  /// The address 127.0.0.1 by a name that does not count as this machine.
  private static let remote = "127.1"

  /// The result of connecting: `encrypted`, `plain`, or the code of the error and its message.
  private struct Outcome {
    var state: String
    var message = ""
  }

  private let server: PostgresServer
  private let login: PostgresLogin
  private let certificates: Certificates

  init() throws {
    server = try PostgresServer()
    login = try PostgresLogin(of: server)
    certificates = try Certificates()
    // libpq looks up passwords by the name of the server.
    try certificates.folder.write(Array("*:*:*:*:\(login.password)\n".utf8), "passfile")
    #expect(chmod(certificates.folder.url("passfile").path, 0o600) == 0)
  }

  /// Connects to the server.
  ///
  /// - Parameters:
  ///   - options: More options of the address, each after an ampersand.
  ///   - authority: The name of the authority to trust.
  private func connect(to host: String, _ options: String = "", trusting authority: String = "authority") -> Outcome {
    let address =
      "postgresql://workbench@\(host):\(login.port)/postgres?passfile=\(certificates.folder.url("passfile").path)"
      + "&sslrootcert=\(certificates.file(authority))\(options)"
    do {
      let connection = try PostgresConnection(PostgresAddress(address), timeoutInSeconds: 60)
      defer { connection.close() }
      let isEncrypted = try connection.value("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()").boolean
      return Outcome(state: isEncrypted == true ? "encrypted" : "plain")
    } catch {
      let report = (error as? PostgresError)?.report
      return Outcome(state: report?.code ?? "\(error)", message: report?.message ?? "")
    }
  }

  @Test func `a remote server is accepted only with a certificate of a trusted authority for its name`() throws {
    defer { server.stop() }
    let named = "&hostaddr=127.0.0.1&sslmode=verify-full"
    let plain = connect(to: Self.remote)
    #expect(plain.state == "store.unreachable" && plain.message.contains("does not support SSL"))
    #expect(connect(to: "127.0.0.1").state == "plain")
    try use("server")
    #expect(connect(to: Self.remote).state == "encrypted")
    #expect(connect(to: "db.example.org", named).state == "encrypted")
    #expect(connect(to: "127.0.0.1").state == "encrypted")
    for host in [Self.remote, "db.example.org"] {
      let stranger = connect(to: host, host == Self.remote ? "" : named, trusting: "stranger")
      #expect(stranger.state == "store.unreachable" && stranger.message.contains("certificate verify failed"))
    }
    let other = connect(to: "db.example.com", named)
    #expect(other.state == "store.unreachable" && other.message.contains("does not match host name \"db.example.com\""))
    let missing = connect(to: Self.remote, trusting: "nothing")
    #expect(missing.state == "store.unreachable" && missing.message.contains(certificates.file("nothing")))
  }

  @Test func `an address cannot turn the verification of a remote server off`() throws {
    defer { server.stop() }
    try use("server")
    for mode in ["disable", "allow", "prefer", "require", "verify-ca"] {
      #expect(connect(to: Self.remote, "&sslmode=\(mode)").state == "store.insecure-address")
    }
    // A server of this machine needs none.
    #expect(connect(to: "127.0.0.1", "&sslmode=disable").state == "plain")
    // A certificate of another name, also if its authority is trusted.
    try use("other")
    let other = connect(to: Self.remote)
    #expect(other.state == "store.unreachable" && other.message.contains("does not match host name"))
  }

  /// Gives the server a certificate for the connections from now on.
  private func use(_ name: String) throws {
    let data = login.folder.appendingPathComponent("data")
    var owner = stat()
    let isKnown = stat(data.path, &owner) == 0
    try #require(isKnown)
    for (source, target) in [(name, "\(name).crt"), (name + "-key", "\(name).key")] {
      let file = data.appendingPathComponent(target)
      try Data(contentsOf: URL(fileURLWithPath: certificates.file(source))).write(to: file)
      try #require(chmod(file.path, 0o600) == 0 && chown(file.path, owner.st_uid, owner.st_gid) == 0)
    }
    try superuser { connection in
      try connection.execute("ALTER SYSTEM SET ssl = on")
      try connection.execute("ALTER SYSTEM SET ssl_cert_file = '\(name).crt'")
      try connection.execute("ALTER SYSTEM SET ssl_key_file = '\(name).key'")
      try connection.execute("SELECT pg_reload_conf()")
    }
    // Connections that are made once the server has read its settings again see the new ones.
    #expect(polls { (try? superuser { try $0.value("SHOW ssl_cert_file") }) == .text("\(name).crt") })
  }

  private func superuser<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
    let connection = try PostgresConnection(PostgresAddress(server.address), timeoutInSeconds: 60)
    defer { connection.close() }
    return try body(connection)
  }
}

/// Certificates for a server, signed by an authority; and another authority.
private struct Certificates {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try make("authority", [])
    try make("stranger", [])
    try make("server", ["subjectAltName=IP:127.0.0.1,DNS:db.example.org"])
    try make("other", ["subjectAltName=DNS:db.example.net"])
  }

  /// Makes an authority, or a certificate of the first one for other names.
  private func make(_ name: String, _ names: [String]) throws {
    let signed = ["-CA", file("authority"), "-CAkey", file("authority-key")]
    try run(
      "openssl",
      [
        "req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-days", "2", "-subj",
        "/CN=\(name)", "-keyout", file(name + "-key"), "-out", file(name),
      ] + names.flatMap { ["-addext", $0] } + (names.isEmpty ? [] : signed))
  }

  /// Returns the path of a certificate or key.
  func file(_ name: String) -> String { folder.url(name + ".pem").path }
}
