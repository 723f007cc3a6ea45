import Foundation
import PluginAPI
import PluginNet
import TestSupport
import Testing

/// Clients that stay on their host.
struct HTTPRedirectTests {
  private func client() -> HTTPClient {
    var client = HTTPClientTests.client()
    client.configuration.staysOnHost = true
    return client
  }

  @Test(arguments: [301, 302, 307, 308]) func `method and body are sent again after a redirect on the same host`(
    status: Int
  )
    async throws
  {
    let server = try FixtureServer { request in
      request.path == "/old"
        ? FixtureReply(status, Array("moved".utf8), headers: [("Location", "/new")]) : FixtureReply(200, request.body)
    }
    let answer = try await client().send(HTTPRequest(server.address + "/old", body: Array("secret".utf8)))
    #expect(answer.text == "secret" && answer.head.address == server.address + "/new")
    #expect(server.requests.map(\.method) == ["POST", "POST"])
  }

  @Test func `a redirect with status 303 is followed by GET without the body`() async throws {
    let server = try FixtureServer { request in
      request.path == "/old"
        ? FixtureReply(303, headers: [("Location", "/new")]) : .text(request.method + "\(request.body.count)")
    }
    #expect(try await client().send(HTTPRequest(server.address + "/old", body: [1])).text == "GET0")
  }

  @Test(arguments: [301, 302, 303, 307, 308]) func `a redirect to another host or port is not followed`(status: Int)
    async throws
  {
    let other = try FixtureServer { _ in .text("x") }
    for target in [other.address, other.address.replacingOccurrences(of: "127.0.0.1", with: "localhost")] {
      let server = try FixtureServer { _ in FixtureReply(status, headers: [("Location", target + "/x")]) }
      let error = await #expect(throws: HTTPError.self) {
        try await client().send(HTTPRequest(server.address, body: [1]))
      }
      #expect(error?.report.code == "net.redirected")
      #expect(error?.report.message.contains(HTTPAddress.hostAndPort(of: target)) == true)
    }
    #expect(other.connections == 0)
  }

  @Test func `a redirect loop ends with an error`() async throws {
    let server = try FixtureServer { _ in .redirect("/again") }
    let error = await #expect(throws: HTTPError.self) { try await client().send(HTTPRequest(server.address)) }
    #expect(error == .tooManyRedirects(address: server.address + "/again", limit: 5))
    #expect(server.requests.count == 6)
  }

  @Test(.enabled(if: TLSServer.isAvailable, "openssl is not installed"))
  func `a redirect from HTTPS to HTTP is refused`()
    async throws
  {
    let plain = try FixtureServer { _ in .text("secret") }
    let server = try TLSServer(["file.txt": "HTTP/1.0 302 Found\r\nLocation: \(plain.address)/x\r\n\r\n"])
    var client = client()
    client.configuration.certificates = server.certificate.path
    let asking = client
    let error = await #expect(throws: HTTPError.self) {
      try await asking.send(HTTPRequest(server.address + "/file.txt"))
    }
    #expect(error?.report.code == "net.protocol-refused")
    #expect(plain.connections == 0)
  }
}
