import Glibc

/// A self-signed certificate and its key, created by the system's openssl.
struct SimulatedCertificate: Sendable {
  /// The certificate as PEM.
  let certificate: [UInt8]
  let key: [UInt8]

  /// Creates a certificate.
  ///
  /// - Throws: ``SimulatorError/noCertificate(_:)``.
  init(_ security: SimulatorConfiguration.Security) throws(SimulatorError) {
    var template = Array("/tmp/workbench-simulator-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw .noCertificate("no temporary folder can be made")
    }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let names = ["key.pem", "request.pem", "certificate.pem", "extension.txt"]
    defer {
      for name in names { unlink("\(folder)/\(name)") }
      rmdir(folder)
    }
    let host = security == .wrongHost ? "openbis.example.org" : "127.0.0.1"
    let others = security == .wrongHost ? "DNS:openbis.example.org" : "IP:127.0.0.1,DNS:localhost"
    try Self.write("subjectAltName=\(others)\n", to: "\(folder)/extension.txt")
    try Self.run([
      "openssl", "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
      "/CN=\(host)", "-keyout", "\(folder)/key.pem", "-out", "\(folder)/request.pem",
    ])
    try Self.run([
      "openssl", "x509", "-req", "-in", "\(folder)/request.pem", "-signkey", "\(folder)/key.pem", "-days",
      security == .expired ? "-1" : "30", "-extfile", "\(folder)/extension.txt", "-out", "\(folder)/certificate.pem",
    ])
    certificate = try Self.read("\(folder)/certificate.pem")
    key = try Self.read("\(folder)/key.pem")
  }

  private static func run(_ words: [String]) throws(SimulatorError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in 0...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY, 0)
    }
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    guard posix_spawnp(&process, words[0], &actions, nil, &arguments, environ) == 0 else {
      throw .noCertificate("the command 'openssl' is missing")
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    if status != 0 { throw .noCertificate("'openssl \(words[1])' failed") }
  }

  private static func write(_ text: String, to path: String) throws(SimulatorError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    guard descriptor >= 0 else { throw .noCertificate("'\(path)' cannot be written") }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw .noCertificate("'\(path)' cannot be written")
    }
  }

  private static func read(_ path: String) throws(SimulatorError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw .noCertificate("'\(path)' cannot be read") }
    defer { close(descriptor) }
    var room = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(descriptor, &room, room.count)
    return Array(room.prefix(max(0, count)))
  }
}
