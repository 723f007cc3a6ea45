import Foundation
import PluginAPI
import PluginNet
import TestSupport
import Testing

/// The servers that a client trusts.
@Suite(.enabled(if: TLSServer.isAvailable, "openssl is not installed"))
struct HTTPTrustTests {
  private func outcome(_ server: TLSServer, _ change: (inout HTTPClient.Configuration) -> Void) async -> String {
    var configuration = HTTPClient.Configuration(isOffline: false)
    configuration.firstDelayInSeconds = 0
    change(&configuration)
    var request = HTTPRequest(server.address + "/file.txt")
    request.deadlineInSeconds = 120
    do {
      return try await HTTPClient(configuration).send(request).text
    } catch {
      return (error as? HTTPError)?.report.code ?? "\(error)"
    }
  }

  @Test(.timeLimit(.minutes(5))) func `a server is trusted by its signer or its key only`() async throws {
    let server = try TLSServer(["file.txt": "HTTP/1.0 200 OK\r\n\r\nhello"])
    let other = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    #expect(await outcome(server) { _ in } == "net.not-trusted")
    #expect(await outcome(server) { $0.certificates = server.certificate.path } == "hello")
    #expect(await outcome(server) { $0.certificates = "/nowhere.pem" } == "net.not-trusted")
    // The right key alone does not make up for an unknown signer, unless that is asked for.
    #expect(await outcome(server) { $0.pins = ["localhost": .init([server.pin])] } == "net.not-trusted")
    #expect(await outcome(server) { $0.pins = ["localhost": .init([server.pin], trustsAlone: true)] } == "hello")
    #expect(
      await outcome(server) { $0.pins = ["localhost": .init([other, server.pin], trustsAlone: true)] } == "hello")
    #expect(await outcome(server) { $0.pins = ["localhost": .init([other], trustsAlone: true)] } == "net.other-key")
    #expect(
      await outcome(server) {
        $0.certificates = server.certificate.path
        $0.pins = ["localhost": .init([other])]
      } == "net.other-key")
    // Pins of another host are none of this one.
    #expect(
      await outcome(server) { $0.pins = ["example.org": .init([server.pin], trustsAlone: true)] } == "net.not-trusted")
    // After all that the connections that were trusted do not serve those that do not trust.
    #expect(await outcome(server) { _ in } == "net.not-trusted")
  }

  @Test func `a redirect from HTTPS to HTTP is refused`() async throws {
    let plain = try FixtureServer { _ in .text("secret") }
    let server = try TLSServer(["file.txt": "HTTP/1.0 302 Found\r\nLocation: \(plain.address)/x\r\n\r\n"])
    #expect(await outcome(server) { $0.certificates = server.certificate.path } == "net.protocol-refused")
    #expect(plain.requests.isEmpty)
  }
}
