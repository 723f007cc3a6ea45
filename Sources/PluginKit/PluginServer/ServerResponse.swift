/// What a server answers.
public struct ServerResponse: Sendable {
  /// Makes the body of an answer while it is sent.
  public typealias Producer = @Sendable (ResponseBody) async throws -> Void

  /// The body.
  public enum Body: Sendable {
    /// All of it; small ones leave together with the head.
    case bytes([UInt8])
    /// What a producer writes; `length` in bytes if it is known, else it goes out in chunks. What the producer throws
    /// closes the connection, as does an end before the length.
    case stream(length: Int?, Producer)
  }

  /// A fault on purpose, for simulators: what clients must live with.
  public enum Fault: Sendable, Hashable {
    /// The connection is closed after so many bytes of the body, whose length was stated as right.
    case cut(after: Int)
    /// The connection is reset after at most so many bytes of the body.
    case reset(after: Int)
    /// Nothing comes after so many bytes of the body until the client goes or the server stops.
    case stall(after: Int)
    /// The body comes so many bytes at a time, so many milliseconds apart.
    case drip(bytes: Int, milliseconds: Int)
    /// No length is stated, and the body comes in chunks of so many bytes each.
    case chunks(of: Int)
    /// The length is stated as so many bytes more than there are; then the connection is closed.
    case overstated(by: Int)
    /// The connection is closed, or reset, without any answer.
    case unanswered(isReset: Bool)
    /// The body is all that is sent, status line and head among it, whatever it is; then the connection is closed. For
    /// HTTP and some hundred kilobytes at most.
    case raw
  }

  /// The status, such as 200.
  public var status: Int
  /// Fields of the head in order; the length of the body and the date are added.
  public var headers: [ServerRequest.Field]
  /// The body.
  public var body: Body
  /// A fault on purpose, in a body of bytes; nil for none.
  public var fault: Fault?

  /// Creates an answer.
  public init(_ status: Int = 200, headers: [ServerRequest.Field] = [], _ body: Body = .bytes([]), fault: Fault? = nil)
  {
    self.status = status
    self.headers = headers
    self.body = body
    self.fault = fault
  }

  /// Creates an answer of bytes of a media type.
  public init(_ status: Int = 200, type: String, _ bytes: [UInt8], fault: Fault? = nil) {
    self.init(status, headers: [.init("Content-Type", type)], .bytes(bytes), fault: fault)
  }

  /// Creates an answer of text.
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

/// Ends an answer in the wrong way.
struct FaultOnPurpose: Error {
  var isReset = false
}

/// Where a producer writes the body of an answer.
public struct ResponseBody: Sendable {
  let exchange: Exchange

  /// Hands bytes over; waits while the client does not take what is there.
  ///
  /// - Throws: `CancellationError` if the client has gone or the server ends.
  public func write(_ bytes: [UInt8]) async throws { try await exchange.write(bytes) }
}
