import Foundation
import PluginAPI
import PluginNet
import PluginServer
import TestSupport
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// Case 49: the trust in servers.
@Suite(.timeLimit(.minutes(10)), .enabled(if: TLSServer.isAvailable, "openssl is not installed"))
struct RPCTrustTests {
  private static let call = RPCCall(interface: .query, method: "ask", takesToken: false)

  /// Returns a server with another server's certificate, made by openssl.
  private func lab(_ identity: TLSServer) throws -> LabFixture {
    var configuration = HTTPServer.Configuration()
    configuration.certificate = Array(try Data(contentsOf: identity.certificate))
    configuration.key = Array(
      try Data(contentsOf: identity.certificate.deletingLastPathComponent().appendingPathComponent("key.pem")))
    return try LabFixture(configuration) { _ in .result("1") }
  }

  private func code(_ lab: LabFixture, _ change: (inout HTTPClient.Configuration) -> Void = { _ in }) async -> String {
    var configuration = HTTPClient.Configuration(isOffline: false)
    change(&configuration)
    let connection = RPCConnection(Self.address(lab), HTTPClient(configuration))
    return codeOf(await errorOf { try await connection.call(Self.call, token: nil, ValueReader()) })
  }

  /// Returns the address by name, because certificates are for a name.
  private static func address(_ lab: LabFixture) -> ServerAddress {
    ServerAddress(base: "https://localhost:" + (lab.address.base.split(separator: ":").last ?? ""))
  }

  @Test func `case 49: a self-signed certificate is refused unless its pin is stored, and another pin is an error`()
    async throws
  {
    let identity = try TLSServer([:])
    let lab = try lab(identity)
    #expect(await code(lab) == "net.not-trusted")
    let found = try await HTTPClient(.init(isOffline: false)).certificate(of: Self.address(lab).base)
    #expect(found.pin == identity.pin && !found.isTrusted)
    // Checking the certificate does not make any call.
    #expect(lab.calls.isEmpty)
    let name = HTTPAddress.hostAndPort(of: Self.address(lab).base)
    #expect(await code(lab) { $0.pins[name] = .init([found.pin], trustsAlone: true) } == "no error")
    let changed = try TLSServer([:])
    #expect(await code(lab) { $0.pins[name] = .init([changed.pin], trustsAlone: true) } == "net.other-key")
    #expect(lab.calls.count == 1)
  }

  @Test func `case 49: a certificate of another host is refused regardless of its issuer`() async throws {
    let identity = try TLSServer([:], name: "elsewhere.example")
    let lab = try lab(identity)
    #expect(await code(lab) { $0.certificates = identity.certificate.path } == "net.not-trusted")
    #expect(lab.calls.isEmpty)
  }

  @Test func `case 49: an expired certificate is refused regardless of its issuer`() async throws {
    let identity = try TLSServer([:], days: -1)
    let lab = try lab(identity)
    #expect(await code(lab) { $0.certificates = identity.certificate.path } == "net.not-trusted")
    let found = try await HTTPClient(.init(isOffline: false)).certificate(of: Self.address(lab).base)
    #expect(found.pin == identity.pin && !found.isTrusted)
    #expect(lab.calls.isEmpty)
  }
}
