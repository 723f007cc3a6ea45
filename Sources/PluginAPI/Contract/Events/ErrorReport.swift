/// An error as users and scripts meet it: a stable code, one sentence, and what to do.
public struct ErrorReport: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error, which decides the exit status.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Something went wrong.
    case failure
    /// The command was used wrongly.
    case usage
    /// What was asked for does not exist.
    case notFound
    /// A plugin failed.
    case pluginFailed
    /// The input data cannot be used.
    case unusableInput
    /// The network or a device failed.
    case network
    /// Permission, trust, password or lock.
    case refused
    /// It took too long.
    case timedOut
    /// The user ended it.
    case interrupted
  }

  /// The stable code, `area.what-happened`.
  public var code: String
  /// The kind.
  public var kind: Kind
  /// One sentence, lower case first, without a full stop.
  public var message: String
  /// What to do; nil if there is nothing.
  public var advice: String?
  /// Details for scripts.
  public var details: Record
  /// Whether the same call may succeed later.
  public var isRetryable: Bool

  /// Creates an error report.
  public init(
    code: String, kind: Kind, _ message: String, advice: String? = nil, details: Record = Record(),
    isRetryable: Bool = false
  ) {
    self.code = code
    self.kind = kind
    self.message = message
    self.advice = advice
    self.details = details
    self.isRetryable = isRetryable
  }

  /// The sentence and the advice.
  public var description: String {
    advice.map { "\(message); \($0)" } ?? message
  }

  /// The exit status of a process that ends with this error.
  public var exitStatus: Int32 {
    switch kind {
    case .failure: 1
    case .usage: 2
    case .notFound: 3
    case .pluginFailed: 4
    case .unusableInput: 5
    case .network: 6
    case .refused: 7
    case .timedOut: 124
    case .interrupted: 130
    }
  }
}

/// An error of an area that knows its own code, wording and kind.
///
/// What a plugin throws without this conformance is reported as the plugin's failure (exit status 4).
public protocol ReportableError: Error {
  /// The error as users and scripts meet it.
  var report: ErrorReport { get }
}

extension ErrorReport: ReportableError {
  /// Itself.
  public var report: ErrorReport { self }
}
