public import Foundation

/// A TLS server on the loopback interface, `openssl s_server`, with a self-signed certificate.
///
/// It serves texts, each a complete response with its head.
public final class TLSServer: Sendable {
  /// The address of the server: `https://localhost:port`.
  public let address: String
  /// The certificate, as PEM.
  public let certificate: URL
  /// Base64 of the SHA-256 of its public key.
  public let pin: String
  private let folder: TemporaryFolder
  private let process: Process

  /// A Boolean value indicating whether the tool that makes certificates is installed.
  public static let isAvailable = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - answers: Complete responses, by name.
  ///   - name: The host name in the certificate.
  ///   - days: The validity in days; negative for an expired certificate.
  ///   - key: The kind of its key, in openssl's notation.
  ///   - options: The options of `openssl s_server`.
  public init(
    _ answers: [String: String], name: String = "localhost", days: Int = 2,
    key kind: [String] = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"], options: [String] = []
  ) throws {
    folder = try TemporaryFolder()
    for (name, content) in answers { try folder.write(Array(content.utf8), name) }
    certificate = folder.url("certificate.pem")
    let key = folder.url("key.pem").path
    try run(
      "openssl",
      [
        "req", "-x509", "-nodes", "-keyout", key, "-out", certificate.path, "-days", "2", "-subj", "/CN=\(name)",
        "-addext", "subjectAltName=DNS:\(name)", "-newkey",
      ] + kind)
    if days < 0 {
      // Only a newly signed certificate may be expired.
      let path = certificate.path
      try run("openssl", ["x509", "-in", path, "-signkey", key, "-days", "\(days)", "-out", path])
    }
    let shell = "openssl x509 -in '\(certificate.path)' -pubkey -noout | openssl pkey -pubin -outform der | "
    pin = try run("sh", ["-c", shell + "openssl dgst -sha256 -binary | base64"]).output.trimmingCharacters(
      in: .whitespacesAndNewlines)
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments =
      [
        "s_server", "-accept", "127.0.0.1:0", "-cert", certificate.path, "-key", key, "-HTTP",
      ] + options
    process.currentDirectoryURL = folder.path
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    do {
      address = "https://localhost:\(try Self.port(output.fileHandleForReading))"
    } catch {
      Self.stop(process)
      throw error
    }
  }

  deinit { stop() }

  /// Ends the server; later calls do nothing.
  public func stop() { Self.stop(process) }

  private static func stop(_ process: Process) {
    // Threads of tests block signals, and children inherit that.
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Reads up to the line with the port.
  private static func port(_ output: FileHandle) throws -> Int {
    var text = ""
    while true {
      let data = output.availableData
      if data.isEmpty { throw POSIXError(.ECHILD) }
      text += String(decoding: data, as: UTF8.self)
      if let match = text.firstMatch(of: /ACCEPT [^\n]*:([0-9]+)\n/), let port = Int(match.1) { return port }
    }
  }
}
