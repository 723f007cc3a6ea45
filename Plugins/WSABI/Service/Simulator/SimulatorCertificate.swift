import PluginStore

/// The certificate files that simulated sensors need for HTTPS.
struct SimulatorCertificate: Sendable, Hashable {
  /// PEM, the server's own first.
  var certificate: [UInt8]
  /// PEM, without password.
  var key: [UInt8]
  /// PEM of the authorities of client certificates, which every client then needs; nil to require none.
  var clientAuthorities: [UInt8]?

  init(certificate: [UInt8], key: [UInt8], clientAuthorities: [UInt8]? = nil) {
    (self.certificate, self.key, self.clientAuthorities) = (certificate, key, clientAuthorities)
  }

  /// Reads the files; nil if none is named.
  ///
  /// - Throws: ``SimulatorError/badCertificateFile(reason:)``, also if only one is named, so that encryption is never
  ///   silently dropped.
  init?(
    certificatePath: String?, keyPath: String?, clientAuthoritiesPath: String? = nil
  ) throws(SimulatorError) {
    guard certificatePath != nil || keyPath != nil || clientAuthoritiesPath != nil else { return nil }
    guard let certificatePath, let keyPath else {
      throw .badCertificateFile(reason: "a certificate needs its key, and a key its certificate")
    }
    certificate = try Self.read(certificatePath)
    key = try Self.read(keyPath)
    clientAuthorities = try clientAuthoritiesPath.map { path throws(SimulatorError) in try Self.read(path) }
  }

  private static func read(_ path: String) throws(SimulatorError) -> [UInt8] {
    do throws(WholeFile.ReadFailure) {
      return try WholeFile.read(path, limitInBytes: 1 << 20)
    } catch {
      throw .badCertificateFile(reason: "'\(path)' cannot be read: \(error.reason)")
    }
  }
}
