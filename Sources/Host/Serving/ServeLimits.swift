import PluginAPI

/// The limits of a client of `serve`.
struct ServeLimits: Sendable {
  /// The largest result that the loop itself joins and writes, in bytes: a switch of threads takes longer.
  static let quickBytes = 1 << 16

  /// The longest line it may write, in bytes.
  var lineBytes = 16 << 20
  /// The number of calls that run at the same time; others wait for their turn.
  var calls = 8
  /// The maximum number of requests that are not answered yet.
  var openRequests = 4096
  /// The maximum number of bytes of calls that wait for their turn.
  var waitingBytes = 64 << 20
  /// The bytes of output that it may leave unread, beyond which its calls wait and no further requests are read.
  var unreadBytes = 8 << 20
  /// The largest result, or value of a stream, that is sent as a whole, in bytes.
  var resultBytes = 256 << 20
  /// The most subscriptions.
  var subscriptions = 256
  /// The shortest time between two notifications of the progress of a call, in seconds.
  var progressSeconds = 0.05
  /// The longest time that a call of a tool may take, in seconds.
  var toolSeconds = 120.0
  /// The time that canceled calls get at the end of the connection, in seconds.
  var endSeconds = 2.0
  /// The same for calls that finish their work.
  var finishingSeconds = 40.0
  /// The time that the client gets at the end to read the remaining output, in seconds.
  var flushSeconds = 5.0

  /// The limits as clients see them.
  var value: Value {
    [
      "lineBytes": .integer(lineBytes), "calls": .integer(calls), "openRequests": .integer(openRequests),
      "unreadBytes": .integer(unreadBytes), "resultBytes": .integer(resultBytes),
      "subscriptions": .integer(subscriptions),
    ]
  }
}
