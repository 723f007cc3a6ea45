/// An error as users and scripts see it: a stable code, one sentence, and advice.
public struct ErrorReport: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error, which determines the exit status.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// An unspecified failure.
    case failure
    /// Wrong usage of a command.
    case usage
    /// The requested thing does not exist.
    case notFound
    /// A plugin failed.
    case pluginFailed
    /// The input data cannot be used.
    case unusableInput
    /// The network or a device failed.
    case network
    /// Missing permission or trust, a wrong password, or a lock.
    case refused
    /// The operation timed out.
    case timedOut
    /// The user interrupted the operation.
    case interrupted
  }

  /// The stable code, `area.what-happened`.
  public var code: String
  /// The kind.
  public var kind: Kind
  /// One sentence, lower case first, without a full stop.
  public var message: String
  /// The suggested remedy; nil if there is none.
  public var advice: String?
  /// Details for scripts.
  public var details: Record
  /// A Boolean value indicating whether the same call may succeed later.
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

  /// The sentence, followed by the advice.
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

/// An error that provides its own code, wording and kind.
///
/// An error without this conformance is reported as a failure of the plugin (exit status 4).
public protocol ReportableError: Error {
  /// The error as users and scripts see it.
  var report: ErrorReport { get }
}

extension ErrorReport: ReportableError {
  /// The report itself.
  public var report: ErrorReport { self }
}
