import Foundation
import PluginAPI
import PluginNet
import TestSupport
import Testing

/// Trust on first use: a certificate is examined, its pin stored, and required from then on.
@Suite(.enabled(if: TLSServer.isAvailable, "openssl is not installed"))
struct ServerCertificateTests {
  private static let answers = ["file.txt": "HTTP/1.0 200 OK\r\n\r\nhello"]

  private func client(_ change: (inout HTTPClient.Configuration) -> Void = { _ in }) -> HTTPClient {
    var configuration = HTTPClient.Configuration(isOffline: false)
    configuration.firstDelayInSeconds = 0
    change(&configuration)
    return HTTPClient(configuration)
  }

  private func port(_ server: TLSServer) -> String { String(server.address.dropFirst("https://localhost:".count)) }

  @Test(.timeLimit(.minutes(5)), arguments: [["ec", "-pkeyopt", "ec_paramgen_curve:P-256"], ["rsa:2048"]])
  func `the pin of a self-signed certificate is the pin of its key`(key: [String]) async throws {
    let server = try TLSServer(Self.answers, key: key)
    let found = try await client().certificate(of: server.address)
    #expect(found.pin == server.pin)
    #expect(!found.isTrusted && found.problem?.isEmpty == false)
    #expect(found.subject.contains("localhost") && found.issuer.contains("localhost"))
    #expect(found.validFrom.contains("GMT") && found.validUntil.contains("GMT"))
    // With it the server is asked; without it still not.
    let pinned = client { $0.pins = ["localhost:\(port(server))": .init([found.pin], trustsAlone: true)] }
    #expect(try await pinned.send(HTTPRequest(server.address + "/file.txt")).text == "hello")
    await #expect(throws: HTTPError.self) { try await client().send(HTTPRequest(server.address + "/file.txt")) }
  }

  @Test(.timeLimit(.minutes(5))) func `a certificate whose signer is known is trusted`() async throws {
    let server = try TLSServer(Self.answers)
    let found = try await client { $0.certificates = server.certificate.path }.certificate(of: server.address)
    #expect(found.isTrusted && found.pin == server.pin)
  }

  @Test(.timeLimit(.minutes(5)))
  func `a certificate for another host is shown but not trusted, even if its signer is known`()
    async throws
  {
    let server = try TLSServer(Self.answers, name: "elsewhere.example")
    let found = try await client { $0.certificates = server.certificate.path }.certificate(of: server.address)
    #expect(!found.isTrusted && found.subject.contains("elsewhere.example"))
    #expect(found.pin == server.pin)
  }

  @Test(.timeLimit(.minutes(5))) func `pins of a host and port take precedence over those of the host`() async throws {
    let (one, other) = (try TLSServer(Self.answers), try TLSServer(Self.answers))
    let client = client { configuration in
      configuration.pins = [
        "localhost": .init([one.pin], trustsAlone: true),
        "localhost:\(port(other))": .init([other.pin], trustsAlone: true),
      ]
    }
    #expect(try await client.send(HTTPRequest(one.address + "/file.txt")).text == "hello")
    #expect(try await client.send(HTTPRequest(other.address + "/file.txt")).text == "hello")
    var changed = client
    changed.configuration.pins["localhost:\(port(other))"] = .init([one.pin], trustsAlone: true)
    let error = await #expect(throws: HTTPError.self) {
      try await changed.send(HTTPRequest(other.address + "/file.txt"))
    }
    #expect(error == .otherKey(host: "localhost"))
  }

  @Test(.timeLimit(.minutes(5)), arguments: ["-tls1", "-tls1_1"])
  func `a server that supports at most TLS 1-1 is refused`(version: String) async throws {
    let server = try TLSServer(Self.answers, options: [version, "-cipher", "ALL:@SECLEVEL=0"])
    let client = client { $0.certificates = server.certificate.path }
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(HTTPRequest(server.address + "/file.txt"))
    }
    #expect(error?.report.code == "net.not-trusted")
    await #expect(throws: HTTPError.self) { try await client.certificate(of: server.address) }
  }

  @Test func `certificates are requested from HTTPS servers only, and never offline`() async throws {
    let plain = try FixtureServer { _ in .text("x") }
    await #expect(throws: HTTPError.badAddress(plain.address)) { try await client().certificate(of: plain.address) }
    await #expect(throws: HTTPError.offline(address: "https://localhost:1")) {
      try await client { $0.isOffline = true }.certificate(of: "https://localhost:1")
    }
    #expect(plain.connections == 0)
  }

  @Test(arguments: [
    ("https://Example.org", "example.org:443"), ("http://example.org/a:1", "example.org:80"),
    ("https://u:p@example.org:8443/x", "example.org:8443"), ("https://[::1]:8443/", "[::1]:8443"),
    ("https://[::1]/", "[::1]:443"), ("mailto:a@b", ""), ("https://", ""),
  ])
  func `an address has a host and a port`(address: String, expected: String) {
    #expect(HTTPAddress.hostAndPort(of: address) == expected)
  }
}
