internal import CPostgres
internal import Glibc

/// The address of a database: `postgresql://USER@HOST:PORT/DATABASE?OPTION=VALUE`.
///
/// It follows libpq's rules and two more. It has no password, which other users would see in the list of processes; the
/// password comes from `~/.pgpass` or the file that `PGPASSFILE` names. A server on another machine is verified by TLS.
public struct PostgresAddress: Sendable, Equatable {
  /// The server and database as messages show them.
  public let name: String
  /// The options by libpq's names, in the order in which later ones count.
  let options: [(keyword: String, value: String)]

  public static func == (left: PostgresAddress, right: PostgresAddress) -> Bool {
    left.options.elementsEqual(right.options) { $0 == $1 }
  }

  /// Creates an address; opens libpq at the first call.
  ///
  /// - Parameter environment: Returns the environment variables from which libpq takes what the address lacks; nil for
  ///   those of the process.
  /// - Throws: ``PostgresError``, without the text of the address.
  public init(_ text: String, environment: ((String) -> String?)? = nil) throws(PostgresError) {
    // libpq also takes 'host=… password=…', which does not look like an address.
    guard text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") else {
      throw .badAddress(reason: "it does not begin with 'postgresql://'")
    }
    let given = try Self.parse(text)
    if given["password"]?.isEmpty == false || given["sslpassword"]?.isEmpty == false { throw .passwordInAddress }
    let environment = environment ?? { getenv($0).map { String(cString: $0) } }
    func option(_ keyword: String, _ variable: String) -> String {
      given[keyword] ?? environment(variable) ?? ""
    }
    let hosts = option("host", "PGHOST")
    let addresses = option("hostaddr", "PGHOSTADDR")
    let remote = Self.remoteHost(in: addresses.isEmpty ? hosts : addresses)
    // A service file may name any server, also by a 'hostaddr' beside the host of the address.
    let service = option("service", "PGSERVICE")
    let hasFixedServer = service.isEmpty || (given["host"] != nil && given["hostaddr"] != nil)
    var options = [
      ("client_encoding", "UTF8"), ("fallback_application_name", "workbench"), ("keepalives_idle", "30"),
      ("keepalives_interval", "10"), ("keepalives_count", "3"), ("tcp_user_timeout", "60000"),
    ]
    options += given.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    if let host = remote ?? (hasFixedServer ? nil : service) {
      let mode = given["sslmode"] ?? "verify-full"
      guard mode == "verify-full" else { throw .insecureAddress(host: host, mode: mode) }
      options.append(("sslmode", mode))
    }
    self.options = options
    let port = option("port", "PGPORT")
    let server = hosts.isEmpty ? addresses : hosts
    name = "postgresql://\(server)\(port.isEmpty ? "" : ":" + port)/\(option("dbname", "PGDATABASE"))"
  }

  /// Returns the first host of a list that is neither a socket nor a loopback address; nil if there is none.
  private static func remoteHost(in list: String) -> String? {
    list.split(separator: ",").map(String.init).first { host in
      !(host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1" || isLoopback(host))
    }
  }

  /// True for the addresses 127.0.0.0/8.
  private static func isLoopback(_ host: String) -> Bool {
    var address = in_addr()
    return inet_pton(AF_INET, host, &address) == 1 && UInt32(bigEndian: address.s_addr) >> 24 == 127
  }

  private static func parse(_ text: String) throws(PostgresError) -> [String: String] {
    let libpq = try PostgresLibrary().functions
    var problem: UnsafeMutablePointer<CChar>?
    guard let options = libpq.conninfoParse(text, &problem) else {
      // libpq's message may quote a password.
      libpq.freemem(problem)
      throw .badAddress(reason: "its parts or options are not those of PostgreSQL")
    }
    defer { libpq.conninfoFree(options) }
    var given: [String: String] = [:]
    var next = options
    while let keyword = next.pointee.keyword {
      if let value = next.pointee.val { given[String(cString: keyword)] = String(cString: value) }
      next += 1
    }
    return given
  }
}
