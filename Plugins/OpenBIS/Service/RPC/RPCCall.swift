import PluginJSON

/// A call of a server's method.
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

    /// A Boolean value indicating whether the interface belongs to a data store server, not to the application server.
    var isOfDataStore: Bool { if case .dataStore = self { true } else { false } }
  }

  var interface: Interface
  var method: String
  /// A Boolean value indicating whether the session's token precedes the parameters.
  var takesToken = true
  /// Each parameter as JSON text, in order, without the token.
  var parameters: [[UInt8]] = []
  /// The time without a received byte after which the call fails, in seconds; there is no limit while bytes arrive.
  var stallInSeconds = 30
}

/// A reader of the value of `result` while a response arrives; called on the thread of all transfers, so it must not
/// wait.
protocol RPCResultReader: AnyObject {
  /// Processes the next event of the value.
  ///
  /// - Throws: The error that makes the response useless; the transfer is aborted then.
  func take(_ event: JSONEvent) throws -> JSONFlow

  /// The channel for rows, if they are read while the response arrives; the transfer pauses while it is full.
  var channel: RowChannel? { get }
}

extension RPCResultReader {
  var channel: RowChannel? { nil }
}

/// The data sent with a response in addition to its result.
struct RPCAnswer: Sendable {
  /// The server's clock, in seconds since 1970, by the Date field of the head; nil if there is none.
  var serverTimeInSeconds: Double?
  /// The size of the body in bytes, decoded.
  var sizeInBytes: Int
  /// The number of unpaired surrogates that were replaced by U+FFFD.
  var replacedSurrogates = 0
}

/// A caller of a server: a session, or a test.
protocol RPCCaller: Sendable {
  /// Calls a method and passes the value of `result` to a reader.
  ///
  /// - Throws: `RPCError`, `HTTPError`, errors of the reader; `CancellationError` soon after the task was canceled.
  func call(_ call: RPCCall, _ reader: any RPCResultReader & Sendable) async throws -> RPCAnswer
}
