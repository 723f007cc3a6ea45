internal import Glibc

/// A certificate and its key, with which a simulator serves HTTPS.
public struct SimulatorCertificate: Sendable, Hashable {
  /// PEM, the server's own first.
  public var certificate: [UInt8]
  /// PEM, without password.
  public var key: [UInt8]
  /// PEM of the authorities of client certificates, which every client then needs; nil to require none.
  public var clientAuthorities: [UInt8]?

  public init(certificate: [UInt8], key: [UInt8], clientAuthorities: [UInt8]? = nil) {
    (self.certificate, self.key, self.clientAuthorities) = (certificate, key, clientAuthorities)
  }
}

/// The reason no certificate could be made.
public struct CertificateFailure: Error, Hashable {
  public let reason: String

  fileprivate init(_ reason: String) { self.reason = reason }
}

extension SimulatorCertificate {
  /// Creates a self-signed certificate with the system's openssl, for one run.
  ///
  /// - Parameters:
  ///   - host: The common name.
  ///   - names: The alternative names in openssl's notation, such as `IP:127.0.0.1,DNS:localhost`.
  ///   - days: The number of days for which it is valid; negative for an expired one.
  public init(selfSignedFor host: String, names: String, days: Int) throws(CertificateFailure) {
    var template = Array("/tmp/workbench-simulator-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CertificateFailure("no temporary folder can be made") }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let files = ["key.pem", "request.pem", "certificate.pem", "extension.txt"]
    defer {
      for file in files { unlink("\(folder)/\(file)") }
      rmdir(folder)
    }
    try Self.write("subjectAltName=\(names)\n", to: "\(folder)/extension.txt")
    try Self.run([
      "openssl", "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
      "/CN=\(host)", "-keyout", "\(folder)/key.pem", "-out", "\(folder)/request.pem",
    ])
    try Self.run([
      "openssl", "x509", "-req", "-in", "\(folder)/request.pem", "-signkey", "\(folder)/key.pem", "-days", "\(days)",
      "-extfile", "\(folder)/extension.txt", "-out", "\(folder)/certificate.pem",
    ])
    self.init(
      certificate: try Self.read("\(folder)/certificate.pem"), key: try Self.read("\(folder)/key.pem"))
  }

  private static func run(_ arguments: [String]) throws(CertificateFailure) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in 0...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY, 0)
    }
    var pointers = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var process: pid_t = 0
    guard posix_spawnp(&process, arguments[0], &actions, nil, &pointers, environ) == 0 else {
      throw CertificateFailure("the command 'openssl' is missing")
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    if status != 0 { throw CertificateFailure("'openssl \(arguments[1])' failed") }
  }

  private static func write(_ text: String, to path: String) throws(CertificateFailure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    guard descriptor >= 0 else { throw CertificateFailure("'\(path)' cannot be written") }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw CertificateFailure("'\(path)' cannot be written")
    }
  }

  private static func read(_ path: String) throws(CertificateFailure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw CertificateFailure("'\(path)' cannot be read") }
    defer { close(descriptor) }
    var room = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(descriptor, &room, room.count)
    return Array(room.prefix(max(0, count)))
  }
}
