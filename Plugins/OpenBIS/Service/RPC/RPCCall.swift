import PluginJSON

/// A call of a method of a server.
struct RPCCall: Sendable {
  /// The interfaces of a server.
  enum Interface: Sendable, Hashable {
    /// V1, `rmi-query-v1.json`.
    case query
    /// V1, `rmi-general-information-v1.json`.
    case generalInformation
    /// V3 of the application server.
    case application
    /// V3 of the data store server at this address.
    case dataStore(String)

    /// True for a data store server, false for the application server.
    var isOfDataStore: Bool { if case .dataStore = self { true } else { false } }
  }

  var interface: Interface
  var method: String
  /// Whether the session's token stands before the parameters.
  var takesToken = true
  /// Each parameter as JSON text, in order, without the token.
  var parameters: [[UInt8]] = []
  /// The call is given up when so many seconds go by without a byte; as long as bytes come there is no limit.
  var stallInSeconds = 30
}

/// Takes the value of `result` of an answer as it arrives; on the thread of all transfers, so it never waits.
protocol RPCResultReader: AnyObject {
  /// Takes the next event of the value.
  ///
  /// - Throws: What makes the answer useless; the transfer is given up then.
  func take(_ event: JSONEvent) throws -> JSONFlow

  /// Where rows go, if they are read while the answer arrives: the transfer pauses while it is full.
  var channel: RowChannel? { get }
}

extension RPCResultReader {
  /// None.
  var channel: RowChannel? { nil }
}

/// What an answer tells beside its result.
struct RPCAnswer: Sendable {
  /// The server's clock, in seconds since 1970, by the Date field of the head; nil if it tells none.
  var serverTimeInSeconds: Double?
  /// The size of the body in bytes, decoded.
  var sizeInBytes: Int
  /// In how many places one half of a surrogate pair was replaced by U+FFFD.
  var replacedSurrogates = 0
}

/// Whoever can call a server: a session, or a test.
protocol RPCCaller: Sendable {
  /// Calls a method and hands the value of `result` to a reader.
  ///
  /// - Throws: `RPCError`, `HTTPError`, what the reader throws; `CancellationError` soon after the task was cancelled.
  func call(_ call: RPCCall, _ reader: any RPCResultReader & Sendable) async throws -> RPCAnswer
}
