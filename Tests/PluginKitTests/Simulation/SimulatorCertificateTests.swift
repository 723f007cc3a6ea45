import PluginServer
import PluginSimulation
import TestSupport
import Testing

@Suite(.enabled(if: TLSServer.isAvailable, "openssl is not installed"))
struct SimulatorCertificateTests {
  @Test func `a generated certificate serves HTTPS`() async throws {
    let made = try SimulatorCertificate(
      selfSignedFor: "127.0.0.1", names: "IP:127.0.0.1,DNS:localhost", days: 30)
    #expect(made.certificate.starts(with: "-----BEGIN CERTIFICATE-----".utf8))
    #expect(made.clientAuthorities == nil)
    var configuration = HTTPServer.Configuration()
    (configuration.certificate, configuration.key) = (made.certificate, made.key)
    let server = try HTTPServer(configuration) { _ in ServerResponse(text: "here\n") }
    #expect(server.url.hasPrefix("https://"))
    await server.stop(deadlineInSeconds: 0)
  }
}
