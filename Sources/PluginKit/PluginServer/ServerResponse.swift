/// A server's response.
public struct ServerResponse: Sendable {
  /// A function that produces the body of a response while it is sent.
  public typealias Producer = @Sendable (ResponseBody) async throws -> Void

  /// The body.
  public enum Body: Sendable {
    /// The complete body; a small one is sent together with the head.
    case bytes([UInt8])
    /// The output of a producer; `length` in bytes if known, otherwise it is sent in chunks. If the producer throws, or
    /// ends before the length, the connection is closed.
    case stream(length: Int?, Producer)
  }

  /// A deliberate fault, for simulators: clients must cope with it.
  public enum Fault: Sendable, Hashable {
    /// Closes the connection after a number of bytes of the body, with the correct length stated.
    case cut(after: Int)
    /// Resets the connection after at most a number of bytes of the body.
    case reset(after: Int)
    /// Sends nothing after a number of bytes of the body until the client disconnects or the server stops.
    case stall(after: Int)
    /// Sends the body a number of bytes at a time, a number of milliseconds apart.
    case drip(bytes: Int, milliseconds: Int)
    /// States no length and sends the body in chunks of a number of bytes each.
    case chunks(of: Int)
    /// Overstates the length by a number of bytes; then closes the connection.
    case overstated(by: Int)
    /// Closes or resets the connection without a response.
    case unanswered(isReset: Bool)
    /// Sends only the body, which contains the status line and head, and then closes the connection. For HTTP and at
    /// most a few hundred kilobytes.
    case raw
  }

  /// The status, such as 200.
  public var status: Int
  /// The header fields in order; the length of the body and the date are added.
  public var headers: [ServerRequest.Field]
  /// The body.
  public var body: Body
  /// A deliberate fault, in a body of bytes; nil for none.
  public var fault: Fault?

  /// Creates a response.
  public init(_ status: Int = 200, headers: [ServerRequest.Field] = [], _ body: Body = .bytes([]), fault: Fault? = nil)
  {
    self.status = status
    self.headers = headers
    self.body = body
    self.fault = fault
  }

  /// Creates a response of bytes with a media type.
  public init(_ status: Int = 200, type: String, _ bytes: [UInt8], fault: Fault? = nil) {
    self.init(status, headers: [.init("Content-Type", type)], .bytes(bytes), fault: fault)
  }

  /// Creates a response of text.
  public init(_ status: Int = 200, text: String) {
    self.init(status, type: "text/plain; charset=utf-8", Array(text.utf8))
  }

  /// The body with its fault.
  var faultyBody: Body {
    guard let fault, case .bytes(let bytes) = body else { return body }
    return switch fault {
    case .cut(let count):
      .stream(length: bytes.count) { out in
        try await out.write(Array(bytes.prefix(count)))
        throw FaultOnPurpose()
      }
    case .reset(let count):
      .stream(length: bytes.count) { out in
        try await out.write(Array(bytes.prefix(count)))
        throw FaultOnPurpose(isReset: true)
      }
    case .stall(let count):
      .stream(length: bytes.count) { out in
        try await out.write(Array(bytes.prefix(count)))
        while true { try await Task.sleep(for: .seconds(3600)) }
      }
    case .drip(let count, let milliseconds):
      .stream(length: bytes.count) { out in
        for start in stride(from: 0, to: bytes.count, by: max(1, count)) {
          if start > 0 { try await Task.sleep(for: .milliseconds(milliseconds)) }
          try await out.write(Array(bytes[start..<min(bytes.count, start + max(1, count))]))
        }
      }
    case .chunks: .stream(length: nil) { try await $0.write(bytes) }
    case .overstated(let more): .stream(length: bytes.count + more) { try await $0.write(bytes) }
    case .unanswered, .raw: body
    }
  }
}

/// An error that ends a response incorrectly.
struct FaultOnPurpose: Error {
  var isReset = false
}

/// A writer of a response's body for producers.
public struct ResponseBody: Sendable {
  let exchange: Exchange

  /// Writes bytes; waits while the client does not read.
  ///
  /// - Throws: `CancellationError` if the client disconnects or the server stops.
  public func write(_ bytes: [UInt8]) async throws { try await exchange.write(bytes) }
}
