import Foundation
import PluginSimulation
import TestSupport

@testable import WSABI

/// Certificates made for a test: of a sensor, which signed it itself, and of a client, which an authority signed.
struct TestCertificates {
  let folder: TemporaryFolder

  /// Created once, as it runs programs that block a thread.
  private static let made = Result { try TestCertificates(new: ()) }

  init() throws { self = try Self.made.get() }

  private init(new: Void) throws {
    folder = try TemporaryFolder()
    try make("sensor", subject: "/CN=localhost", more: ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"])
    try make("authority", subject: "/CN=authority of the clients", more: [])
    try make("stranger", subject: "/CN=stranger", more: [])
    let request = path("client.csr")
    try run(
      "openssl",
      [
        "req", "-new", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-keyout",
        path("client-key.pem"),
      ]
        + ["-out", request, "-subj", "/CN=station"])
    try run(
      "openssl",
      ["x509", "-req", "-in", request, "-CA", path("authority.pem"), "-CAkey", path("authority-key.pem")]
        + ["-set_serial", "7", "-days", "2", "-out", path("client.pem")])
  }

  private func make(_ name: String, subject: String, more: [String]) throws {
    try run(
      "openssl",
      ["req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-days", "2"]
        + ["-keyout", path("\(name)-key.pem"), "-out", path("\(name).pem"), "-subj", subject] + more)
  }

  /// Returns the whole path of a file: `sensor.pem`, `sensor-key.pem`, `client.pem`, `client-key.pem`, `authority.pem`,
  /// `stranger.pem`, `stranger-key.pem`.
  func path(_ name: String) -> String { folder.url(name).path }

  /// Returns the certificate files of simulated sensors.
  func ofSensor(asksClients: Bool = false) throws -> SimulatorCertificate {
    func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.url(name))) }
    return SimulatorCertificate(
      certificate: try bytes("sensor.pem"), key: try bytes("sensor-key.pem"),
      clientAuthorities: asksClients ? try bytes("authority.pem") : nil)
  }

  /// Returns the hash of a certificate's key, computed by another program.
  func pin(_ name: String) throws -> String {
    let shell = "openssl x509 -in '\(path(name))' -pubkey -noout | openssl pkey -pubin -outform der | "
    let output = try run("sh", ["-c", shell + "openssl dgst -sha256 -binary | base64"]).output
    return String(output.filter { !$0.isWhitespace })
  }
}
